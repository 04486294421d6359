"""The state of a game: the zones of the round, the windows, and who has learned what."""

from typing import Literal, TypeAlias

from domain.game import Seat
from domain.magic_cooking.cards import SPELLS, Card, Mage, Spell
from domain.magic_cooking.options import Options
from domain.value import Value

Phase: TypeAlias = Literal["turn", "lead", "reaction", "over"]


class Laid(Value):
    """A card lying face up in the cauldron and the seat that laid it (None: the deal)."""

    card: Card
    by: Seat | None


class Pending(Value):
    """The card played this turn until it is placed or collected.

    ``imitated`` is what Falsification makes of it; ``taking`` says that it has matched, so a trick
    is being taken. ``card`` is None once the card itself was burned out of its trick.
    """

    seat: Seat
    card: Card | None
    imitated: Card | None
    taking: bool
    abraxas: bool


class Stacked(Value):
    """A spell on the stack, with the target fields as sent."""

    seat: Seat
    spell: Spell
    victim: Seat | None
    card: Card | None
    imitated: Card | None
    swap: Card | None
    counter: bool


class Traced(Value):
    """A card that others know to be in Brady's hand, because Permutation brought it there.

    ``victim`` knows what was stolen, nobody but the two of them; without a victim the card was
    exchanged or offered in public. ``card`` is None once its value was played. ``plays`` are what
    the thief has played since, each with the number of cards it was chosen from: those who do not
    know the card cannot tell whether it was among them.
    """

    card: Card | None
    holder: Seat
    victim: Seat | None
    plays: tuple[tuple[int, Card], ...]


class LastRound(Value):
    """What the last finished round brought, by seat; ``captured`` in deck-list order."""

    stars: tuple[int, ...]
    bonus: tuple[int, ...]
    abraxas: tuple[int, ...]
    scores: tuple[int, ...]
    uscul: tuple[Seat, ...]
    captured: tuple[tuple[Card, ...], ...]


class State(Value):
    """A game and its running round.

    ``secret`` are the cards of the Secret Cauldron, top first: in the cauldron until the first
    capture, in the pile of the Estueux from then on. ``piles`` are the other captured cards, which
    everybody has seen. ``hands`` are in deck-list order, ``draw_pile`` is top first.
    """

    seats: int
    options: Options
    mages: tuple[Mage, ...]
    spent: tuple[bool, ...]
    auto_pass: tuple[bool, ...]
    scores: tuple[int, ...]
    round: int
    ordome: Seat | None
    last_round: LastRound | None
    phase: Phase
    active: Seat | None
    hands: tuple[tuple[Card, ...], ...]
    draw_pile: tuple[Card, ...]
    visible: tuple[Laid, ...]
    secret: tuple[Card, ...]
    piles: tuple[tuple[Card, ...], ...]
    abraxas: tuple[int, ...]
    removed: tuple[Card, ...]
    estueux: Seat | None
    last_capturer: Seat | None
    locked: bool
    pending: Pending | None
    stack: tuple[Stacked, ...]
    passed: tuple[Seat, ...]
    traced: Traced | None

    @property
    def hidden(self) -> int:
        """Answer how many cards lie face down in the cauldron."""
        return len(self.secret) if self.estueux is None else 0

    @property
    def taking(self) -> bool:
        """Tell whether a trick is being taken."""
        return self.pending is not None and self.pending.taking

    def pile_size(self, seat: Seat) -> int:
        """Answer how many cards a seat has captured this round."""
        return len(self.piles[seat]) + (len(self.secret) if seat == self.estueux else 0)

    def spell_of(self, seat: Seat) -> Spell | None:
        """Answer the spell of a seat's mage, None before the mages are dealt."""
        return SPELLS[self.mages[seat]] if self.mages else None

    def lies_visible(self, card: Card) -> bool:
        """Tell whether an ingredient lies face up in the cauldron."""
        return any(laid.card == card for laid in self.visible)


def initial(seats: int, options: Options) -> State:
    """Answer the state before anything was dealt."""
    return State(
        seats=seats,
        options=options,
        mages=(),
        spent=(False,) * seats,
        auto_pass=(False,) * seats,
        scores=(0,) * seats,
        round=0,
        ordome=None,
        last_round=None,
        phase="turn",
        active=None,
        hands=((),) * seats,
        draw_pile=(),
        visible=(),
        secret=(),
        piles=((),) * seats,
        abraxas=(0,) * seats,
        removed=(),
        estueux=None,
        last_capturer=None,
        locked=False,
        pending=None,
        stack=(),
        passed=(),
        traced=None,
    )
