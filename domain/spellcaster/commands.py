"""What a seat may ask."""

from dataclasses import dataclass
from typing import Annotated, TypeAlias

from domain.spellcaster.cards import Card
from domain.spellcaster.colours import COLOURS, Colour
from domain.spellcaster.decks import CARDS
from domain.wire import OneOf


@dataclass(frozen=True, slots=True)
class Draw:
    """Draw a card with an action."""


@dataclass(frozen=True, slots=True)
class Play:
    """Lay a card of the hand on the pile of its colour."""

    card: Annotated[Card, OneOf(CARDS)]


@dataclass(frozen=True, slots=True)
class Activate:
    """Use the incantation on top of a pile."""

    pile: Annotated[Colour, OneOf(COLOURS)]


@dataclass(frozen=True, slots=True)
class Choose:
    """Answer the pending choice with ids of its options."""

    pick: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Pass:
    """Let an action go because nothing else is legal (ruling 22)."""


@dataclass(frozen=True, slots=True)
class Concede:
    """Let the other side win."""


Command: TypeAlias = Draw | Play | Activate | Choose | Pass | Concede
COMMANDS: tuple[type[Command], ...] = (Draw, Play, Activate, Choose, Pass, Concede)
