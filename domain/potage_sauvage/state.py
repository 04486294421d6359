"""The state of a game: its zones, open and hidden, and what everybody has learned about hands."""

from collections.abc import Sequence
from typing import Literal, TypeAlias, TypeVar

from domain.game import Seat
from domain.potage_sauvage.cards import RECIPES, Card, Recipe, Suit
from domain.potage_sauvage.options import Options
from domain.value import Value

T = TypeVar("T")

Phase: TypeAlias = Literal["choosing", "playing", "over"]

DEALS = 5


class Laid(Value):
    """A card in the open trick, and who played it."""

    seat: Seat
    card: Card


class Trick(Value):
    """The pot: ``led`` binds those who can follow; ``free`` once waste lies in it."""

    cards: tuple[Laid, ...]
    sum: int
    led: Suit | None
    free: bool


EMPTY_POT = Trick((), 0, None, free=False)


class LastDeal(Value):
    """How the last scored deal went, by seat; ``scores`` are that deal's points."""

    recipes: tuple[Recipe, ...]
    captured: tuple[tuple[Card, ...], ...]
    scores: tuple[int, ...]


class State(Value):
    """A whole game; tuples over seats unless said otherwise, hands in deck-list order.

    ``chosen`` is hidden until all have chosen and still counted in ``left`` until then. ``voids``
    are the suits a seat has shown it does not hold: since hands only shrink, it holds none of them
    until the next deal.
    """

    deal: int
    dealer: Seat
    phase: Phase
    active: Seat | None
    scores: tuple[int, ...]
    left: tuple[tuple[Recipe, ...], ...]
    chosen: tuple[Recipe | None, ...]
    hands: tuple[tuple[Card, ...], ...]
    aside: tuple[Card, ...]
    """Cards that nobody holds, in deck-list order."""
    trick: Trick
    captured: tuple[tuple[Card, ...], ...]
    voids: tuple[tuple[Suit, ...], ...]
    last_deal: LastDeal | None


def initial(seats: int, options: Options) -> State:
    """Answer the state before the first deal."""
    return State(
        deal=1,
        dealer=Seat(options.first_dealer),
        phase="choosing",
        active=None,
        scores=(options.starting_points,) * seats,
        left=(RECIPES,) * seats,
        chosen=(None,) * seats,
        hands=((),) * seats,
        aside=(),
        trick=EMPTY_POT,
        captured=((),) * seats,
        voids=((),) * seats,
        last_deal=None,
    )


def left_of(seat: Seat, state: State) -> Seat:
    """Answer the next seat clockwise."""
    return Seat((seat + 1) % len(state.scores))


def put(items: Sequence[T], seat: Seat, item: T) -> tuple[T, ...]:
    """Answer what all seats have, with something else at one."""
    return (*items[:seat], item, *items[seat + 1 :])
