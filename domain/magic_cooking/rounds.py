"""The frame of the game: dealing mages and rounds, ending them."""

from domain.dice import Dice
from domain.game import Seat, winners
from domain.magic_cooking.cards import HAND, MAGES, SECRET, deck_cards
from domain.magic_cooking.events import (
    CauldronLit,
    Event,
    GameEnded,
    HandDealt,
    LeftoversTaken,
    MagesDealt,
    RoundStarted,
    TurnStarted,
)
from domain.magic_cooking.scoring import next_ordome, score
from domain.magic_cooking.state import State
from domain.magic_cooking.story import Story


def start(state: State, dice: Dice) -> tuple[Event, ...]:
    """Deal the mages, find the first Ordome (R1) and deal the first round."""
    story = Story(state, dice)
    options = state.options
    mages = dice.shuffle(MAGES)[: state.seats] if options.mages == "random" else options.mages
    story.tell(MagesDealt(mages))
    first = options.first_ordome
    start_round(story, 1, Seat(dice.pick(state.seats)) if first is None else first)
    return tuple(story.events)


def start_round(story: Story, number: int, ordome: Seat) -> None:
    """Shuffle all cards again (R2), deal four to each seat and light the cauldron (2.2)."""
    deck = story.dice.shuffle(deck_cards(story.state.options.deck))
    story.tell(RoundStarted(number, ordome, deck))
    for seat in range(story.state.seats):
        story.tell(HandDealt(Seat(seat), story.state.draw_pile[:HAND]))
    card, *secret = story.state.draw_pile[: 1 + SECRET]
    story.tell(CauldronLit(card, tuple(secret)))
    story.tell(TurnStarted(ordome))


def end_round(story: Story) -> None:
    """Give the leftovers away, score, then deal again or end the game (2.9 to 2.12, R7)."""
    state = story.state
    left = tuple(laid.card for laid in state.visible)
    if state.last_capturer is None:
        left += state.secret
    if left:
        story.tell(LeftoversTaken(state.last_capturer, left))
    scored = score(story.state)
    ordome = next_ordome(story.state, scored)
    story.tell(scored)
    if state.round == state.options.rounds:
        story.tell(GameEnded(tuple(winners(scored.totals)), scored.totals))
    else:
        start_round(story, state.round + 1, ordome)
