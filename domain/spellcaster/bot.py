"""Bots: one moves at random but never concedes; one looks two actions ahead on its own view."""

from collections.abc import Iterable, Sequence

from domain.dice import Dice, seeded
from domain.game import Seat, View
from domain.spellcaster.commands import Command, Concede
from domain.spellcaster.decide import carry_out
from domain.spellcaster.imagine import imagine
from domain.spellcaster.moves import fallback, moves, to_move
from domain.spellcaster.sides import side_of
from domain.spellcaster.state import State
from domain.spellcaster.worth import liking

BEAM = 12
"""How many moves are worth a look at the action after them."""
CHOICES_AHEAD = 2
ANSWERS_AHEAD = 5
"""How many choices, and how many answers to each, are tried on the way."""


def random_move(view: View, moves: Sequence[Command], dice: Dice) -> Command:  # noqa: ARG001
    """Choose any legal move but conceding, each as likely."""
    wanted = _playing_on(moves)
    return wanted[dice.pick(len(wanted))]


def look_ahead(view: View, moves: Sequence[Command], dice: Dice) -> Command:
    """Choose the move that leads to the best position two actions on, hidden cards guessed.

    All moves are judged by where they lead at once, the best of them by the action after.
    """
    wanted = _playing_on(moves)
    if len(wanted) == 1:
        return wanted[0]
    state = imagine(view, dice)
    if state is None:
        return wanted[0]
    me = Seat(view["viewer"]["seat"])
    trial = seeded(dice.pick(1 << 30))
    tried = [(move, carry_out(state, me, move, trial).state) for move in wanted]
    near = [_value(after, me, 0, CHOICES_AHEAD, trial) for _, after in tried]
    ahead = sorted(range(len(tried)), key=lambda i: -near[i])[:BEAM]
    far = {i: _value(tried[i][1], me, 1, CHOICES_AHEAD, trial) for i in ahead}
    return wanted[max(ahead, key=lambda i: far[i])]


def _playing_on(moves: Iterable[Command]) -> list[Command]:
    return [move for move in moves if not isinstance(move, Concede)]


def _value(state: State, me: Seat, actions: int, choices: int, dice: Dice) -> float:
    """Answer the liking for the best position after so many more actions of one's own."""
    side = side_of(me)
    if state.stage == "over":
        return liking(state, side)
    (seat,) = to_move(state)
    if state.pending is not None:
        if not choices:
            after = carry_out(state, seat, fallback(state, seat), dice).state
            return _value(after, me, actions, choices, dice)
        answers = _playing_on(moves(state, seat))[:ANSWERS_AHEAD]
        after_each = (carry_out(state, seat, answer, dice).state for answer in answers)
        found = [_value(after, me, actions, choices - 1, dice) for after in after_each]
        return max(found) if side_of(seat) == side else min(found)
    if seat != me or not actions:
        return liking(state, side)
    after_each = (carry_out(state, me, m, dice).state for m in _playing_on(moves(state, me)))
    return max(_value(after, me, actions - 1, choices, dice) for after in after_each)
