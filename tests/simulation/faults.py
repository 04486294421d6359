"""What goes wrong: which kinds, how often, and when; drawn from the seed, and counted."""

from collections import Counter
from dataclasses import dataclass, field
from random import Random
from typing import Final, Literal, TypeAlias, TypeVar, get_args

Kind = TypeVar("Kind", bound=str)

CallFault: TypeAlias = Literal[
    "lost request", "lost reply", "late request", "late reply", "cut pipeline", "denied write",
    "stop before a commit", "lost nudge",
]  # fmt: skip
WayFault: TypeAlias = Literal["lost", "unanswered", "twice", "late", "late answer"]
Event: TypeAlias = Literal[
    "crash of an API process", "crash of a follower", "crash of the jobs worker",
    "restart of the store", "failover that rewinds", "absence of the store", "flush of RQ",
    "absence of RQ", "loss of leases", "stop of a process", "jump of a clock",
    "jump of the store's clock", "loss of a job",
]  # fmt: skip

CALLS: Final[tuple[CallFault, ...]] = get_args(CallFault)
"""Between a process and the store."""
_DRAWN_APART: Final = ("stop before a commit", "lost nudge")
WAYS: Final[tuple[WayFault, ...]] = get_args(WayFault)
"""Between a client and the API."""
EVENTS: Final[tuple[Event, ...]] = get_args(Event)
"""To a process, the store or RQ."""


@dataclass(slots=True)
class Faults:
    """The faults of one run: each seed has other kinds, so that rare ones are not drowned."""

    random: Random
    on: bool = True
    injected: Counter[str] = field(default_factory=Counter)
    calls: tuple[CallFault, ...] = ()
    ways: tuple[WayFault, ...] = ()
    events: tuple[Event, ...] = ()
    call_rate: float = 0.0
    way_rate: float = 0.0
    times: int = 0

    @classmethod
    def drawn(cls, random: Random) -> "Faults":
        """Draw which kinds there are, and how many."""
        return cls(
            random,
            calls=_some(random, CALLS),
            ways=_some(random, WAYS),
            events=_some(random, EVENTS),
            call_rate=random.choice((0.0, 0.01, 0.03, 0.08)),
            way_rate=random.choice((0.0, 0.05, 0.15, 0.3)),
            times=random.choice((0, 1, 2, 4)),
        )

    def of_call(self) -> CallFault | None:
        """Draw what happens to a call of the store."""
        if not self.on or not self.calls or self.random.random() >= self.call_rate:
            return None
        fault = self.random.choice(self.calls)
        if fault in _DRAWN_APART:
            return None
        return self.note(fault)

    def of_way(self) -> WayFault | None:
        """Draw what happens to a request on its way."""
        if not self.on or not self.ways or self.random.random() >= self.way_rate:
            return None
        return self.note(self.random.choice(self.ways))

    @property
    def stop_commits(self) -> bool:
        """Answer whether followers may stop before they commit."""
        return self.on and "stop before a commit" in self.calls

    def of_commit(self) -> bool:
        """Draw whether a follower stops before it commits."""
        stopped = self.stop_commits and self.random.random() < 0.1
        if stopped:
            self.note("stop before a commit")
        return stopped

    def of_nudge(self) -> bool:
        """Draw whether a nudge gets lost."""
        lost = self.on and "lost nudge" in self.calls and self.random.random() < 4 * self.call_rate
        if lost:
            self.note("lost nudge")
        return lost

    def note(self, kind: Kind) -> Kind:
        """Count a fault that is injected."""
        self.injected[kind] += 1
        return kind


def _some(random: Random, kinds: tuple[Kind, ...]) -> tuple[Kind, ...]:
    return tuple(each for each in kinds if random.random() < 0.5)
