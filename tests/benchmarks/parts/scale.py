"""How much is measured: for figures, or only to see that the program works."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Scale:
    """How long, how often and how large."""

    seconds: float
    """Of each run of requests."""
    pairs: int
    clients: tuple[int, ...]
    tables: int
    """That requests are spread over."""
    rate: float
    """Commands a second while it is looked how soon they are visible."""
    visible: float
    """Seconds of that."""
    followed: int
    rebuilt: int
    archived: int
    weighed: int
    played: int
    """Tables that are folded or exported."""
    few: int
    many: int
    """Tables in the store of the large server that is compared with a small one."""
    long: int
    """Events at a long table."""
    rounds: int
    """In which both of them are asked in turn."""
    started: int
    """Tables in the data folder of a server that starts."""
    starts: int
    idle: float
    """Seconds of watching an idle server."""


WHOLE = Scale(
    seconds=1.2, pairs=5, clients=(1, 8, 32, 128), tables=2_000, rate=500.0, visible=10.0,
    followed=150, rebuilt=300, archived=2_000, weighed=5, played=10, few=100, many=100_000,
    long=2_000, rounds=15, started=10_000, starts=5, idle=10.0,
)  # fmt: skip

QUICK = Scale(
    seconds=0.1, pairs=1, clients=(1, 32), tables=10, rate=50.0, visible=1.0, followed=2,
    rebuilt=3, archived=2, weighed=1, played=1, few=10, many=30, long=30, rounds=2,
    started=10, starts=1, idle=0.5,
)  # fmt: skip
