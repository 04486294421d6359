"""The rejections R1 to R8 of the rules, and which code comes first where several hold."""

import pytest

from domain.dice import seeded
from domain.game import BadField
from domain.potage_sauvage import GAME
from domain.potage_sauvage.commands import ChooseRecipe
from domain.selfplay import final, opening, selfplay
from domain.table import TABLE
from domain.table.state import NOWHERE
from domain.wire import read_command, read_options
from tests.domain.given import given
from tests.domain.potage_sauvage.positions import choose_all, dealt, play, play_out, playing


def test_r1_a_seat_may_not_play_out_of_turn() -> None:
    given(GAME, playing("V1", "V2")).when(1, play("V2")).refused("not-your-turn")


def test_r2_a_card_that_is_not_in_hand_may_not_be_played() -> None:
    given(GAME, playing("V1", "V2")).when(0, play("V2")).refused("card-not-in-hand")


def test_r3_who_can_follow_must() -> None:
    pot = play_out(playing("V1 I1", "V2 F3"), "A V1=1")
    pot.when(1, play("F3")).refused("must-follow-suit")


def test_r4_a_used_recipe_may_not_be_chosen_again() -> None:
    state = play_out(playing("V5 I1", "V5", recipes=("fruits", "waste")), "A V5=5, B V5=10").state
    given(GAME, state).when(0, ChooseRecipe("fruits")).refused("recipe-already-used")
    given(GAME, state).when(1, ChooseRecipe("fruits")).then()


def test_r5_a_seat_chooses_once_in_a_deal() -> None:
    chosen = given(GAME, dealt()).when(0, ChooseRecipe("fruits")).then()
    chosen.when(0, ChooseRecipe("waste")).refused("recipe-already-chosen")


def test_r6_no_card_is_played_before_all_recipes_are_revealed() -> None:
    chosen = given(GAME, dealt()).when(1, ChooseRecipe("fruits")).then()
    chosen.when(1, play(chosen.state.hands[1][0])).refused("wrong-phase")


def test_r7_nothing_may_be_asked_after_the_fifth_deal() -> None:
    over = given(GAME, final(selfplay(GAME, 2)).play)
    for seat in (0, 1):
        over.when(seat, ChooseRecipe("fruits")).refused("game-over")
        over.when(seat, play("V1")).refused("game-over")


@pytest.mark.parametrize("seats", [1, 6])
def test_r8_only_two_to_five_seats_can_be_opened(seats: int) -> None:
    with pytest.raises(BadField) as bad:
        TABLE.decide(NOWHERE, opening(GAME, seats, {}), lambda _: seeded(0))
    assert bad.value.field == "seats"


def test_a_recipe_is_chosen_while_choosing_only() -> None:
    playing_now = given(GAME, choose_all(dealt(), "fruits", "fruits"))
    playing_now.when(0, ChooseRecipe("waste")).refused("wrong-phase")
    playing_now.when(0, ChooseRecipe("fruits")).refused("wrong-phase")


def test_the_turn_is_told_before_the_hand_and_the_hand_before_the_suit() -> None:
    pot = play_out(playing("V1 I1", "V2 F3"), "A V1=1")
    pot.when(0, play("W5")).refused("not-your-turn")
    pot.when(1, play("W5")).refused("card-not-in-hand")


def test_a_second_choice_is_told_before_a_used_recipe() -> None:
    state = play_out(playing("V5 I1", "V5", recipes=("fruits", "waste")), "A V5=5, B V5=10").state
    chosen = given(GAME, state).when(0, ChooseRecipe("waste")).then()
    chosen.when(0, ChooseRecipe("fruits")).refused("recipe-already-chosen")


@pytest.mark.parametrize(
    ("command", "field"),
    [
        ({"type": "play_card", "card": "W10"}, "card"),
        ({"type": "play_card", "card": "IX"}, "card"),
        ({"type": "play_card"}, "card"),
        ({"type": "choose_recipe", "recipe": "soup"}, "recipe"),
        ({"type": "choose_recipe", "recipe": None}, "recipe"),
        ({"type": "concede"}, "type"),
    ],
)
def test_what_is_outside_the_vocabulary_is_a_bad_field(
    command: dict[str, object], field: str
) -> None:
    with pytest.raises(BadField) as bad:
        read_command(GAME, command)
    assert bad.value.field == field


@pytest.mark.parametrize(
    "options",
    [
        {"first_dealer": 2},
        {"first_dealer": -1},
        {"first_dealer": True},
        {"starting_points": -1},
        {"starting_points": 101},
        {"starting_points": None},
    ],
)
def test_an_option_out_of_range_is_a_bad_field(options: dict[str, object]) -> None:
    with pytest.raises(BadField) as bad:
        read_options(GAME, options, seats=2)
    assert bad.value.field in options
