"""What a seat may ask."""

from typing import Annotated, TypeAlias

from domain.spellcaster.cards import Card
from domain.spellcaster.colours import COLOURS, Colour
from domain.spellcaster.decks import CARDS
from domain.value import Value
from domain.wire import OneOf


class Draw(Value):
    """Draw a card with an action."""


class Play(Value):
    """Lay a card of the hand on the pile of its colour."""

    card: Annotated[Card, OneOf(CARDS)]


class Activate(Value):
    """Use the incantation on top of a pile."""

    pile: Annotated[Colour, OneOf(COLOURS)]


class Choose(Value):
    """Answer the pending choice with ids of its options."""

    pick: tuple[str, ...]


class Pass(Value):
    """Let an action go because nothing else is legal (ruling 22)."""


class Concede(Value):
    """Let the other side win."""


Command: TypeAlias = Draw | Play | Activate | Choose | Pass | Concede
COMMANDS: tuple[type[Command], ...] = (Draw, Play, Activate, Choose, Pass, Concede)
