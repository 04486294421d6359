"""The 52 ingredient cards and the recipes: what is printed on them, as data."""

from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Literal, NewType, TypeAlias, get_args

from domain.value import Value

Card = NewType("Card", str)
"""An ingredient by its code: ``I1``, ``V10``, ``FH`` (herb), ``IR`` (reset), ``W3``."""

Suit: TypeAlias = Literal["insects", "vegetables", "fruits", "waste"]
Recipe: TypeAlias = Literal["insects", "vegetables", "fruits", "waste", "multicolour"]
Kind: TypeAlias = Literal["number", "herb", "reset"]

SUITS: tuple[Suit, ...] = get_args(Suit)
RECIPES: tuple[Recipe, ...] = get_args(Recipe)


class Face(Value):
    """What is printed on a card, and how many copies of it a deck has."""

    suit: Suit
    kind: Kind
    value: int
    copies: int


def _faces() -> Iterator[tuple[Card, Face]]:
    for suit in SUITS:
        letter = suit[0].upper()
        for value in range(1, 6):
            yield Card(f"{letter}{value}"), Face(suit, "number", value, copies=2)
        if suit != "waste":
            yield Card(f"{letter}10"), Face(suit, "number", 10, copies=1)
            yield Card(f"{letter}H"), Face(suit, "herb", 0, copies=2)
            yield Card(f"{letter}R"), Face(suit, "reset", 0, copies=1)


FACES: Mapping[Card, Face] = MappingProxyType(dict(_faces()))
CARDS: tuple[str, ...] = tuple(FACES)
DECK: tuple[Card, ...] = tuple(card for card, face in FACES.items() for _ in range(face.copies))

_PLACES = {card: place for place, card in enumerate(FACES)}


def in_order(cards: Iterable[Card]) -> tuple[Card, ...]:
    """Sort cards as the deck list does: by suit, then 1 to 5, 10, herb, reset."""
    return tuple(sorted(cards, key=_PLACES.__getitem__))
