"""The rulings A1 to A28, where the printed rules are silent or unclear."""

import json
from collections import Counter

import pytest

from domain.dice import seeded
from domain.game import Seat, Viewer
from domain.potage_sauvage import GAME
from domain.potage_sauvage.cards import DECK
from domain.potage_sauvage.commands import ChooseRecipe
from domain.potage_sauvage.events import (
    CardPlayed,
    CardsSetAside,
    DealScored,
    GameEnded,
    RecipeChosen,
)
from domain.potage_sauvage.scoring import deal_points
from domain.sealed import audience, face_for
from tests.domain.given import given
from tests.domain.potage_sauvage.positions import (
    A,
    B,
    cards,
    choose_all,
    dealt,
    play,
    play_out,
    playing,
)


def test_a1_everybody_starts_with_five_points() -> None:
    given(GAME, dealt(3)).seen_by("spectator", scores=[5, 5, 5])
    given(GAME, dealt(3, starting_points=0)).seen_by("spectator", scores=[0, 0, 0])


def test_a2_seat_0_deals_first_unless_the_table_says_another() -> None:
    given(GAME, dealt(3)).seen_by("spectator", dealer=0)
    given(GAME, dealt(3, first_dealer=2)).seen_by("spectator", dealer=2)


@pytest.mark.parametrize(("first", "leader"), [(0, 1), (2, 0)])
def test_a2_the_seat_left_of_the_dealer_leads(first: int, leader: int) -> None:
    state = choose_all(dealt(3, first_dealer=first), "fruits", "fruits", "fruits")
    given(GAME, state).seen_by("spectator", active=leader, phase="playing")


def test_a3_the_deal_passes_clockwise() -> None:
    for dealer, following in ((0, 1), (1, 0)):
        state = playing("V5 I1", "V5", dealer=Seat(dealer))
        play_out(state, "A V5=5, B V5=10").seen_by("spectator", deal=2, dealer=following)


def test_a4_a_boot_may_not_be_played_while_holding_the_led_suit() -> None:
    pot = play_out(playing("V1 V1", "V2 W5"), "A V1=1")
    pot.may(1, play("V2")).may_not(1, play("W5"))
    pot.when(1, play("W5")).refused("must-follow-suit")


def test_a5_a_led_boot_binds_nobody() -> None:
    pot = play_out(playing("W1 V1", "W2 I3 F1"), "A W1=1")
    pot.seen_by("spectator", trick__led=None, trick__free=True)
    pot.may(1, play("W2"), play("I3"), play("F1"))


def test_a6_a_waste_recipe_pays_for_herbs_alone() -> None:
    assert deal_points("waste", cards("W1 IH VH FH")) == 1 - 3
    assert deal_points("waste", cards("W1 IR VR FR I10")) == 1


def test_a7_a_water_soup_pays_for_every_captured_card() -> None:
    assert deal_points("multicolour", cards("I1 VH FR W1 V10 W1")) == 5 - 6


def test_a8_tens_herbs_and_resets_count_as_cards_of_their_suit() -> None:
    assert deal_points("insects", cards("I1 I10 IH IR")) == 4


def test_a9_herbs_and_resets_follow_suit_like_any_card() -> None:
    pot = play_out(playing("V1 V1", "VR IR FH V2"), "A V1=1")
    pot.may(1, play("VR"), play("V2")).may_not(1, play("IR"), play("FH"))


def test_a10_a_led_reset_sets_the_led_suit() -> None:
    pot = play_out(playing("FR V1", "F1 I1"), "A FR=0")
    pot.seen_by("spectator", trick__led="fruits", trick__free=False)
    pot.may(1, play("F1")).may_not(1, play("I1"))


def test_a11_a_ten_after_a_reset_counts_ten_and_closes() -> None:
    state = playing("F4 F1 I1", "FR I1", "F10 I1")
    play_out(state, "A F4=4, B FR=0, C F10=10").seen_by("spectator", piles=[0, 0, 3])


def test_a12_a_led_ten_counts_nothing_for_the_whole_trick() -> None:
    state = playing("F10 F5 I1", "F4 F1 I1", recipes=("fruits", "fruits"))
    done = play_out(state, "A F10=0, B F4=4, A F5=9, B F1=10").seen_by("spectator", piles=[0, 4])
    assert deal_points("fruits", done.state.captured[B]) == 4


def test_a13_a_reset_after_a_boot_does_not_bring_following_back() -> None:
    state = playing("V2 V1", "W4 I1", "VR I1")
    pot = play_out(state, "A V2=2, B W4=6, C VR=0")
    pot.seen_by("spectator", trick__led=None, trick__free=True)


def test_a14_a_discard_does_not_change_the_led_suit() -> None:
    pot = play_out(playing("I2 I1", "F4 V1", "I1 F5"), "A I2=2, B F4=6")
    pot.seen_by("spectator", trick__led="insects").may_not(2, play("F5"))


def test_a15_the_deal_goes_on_until_an_empty_hand_must_play() -> None:
    state = playing("V1 V2 I1", "V1", "V1 I1")
    pot = play_out(state, "A V1=1, B V1=2").seen_by("spectator", deal=1, hand_sizes=[2, 0, 2])
    pot = play_out(pot.state, "C V1=3").seen_by("spectator", deal=1, active=A)
    play_out(pot.state, "A V2=5").seen_by("spectator", deal=2, phase="choosing")


def test_a15_a_trick_that_closes_elsewhere_keeps_an_empty_hand_waiting() -> None:
    state = playing("V5 V2 I1", "V1", "V4 I1 I2")
    play_out(state, "A V5=5, B V1=6, C V4=10").seen_by("spectator", deal=1, active=2)


