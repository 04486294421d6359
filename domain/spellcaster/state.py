"""The state of a game: zones, pools, the turn, a suspended spell and what viewers have learned."""

from typing import Annotated, Literal, Self, TypeAlias

from domain.game import BadField, Seat
from domain.spellcaster.cards import STANDARD, Card
from domain.spellcaster.colours import COLOURS, Colour
from domain.spellcaster.decks import DECKS
from domain.value import Value
from domain.wire import Between, OneOf

Stage: TypeAlias = Literal["setup", "spells", "actions", "over"]
"""Before the deal; active spells at a turn's start; actions; after the end."""

Lasts: TypeAlias = Literal[
    "next_loss_energy", "all_loss", "reduce_energy_loss_1", "lock", "suppress"
]
Asked: TypeAlias = Literal[
    "next_enchantment", "may", "unless", "choose_one", "cards", "pile", "mage", "amount"
]
World: TypeAlias = tuple[tuple[Card, Seat], ...]
"""One way in which cards that a viewer has seen may lie in hands that it does not see."""


LARGEST_CAP = 2**53 - 1
"""Every reader of JSON agrees on integers up to here: records hash alike in Python and browsers."""


class Options(Value):
    """What is agreed at opening."""

    starter: Seat | None = None
    """None: the dice say (with three seats seat 0 starts, ruling 47)."""
    supply_cap: Annotated[int, Between(0, LARGEST_CAP)] | None = None
    """How much of a resource there is in all; None: as much as is needed (ruling 14)."""
    partners_see_hands: bool = False
    deck: Annotated[str, OneOf(tuple(DECKS))] = STANDARD

    def settled(self, seats: int) -> Self:
        """Answer these options, or raise BadField if they do not fit so many seats."""
        starters = range(1) if seats == 3 else range(seats)
        if self.starter is not None and self.starter not in starters:
            raise BadField("starter", f"must be null or at most {starters[-1]}")
        if self.deck not in DECKS:
            raise BadField("deck", f"must be one of {', '.join(DECKS)}")
        return self


class Laid(Value):
    """A card on a pile, and the side that it faces."""

    card: Card
    facing: int


class Lasting(Value):
    """A ward, a lock on a pile or a suppression of a card, until a seat's turn starts."""

    kind: Lasts
    side: int
    """The side of the mage who made it."""
    until_turn_of: Seat
    pile: Colour | None
    card: Card | None
    """The card that is suppressed; None of anything else."""


class Frame(Value):
    """Where a spell stands in one of its blocks of steps."""

    card: Card
    path: tuple[int, ...]
    """From the card's effect to the block: step, inner block, step, inner block ..."""
    step: int
    """The step that comes next."""
    x: int | None
    payer: Seat | None
    """Who pays, if the block is a cost."""
    answers: tuple[tuple[str, ...], ...]
    """What was picked for the step so far."""


class Pending(Value):
    """A choice that one seat must make."""

    seat: Seat
    card: Card | None
    kind: Asked
    options: tuple[str, ...]
    """Public option ids; empty if the choice is among cards of the seat's hand."""
    colours: tuple[Colour, ...]
    """Of a choice among cards of the hand: their colours; otherwise empty."""
    least: int


class Hint(Value):
    """What everybody can tell of hands: together they hold at least so many of some colours."""

    seats: tuple[Seat, ...]
    colours: tuple[Colour, ...]
    least: int
    apart: tuple[Card, ...]
    """Cards that came later and are known: they do not count."""


class Knowledge(Value):
    """What a viewer has learned of hands it does not see, beyond its view."""

    worlds: tuple[World, ...]
    hints: tuple[Hint, ...]


class State(Value):
    """A game; seats of even number are side 0, of odd number side 1."""

    seats: int
    options: Options
    starter: Seat
    deck: tuple[Card, ...]
    """Top first."""
    discard: tuple[Card, ...]
    """Newest last."""
    hands: tuple[tuple[Card, ...], ...]
    """By seat, each in the order of ids."""
    piles: tuple[tuple[Laid, ...], ...]
    """In the order of colours, top last."""
    energy: tuple[int, ...]
    sapphires: tuple[int, ...]
    turn: int
    stage: Stage
    active: Seat
    actions_left: int
    used: tuple[Card, ...]
    triggers: tuple[Card, ...]
    """Enchantments that were to resolve at the start of this turn and have not."""
    effects: tuple[Lasting, ...]
    """Oldest first."""
    stack: tuple[Frame, ...]
    """A suspended spell, the block in progress last."""
    pending: Pending | None
    end_after_turn: bool
    winners: tuple[Seat, ...]
    reason: str | None
    knowledge: tuple[Knowledge, ...]
    """By seat, a spectator's last; empty while nobody has learned anything."""


START_ENERGY = 10
START_SAPPHIRES = 2


def first_state(seats: int, options: Options) -> State:
    """Answer the state before the deal."""
    return State(
        seats=seats,
        options=options,
        starter=Seat(0),
        deck=(),
        discard=(),
        hands=((),) * seats,
        piles=((),) * len(COLOURS),
        energy=(START_ENERGY, START_ENERGY),
        sapphires=(START_SAPPHIRES, START_SAPPHIRES),
        turn=0,
        stage="setup",
        active=Seat(0),
        actions_left=0,
        used=(),
        triggers=(),
        effects=(),
        stack=(),
        pending=None,
        end_after_turn=False,
        winners=(),
        reason=None,
        knowledge=(),
    )
