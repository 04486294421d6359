"""What a projection is: from a table as it was folded to documents beside it and news for lists."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from operator import ne
from typing import Any, TypeVar

from domain.game import Seat
from domain.table.events import SeatLeft
from domain.table.view import to_move
from events import codec
from events.keyframes import EVERY
from events.loaded import Loaded, fold, unopened
from events.recorded import Recorded

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Sitting:
    """A table as projections see it; ``opened_at`` in ms, ``left`` the players who gave a seat up.

    ``keyframes`` are the table at every ``EVERY``-th version so far, the oldest first.
    Everything in it follows from the table's history alone; ``known`` is what was worked out of it.
    """

    loaded: Loaded
    opened_at: int = 0
    left: frozenset[str] = frozenset()
    keyframes: tuple[Loaded, ...] = ()
    known: dict[Any, Any] = field(default_factory=dict, compare=False, repr=False)

    def once(self, work: "Callable[[Sitting], T]") -> T:
        """Answer what follows from the sitting, worked out once for all who ask."""
        if work not in self.known:
            self.known[work] = work(self)
        answer: T = self.known[work]
        return answer

    def after(self, recorded: Iterable[Recorded]) -> "Sitting":
        """Answer the same table after more events; raise what folding raises."""
        recorded = tuple(recorded)
        if not recorded:
            return self
        left = [codec.decode(each, None).player for each in recorded if each.kind == LEFT]
        loaded, passed = _folded(self.loaded, recorded)
        return Sitting(
            loaded,
            self.opened_at or recorded[0].at,
            self.left.union(left) if left else self.left,
            self.keyframes + passed,
        )

    def carried_on(self, loaded: Loaded, recorded: Sequence[Recorded]) -> "Sitting":
        """Answer the same table after a move of its game that was folded already."""
        if self.loaded.version // EVERY != loaded.version // EVERY:
            return self.after(recorded)
        return Sitting(loaded, self.opened_at, self.left, self.keyframes)


def _folded(loaded: Loaded, recorded: tuple[Recorded, ...]) -> tuple[Loaded, tuple[Loaded, ...]]:
    """Fold events; answer the table after them, and the keyframes on the way."""
    passed = []
    start, version = 0, loaded.version
    for at in range(version - version % EVERY + EVERY, version + len(recorded) + 1, EVERY):
        loaded = fold(loaded, recorded[start : at - version])
        start = at - version
        passed.append(loaded)
    return fold(loaded, recorded[start:]), tuple(passed)


LEFT = SeatLeft.__name__


def waited_for(sitting: Sitting) -> tuple[Seat, ...]:
    """Answer the seats that the table waits for; to be asked once."""
    return to_move(sitting.loaded.state)


def unseen(table: str) -> Sitting:
    """Answer a table of which nothing was read yet."""
    return Sitting(unopened(table))


@dataclass(frozen=True, slots=True)
class Document:
    """A hash beside the table, written whole."""

    key: str
    fields: Mapping[str, str | bytes | int]


@dataclass(frozen=True, slots=True)
class News:
    """What a list over many tables should say of one; an empty item takes the table out.

    ``member`` is the table's place in the list's orders, ``orders`` says which of them it is in.
    """

    of: str
    member: str
    item: str
    orders: tuple[bool, ...]


@dataclass(frozen=True, slots=True)
class Changes:
    """What one table's new state means for a projection."""

    documents: tuple[Document, ...] = ()
    news: tuple[News, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Projection:
    """A read model: ``apply`` depends on the sitting alone and may be repeated at will.

    A change of what it writes is a new ``generation``. ``orders`` names the orders of its lists.
    """

    name: str
    generation: int
    apply: Callable[[Sitting], Changes]
    keys: Callable[[str], tuple[str, ...]]
    """Table -> every key of a document that lies beside it."""
    orders: tuple[str, ...] = ()
    redraw: Callable[[int, int], bool] = ne
    """(version drawn, version now) -> whether there is something new to draw."""
    numbered: bool = False
    """Whether its lists number what changes in them, for whoever streams them."""

    consumer: str = field(init=False)
    """The name its checkpoint goes by."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "consumer", f"{self.name}@{self.generation}")
