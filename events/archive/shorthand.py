"""Rows of events in shorthand: whatever the reader knows already is not said again.

That is what it would guess, a word that the acting seat was told before, and the next cards of a
deck that the table's dice have shuffled. Whoever reads must meet the same rows in the same order.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from events.archive.guesses import Guess, Row
from events.archive.primer import Primer, Shape
from events.archive.tokens import GUESSED, HELD, Drawn, Held

_SEAT: Final = 1
"""The place of the acting seat in the row of an event that has one."""


class Shorthand:
    """Goes along one table, for writing or for reading it."""

    def __init__(self, primer: Primer) -> None:
        """Take what is known of all tables."""
        self._primer = primer
        self._places = {card: place for place, card in reversed([*enumerate(primer.deck)])}
        self._before: dict[Shape, Row] = {}
        self._hands: dict[Any, list[str]] = {}
        self._pile: list[str] = []

    def shorten(self, shape: Shape, row: Row) -> list[Any]:
        """Answer a row in shorthand."""
        guesses, before = self._known(shape)
        short: list[Any] = []
        for at, value in enumerate(row):
            seat = row[_SEAT] if at > _SEAT and row[0] is True else None
            if guesses and guesses[at].hits(row, before, value):
                short.append(GUESSED)
            else:
                short.append(self._short(value, seat))
            self._said(value, seat)
        self._before[shape] = row
        return short

    def restore(self, shape: Shape, short: Sequence[Any]) -> list[Any]:
        """Answer the row that was shortened."""
        guesses, before = self._known(shape)
        row: list[Any] = []
        for at, told in enumerate(short):
            seat = row[_SEAT] if at > _SEAT and row[0] is True else None
            match told:
                case _ if told is GUESSED:
                    value = guesses[at].guess(row, before)
                case Held(place):
                    value = self._hands[seat][place]
                case Drawn():
                    value = self._next(told)
                case _:
                    value = told
            row.append(value)
            self._said(value, seat)
        self._before[shape] = row
        return row

    def heard(self, audience: Sequence[int] | None, sealed: Mapping[str, Any] | None) -> None:
        """Take note of what one seat alone was told, and of the dice that nobody was."""
        if sealed is None or audience is None:
            return
        if len(audience) == 1:
            hand = self._hands.setdefault(audience[0], [])
            for value in sealed.values():
                hand += [value] if isinstance(value, str) else []
                if isinstance(value, list):
                    hand += [each for each in value if isinstance(each, str)]
        elif not audience and "rolls" in sealed:
            self._shuffle(sealed["rolls"])

    def _shuffle(self, rolls: Sequence[Sequence[int]]) -> None:
        """Shuffle the deck again, if so many dice were rolled as that takes."""
        deck = self._primer.deck
        if [n for n, _ in rolls] == [*range(len(deck), 1, -1)]:
            pile = [*deck]
            for n, k in rolls:
                pile[n - 1], pile[k] = pile[k], pile[n - 1]
            self._pile = pile

    def _known(self, shape: Shape) -> tuple[Sequence[Guess], Row]:
        number = self._primer.numbers.get(shape)
        guesses = () if number is None else self._primer.guesses[number : number + 1]
        return (guesses[0] if guesses else ()), self._before.get(shape, ())

    def _short(self, value: Any, seat: Any) -> Any:
        if isinstance(value, str):
            hand = self._hands.get(seat, [])[:HELD]
            return Held(hand.index(value)) if value in hand else value
        if isinstance(value, list) and value:
            for drawn in (Drawn(len(value), in_order=False), Drawn(len(value), in_order=True)):
                if self._next(drawn) == value:
                    return drawn
        return value

    def _next(self, drawn: Drawn) -> list[str]:
        cards = self._pile[: drawn.many]
        return sorted(cards, key=self._places.__getitem__) if drawn.in_order else cards

    def _said(self, value: Any, seat: Any) -> None:
        """Take what was said from whoever held it: it will not be said again soon."""
        if isinstance(value, str):
            hand = self._hands.get(seat, [])
            if value in hand:
                hand.remove(value)
        elif isinstance(value, list) and value and len(value) <= len(self._pile):
            for in_order in (False, True):
                if self._next(Drawn(len(value), in_order)) == value:
                    del self._pile[: len(value)]
                    break
