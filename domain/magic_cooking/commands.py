"""What a seat may ask."""

from typing import Annotated, Literal, TypeAlias

from domain.game import BadField, Seat
from domain.magic_cooking.cards import CARDS, Card
from domain.value import Value
from domain.wire import OneOf

Ingredient: TypeAlias = Annotated[Card, OneOf(CARDS)]


class Reveal(Value):
    """Play a card of the hand on one's turn; ``as_`` casts Falsification with it (3.2)."""

    card: Ingredient
    as_: Ingredient | None = None


class Lead(Value):
    """Lay a card of the hand as the new cauldron (2.6)."""

    card: Ingredient


class Cast(Value):
    """Cast the spell of one's mage on its target (3.2); Falsification is cast by a reveal.

    Permutation has a ``victim`` to steal from, or a ``card`` of the hand and the visible card to
    ``swap`` it for; burn has a ``card`` lying face up or ``counter``; the others have no target.
    """

    spell: Literal["permutation", "burn", "in_full_light", "freeze", "gust"]
    victim: Seat | None = None
    card: Ingredient | None = None
    swap: Ingredient | None = None
    counter: Literal[True] | None = None

    def __post_init__(self) -> None:
        target = {
            name
            for name, value in (
                ("victim", self.victim),
                ("card", self.card),
                ("swap", self.swap),
                ("counter", self.counter),
            )
            if value is not None
        }
        forms: tuple[set[str], ...] = (set(),)
        if self.spell == "permutation":
            forms = ({"victim"}, {"card", "swap"})
        elif self.spell == "burn":
            forms = ({"card"}, {"counter"})
        if target not in forms:
            fields = " or ".join(" and ".join(sorted(form)) or "no target" for form in forms)
            raise BadField("spell", f"{self.spell} takes {fields}")


class Pass(Value):
    """Let a reaction window go by."""


class AutoPass(Value):
    """Set or end a standing pass for this seat: windows no longer wait for it."""

    enabled: bool


Command: TypeAlias = Reveal | Lead | Cast | Pass | AutoPass
COMMANDS: tuple[type[Command], ...] = (Reveal, Lead, Cast, Pass, AutoPass)
