"""Bots: one moves at random but never concedes; one looks two actions ahead on its own view."""

from collections.abc import Sequence

from domain.dice import Dice, seeded
from domain.game import Seat, View
from domain.spellcaster.commands import Command, Concede
from domain.spellcaster.decide import carry_out
from domain.spellcaster.imagine import imagine
from domain.spellcaster.moves import fallback, moves, to_move
from domain.spellcaster.sides import side_of
from domain.spellcaster.state import State
from domain.spellcaster.worth import liking

ACTIONS_AHEAD = 2
CHOICES_AHEAD = 3


def random_move(view: View, moves: Sequence[Command], dice: Dice) -> Command:  # noqa: ARG001
    """Choose any legal move but conceding, each as likely."""
    wanted = _playing_on(moves)
    return wanted[dice.pick(len(wanted))]


def look_ahead(view: View, moves: Sequence[Command], dice: Dice) -> Command:
    """Choose the move that leads to the best position two actions on, hidden cards guessed."""
    wanted = _playing_on(moves)
    if len(wanted) == 1:
        return wanted[0]
    state = imagine(view, dice)
    if state is None:
        return wanted[0]
    me = Seat(view["viewer"]["seat"])
    trial = seeded(dice.pick(1 << 30))
    values = [_after(state, me, move, ACTIONS_AHEAD, trial) for move in wanted]
    return wanted[values.index(max(values))]


def _playing_on(moves: Sequence[Command]) -> Sequence[Command]:
    return [move for move in moves if not isinstance(move, Concede)]


def _after(state: State, me: Seat, move: Command, actions: int, dice: Dice) -> float:
    """Answer the liking for where a move leads."""
    (seat,) = to_move(state)
    spent = state.pending is None
    after = carry_out(state, seat, move, dice).state
    return _value(after, me, actions - spent, 0, dice)


def _value(state: State, me: Seat, actions: int, choices: int, dice: Dice) -> float:
    side = side_of(me)
    if state.stage == "over":
        return liking(state, side)
    (seat,) = to_move(state)
    if state.pending is not None and choices < CHOICES_AHEAD:
        found = [
            _value(carry_out(state, seat, move, dice).state, me, actions, choices + 1, dice)
            for move in _playing_on(moves(state, seat))
        ]
        return max(found) if side_of(seat) == side else min(found)
    if state.pending is not None:
        after = carry_out(state, seat, fallback(state, seat), dice).state
        return _value(after, me, actions, choices, dice)
    if seat != me or not actions:
        return liking(state, side)
    return max(_after(state, me, move, actions, dice) for move in _playing_on(moves(state, me)))
