"""(state, event) -> state: never refuses, never rolls."""

from typing import Any, TypeVar, assert_never

from domain.game import Seat
from domain.magic_cooking.cards import Card, in_deck_order
from domain.magic_cooking.events import (
    AutoPassSet,
    CardBurned,
    CardDisguised,
    CardPlaced,
    CardRevealed,
    CardsDrawn,
    CardsExchanged,
    CardStolen,
    CauldronLed,
    CauldronLit,
    Event,
    FirstTrickTaken,
    GameEnded,
    HandDealt,
    LeadAwaited,
    LeftoversTaken,
    MagesDealt,
    RoundScored,
    RoundStarted,
    SeatPassed,
    SpellCancelled,
    SpellCast,
    SpellFizzled,
    SpellsLocked,
    TrickBlown,
    TrickFrozen,
    TrickMade,
    TrickTaken,
    TurnStarted,
    WindowOpened,
)
from domain.magic_cooking.state import Laid, LastRound, Pending, Stacked, State, Traced
from domain.value import changed

T = TypeVar("T")


def evolve(state: State, event: Event) -> State:  # noqa: C901 - one case for each event
    """Apply one event."""
    match event:
        case CardRevealed():
            return _revealed(state, event)
        case CardPlaced(by, card):
            return changed(state, visible=(*state.visible, Laid(card, by)), pending=None)
        case CardsDrawn(to, _, cards):
            return _drawn(state, to, cards)
        case TurnStarted(to):
            return changed(state, phase="turn", active=to)
        case TrickMade():
            return _made(state, event)
        case TrickTaken(to, cards, abraxas):
            counts = _with(state.abraxas, to, state.abraxas[to] + abraxas)
            return changed(state, abraxas=counts, **_taken(state, to, cards))
        case LeadAwaited(to):
            return changed(state, phase="lead", active=to)
        case CauldronLed(seat, card):
            cauldron = (Laid(card, seat),)
            return changed(state, visible=cauldron, **_out_of_hand(state, seat, card))
        case WindowOpened():
            return changed(state, phase="reaction")
        case SeatPassed(seat):
            return changed(state, passed=(*state.passed, seat))
        case AutoPassSet(seat, enabled):
            return changed(state, auto_pass=_with(state.auto_pass, seat, enabled))
        case HandDealt(to, cards):
            return _drawn(state, to, cards)
        case FirstTrickTaken(to, cards):
            return changed(state, estueux=to, **_taken(state, to, cards))
        case SpellCast():
            return _cast(state, event)
        case CardStolen():
            return _stolen(state, event)
        case CardsExchanged():
            return _exchanged(state, event)
        case CardBurned(_, card):
            return _burned(state, card)
        case CardDisguised() | SpellFizzled():
            return changed(state, stack=state.stack[:-1])
        case SpellCancelled():
            return _cancelled(state, event)
        case SpellsLocked():
            return changed(state, locked=True)
        case TrickFrozen(_, capturer, card):
            lying = (*state.visible, Laid(card, capturer))
            return changed(state, visible=lying, pending=None, stack=state.stack[:-1])
        case TrickBlown(_, _, cards):
            gone = (*state.removed, *cards)
            return changed(state, visible=(), pending=None, removed=gone, stack=state.stack[:-1])
        case LeftoversTaken(to, cards):
            return _leftovers(state, to, cards)
        case MagesDealt(mages):
            return changed(state, mages=mages)
        case RoundStarted(number, ordome, deck):
            return changed(state, round=number, ordome=ordome, draw_pile=deck)
        case CauldronLit(card, secret):
            rest = state.draw_pile[1 + len(secret) :]
            return changed(state, visible=(Laid(card, None),), secret=secret, draw_pile=rest)
        case RoundScored():
            return _scored(state, event)
        case GameEnded():
            return changed(state, phase="over")
        case _:
            assert_never(event)


def _with(values: tuple[T, ...], seat: Seat, value: T) -> tuple[T, ...]:
    return (*values[:seat], value, *values[seat + 1 :])


def _without(cards: tuple[Card, ...], card: Card) -> tuple[Card, ...]:
    at = cards.index(card)
    return cards[:at] + cards[at + 1 :]


def _drawn(state: State, to: Seat, cards: tuple[Card, ...]) -> State:
    hand = in_deck_order(state.options.deck, state.hands[to] + cards)
    rest = state.draw_pile[len(cards) :]
    return changed(state, hands=_with(state.hands, to, hand), draw_pile=rest)


def _revealed(state: State, event: CardRevealed) -> State:
    seat, card, imitated = event.seat, event.card, event.imitated
    pending = Pending(seat, card, imitated, taking=False, abraxas=False)
    played = _out_of_hand(state, seat, card)
    if imitated is None:
        return changed(state, pending=pending, **played)
    spell = Stacked(seat, "falsification", None, card, imitated, None, counter=False)
    return changed(state, pending=pending, **played, **_stacked(state, spell))


