"""The course of a turn: reveal, match, windows, capture, lead, draw, next (2.3 to 2.8)."""

from domain.game import Seat
from domain.magic_cooking.cards import HAND, Card, facts
from domain.magic_cooking.events import (
    CardPlaced,
    CardRevealed,
    CardsDrawn,
    CauldronLed,
    FirstTrickTaken,
    LeadAwaited,
    TrickMade,
    TrickTaken,
    TurnStarted,
    WindowOpened,
)
from domain.magic_cooking.rounds import end_round
from domain.magic_cooking.spells import resolve_stack
from domain.magic_cooking.state import Pending, State
from domain.magic_cooking.story import Story, certain
from domain.magic_cooking.windows import answering


def begin_turn(story: Story, seat: Seat) -> None:
    """Give the turn to a seat, or to the next one that has cards; end the round if none (2.3)."""
    holder = _first_holder(story.state, seat)
    if holder is None:
        end_round(story)
    else:
        story.tell(TurnStarted(holder))


def reveal(story: Story, seat: Seat, card: Card, imitated: Card | None) -> None:
    """Play a card; only a declared Falsification can be answered before the match test."""
    story.tell(CardRevealed(seat, card, imitated))
    open_window(story)


def lead(story: Story, seat: Seat, card: Card) -> None:
    """Lay the new cauldron, draw, and go on with the next seat (2.6, R6)."""
    story.tell(CauldronLed(seat, card))
    _draw_and_go_on(story, seat)


def open_window(story: Story) -> None:
    """Wait for those who could answer; skip the window if there is nobody (3.1)."""
    waiting = answering(story.state)
    if waiting:
        story.tell(WindowOpened(waiting))
    else:
        close_window(story)


def close_window(story: Story) -> None:
    """Resolve the whole stack, top first, then go on with what was pending (D1)."""
    before = story.state
    fate = resolve_stack(story)
    active = certain(before.active)
    if before.pending is None:
        begin_turn(story, active)
    elif not before.pending.taking:
        _test_match(story)
    elif fate == "frozen":
        _draw_and_go_on(story, active)
    elif fate == "blown":
        _await_lead(story, active)
    else:
        _collect(story)


def _test_match(story: Story) -> None:
    """Test the played card against the visible ones (2.4, R3, R4, R21 to R23, R43)."""
    pending = certain(story.state.pending)
    card = certain(pending.card)
    if pending.imitated is not None or _matches(story.state, card):
        abraxas = pending.imitated is None and _is_abraxas(story.state, pending)
        story.tell(TrickMade(pending.seat, card, abraxas))
        open_window(story)
    else:
        story.tell(CardPlaced(pending.seat, card))
        _draw_and_go_on(story, pending.seat)


def _matches(state: State, card: Card) -> bool:
    takes_anything = facts(state.options.deck)[card].takes_anything
    return bool(state.visible) and (takes_anything or state.lies_visible(card))


def _is_abraxas(state: State, pending: Pending) -> bool:
    """Tell whether a match is the same ingredient on a single card of another (R5, R26, R33)."""
    if state.hidden or len(state.visible) != 1:
        return False
    (single,) = state.visible
    return single.card == pending.card and single.by != pending.seat


def _collect(story: Story) -> None:
    """Give the trick to its capturer, who then leads (2.5, 2.6)."""
    state = story.state
    pending = certain(state.pending)
    played = () if pending.card is None else (pending.card,)
    cards = (*(laid.card for laid in state.visible), *played)
    if state.estueux is None:
        story.tell(FirstTrickTaken(pending.seat, cards, state.secret))
    else:
        story.tell(TrickTaken(pending.seat, cards, pending.abraxas))
    _await_lead(story, pending.seat)


def _await_lead(story: Story, seat: Seat) -> None:
    """Ask the capturer for a new cauldron, or the next seat that has cards (2.6)."""
    leader = _first_holder(story.state, seat)
    if leader is None:
        end_round(story)
    else:
        story.tell(LeadAwaited(leader))


def _draw_and_go_on(story: Story, seat: Seat) -> None:
    """Draw up to four, as far as there are cards (2.7, R15, R46), then the next seat (2.8)."""
    state = story.state
    cards = state.draw_pile[: max(0, HAND - len(state.hands[seat]))]
    if cards:
        story.tell(CardsDrawn(seat, len(cards), cards))
    begin_turn(story, _after(state, seat))


def _after(state: State, seat: Seat) -> Seat:
    return Seat((seat + 1) % state.seats)


def _first_holder(state: State, seat: Seat) -> Seat | None:
    """Answer the first seat from this one on, clockwise, that has a card."""
    for _ in range(state.seats):
        if state.hands[seat]:
            return seat
        seat = _after(state, seat)
    return None
