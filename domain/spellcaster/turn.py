"""The states of a turn: active spells, free draw, actions; and how a game ends (3.1 to 4.3)."""

from domain.spellcaster import events as ev
from domain.spellcaster.cards import Card
from domain.spellcaster.colours import Colour
from domain.spellcaster.course import Course
from domain.spellcaster.resolve import first_frame, resolve
from domain.spellcaster.sides import (
    pile_of,
    seat_of_turn,
    seats_of,
    side_of,
    spell_of,
    tops,
    valid_triggers,
)
from domain.spellcaster.state import Frame, State

ACTIONS_PER_TURN = 2
WINNING_SAPPHIRES = 15


def begin_turn(course: Course, turn: int) -> None:
    """Begin a turn: what lasted until it ends, active spells are listed (ruling 21)."""
    state = course.state
    seat = seat_of_turn(state, turn)
    side = side_of(seat)
    spells = (
        top.card
        for _, top in tops(state)
        if top.facing == side and spell_of(state, top.card).kind == "enchantment"
    )
    course.tell(ev.TurnBegun(seat, turn, tuple(spells)))


def go_on(course: Course) -> None:
    """Go on until a mage must act or choose, or the game is over."""
    while course.state.stage != "over" and course.state.pending is None:
        state = course.state
        if state.stage == "spells":
            _active_spells(course)
        elif state.actions_left:
            return
        elif state.end_after_turn:
            _score(course)
        else:
            begin_turn(course, state.turn + 1)


def cast(course: Course, pile: Colour) -> None:
    """Resolve the enchantment on top of a pile at the turn's start."""
    state = course.state
    card = pile_of(state, pile)[-1].card
    course.tell(ev.SpellCast(state.active, card, pile, "turn", state.actions_left))
    run(course, (first_frame(card),))


def run(course: Course, stack: tuple[Frame, ...]) -> None:
    """Resolve a spell from where it stands; settle once it is complete (ruling 1)."""
    resolve(course, stack)
    if course.state.pending is None:
        _settle(course)


def _active_spells(course: Course) -> None:
    valid = valid_triggers(course.state)
    if len(valid) > 1:
        active = course.state.active
        course.tell(ev.ChoiceOffered(active, None, "next_enchantment", valid, 1, ()))
    elif valid:
        cast(course, valid[0])
    else:
        _free_draw(course)


def _free_draw(course: Course) -> None:
    state = course.state
    if state.deck:
        top: tuple[Card, ...] = state.deck[:1]
        course.tell(ev.CardsDrawn(state.active, 1, "turn", 0, top))
    elif not state.end_after_turn:
        _score(course)
        return
    course.tell(ev.ActionsGained(state.active, ACTIONS_PER_TURN, ACTIONS_PER_TURN))


def _settle(course: Course) -> None:
    """Look for the end on both sides: no energy first, then sapphires (3.5, rulings 2 to 5)."""
    state = course.state
    drained = [side for side in (0, 1) if state.energy[side] == 0]
    if drained:
        winner = _ahead(state) if len(drained) > 1 else 1 - drained[0]
        _decide(course, winner, "energy")
    elif max(state.sapphires) >= WINNING_SAPPHIRES:
        _decide(course, _ahead(state), "sapphires")


def _score(course: Course) -> None:
    _decide(course, _ahead(course.state), "deck")


def _ahead(state: State) -> int | None:
    """Answer the side with more sapphires, then more energy; None is a draw (ruling 6)."""
    mine, yours = zip(state.sapphires, state.energy, strict=True)
    if mine == yours:
        return None
    return 0 if mine > yours else 1


def _decide(course: Course, winner: int | None, reason: ev.Reason) -> None:
    if winner is None:
        course.tell(ev.WinnersDecided((), "draw"))
    else:
        course.tell(ev.WinnersDecided(seats_of(winner, course.state.seats), reason))
