"""The effect language: every step of a card as a frozen value."""

from dataclasses import dataclass
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


@dataclass(frozen=True, slots=True)
class Gain:
    """A side takes from the supply."""

    who: Who
    resource: Resource
    amount: Amount


@dataclass(frozen=True, slots=True)
class Lose:
    """A side gives to the supply what is there of an amount; wards count (rulings 16, 38)."""

    who: Who
    resource: Resource
    amount: Amount


@dataclass(frozen=True, slots=True)
class Pay:
    """A side gives the full amount to the supply, or nothing (ruling 17)."""

    who: Who
    resource: Resource
    amount: Amount


@dataclass(frozen=True, slots=True)
class Transfer:
    """A side gives the other what is there of an amount; wards count (ruling 19)."""

    giver: Who
    taker: Who
    resource: Resource
    amount: Amount


@dataclass(frozen=True, slots=True)
class Draw:
    """A mage draws; fewer cards than asked for make this the last turn (2.6)."""

    who: Who
    count: Amount


@dataclass(frozen=True, slots=True)
class Discard:
    """A mage discards from the hand, picked by the owner or at random."""

    who: Who
    count: Count
    by: Literal["owner", "random"]


@dataclass(frozen=True, slots=True)
class LoseHand:
    """A mage loses cards of the hand, picked by the owner."""

    who: Who
    count: Count


@dataclass(frozen=True, slots=True)
class LoseDeck:
    """The deck loses its top cards, one by one."""

    count: Amount


@dataclass(frozen=True, slots=True)
class PayAny:
    """A mage discards as many cards as he likes up to ``most``; X is how many."""

    who: Who
    most: int


@dataclass(frozen=True, slots=True)
class TakeDiscard:
    """A mage takes cards, of one colour if it is given, from the discard pile to the hand."""

    who: Who
    count: Count
    colour: Colour | None


@dataclass(frozen=True, slots=True)
class StealCard:
    """The mage who resolves takes random cards from the hand of an opposing mage he picks."""

    count: Count


@dataclass(frozen=True, slots=True)
class May:
    """A mage may pay the cost; then the rest happens."""

    chooser: Who
    cost: "Block"
    then: "Block"


@dataclass(frozen=True, slots=True)
class Unless:
    """The rest happens unless a mage pays the cost."""

    who: Who
    cost: "Block"
    otherwise: "Block"


@dataclass(frozen=True, slots=True)
class Choose:
    """A mage chooses what happens."""

    chooser: Who
    branches: tuple["Block", ...]


@dataclass(frozen=True, slots=True)
class If:
    """One block or another happens."""

    condition: Condition
    then: "Block"
    otherwise: "Block"


@dataclass(frozen=True, slots=True)
class DiscardTop:
    """A mage sends the top of a pile to the discard pile."""

    chooser: Who
    target: Target


@dataclass(frozen=True, slots=True)
class Flip:
    """A mage turns the top of a pile to the other side."""

    chooser: Who
    target: Target


@dataclass(frozen=True, slots=True)
class FlipAll:
    """The top of every pile turns to the other side."""


@dataclass(frozen=True, slots=True)
class Activate:
    """The mage who resolves uses a top as his own."""

    target: Target


@dataclass(frozen=True, slots=True)
class Play:
    """The mage who resolves plays up to ``most`` cards without an action."""

    most: int


@dataclass(frozen=True, slots=True)
class Actions:
    """The mage who resolves has more actions this turn."""

    count: Amount


@dataclass(frozen=True, slots=True)
class Ward:
    """The side of the mage who resolves is protected from losses by rival spells."""

    kind: WardKind
    duration: Duration


@dataclass(frozen=True, slots=True)
class Lock:
    """The rival may not play on a pile, nor turn or discard its top."""

    target: Target
    duration: Duration


@dataclass(frozen=True, slots=True)
class Suppress:
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
