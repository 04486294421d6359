"""What can become true of a game."""

from typing import Literal, TypeAlias, get_args

from domain.game import Seat
from domain.sealed import Sealed
from domain.spellcaster.cards import Card
from domain.spellcaster.colours import Colour
from domain.spellcaster.state import Asked, Frame, Lasts
from domain.spellcaster.terms import Resource
from domain.value import Value

Reason: TypeAlias = Literal["energy", "sapphires", "deck", "concede", "draw"]


class StarterChosen(Value):
    """A mage has the first turn."""

    starter: Seat


class DeckShuffled(Value):
    """The deck has an order, top first."""

    count: int
    deck: Sealed[tuple[Card, ...]]

    def audience(self) -> tuple[Seat, ...]:
        """Keep the order from everybody."""
        return ()


class HandDealt(Value):
    """A mage got the first hand."""

    to: Seat
    count: int
    cards: Sealed[tuple[Card, ...]]

    def audience(self) -> tuple[Seat, ...]:
        """Let the mage see the hand."""
        return (self.to,)


class TurnBegun(Value):
    """A turn began: what lasted until it has ended; ``spells`` are to resolve at its start."""

    seat: Seat
    turn: int
    spells: tuple[Card, ...]


class CardsDrawn(Value):
    """A mage drew at the turn's start, with an action or by a spell."""

    to: Seat
    count: int
    cause: Literal["turn", "action", "spell"]
    actions_left: int
    cards: Sealed[tuple[Card, ...]]

    def audience(self) -> tuple[Seat, ...]:
        """Let the mage see the cards."""
        return (self.to,)


class LastTurnFlagged(Value):
    """A spell asked for more cards than the deck held: the game ends after this turn (4.1)."""

    turn: int


class ActionsGained(Value):
    """The active mage has more actions."""

    seat: Seat
    count: int
    actions_left: int


class ActionPassed(Value):
    """A mage could do nothing with an action."""

    seat: Seat
    actions_left: int


class CardPlayed(Value):
    """A card of a hand lies on its pile; ``free`` if a spell allowed it."""

    seat: Seat
    card: Card
    pile: Colour
    facing: int
    free: bool
    actions_left: int


class SpellCast(Value):
    """A spell began: by an action, at the turn's start, or as a copy made by another."""

    seat: Seat
    card: Card
    pile: Colour
    cause: Literal["action", "turn", "copy"]
    actions_left: int


class ResourceGained(Value):
    """A side took from the supply and has ``total``."""

    side: int
    resource: Resource
    amount: int
    total: int


class ResourceLost(Value):
    """A side lost to the supply and has ``total``."""

    side: int
    resource: Resource
    amount: int
    total: int


class ResourcePaid(Value):
    """A side paid to the supply and has ``total``."""

    side: int
    resource: Resource
    amount: int
    total: int


class ResourceMoved(Value):
    """A side (``giver``) gave to the other (``taker``); the totals are those after it."""

    giver: int
    taker: int
    resource: Resource
    amount: int
    giver_total: int
    taker_total: int


class LossPrevented(Value):
    """Wards stopped some of a loss; ``spent`` are those used up, as indices of the effects."""

    side: int
    resource: Resource
    amount: int
    spent: tuple[int, ...]


class CardDiscarded(Value):
    """A card went from a hand to the discard pile."""

    owner: Seat
    card: Card


class DeckCardLost(Value):
    """The top of the deck went to the discard pile."""

    card: Card


class TopDiscarded(Value):
    """The top of a pile went to the discard pile."""

    pile: Colour
    card: Card


class TopTurned(Value):
    """The top of a pile faces the other side."""

    pile: Colour
    card: Card
    facing: int


class CardTaken(Value):
    """A card went from the discard pile to a hand."""

    to: Seat
    card: Card


class CardStolen(Value):
    """A random card went from one hand to another."""

    thief: Seat
    victim: Seat
    card: Sealed[Card]

    def audience(self) -> tuple[Seat, ...]:
        """Let both mages see the card."""
        return (self.thief, self.victim)


class EffectBegun(Value):
    """A ward, a lock or a suppression lasts until a mage's turn starts."""

    kind: Lasts
    side: int
    until_turn_of: Seat
    pile: Colour | None
    card: Card | None


class HandHinted(Value):
    """What just happened tells everybody that a hand holds so many cards of some colours."""

    owner: Seat
    colours: tuple[Colour, ...]
    least: int


class ChoiceOffered(Value):
    """A mage must choose among options that all may see; ``stack`` is where the spell stands."""

    to: Seat
    card: Card | None
    kind: Asked
    options: tuple[str, ...]
    least: int
    stack: tuple[Frame, ...]


class HandChoiceOffered(Value):
    """A mage must choose a card of some colours from the hand."""

    to: Seat
    card: Card
    colours: tuple[Colour, ...]
    least: int
    stack: tuple[Frame, ...]
    options: Sealed[tuple[Card, ...]]

    def audience(self) -> tuple[Seat, ...]:
        """Let the mage see the cards."""
        return (self.to,)


class ChoiceMade(Value):
    """A mage chose."""

    seat: Seat
    card: Card | None
    kind: Asked
    pick: tuple[str, ...]


class MageConceded(Value):
    """A mage gave up for the side."""

    seat: Seat


class WinnersDecided(Value):
    """The game is over; no winners is a draw."""

    winners: tuple[Seat, ...]
    reason: Reason


Event: TypeAlias = (
    StarterChosen
    | DeckShuffled
    | HandDealt
    | TurnBegun
    | CardsDrawn
    | LastTurnFlagged
    | ActionsGained
    | ActionPassed
    | CardPlayed
    | SpellCast
    | ResourceGained
    | ResourceLost
    | ResourcePaid
    | ResourceMoved
    | LossPrevented
    | CardDiscarded
    | DeckCardLost
    | TopDiscarded
    | TopTurned
    | CardTaken
    | CardStolen
    | EffectBegun
    | HandHinted
    | ChoiceOffered
    | HandChoiceOffered
    | ChoiceMade
    | MageConceded
    | WinnersDecided
)
EVENTS: tuple[type[Event], ...] = get_args(Event)
