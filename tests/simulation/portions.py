"""Runs seeds in portions, in processes of their own, and adds up what they came to."""

import logging
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import nullcontext
from dataclasses import dataclass, field
from multiprocessing import get_context

from tests.simulation.mutations import MUTATIONS
from tests.simulation.world import Result, run, simulated

PORTION = 100


@dataclass(slots=True)
class Total:
    """What some runs came to."""

    seeds: int = 0
    failed: dict[int, str] = field(default_factory=dict)
    accepted: int = 0
    seconds: float = 0.0
    injected: Counter[str] = field(default_factory=Counter)

    def add(self, result: Result) -> None:
        """Count a run."""
        self.seeds += 1
        self.accepted += result.accepted
        self.seconds += result.seconds
        self.injected += result.injected
        if result.wrong is not None:
            self.failed[result.seed] = result.wrong

    def lines(self) -> Iterator[str]:
        """Say it."""
        for seed, wrong in sorted(self.failed.items()):
            yield f"seed {seed} failed: {wrong[-1000:]}"
        yield (
            f"{self.seeds} seeds, {len(self.failed)} failed; {self.accepted} commands acknowledged"
            f" in {self.seconds:.0f} simulated seconds; {self.injected.total()} faults:"
        )
        yield from (f"  {times:7} {kind}" for kind, times in sorted(self.injected.items()))


def portion(seeds: range, mutation: str | None = None) -> list[Result]:
    """Run some seeds in this process."""
    logging.disable(logging.CRITICAL)
    with simulated(), MUTATIONS[mutation]() if mutation else nullcontext():
        return [run(seed) for seed in seeds]


def total(
    portions: Iterator[range],
    jobs: int,
    mutation: str | None = None,
    *,
    until_failure: bool = False,
) -> Total:
    """Run seeds in so many processes; a portion is asked for when there is somebody for it."""
    found = Total()
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:

        def begin() -> Iterator[Future[list[Result]]]:
            seeds = next(portions, None)
            if seeds is not None:
                yield pool.submit(portion, seeds, mutation)

        waiting = [each for _ in range(jobs + 1) for each in begin()]
        while waiting:
            for result in waiting.pop(0).result():
                found.add(result)
            if not (found.failed and until_failure):
                waiting += begin()
    return found


def portions(first: int, last: int | None, more: Callable[[], bool]) -> Iterator[range]:
    """Answer seeds in portions, up to the last or as long as there shall be more."""
    while more() and (last is None or first < last):
        end = first + PORTION if last is None else min(first + PORTION, last)
        yield range(first, end)
        first = end
