"""(state, seat, command, dice) -> events, or Refused: the rulebook in short."""

from typing import assert_never

from domain.dice import Dice
from domain.game import BadField, Refused, Seat
from domain.magic_cooking.commands import AutoPass, Cast, Command, Lead, Pass, Reveal
from domain.magic_cooking.events import AutoPassSet, Event, SeatPassed, SpellCast
from domain.magic_cooking.refusals import refusal
from domain.magic_cooking.state import State
from domain.magic_cooking.story import Story
from domain.magic_cooking.turns import close_window, lead, open_window, reveal
from domain.magic_cooking.windows import waiting_for


def decide(state: State, seat: Seat, command: Command, dice: Dice) -> tuple[Event, ...]:
    """Answer what happens; raise BadField for a victim outside the table, Refused by the rules."""
    if isinstance(command, Cast) and command.victim is not None and command.victim >= state.seats:
        raise BadField("victim", f"must be below {state.seats}")
    code = refusal(state, seat, command)
    if code is not None:
        raise Refused(code)
    story = Story(state, dice)
    match command:
        case Reveal(card, as_):
            reveal(story, seat, card, as_)
        case Lead(card):
            lead(story, seat, card)
        case Cast(spell, victim, card, swap, counter):
            story.tell(SpellCast(seat, spell, victim, card, swap, counter is True))
            open_window(story)
        case Pass():
            story.tell(SeatPassed(seat))
            _close_if_nobody_is_left(story)
        case AutoPass(enabled):
            story.tell(AutoPassSet(seat, enabled))
            _close_if_nobody_is_left(story)
        case _:
            assert_never(command)
    return tuple(story.events)


def _close_if_nobody_is_left(story: Story) -> None:
    if story.state.phase == "reaction" and not waiting_for(story.state):
        close_window(story)
