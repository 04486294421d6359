"""The effect language: every step of a card as a frozen value."""

from typing import Literal, TypeAlias

from domain.spellcaster.colours import Colour
from domain.spellcaster.terms import (
    Amount,
    Condition,
    Count,
    Duration,
    Resource,
    Target,
    WardKind,
    Who,
)
from domain.value import Value


class Gain(Value):
    """A side takes from the supply."""

    who: Who
    resource: Resource
    amount: Amount


class Lose(Value):
    """A side gives to the supply what is there of an amount; wards count (rulings 16, 38)."""

    who: Who
    resource: Resource
    amount: Amount


class Pay(Value):
    """A side gives the full amount to the supply, or nothing (ruling 17)."""

    who: Who
    resource: Resource
    amount: Amount


class Transfer(Value):
    """A side gives the other what is there of an amount; wards count (ruling 19)."""

    giver: Who
    taker: Who
    resource: Resource
    amount: Amount


class Draw(Value):
    """A mage draws; fewer cards than asked for make this the last turn (4.1)."""

    who: Who
    count: Amount


class Discard(Value):
    """A mage discards from the hand, picked by the owner or at random."""

    who: Who
    count: Count
    by: Literal["owner", "random"]


class LoseHand(Value):
    """A mage loses cards of the hand, picked by the owner."""

    who: Who
    count: Count


class LoseDeck(Value):
    """The deck loses its top cards, one by one."""

    count: Amount


class PayAny(Value):
    """A mage discards as many cards as he likes up to ``most``; X is how many."""

    who: Who
    most: int


class TakeDiscard(Value):
    """A mage takes cards, of one colour if it is given, from the discard pile to the hand."""

    who: Who
    count: Count
    colour: Colour | None


class StealCard(Value):
    """The mage who resolves takes random cards from the hand of an opposing mage he picks."""

    count: Count


class May(Value):
    """A mage may pay the cost; then the rest happens."""

    chooser: Who
    cost: "Block"
    then: "Block"


class Unless(Value):
    """The rest happens unless a mage pays the cost."""

    who: Who
    cost: "Block"
    otherwise: "Block"


class Choose(Value):
    """A mage chooses what happens."""

    chooser: Who
    branches: tuple["Block", ...]


class If(Value):
    """One block or another happens."""

    condition: Condition
    then: "Block"
    otherwise: "Block"


class DiscardTop(Value):
    """A mage sends the top of a pile to the discard pile."""

    chooser: Who
    target: Target


class Flip(Value):
    """A mage turns the top of a pile to the other side."""

    chooser: Who
    target: Target


class FlipAll(Value):
    """The top of every pile turns to the other side."""


class Activate(Value):
    """The mage who resolves uses a top as his own."""

    target: Target


class Play(Value):
    """The mage who resolves plays up to ``most`` cards without an action."""

    most: int


class Actions(Value):
    """The mage who resolves has more actions this turn."""

    count: Amount


class Ward(Value):
    """The side of the mage who resolves is protected from losses by rival spells."""

    kind: WardKind
    duration: Duration


class Lock(Value):
    """The rival may not play on a pile, nor turn or discard its top."""

    target: Target
    duration: Duration


class Suppress(Value):
    """An enchantment does not trigger."""

    target: Target
    duration: Duration


Step: TypeAlias = (
    Gain
    | Lose
    | Pay
    | Transfer
    | Draw
    | Discard
    | LoseHand
    | LoseDeck
    | PayAny
    | TakeDiscard
    | StealCard
    | May
    | Unless
    | Choose
    | If
    | DiscardTop
    | Flip
    | FlipAll
    | Activate
    | Play
    | Actions
    | Ward
    | Lock
    | Suppress
)
Block: TypeAlias = tuple[Step, ...]


def blocks(step: Step) -> tuple[tuple[str, Block], ...]:
    """Answer the blocks inside a step, each with the word that names it, in a fixed order."""
    match step:
        case May(_, cost, then):
            return ("cost", cost), ("then", then)
        case Unless(_, cost, otherwise):
            return ("cost", cost), ("else", otherwise)
        case If(_, then, otherwise):
            return ("then", then), ("else", otherwise)
        case Choose(_, branches):
            return tuple((f"branch {i}", branch) for i, branch in enumerate(branches))
        case _:
            return ()
