"""The nouns of the effect language: amounts, conditions and targets as frozen values."""

from typing import Literal, TypeAlias

from domain.spellcaster.colours import Colour, Kind
from domain.value import Value

Who: TypeAlias = Literal["self", "rival"]
"""``self`` is the mage who resolves the spell and his side, ``rival`` the opposing ones."""

Resource: TypeAlias = Literal["energy", "sapphire"]
WardKind: TypeAlias = Literal["next_loss_energy", "all_loss", "reduce_energy_loss_1"]
Duration: TypeAlias = Literal["until_my_next_turn", "until_end_of_turn"]
Comparison: TypeAlias = Literal["<", "<=", "=", "!=", ">=", ">"]

# Amounts


class Number(Value):
    """A fixed number."""

    value: int


class Bound(Value):
    """X: the number that an earlier step of the same spell has set."""


class All(Value):
    """Everything that is there."""


class Colours(Value):
    """The number of piles that face a side."""

    who: Who


class HandSize(Value):
    """The number of cards in a hand; ``rival`` is the opposing mage who plays next."""

    who: Who


class Pool(Value):
    """What a side has of a resource."""

    who: Who
    resource: Resource


class DeckSize(Value):
    """The number of cards in the deck."""


class Difference(Value):
    """The first amount minus the second, at least 0."""

    left: "Amount"
    right: "Amount"


class Smaller(Value):
    """The smaller of two amounts."""

    left: "Amount"
    right: "Amount"


class Larger(Value):
    """The larger of two amounts."""

    left: "Amount"
    right: "Amount"


Amount: TypeAlias = (
    Number | Bound | All | Colours | HandSize | Pool | DeckSize | Difference | Smaller | Larger
)
Count: TypeAlias = Number | Bound | All
"""How many cards a mage picks one by one: nothing that the picking itself would change."""

# Conditions


class Compare(Value):
    """Two amounts compared."""

    left: Amount
    comparison: Comparison
    right: Amount


class Controls(Value):
    """The top of a pile faces a side."""

    who: Who
    colour: Colour


class PileEmpty(Value):
    """A pile has no card."""

    colour: Colour


class TopIs(Value):
    """The top of a pile is of a kind."""

    colour: Colour
    kind: Kind


class Both(Value):
    """Two conditions hold."""

    left: "Condition"
    right: "Condition"


class Either(Value):
    """One of two conditions holds."""

    left: "Condition"
    right: "Condition"


class Not(Value):
    """A condition does not hold."""

    condition: "Condition"


Condition: TypeAlias = Compare | Controls | PileEmpty | TopIs | Both | Either | Not


class Target(Value):
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
