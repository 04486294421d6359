"""The nouns of the effect language: amounts, conditions and targets as frozen values."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

from domain.spellcaster.colours import Colour, Kind

Who: TypeAlias = Literal["self", "rival"]
"""``self`` is the mage who resolves the spell and his side, ``rival`` the opposing ones."""

Resource: TypeAlias = Literal["energy", "sapphire"]
WardKind: TypeAlias = Literal["next_loss_energy", "all_loss", "reduce_energy_loss_1"]
Duration: TypeAlias = Literal["until_my_next_turn", "until_end_of_turn"]
Comparison: TypeAlias = Literal["<", "<=", "=", "!=", ">=", ">"]

# Amounts


@dataclass(frozen=True, slots=True)
class Number:
    """A fixed number."""

    value: int


@dataclass(frozen=True, slots=True)
class Bound:
    """X: the number that an earlier step of the same spell has set."""


@dataclass(frozen=True, slots=True)
class All:
    """Everything that is there."""


@dataclass(frozen=True, slots=True)
class Colours:
    """The number of piles that face a side."""

    who: Who


@dataclass(frozen=True, slots=True)
class HandSize:
    """The number of cards in a hand; ``rival`` is the opposing mage who plays next."""

    who: Who


@dataclass(frozen=True, slots=True)
class Pool:
    """What a side has of a resource."""

    who: Who
    resource: Resource


@dataclass(frozen=True, slots=True)
class DeckSize:
    """The number of cards in the deck."""


@dataclass(frozen=True, slots=True)
class Difference:
    """The first amount minus the second, at least 0."""

    left: "Amount"
    right: "Amount"


@dataclass(frozen=True, slots=True)
class Smaller:
    """The smaller of two amounts."""

    left: "Amount"
    right: "Amount"


@dataclass(frozen=True, slots=True)
class Larger:
    """The larger of two amounts."""

    left: "Amount"
    right: "Amount"


Amount: TypeAlias = (
    Number | Bound | All | Colours | HandSize | Pool | DeckSize | Difference | Smaller | Larger
)
Count: TypeAlias = Number | Bound | All
"""How many cards a mage picks one by one: nothing that the picking itself would change."""

# Conditions


@dataclass(frozen=True, slots=True)
class Compare:
    """Two amounts compared."""

    left: Amount
    comparison: Comparison
    right: Amount


@dataclass(frozen=True, slots=True)
class Controls:
    """The top of a pile faces a side."""

    who: Who
    colour: Colour


@dataclass(frozen=True, slots=True)
class PileEmpty:
    """A pile has no card."""

    colour: Colour


@dataclass(frozen=True, slots=True)
class TopIs:
    """The top of a pile is of a kind."""

    colour: Colour
    kind: Kind


@dataclass(frozen=True, slots=True)
class Both:
    """Two conditions hold."""

    left: "Condition"
    right: "Condition"


@dataclass(frozen=True, slots=True)
class Either:
    """One of two conditions holds."""

    left: "Condition"
    right: "Condition"


@dataclass(frozen=True, slots=True)
class Not:
    """A condition does not hold."""

    condition: "Condition"


Condition: TypeAlias = Compare | Controls | PileEmpty | TopIs | Both | Either | Not


@dataclass(frozen=True, slots=True)
class Target:
    """Which piles a step may choose, by their tops; what is None or false does not matter."""

    kind: Kind | None = None
    facing: Who | None = None
    colour: Colour | None = None
    not_colour: Colour | None = None
    other_pile: bool = False
    """Not the pile of this card's colour."""
    not_this: bool = False
    """The top is not this card."""
    unused: bool = False
    """The top was not activated this turn."""
    empty: bool = False
    """The pile has no card; otherwise it has one."""
