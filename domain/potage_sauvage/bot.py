"""Plays from the view alone: takes what pays under its recipe, leaves what hurts to the others."""

from collections.abc import Sequence
from typing import assert_never

from domain.dice import Dice
from domain.game import View
from domain.potage_sauvage.cards import FACES, Card, Recipe
from domain.potage_sauvage.commands import ChooseRecipe, Command, PlayCard
from domain.potage_sauvage.pot import CLOSING_SUM, sum_after
from domain.potage_sauvage.scoring import worth

WATER = 4.5
"""A water soup promises this, less the mean value of the hand (2.9 in the whole deck)."""
HOPE = 0.3
"""The share of an open pot's worth to expect while the sum is low; the rest goes to others."""


def greedy(view: View, moves: Sequence[Command], dice: Dice) -> Command:
    """Choose the move that promises most; equal ones are drawn."""
    promises = [_promise(view, move) for move in moves]
    best = [m for m, promise in zip(moves, promises, strict=True) if promise == max(promises)]
    return best[dice.pick(len(best))]


def _promise(view: View, move: Command) -> float:
    match move:
        case ChooseRecipe(recipe):
            return _promise_of_recipe(recipe, view["play"]["hand"])
        case PlayCard(card):
            return _promise_of_card(view["play"], view["viewer"]["seat"], card)
        case _:
            assert_never(move)


def _promise_of_recipe(recipe: Recipe, hand: Sequence[Card]) -> float:
    """Weigh a hand: cards of the recipe come home with one's own tricks, high cards make tricks."""
    strength = sum(FACES[card].value for card in hand) / len(hand)
    if recipe == "multicolour":
        return WATER - strength
    return sum(worth(recipe, card) for card in hand) / len(hand) * 10 + strength


def _promise_of_card(play: View, seat: int, card: Card) -> float:
    """Answer what the pot is worth to this seat if it closes, else what it may become of it."""
    trick, recipes = play["trick"], play["recipes"]["chosen"]
    total = sum_after(trick["sum"], card, leads=not trick["cards"])
    pot = [*(laid["card"] for laid in trick["cards"]), card]
    mine = _worth_of_pot(recipes[seat], pot)
    if total >= CLOSING_SUM:
        return mine
    theirs = _worth_of_pot(recipes[(seat + 1) % len(recipes)], pot)
    danger = total / CLOSING_SUM
    return (1 - danger) * HOPE * mine - danger * theirs


def _worth_of_pot(recipe: Recipe, pot: Sequence[Card]) -> int:
    return sum(worth(recipe, card) for card in pot)
