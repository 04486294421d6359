"""The greedy bot plays from its view alone and plays well."""

from collections.abc import Sequence

import pytest

from domain.dice import seeded
from domain.game import Seat
from domain.potage_sauvage import GAME
from domain.potage_sauvage.commands import ChooseRecipe
from domain.selfplay import final, selfplay
from domain.value import changed
from tests.domain.potage_sauvage.positions import cards, dealt, play, play_out, playing


def chosen(state: object, seat: int) -> object:
    view = {"viewer": {"seat": seat}, "play": GAME.view(state, Seat(seat))}  # type: ignore[arg-type]
    return GAME.bots["greedy"](view, GAME.moves(state, Seat(seat)), seeded(0))  # type: ignore[arg-type]


def wins_of_greedy(games: int) -> float:
    """Answer the share of two-seat games that greedy wins against random, in either seat."""
    won = 0.0
    for number in range(games):
        greedy = number % 2
        levels: Sequence[str] = ("greedy", "random") if greedy == 0 else ("random", "greedy")
        result = GAME.result(final(selfplay(GAME, 2, levels=levels, seed=number)).play)
        assert result is not None
        won += (greedy in result["winners"]) / len(result["winners"])
    return won / games


def test_greedy_beats_random_in_far_more_than_65_percent_of_games() -> None:
    assert wins_of_greedy(40) > 0.8


@pytest.mark.bench
def test_share_of_games_that_greedy_wins() -> None:
    share = wins_of_greedy(1000)
    print(f"\ngreedy beats random in {share:.1%} of 1,000 two-seat games")
    assert share > 0.65


def test_greedy_takes_a_pot_that_pays() -> None:
    state = playing("I5 V1", "I5 I1", recipes=("fruits", "insects"))
    assert chosen(play_out(state, "A I5=5").state, 1) == play("I5")


def test_greedy_leaves_a_pot_that_costs() -> None:
    state = playing("W5 V1", "W5 I1", recipes=("fruits", "insects"))
    assert chosen(play_out(state, "A W5=5").state, 1) == play("I1")


def test_greedy_chooses_a_recipe_that_its_hand_can_cook() -> None:
    state = changed(dealt(2), hands=(cards("V5 V5 V4 V4 V10 VH"), cards("W1 W2 W3 I1 F1 V1")))
    assert chosen(state, 0) == ChooseRecipe("vegetables")
    assert chosen(state, 1) == ChooseRecipe("waste")
