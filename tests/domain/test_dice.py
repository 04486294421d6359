"""Dice: what is asked, what is kept, and that a script leads where it says."""

from collections import Counter
from collections.abc import Iterable
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.dice import Dice, ScriptedDice, seeded


def rolling(answers: Iterable[int]) -> Dice:
    left = iter(answers)
    return Dice(lambda _: next(left))


def test_a_shuffle_of_m_cards_is_rolls_of_m_down_to_two() -> None:
    dice = seeded(1)
    dice.shuffle("abcde")
    assert [n for n, _ in dice.rolls] == [5, 4, 3, 2]


def test_the_rolls_applied_to_the_deck_in_order_give_the_shuffle_again() -> None:
    dice = seeded(2)
    shuffled = dice.shuffle(range(52))
    assert rolling(k for _, k in dice.rolls).shuffle(range(52)) == shuffled


def test_every_order_is_as_likely() -> None:
    rolls = [(a, b) for a in range(3) for b in range(2)]
    orders = Counter(rolling(roll).shuffle("abc") for roll in rolls)
    assert orders == dict.fromkeys(permutations("abc"), 1)


def test_a_pick_among_one_is_a_roll_too() -> None:
    dice = seeded(0)
    assert dice.pick(1) == 0
    assert dice.rolls == [(1, 0)]


@given(st.lists(st.sampled_from("aabbccddef"), max_size=20), st.data())
def test_a_scripted_shuffle_starts_as_written_and_its_rolls_lead_to_it(
    deck: list[str], data: st.DataObject
) -> None:
    order = data.draw(st.permutations(deck))
    top = order[: data.draw(st.integers(0, len(deck)))]
    dice = ScriptedDice([top], [], 0)
    shuffled = dice.shuffle(deck)
    assert list(shuffled[: len(top)]) == top
    assert Counter(shuffled) == Counter(deck)
    assert rolling(k for _, k in dice.rolls).shuffle(deck) == shuffled


def test_the_rest_of_a_scripted_shuffle_follows_in_deck_order() -> None:
    assert ScriptedDice([["c"]], [], 0).shuffle("abcd") == ("c", "a", "b", "d")


def test_a_script_answers_picks_in_order_and_a_seed_answers_when_it_runs_out() -> None:
    dice = ScriptedDice([], [2, 0], 7)
    assert [dice.pick(3), dice.pick(3)] == [2, 0]
    assert dice.pick(10) == seeded(7).pick(10)


def test_scripted_picks_are_not_spent_on_shuffles() -> None:
    dice = ScriptedDice([], [1], 0)
    dice.shuffle("abc")
    assert dice.pick(2) == 1


@pytest.mark.parametrize("script", [([["x"]], []), ([], [5])])
def test_a_script_that_cannot_be_says_so(script: tuple[list[list[str]], list[int]]) -> None:
    shuffles, picks = script
    dice = ScriptedDice(shuffles, picks, 0)
    with pytest.raises(ValueError, match=r"x|5"):
        dice.shuffle("ab") if shuffles else dice.pick(2)
