"""What can become true."""

from dataclasses import dataclass
from typing import TypeAlias

from domain.game import Seat
from domain.magic_cooking.cards import Card, Mage, Spell
from domain.sealed import Sealed


@dataclass(frozen=True, slots=True)
class MagesDealt:
    """Each seat has its mage for the whole game (2.1)."""

    mages: tuple[Mage, ...]


@dataclass(frozen=True, slots=True)
class RoundStarted:
    """The deck was shuffled, top first, and the Ordome is about to deal (2.2)."""

    round: int
    ordome: Seat
    deck: Sealed[tuple[Card, ...]]

    def audience(self) -> tuple[Seat, ...]:
        """Let nobody read the order of the deck."""
        return ()


@dataclass(frozen=True, slots=True)
class HandDealt:
    """A seat was dealt its hand."""

    to: Seat
    cards: Sealed[tuple[Card, ...]]

    def audience(self) -> tuple[Seat, ...]:
        """Let the owner of a hand read it."""
        return (self.to,)


@dataclass(frozen=True, slots=True)
class CauldronLit:
    """Four cards became the cauldron: one face up, three below it, top first."""

    card: Card
    secret: Sealed[tuple[Card, ...]]

    def audience(self) -> tuple[Seat, ...]:
        """Let nobody read the Secret Cauldron before the first capture."""
        return ()


@dataclass(frozen=True, slots=True)
class TurnStarted:
    """A seat has the turn; seats without cards were passed over (2.3)."""

    to: Seat


@dataclass(frozen=True, slots=True)
class CardRevealed:
    """The active seat played a card, perhaps declared (Falsification) to be another."""

    seat: Seat
    card: Card
    imitated: Card | None


@dataclass(frozen=True, slots=True)
class CardPlaced:
    """The played card matched nothing and joined the cauldron (2.4)."""

    by: Seat
    card: Card


@dataclass(frozen=True, slots=True)
class TrickMade:
    """The played card matched: the trick is about to be taken (2.4)."""

    by: Seat
    card: Card
    abraxas: bool


@dataclass(frozen=True, slots=True)
class WindowOpened:
    """The table waits for those who could answer with a spell (3.1)."""

    waiting_for: tuple[Seat, ...]


@dataclass(frozen=True, slots=True)
class SeatPassed:
    """A seat lets the window go by."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class AutoPassSet:
    """A seat set or ended its standing pass."""

    seat: Seat
    enabled: bool


@dataclass(frozen=True, slots=True)
class SpellCast:
    """A spell was declared: it is spent and waits on top of the stack."""

    seat: Seat
    spell: Spell
    victim: Seat | None
    card: Card | None
    swap: Card | None
    counter: bool


@dataclass(frozen=True, slots=True)
class CardStolen:
    """Permutation drew a card out of a hand; only the two hands know which (R13)."""

    thief: Seat
    victim: Seat
    card: Sealed[Card]

    def audience(self) -> tuple[Seat, ...]:
        """Let thief and victim read the card."""
        return (self.thief, self.victim)


@dataclass(frozen=True, slots=True)
class CardsExchanged:
    """Permutation changed a card of the caster's hand for one of the cauldron."""

    by: Seat
    card: Card
    swap: Card


@dataclass(frozen=True, slots=True)
class CardBurned:
    """A face-up card was removed and counts for nobody (R16)."""

    by: Seat
    card: Card


@dataclass(frozen=True, slots=True)
class CardDisguised:
    """Falsification took effect: the played card makes a pair."""

    by: Seat
    card: Card
    imitated: Card


@dataclass(frozen=True, slots=True)
class SpellCancelled:
    """A spell struck the one below it, ``struck`` of ``owner``: no effect, spent (R12)."""

    by: Seat
    spell: Spell
    owner: Seat
    struck: Spell


@dataclass(frozen=True, slots=True)
class SpellsLocked:
    """No further spell may be declared this round (R39)."""

    by: Seat


