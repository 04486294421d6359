"""What can become true."""

from typing import TypeAlias

from domain.game import Seat
from domain.magic_cooking.cards import Card, Mage, Spell
from domain.sealed import Sealed
from domain.value import Value


class MagesDealt(Value):
    """Each seat has its mage for the whole game (2.1)."""

    mages: tuple[Mage, ...]


class RoundStarted(Value):
    """The deck was shuffled, top first, and the Ordome is about to deal (2.2)."""

    round: int
    ordome: Seat
    deck: Sealed[tuple[Card, ...]]

    def audience(self) -> tuple[Seat, ...]:
        """Let nobody read the order of the deck."""
        return ()


class HandDealt(Value):
    """A seat was dealt its hand."""

    to: Seat
    cards: Sealed[tuple[Card, ...]]

    def audience(self) -> tuple[Seat, ...]:
        """Let the owner of a hand read it."""
        return (self.to,)


class CauldronLit(Value):
    """Four cards became the cauldron: one face up, three below it, top first."""

    card: Card
    secret: Sealed[tuple[Card, ...]]

    def audience(self) -> tuple[Seat, ...]:
        """Let nobody read the Secret Cauldron before the first capture."""
        return ()


class TurnStarted(Value):
    """A seat has the turn; seats without cards were passed over (2.3)."""

    to: Seat


class CardRevealed(Value):
    """The active seat played a card, perhaps declared (Falsification) to be another."""

    seat: Seat
    card: Card
    imitated: Card | None


class CardPlaced(Value):
    """The played card matched nothing and joined the cauldron (2.4)."""

    by: Seat
    card: Card


class TrickMade(Value):
    """The played card matched: the trick is about to be taken (2.4)."""

    by: Seat
    card: Card
    abraxas: bool


class WindowOpened(Value):
    """The table waits for those who could answer with a spell (3.1)."""

    waiting_for: tuple[Seat, ...]


class SeatPassed(Value):
    """A seat lets the window go by."""

    seat: Seat


class AutoPassSet(Value):
    """A seat set or ended its standing pass."""

    seat: Seat
    enabled: bool


class SpellCast(Value):
    """A spell was declared: it is spent and waits on top of the stack."""

    seat: Seat
    spell: Spell
    victim: Seat | None
    card: Card | None
    swap: Card | None
    counter: bool


class CardStolen(Value):
    """Permutation drew a card out of a hand; only the two hands know which (R13)."""

    thief: Seat
    victim: Seat
    card: Sealed[Card]

    def audience(self) -> tuple[Seat, ...]:
        """Let thief and victim read the card."""
        return (self.thief, self.victim)


class CardsExchanged(Value):
    """Permutation changed a card of the caster's hand for one of the cauldron."""

    by: Seat
    card: Card
    swap: Card


class CardBurned(Value):
    """A face-up card was removed and counts for nobody (R16)."""

    by: Seat
    card: Card


class CardDisguised(Value):
    """Falsification took effect: the played card makes a pair."""

    by: Seat
    card: Card
    imitated: Card


class SpellCancelled(Value):
    """A spell struck the one below it, ``struck`` of ``owner``: no effect, spent (R12)."""

    by: Seat
    spell: Spell
    owner: Seat
    struck: Spell


class SpellsLocked(Value):
    """No further spell may be declared this round (R39)."""

    by: Seat


class SpellFizzled(Value):
    """A spell found no target when it resolved: no effect, spent (R12)."""

    by: Seat
    spell: Spell


class TrickFrozen(Value):
    """The trick stays in the cauldron, the played card included."""

    by: Seat
    capturer: Seat
    card: Card


class TrickBlown(Value):
    """The trick was removed, the played card included, and counts for nobody."""

    by: Seat
    capturer: Seat
    cards: tuple[Card, ...]


class FirstTrickTaken(Value):
    """The first trick of the round, with the Secret Cauldron, makes its capturer Estueux (2.5)."""

    to: Seat
    cards: tuple[Card, ...]
    secret: Sealed[tuple[Card, ...]]

    def audience(self) -> tuple[Seat, ...]:
        """Let the Estueux read the Secret Cauldron."""
        return (self.to,)


class TrickTaken(Value):
    """A later trick was collected, perhaps as an Abraxas (2.5)."""

    to: Seat
    cards: tuple[Card, ...]
    abraxas: bool


class LeadAwaited(Value):
    """A seat has to lay the new cauldron (2.6)."""

    to: Seat


class CauldronLed(Value):
    """A seat laid the new cauldron (2.6)."""

    seat: Seat
    card: Card


class CardsDrawn(Value):
    """A seat drew up to four (2.7)."""

    to: Seat
    count: int
    cards: Sealed[tuple[Card, ...]]

    def audience(self) -> tuple[Seat, ...]:
        """Let who draws read the cards."""
        return (self.to,)


class LeftoversTaken(Value):
    """The cards left in the cauldron went to the last capturer, or were removed (2.9)."""

    to: Seat | None
    cards: tuple[Card, ...]


class RoundScored(Value):
    """A round is over: what each seat captured and what it brought, and the totals (2.10)."""

    round: int
    stars: tuple[int, ...]
    bonus: tuple[int, ...]
    abraxas: tuple[int, ...]
    scores: tuple[int, ...]
    uscul: tuple[Seat, ...]
    captured: tuple[tuple[Card, ...], ...]
    totals: tuple[int, ...]


class GameEnded(Value):
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