def test_a16_a_last_card_that_takes_ends_the_deal_at_once_and_the_trick_counts() -> None:
    pot = play_out(playing("I5 V1", "I5"), "A I5=5, B I5=10")
    pot.seen_by("spectator", deal=2, scores=[5, 7], last_deal__captured=[[], ["I5", "I5"]])


def test_a17_an_open_trick_and_cards_left_in_hand_count_for_nobody() -> None:
    state = playing("I1 I2 W1 W2", "I1", recipes=("insects", "insects"))
    pot = play_out(state, "A I1=1, B I1=2, A I2=4")
    pot.seen_by("spectator", deal=2, scores=[5, 5], last_deal__captured=[[], []])


def test_a18_a_total_may_be_negative() -> None:
    state = playing("I5 V1", "I5", recipes=("insects", "multicolour"), scores=(5, -2))
    pot = play_out(state, "A I5=5, B I5=10")
    pot.seen_by("spectator", scores=[5, 1])
    low = playing("W5 V1", "W5", recipes=("insects", "fruits"), scores=(5, 1))
    play_out(low, "A W5=5, B W5=10").seen_by("spectator", scores=[5, -1])


def test_a19_equal_tops_share_the_win() -> None:
    state = playing("I5 V1", "I5", "I1", deal=5, scores=(7, 5, 2))
    events = play_out(state, "A I5=5").when(1, play("I5")).events()
    assert events[1:] == (
        DealScored(5, ("insects",) * 3, ((), cards("I5 I5"), ()), (0, 2, 0), (7, 7, 2)),
        GameEnded((A, B), (7, 7, 2)),
    )
    assert GAME.result(given(GAME, state, *events[1:]).state) == {
        "winners": [0, 1],
        "scores": [7, 7, 2],
    }


def test_a20_five_seats_take_ten_cards_and_two_are_set_aside() -> None:
    given(GAME, dealt(5)).seen_by("spectator", hand_sizes=[10] * 5)
    assert len(dealt(5).aside) == 2


@pytest.mark.parametrize(("seats", "size", "aside"), [(2, 13, 26), (3, 13, 13), (4, 13, 0)])
def test_a21_two_seats_are_dealt_to_like_three_and_four(seats: int, size: int, aside: int) -> None:
    state = dealt(seats)
    assert [len(hand) for hand in state.hands] == [size] * seats
    assert len(state.aside) == aside
    assert Counter([*state.aside, *sum(state.hands, ())]) == Counter(DECK)


def test_a22_a_placed_recipe_is_final() -> None:
    chosen = given(GAME, dealt()).when(0, ChooseRecipe("fruits")).then(RecipeChosen(A, "fruits"))
    assert GAME.moves(chosen.state, A) == ()
    chosen.when(0, ChooseRecipe("insects")).refused("recipe-already-chosen")


def test_a23_the_last_recipe_is_chosen_by_a_command_like_the_others() -> None:
    state = playing(
        "V5 I1", "V5", deal=4, recipes=("fruits", "fruits"), left=(("waste",), ("insects",))
    )
    last = play_out(state, "A V5=5, B V5=10").seen_by("spectator", deal=5, phase="choosing")
    assert GAME.to_move(last.state) == (A, B)
    assert GAME.moves(last.state, A) == (ChooseRecipe("waste"),)
    assert GAME.moves(last.state, B) == (ChooseRecipe("insects"),)


def test_a24_sum_and_last_card_are_told_by_the_event() -> None:
    state = playing("V4 I1", "V5", "V1 I1")
    given(GAME, state).when(0, play("V4")).then(
        CardPlayed(A, cards("V4")[0], 4, "vegetables", free=False, last_card=False, taker=None)
    ).when(1, play("V5")).then(
        CardPlayed(B, cards("V5")[0], 9, "vegetables", free=False, last_card=True, taker=None)
    )


def test_a25_views_count_captured_cards_and_the_scored_deal_names_them() -> None:
    pot = play_out(playing("I5 V1 V2", "I5 V3"), "A I5=5, B I5=10")
    pot.seen_by("spectator", piles=[0, 2], last_deal=None).seen_by(1, piles=[0, 2])
    assert "captured" not in GAME.view(pot.state, B)
    scored = play_out(pot.state, "B V3=3, A V1=4")
    scored.seen_by("spectator", piles=[0, 0], last_deal__captured=[[], ["I5", "I5"]])


def test_a26_cards_set_aside_are_in_no_view_and_no_notice() -> None:
    state = dealt(2)
    viewers: tuple[Viewer, ...] = (A, B, "spectator")
    for viewer in viewers:
        told = json.dumps(GAME.view(state, viewer))
        other = GAME.reshuffle(state, viewer, seeded(1))
        assert other.aside != state.aside
        assert json.dumps(GAME.view(other, viewer)) == told
    event = CardsSetAside(state.aside)
    assert audience(event) == ()
    assert all(face_for(event, viewer) == {} for viewer in viewers)


@pytest.mark.parametrize(("first", "second"), [("V5", "V5"), ("V5", "V10")])
def test_a27_ten_and_more_close_alike(first: str, second: str) -> None:
    state = playing(f"{first} I1", f"{second} I1")
    total = 10 if second == "V5" else 15
    pot = play_out(state, f"A {first}=5, B {second}={total}")
    pot.seen_by("spectator", piles=[0, 2], scores=[5, 5], active=B)


def test_a27_nine_does_not_close() -> None:
    play_out(playing("V5 I1", "V4 I1"), "A V5=5, B V4=9").seen_by("spectator", active=A)


def test_a28_points_have_no_reserve_to_run_out_of() -> None:
    state = playing("I5 V1", "I5", scores=(100, 99))
    play_out(state, "A I5=5, B I5=10").seen_by("spectator", scores=[100, 101])