@dataclass(frozen=True, slots=True)
class SpellFizzled:
    """A spell found no target when it resolved: no effect, spent (R12)."""

    by: Seat
    spell: Spell


@dataclass(frozen=True, slots=True)
class TrickFrozen:
    """The trick stays in the cauldron, the played card included."""

    by: Seat
    capturer: Seat
    card: Card


@dataclass(frozen=True, slots=True)
class TrickBlown:
    """The trick was removed, the played card included, and counts for nobody."""

    by: Seat
    capturer: Seat
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class FirstTrickTaken:
    """The first trick of the round, with the Secret Cauldron, makes its capturer Estueux (2.5)."""

    to: Seat
    cards: tuple[Card, ...]
    secret: Sealed[tuple[Card, ...]]

    def audience(self) -> tuple[Seat, ...]:
        """Let the Estueux read the Secret Cauldron."""
        return (self.to,)


@dataclass(frozen=True, slots=True)
class TrickTaken:
    """A later trick was collected, perhaps as an Abraxas (2.5)."""

    to: Seat
    cards: tuple[Card, ...]
    abraxas: bool


@dataclass(frozen=True, slots=True)
class LeadAwaited:
    """A seat has to lay the new cauldron (2.6)."""

    to: Seat


@dataclass(frozen=True, slots=True)
class CauldronLed:
    """A seat laid the new cauldron (2.6)."""

    seat: Seat
    card: Card


@dataclass(frozen=True, slots=True)
class CardsDrawn:
    """A seat drew up to four (2.7)."""

    to: Seat
    count: int
    cards: Sealed[tuple[Card, ...]]

    def audience(self) -> tuple[Seat, ...]:
        """Let who draws read the cards."""
        return (self.to,)


@dataclass(frozen=True, slots=True)
class LeftoversTaken:
    """The cards left in the cauldron went to the last capturer, or were removed (2.9)."""

    to: Seat | None
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class RoundScored:
    """A round is over: what each seat captured and what it brought, and the totals (2.10)."""

    round: int
    stars: tuple[int, ...]
    bonus: tuple[int, ...]
    abraxas: tuple[int, ...]
    scores: tuple[int, ...]
    uscul: tuple[Seat, ...]
    captured: tuple[tuple[Card, ...], ...]
    totals: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class GameEnded:
    """The last round is over (2.12)."""

    winners: tuple[Seat, ...]
    totals: tuple[int, ...]


Event: TypeAlias = (
    MagesDealt
    | RoundStarted
    | HandDealt
    | CauldronLit
    | TurnStarted
    | CardRevealed
    | CardPlaced
    | TrickMade
    | WindowOpened
    | SeatPassed
    | AutoPassSet
    | SpellCast
    | CardStolen
    | CardsExchanged
    | CardBurned
    | CardDisguised
    | SpellCancelled
    | SpellsLocked
    | SpellFizzled
    | TrickFrozen
    | TrickBlown
    | FirstTrickTaken
    | TrickTaken
    | LeadAwaited
    | CauldronLed
    | CardsDrawn
    | LeftoversTaken
    | RoundScored
    | GameEnded
)
EVENTS: tuple[type[Event], ...] = (
    MagesDealt,
    RoundStarted,
    HandDealt,
    CauldronLit,
    TurnStarted,
    CardRevealed,
    CardPlaced,
    TrickMade,
    WindowOpened,
    SeatPassed,
    AutoPassSet,
    SpellCast,
    CardStolen,
    CardsExchanged,
    CardBurned,
    CardDisguised,
    SpellCancelled,
    SpellsLocked,
    SpellFizzled,
    TrickFrozen,
    TrickBlown,
    FirstTrickTaken,
    TrickTaken,
    LeadAwaited,
    CauldronLed,
    CardsDrawn,
    LeftoversTaken,
    RoundScored,
    GameEnded,
)
