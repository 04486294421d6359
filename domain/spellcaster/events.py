"""What can become true of a game."""

from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

from domain.game import Seat
from domain.sealed import Sealed
from domain.spellcaster.cards import Card
from domain.spellcaster.colours import Colour
from domain.spellcaster.state import Asked, Frame, Lasts
from domain.spellcaster.terms import Resource

Reason: TypeAlias = Literal["energy", "sapphires", "deck", "concede", "draw"]


@dataclass(frozen=True, slots=True)
class StarterChosen:
    """A mage has the first turn."""

    starter: Seat


@dataclass(frozen=True, slots=True)
class DeckShuffled:
    """The deck has an order, top first."""

    count: int
    deck: Sealed[tuple[Card, ...]]

    def audience(self) -> tuple[Seat, ...]:
        """Keep the order from everybody."""
        return ()


@dataclass(frozen=True, slots=True)
class HandDealt:
    """A mage got the first hand."""

    to: Seat
    count: int
    cards: Sealed[tuple[Card, ...]]

    def audience(self) -> tuple[Seat, ...]:
        """Let the mage see the hand."""
        return (self.to,)


@dataclass(frozen=True, slots=True)
class TurnBegun:
    """A turn began: what lasted until it has ended; ``spells`` are to resolve at its start."""

    seat: Seat
    turn: int
    spells: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class CardsDrawn:
    """A mage drew at the turn's start, with an action or by a spell."""

    to: Seat
    count: int
    cause: Literal["turn", "action", "spell"]
    actions_left: int
    cards: Sealed[tuple[Card, ...]]

    def audience(self) -> tuple[Seat, ...]:
        """Let the mage see the cards."""
        return (self.to,)


@dataclass(frozen=True, slots=True)
class LastTurnFlagged:
    """A spell asked for more cards than the deck held: the game ends after this turn (2.6)."""

    turn: int


@dataclass(frozen=True, slots=True)
class ActionsGained:
    """The active mage has more actions."""

    seat: Seat
    count: int
    actions_left: int


@dataclass(frozen=True, slots=True)
class ActionPassed:
    """A mage could do nothing with an action."""

    seat: Seat
    actions_left: int


@dataclass(frozen=True, slots=True)
class CardPlayed:
    """A card of a hand lies on its pile; ``free`` if a spell allowed it."""

    seat: Seat
    card: Card
    pile: Colour
    facing: int
    free: bool
    actions_left: int


@dataclass(frozen=True, slots=True)
class SpellCast:
    """A spell began: by an action, at the turn's start, or as a copy made by another."""

    seat: Seat
    card: Card
    pile: Colour
    cause: Literal["action", "turn", "copy"]
    actions_left: int


@dataclass(frozen=True, slots=True)
class ResourceGained:
    """A side took from the supply and has ``total``."""

    side: int
    resource: Resource
    amount: int
    total: int


@dataclass(frozen=True, slots=True)
class ResourceLost:
    """A side lost to the supply and has ``total``."""

    side: int
    resource: Resource
    amount: int
    total: int


@dataclass(frozen=True, slots=True)
class ResourcePaid:
    """A side paid to the supply and has ``total``."""

    side: int
    resource: Resource
    amount: int
    total: int


@dataclass(frozen=True, slots=True)
class ResourceMoved:
    """A side (``giver``) gave to the other (``taker``); the totals are those after it."""

    giver: int
    taker: int
    resource: Resource
    amount: int
    giver_total: int
    taker_total: int


@dataclass(frozen=True, slots=True)
class LossPrevented:
    """Wards stopped some of a loss; ``spent`` are those used up, as indices of the effects."""

    side: int
    resource: Resource
    amount: int
    spent: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class CardDiscarded:
    """A card went from a hand to the discard pile."""

    owner: Seat
    card: Card


@dataclass(frozen=True, slots=True)
class DeckCardLost:
    """The top of the deck went to the discard pile."""

    card: Card


@dataclass(frozen=True, slots=True)
class TopDiscarded:
    """The top of a pile went to the discard pile."""

    pile: Colour
    card: Card


@dataclass(frozen=True, slots=True)
class TopTurned:
    """The top of a pile faces the other side."""

    pile: Colour
    card: Card
    facing: int


@dataclass(frozen=True, slots=True)
class CardTaken:
    """A card went from the discard pile to a hand."""

    to: Seat
    card: Card


@dataclass(frozen=True, slots=True)
class CardStolen:
    """A random card went from one hand to another."""

    thief: Seat
    victim: Seat
    card: Sealed[Card]

    def audience(self) -> tuple[Seat, ...]:
        """Let both mages see the card."""
        return (self.thief, self.victim)


@dataclass(frozen=True, slots=True)
class EffectBegun:
    """A ward, a lock or a suppression lasts until a mage's turn starts."""

    kind: Lasts
    side: int
    until_turn_of: Seat
    pile: Colour | None
    card: Card | None


@dataclass(frozen=True, slots=True)
class HandHinted:
    """What just happened tells everybody that a hand holds so many cards of some colours."""

    owner: Seat
    colours: tuple[Colour, ...]
    least: int


@dataclass(frozen=True, slots=True)
class ChoiceOffered:
    """A mage must choose among options that all may see; ``stack`` is where the spell stands."""

    to: Seat
    card: Card | None
    kind: Asked
    options: tuple[str, ...]
    least: int
    stack: tuple[Frame, ...]


@dataclass(frozen=True, slots=True)
class HandChoiceOffered:
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


@dataclass(frozen=True, slots=True)
class ChoiceMade:
    """A mage chose."""

    seat: Seat
    card: Card | None
    kind: Asked
    pick: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class MageConceded:
    """A mage gave up for the side."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class WinnersDecided:
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
