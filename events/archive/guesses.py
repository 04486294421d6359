"""Guesses of what an event says, learned from other tables: what was guessed need not be written.

They know no game: of every field of every kind of event it was found out which few others, of the
same event or of the one of its kind before, tell the most about it.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from typing import Any, Final, TypeAlias

Row: TypeAlias = Sequence[Any]
"""The values of an event, in the order of its fields."""

Context: TypeAlias = tuple[Any, ...]

_MOST: Final = 3
"""Fields that a guess is made from at most."""

_SPARED: Final = 0.02
"""A further field must spare so many of all values at least."""

_PLAIN: Final = (int, str, type(None))


class Guess:
    """How one field is guessed: from which values, and what followed from those so far.

    ``of`` counts the fields of the event itself from 0, those of the one before from -1 down.
    """

    __slots__ = ("known", "of")

    def __init__(self, of: tuple[int, ...], known: dict[Context, Any]) -> None:
        self.of = of
        self.known = known

    def hits(self, row: Row, before: Row, value: Any) -> bool:
        """Answer whether this is the value that would be guessed."""
        found = self.guess(row, before)
        return type(found) is type(value) and bool(found == value)

    def guess(self, row: Row, before: Row) -> Any:
        """Guess from what is known of a row, and the row of its kind before."""
        return self.known.get(_context(self.of, row, before), _nothing)


_nothing: Final = object()


def _context(of: Iterable[int], row: Row, before: Row) -> Context:
    return tuple(
        [_plain(row[at]) if at >= 0 else _plain(before[-1 - at]) if before else "" for at in of]
    )


def _plain(value: Any) -> Any:
    return value if isinstance(value, _PLAIN) else "?"


def learned(tables: Sequence[Sequence[Row]]) -> tuple[Guess, ...]:
    """Learn to guess each field of a kind of event; ``tables`` has the rows of each table."""
    width = len(tables[0][0])
    return tuple([_learned(tables, field, width) for field in range(width)])


def _learned(tables: Sequence[Sequence[Row]], field: int, width: int) -> Guess:
    half = len(tables) // 2
    told = [*range(field), *range(-width, 0)]
    of: tuple[int, ...] = ()
    best = _rate(tables, field, of, half)
    while len(of) < _MOST:
        further = [(*of, each) for each in told if each not in of]
        rate, chosen = max((_rate(tables, field, each, half), each) for each in further)
        if rate < best + _SPARED:
            break
        best, of = rate, chosen
    return _built(tables, field, of)


def _rate(tables: Sequence[Sequence[Row]], field: int, of: tuple[int, ...], half: int) -> float:
    """Answer which share of the second half is guessed right by what the first half shows."""
    guess = _built(tables[:half], field, of)
    seen = [guess.hits(row, before, row[field]) for row, before in _pairs(tables[half:])]
    return sum(seen) / len(seen) if seen else 0.0


def _built(tables: Sequence[Sequence[Row]], field: int, of: tuple[int, ...]) -> Guess:
    followed: defaultdict[Context, Counter[str]] = defaultdict(Counter)
    values: dict[str, Any] = {}
    for row, before in _pairs(tables):
        value = row[field]
        name = repr(value)
        values[name] = value
        followed[_context(of, row, before)][name] += 1
    known = {}
    for context, counted in followed.items():
        name, times = counted.most_common(1)[0]
        if times > 1:
            known[context] = values[name]
    return Guess(of, known)


def _pairs(tables: Iterable[Sequence[Row]]) -> Iterable[tuple[Row, Row]]:
    for rows in tables:
        before: Row = ()
        for row in rows:
            yield row, before
            before = row