def _out_of_hand(state: State, seat: Seat, card: Card) -> dict[str, Any]:
    """Take a played card out of a hand, and follow the card that others know to be there."""
    hand = state.hands[seat]
    left: dict[str, object] = {"hands": _with(state.hands, seat, _without(hand, card))}
    traced = state.traced
    if traced is not None and traced.holder == seat:
        left["traced"] = _played(traced, len(hand), card)
    return left


def _played(traced: Traced, choices: int, card: Card) -> Traced | None:
    still = None if card == traced.card else traced.card
    if traced.victim is None:
        return None if still is None else traced
    return changed(traced, card=still, plays=(*traced.plays, (choices, card)))


def _made(state: State, event: TrickMade) -> State:
    imitated = state.pending.imitated if state.pending else None
    pending = Pending(event.by, event.card, imitated, taking=True, abraxas=event.abraxas)
    # Whoever let an earlier window go by is asked again in this one.
    return changed(state, pending=pending, passed=())


def _taken(state: State, to: Seat, cards: tuple[Card, ...]) -> dict[str, Any]:
    piles = _with(state.piles, to, state.piles[to] + cards)
    return {"piles": piles, "visible": (), "pending": None, "last_capturer": to}


def _cast(state: State, event: SpellCast) -> State:
    spell = Stacked(
        event.seat, event.spell, event.victim, event.card, None, event.swap, event.counter
    )
    if event.swap is None:
        return changed(state, **_stacked(state, spell))
    # The offered card is known to all from now on, even if the exchange is cancelled.
    traced = Traced(event.card, event.seat, None, ())
    return changed(state, traced=traced, **_stacked(state, spell))


def _stacked(state: State, spell: Stacked) -> dict[str, Any]:
    spent = _with(state.spent, spell.seat, True)  # noqa: FBT003 - the value of a field
    return {"stack": (*state.stack, spell), "spent": spent, "passed": ()}


def _stolen(state: State, event: CardStolen) -> State:
    thief, victim, card = event.thief, event.victim, event.card
    robbed = _with(state.hands, victim, _without(state.hands[victim], card))
    loot = in_deck_order(state.options.deck, (*robbed[thief], card))
    return changed(
        state,
        hands=_with(robbed, thief, loot),
        stack=state.stack[:-1],
        traced=Traced(card, thief, victim, ()),
    )


def _exchanged(state: State, event: CardsExchanged) -> State:
    by, card, swap = event.by, event.card, event.swap
    at = [laid.card for laid in state.visible].index(swap)
    heir = Laid(card, state.visible[at].by)
    hand = (*_without(state.hands[by], card), swap)
    return changed(
        state,
        hands=_with(state.hands, by, in_deck_order(state.options.deck, hand)),
        visible=(*state.visible[:at], heir, *state.visible[at + 1 :]),
        stack=state.stack[:-1],
        traced=Traced(swap, by, None, ()),
    )


def _burned(state: State, card: Card) -> State:
    """Remove the first such card of the cauldron, else the played one."""
    at = next((i for i, laid in enumerate(state.visible) if laid.card == card), None)
    visible, pending = state.visible, state.pending
    if at is not None:
        visible = visible[:at] + visible[at + 1 :]
    elif pending is not None:
        pending = changed(pending, card=None)
    return changed(
        state,
        visible=visible,
        pending=pending,
        removed=(*state.removed, card),
        stack=state.stack[:-1],
    )


def _cancelled(state: State, event: SpellCancelled) -> State:
    pending = state.pending
    if event.struck == "falsification" and pending is not None:
        pending = changed(pending, imitated=None)
    return changed(state, stack=state.stack[:-2], pending=pending)


def _leftovers(state: State, to: Seat | None, cards: tuple[Card, ...]) -> State:
    if to is None:
        return changed(state, visible=(), secret=(), removed=(*state.removed, *cards))
    return changed(state, visible=(), piles=_with(state.piles, to, state.piles[to] + cards))


def _scored(state: State, event: RoundScored) -> State:
    """Book the scores and clear the table of the round."""
    nothing: tuple[tuple[Card, ...], ...] = ((),) * state.seats
    return changed(
        state,
        scores=event.totals,
        last_round=LastRound(
            event.stars, event.bonus, event.abraxas, event.scores, event.uscul, event.captured
        ),
        active=None,
        secret=(),
        piles=nothing,
        abraxas=(0,) * state.seats,
        removed=(),
        estueux=None,
        last_capturer=None,
        locked=False,
        traced=None,
    )
