"""What a piece of work costs in numbers that no other load on the machine can change."""

import gc
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from types import FrameType
from typing import Any, TypeAlias

from redis import Redis

from events.servers.exchange import exchange

Cost: TypeAlias = dict[str, float]
"""Names of what was counted -> how much of it one request, event or run took."""


class Counted:
    """Instructions of Python's virtual machine, calls of functions, and trips to the store."""

    def __init__(self) -> None:
        self.instructions = self.calls = self.trips = 0

    def trace(self, frame: FrameType, event: str, argument: Any) -> Any:
        """Count instructions; what ``sys.settrace`` calls."""
        if event == "opcode":
            self.instructions += 1
        elif event == "call":
            frame.f_trace_lines = False
            frame.f_trace_opcodes = True
        return self.trace

    def profile(self, frame: FrameType, event: str, argument: Any) -> None:
        """Count calls of functions, those written in C too; what ``sys.setprofile`` calls."""
        if event == "call":
            self.calls += 1
            self.trips += frame.f_code is exchange.__code__
        elif event == "c_call":
            self.calls += 1


@contextmanager
def counting() -> Iterator[Counted]:
    """Count what this thread does."""
    counted = Counted()
    before = sys.gettrace(), sys.getprofile()
    # A collection at a moment of its own choosing would run finalizers on somebody's account.
    gc.disable()
    try:
        sys.setprofile(counted.profile)
        sys.settrace(counted.trace)
        yield counted
    finally:
        sys.settrace(before[0])
        sys.setprofile(before[1])
        gc.enable()


def cost(work: Callable[[], int], store: Redis | None = None) -> Cost:
    """Do work once and answer what each of the units cost of which it answers the number.

    With a store: what it was asked for too, within scripts as well, and the bytes on the way.
    """
    if store is not None:
        store.config_resetstat()
    with counting() as counted:
        units = work()
    found: Cost = {"instructions": counted.instructions, "calls": counted.calls}
    if store is not None:
        told = store.info("all")
        commands = [
            figures["calls"]
            for name, figures in told.items()
            if name.startswith("cmdstat_") and not name.startswith(("cmdstat_config", "cmdstat_in"))
        ]
        found |= {
            "round trips": counted.trips,
            "store commands": sum(commands),
            "bytes to the store": told["total_net_input_bytes"],
            "bytes from the store": told["total_net_output_bytes"],
        }
    return {name: value / units for name, value in found.items()}


def mean(costs: Sequence[Cost]) -> Cost:
    """Answer what each of several pieces of work cost on average."""
    return {name: sum(each[name] for each in costs) / len(costs) for name in costs[0]}
