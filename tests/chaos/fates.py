"""Where a connection breaks: drawn so that every point has its turn, and counted."""

import math
import random
import re
from collections import Counter
from dataclasses import dataclass, field
from enum import StrEnum
from threading import Lock
from typing import Final


class Point(StrEnum):
    """A point at which a connection breaks, or what else a network does to an exchange."""

    NOWHERE = "nowhere"
    BEFORE = "before the request arrives"
    INSIDE_REQUEST = "inside the request"
    GONE = "while the server decides"
    LOST = "before the reply arrives"
    SILENT = "silently, with the reply"
    INSIDE_HEAD = "inside the head of the reply"
    INSIDE = "inside the reply"
    BETWEEN = "between two pieces of the reply"
    ENDED = "by a polite end inside the reply"
    HALF_CLOSED = "one way, after the request"
    DRIPPING = "nowhere, but slowly"


UNBROKEN: Final = (Point.NOWHERE, Point.DRIPPING)
STREAMS: Final = ("sse", "lines", "mine")
"""What is read until it breaks or ends."""

_FLAGS: Final = re.IGNORECASE | re.MULTILINE | re.DOTALL
_KINDS: Final = tuple(
    (kind, re.compile(found, _FLAGS))
    for kind, found in (
        ("command", r"POST \S+/commands "),
        ("seat", r"POST \S+/(seats|tables) "),
        ("wait", r"GET \S+/events\S*[?&]wait="),
        ("mine", r"GET /v1/me/events"),
        ("sse", r"GET \S+/events.*^accept: text/event-stream"),
        ("lines", r"GET \S+/events.*^accept: application/x-ndjson"),
        ("page", r"GET \S+/events"),
        ("view", r"GET /v1/tables/[^/]+ "),
    )
)


def kind_of(head: bytes) -> str:
    """Name what is asked for."""
    text = head.decode("latin-1")
    return next((kind for kind, found in _KINDS if found.match(text)), "other")


@dataclass(frozen=True, slots=True)
class Fate:
    """What happens to one exchange: ``share`` of the piece that breaks is still carried."""

    kind: str
    point: Point
    pieces: int
    share: float
    reset: bool
    pause: float

    def part(self, piece: bytes) -> bytes:
        """Answer what is carried of a piece: not nothing, and not all of it."""
        return piece[: max(1, min(len(piece) - 1, int(self.share * len(piece))))]


@dataclass
class Fates:
    """Draw what happens to each exchange; ``broken`` is how many of a hundred requests break.

    Streams always may: they go on where they broke. Nothing breaks after
    ``most`` cuts, half of them of requests and half of streams: neither leaves none for the other.
    """

    seed: str
    broken: int = 15
    most: float = math.inf
    tally: Counter[tuple[str, Point]] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        self._dice = random.Random(self.seed)
        self._lock = Lock()
        self._bags: dict[str, list[Point]] = {}
        self._cut = {False: 0, True: 0}

    def draw(self, head: bytes) -> Fate:
        """Answer the fate of an exchange that begins with this head."""
        kind = kind_of(head)
        with self._lock:
            dice = self._dice
            streams = kind in STREAMS
            breaks = self._cut[streams] < self.most / 2 and (
                streams or dice.randrange(100) < self.broken
            )
            return Fate(
                kind=kind,
                point=self._point(kind) if breaks else Point.NOWHERE,
                pieces=dice.choice((0, 1, 1, 2, 3, 8, 20)) if streams else dice.choice((0, 1)),
                share=dice.random(),
                reset=dice.random() < 0.7,
                pause=dice.choice((0.0, 0.0, 0.001, 0.01, 0.05)),
            )

    def _point(self, kind: str) -> Point:
        """Draw from a bag: each point comes once before any comes again."""
        bag = self._bags.setdefault(kind, [])
        if not bag:
            bag += [each for each in Point if each is not Point.NOWHERE or kind in STREAMS]
            self._dice.shuffle(bag)
        return bag.pop()

    def happened(self, fate: Fate) -> None:
        """Count what came true."""
        with self._lock:
            self.tally[fate.kind, fate.point] += 1
            self._cut[fate.kind in STREAMS] += fate.point not in UNBROKEN

    @property
    def cuts(self) -> int:
        """Answer how many exchanges were broken."""
        with self._lock:
            return sum(self._cut.values())

    def told(self) -> str:
        """Tell the seed and what has happened so far, for whoever reads a failure."""
        with self._lock:
            lines = [f"  {many} {kind}: {at}" for (kind, at), many in sorted(self.tally.items())]
        return "\n".join([f"seed {self.seed}; broken:", *lines])
