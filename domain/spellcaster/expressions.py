"""Reads amounts and conditions of a deck list: ``colours(rival)``, ``energy(self)<=4``."""

import re
from typing import TypeVar, cast, get_args

from domain.spellcaster.colours import COLOURS, KINDS, Colour, Kind
from domain.spellcaster.terms import (
    All,
    Amount,
    Both,
    Bound,
    Colours,
    Compare,
    Comparison,
    Condition,
    Controls,
    DeckSize,
    Difference,
    Either,
    HandSize,
    Larger,
    Not,
    Number,
    PileEmpty,
    Pool,
    Smaller,
    TopIs,
    Who,
)

T = TypeVar("T")


class Unreadable(ValueError):  # noqa: N818 - says what the text is
    """Say why a text is no amount and no condition of the language."""


def read_amount(written: object) -> Amount:
    """Read an amount: an integer or a text; raise Unreadable."""
    if isinstance(written, bool) or not isinstance(written, int | str):
        raise Unreadable(f"{written!r} is no amount")
    if isinstance(written, int):
        if written < 0:
            raise Unreadable(f"an amount cannot be {written}")
        return Number(written)
    reader = _Reader(written)
    return reader.ended(reader.amount())


def read_condition(written: object) -> Condition:
    """Read a condition; raise Unreadable."""
    if not isinstance(written, str):
        raise Unreadable(f"{written!r} is no condition")
    reader = _Reader(written)
    return reader.ended(reader.condition())


class _Reader:
    """Walk over the words of a text, one function for each rule of the grammar."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.words: list[str] = re.findall(r"\w+|<=|>=|!=|\S", text)[::-1]

    def next(self) -> str:
        return self.words[-1] if self.words else "the end"

    def take(self, *wanted: str) -> str:
        if wanted and self.next() not in wanted:
            raise self.unexpected(" or ".join(wanted))
        return self.words.pop()

    def unexpected(self, wanted: str) -> Unreadable:
        return Unreadable(f"{self.text!r} has {self.next()!r} where {wanted} is expected")

    def ended(self, value: T) -> T:
        if self.words:
            raise self.unexpected("the end")
        return value

    def condition(self) -> Condition:
        found = self.conjunction()
        while self.next() == "or":
            self.take()
            found = Either(found, self.conjunction())
        return found

    def conjunction(self) -> Condition:
        found = self.single()
        while self.next() == "and":
            self.take()
            found = Both(found, self.single())
        return found

    def single(self) -> Condition:
        match self.next():
            case "not":
                self.take()
                return Not(self.single())
            case "(":
                self.take()
                inside = self.condition()
                self.take(")")
                return inside
            case "controls":
                who, colour = self.arguments(get_args(Who), COLOURS)
                return Controls(cast("Who", who), cast("Colour", colour))
            case "empty":
                (colour,) = self.arguments(COLOURS)
                return PileEmpty(cast("Colour", colour))
            case "top":
                colour, kind = self.arguments(COLOURS, KINDS)
                return TopIs(cast("Colour", colour), cast("Kind", kind))
            case _:
                left = self.amount()
                comparison = cast("Comparison", self.take(*get_args(Comparison)))
                return Compare(left, comparison, self.amount())

    def amount(self) -> Amount:
        found = self.term()
        while self.next() == "-":
            self.take()
            found = Difference(found, self.term())
        return found

    def term(self) -> Amount:
        word = self.next()
        match word:
            case "X":
                self.take()
                return Bound()
            case "all":
                self.take()
                return All()
            case "deck":
                self.take()
                return DeckSize()
            case "colours" | "hand":
                (who,) = self.arguments(get_args(Who))
                side = cast("Who", who)
                return Colours(side) if word == "colours" else HandSize(side)
            case "energy" | "sapphire":
                (who,) = self.arguments(get_args(Who))
                return Pool(cast("Who", who), word)
            case "min" | "max":
                return self.pair(word)
            case _ if word.isdecimal():
                return Number(int(self.take()))
            case _:
                raise self.unexpected("an amount")

    def pair(self, word: str) -> Amount:
        self.take()
        self.take("(")
        left = self.amount()
        self.take(",")
        right = self.amount()
        self.take(")")
        return Smaller(left, right) if word == "min" else Larger(left, right)

    def arguments(self, *vocabularies: tuple[str, ...]) -> list[str]:
        self.take()
        found = []
        for i, vocabulary in enumerate(vocabularies):
            self.take("," if i else "(")
            found.append(self.take(*vocabulary))
        self.take(")")
        return found
