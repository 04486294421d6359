"""Plays from the view alone."""

from collections.abc import Mapping, Sequence

from domain.dice import Dice
from domain.game import Bot, View, random_bot
from domain.magic_cooking.commands import AutoPass, Command

RARELY = 40
"""One in so many choices of the random bot changes its standing pass."""


def at_random(view: View, moves: Sequence[Command], dice: Dice) -> Command:
    """Choose any legal move, a change of the standing pass only now and then."""
    others = [move for move in moves if not isinstance(move, AutoPass)]
    if not others or dice.pick(RARELY) == 0:
        return random_bot(view, moves, dice)
    return random_bot(view, others, dice)


BOTS: Mapping[str, Bot[Command]] = {"random": at_random, "greedy": at_random}
