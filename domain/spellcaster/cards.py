"""The cards: what a spell is, and the deck lists that tables may name."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import NewType

from domain.spellcaster.colours import COLOURS, Colour, Kind
from domain.spellcaster.effects import Block
from domain.value import Value

Card = NewType("Card", str)
"""A card by its id, such as ``r01``: the initial of its colour and two digits."""

INITIALS: Mapping[str, Colour] = MappingProxyType({colour[0]: colour for colour in COLOURS})

STANDARD = "standard"
"""The name of our deck list."""

DECK_SIZE = 60
PER_COLOUR = 15


class Spell(Value):
    """A card with what it does; ``asterisk`` marks what changes with three or four mages."""

    card: Card
    colour: Colour
    kind: Kind
    asterisk: bool
    effect: Block
    name: str | None = None
    """The name in its deck list; the names of ours are in ``texts/``."""


class Deck(Value):
    """A deck list that passed the static checks, in the order of its file."""

    name: str
    spells: Mapping[Card, Spell]

    @property
    def ours(self) -> bool:
        """Answer whether this is the list we made, which is not that of the printed game."""
        return self.name == STANDARD

    @property
    def cards(self) -> tuple[Card, ...]:
        """Answer the ids in deck-list order, from which a shuffle starts."""
        return tuple(self.spells)


def colour_of(card: Card) -> Colour:
    """Answer the colour of a card, and so its pile."""
    return INITIALS[card[0]]
