"""What of the outside the product meets in a simulation: time, chance, few partitions."""

import os
import random
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from random import Random
from types import ModuleType
from typing import Any, Final, Self
from unittest.mock import patch

import workers.bots
import workers.nudges
import workers.station
from events import keys
from tests.simulation.schedule import TIMED_OUT, Schedule
from tests.simulation.server import EPOCH

_ROOMS: Final = ("domain", "events", "service", "workers")

PARTITIONS: Final = 4
"""Fewer than the product's 256, in blocks of two: sweeping the rest would find nothing."""
BLOCK: Final = 2


class Clockwork:
    """Puts one schedule after another in the place of what processes take from the machine."""

    def __init__(self) -> None:
        self._schedule: Schedule | None = None
        self._chance = Random(0)

    def monotonic(self) -> float:
        schedule = self._now()
        return 1_000.0 + schedule.now

    def time(self) -> float:
        schedule = self._now()
        skew = schedule.current.process.skew if schedule.current else 0.0
        return EPOCH + schedule.now + skew

    def urandom(self, size: int) -> bytes:
        return self._chance.randbytes(size)

    def _now(self) -> Schedule:
        if self._schedule is None:
            raise RuntimeError("nothing is simulated now")
        return self._schedule

    @contextmanager
    def running(self, schedule: Schedule, seed: int) -> Iterator[None]:
        """Let the product live in a schedule."""
        self._schedule, self._chance = schedule, Random(seed)
        try:
            yield
        finally:
            self._schedule = None

    @contextmanager
    def installed(self) -> Iterator[None]:
        """Take the place of clocks and chance wherever the product has taken them."""
        clockwork = self

        class Event:
            """What a worker waits for to be asked to stop; nobody asks."""

            def is_set(self) -> bool:
                return False

            def wait(self, seconds: float) -> bool:
                return clockwork._now().wait(seconds) is not TIMED_OUT

        class Selector:
            """What a follower waits with that hears of nothing."""

            def __enter__(self) -> Self:
                return self

            def __exit__(self, *_: object) -> None:
                """Nothing was opened."""

            def select(self, seconds: float) -> tuple[()]:
                clockwork._now().sleep(seconds)
                return ()

        given: list[tuple[ModuleType, str, Any]] = [
            (os, "urandom", self.urandom),
            (random, "_urandom", self.urandom),
            (keys, "PARTITIONS", PARTITIONS),
            (keys, "BLOCK", BLOCK),
            (workers.station, "Event", Event),
            (workers.nudges, "DefaultSelector", Selector),
            (workers.bots, "limited", lambda _: nullcontext()),
        ]
        taken = {time.monotonic: self.monotonic, time.time: self.time}
        for module in _modules():
            for name, value in vars(module).items():
                if name == "BLOCKS":
                    given.append((module, name, PARTITIONS // BLOCK))
                elif _is_clock(value, taken):
                    given.append((module, name, taken[value]))
        patches = [patch.object(*each) for each in given]
        keys.partition.cache_clear()
        for each in patches:
            each.start()
        try:
            yield
        finally:
            for each in reversed(patches):
                each.stop()
            keys.partition.cache_clear()


def _modules() -> list[ModuleType]:
    return [
        module for name, module in tuple(sys.modules.items()) if name.partition(".")[0] in _ROOMS
    ]


def _is_clock(value: Any, taken: dict[Callable[..., float], Any]) -> bool:
    return any(value is each for each in taken)
