"""What can become true."""

from typing import TypeAlias, get_args

from domain.game import Seat
from domain.potage_sauvage.cards import Card, Recipe, Suit
from domain.sealed import Sealed
from domain.value import Value


class DealStarted(Value):
    """A deal (1 to 5) began: so many cards go to each hand, so many nobody gets."""

    deal: int
    dealer: Seat
    hand_size: int
    aside: int


class HandDealt(Value):
    """A seat took its hand, in deck-list order."""

    to: Seat
    cards: Sealed[tuple[Card, ...]]

    def audience(self) -> tuple[Seat, ...]:
        """Only its owner sees a hand."""
        return (self.to,)


class CardsSetAside(Value):
    """The cards that nobody holds this deal, in deck-list order (A26)."""

    cards: Sealed[tuple[Card, ...]]

    def audience(self) -> tuple[Seat, ...]:
        """Nobody sees them."""
        return ()


class RecipeChosen(Value):
    """A seat placed its recipe face down."""

    seat: Seat
    recipe: Sealed[Recipe]

    def audience(self) -> tuple[Seat, ...]:
        """Everybody else waits for the reveal."""
        return (self.seat,)


class RecipesRevealed(Value):
    """All recipes of the deal were turned up, by seat; the leader starts the first trick."""

    recipes: tuple[Recipe, ...]
    leader: Seat


class CardPlayed(Value):
    """A card went into the pot.

    ``sum``, ``led`` and ``free`` are the pot's after it, ``last_card`` says that the hand is now
    empty (A24), ``taker`` who took the trick if this card closed it.
    """

    seat: Seat
    card: Card
    sum: int
    led: Suit | None
    free: bool
    last_card: bool
    taker: Seat | None


class DealScored(Value):
    """A deal ended; by seat: recipe, captured cards, the deal's points, totals so far."""

    deal: int
    recipes: tuple[Recipe, ...]
    captured: tuple[tuple[Card, ...], ...]
    points: tuple[int, ...]
    totals: tuple[int, ...]


class GameEnded(Value):
    """The fifth deal was scored; equal tops share the win (A19)."""

    winners: tuple[Seat, ...]
    scores: tuple[int, ...]


Event: TypeAlias = (
    DealStarted
    | HandDealt
    | CardsSetAside
    | RecipeChosen
    | RecipesRevealed
    | CardPlayed
    | DealScored
    | GameEnded
)

EVENTS: tuple[type[Event], ...] = get_args(Event)
