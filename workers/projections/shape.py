"""What a projection is: from a table as it was folded to documents beside it and news for lists."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from domain.table.events import SeatLeft
from events import codec
from events.loaded import Loaded, fold, unopened
from events.recorded import Recorded


@dataclass(frozen=True, slots=True)
class Sitting:
    """A table as projections see it; ``opened_at`` in ms, ``left`` the players who gave a seat up.

    Everything in it follows from the table's history alone.
    """

    loaded: Loaded
    opened_at: int = 0
    left: frozenset[str] = frozenset()

    def after(self, recorded: Iterable[Recorded]) -> "Sitting":
        """Answer the same table after more events; raise what folding raises."""
        recorded = tuple(recorded)
        if not recorded:
            return self
        left = [codec.decode(each, None).player for each in recorded if each.kind == LEFT]
        return Sitting(
            fold(self.loaded, recorded),
            self.opened_at or recorded[0].at,
            self.left.union(left) if left else self.left,
        )


LEFT = SeatLeft.__name__


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

    @property
    def consumer(self) -> str:
        """Answer the name its checkpoint goes by."""
        return f"{self.name}@{self.generation}"
