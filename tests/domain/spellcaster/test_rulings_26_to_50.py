"""The rulings 26 to 50, one test named after each."""

import pytest

from domain.game import BadField, Seat
from domain.spellcaster import GAME
from domain.spellcaster.commands import Activate, Choose, Draw, Play
from domain.spellcaster.decide import start
from domain.spellcaster.state import Options, first_state
from tests.domain.given import given, scripted
from tests.domain.spellcaster.lists import listed_with
from tests.domain.spellcaster.positions import (
    act,
    activate,
    asked,
    begin,
    cards,
    lock,
    position,
    ward,
)


def test_26_a_card_stays_used_after_it_was_turned_and_turned_back() -> None:
    state = position(piles={"red": "r02:0", "green": "g11:0"}, actions=4)
    turned = activate(activate(state, "red"), "green")
    assert turned.piles[0][-1].facing == 1
    given(GAME, turned).when(0, Activate("red")).refused("pile-not-yours")
    back = position(piles={"red": "r02:0"}, used="r02")
    given(GAME, back).when(0, Activate("red")).refused("already-used")


def test_26_a_card_stays_used_after_it_came_back_from_the_discard_pile() -> None:
    state = position(
        piles={"red": "r02:0", "green": "g10:0", "yellow": "y14:0"}, actions=5, discard=""
    )
    discarded = activate(activate(state, "red"), "green", "yes", "red")
    again = act(activate(discarded, "yellow"), Play(cards("r02")[0]))
    given(GAME, again).when(0, Activate("red")).refused("already-used")


def test_27_a_card_used_through_another_counts_and_must_be_unused() -> None:
    state = position(piles={"green": "g06:0", "red": "r02:1"})
    copied = activate(state, "green", "yes")
    assert copied.used == cards("g06 r02")
    assert copied.energy == (10, 8)
    used = position(piles={"green": "g06:0", "red": "r02:0"}, used="r02")
    assert activate(used, "green").pending is None


def test_28_activating_without_any_possible_effect_is_legal() -> None:
    state = position(piles={"green": "g02:0"})
    given(GAME, state).may(0, Activate("green"))
    assert activate(state, "green").actions_left == 1


def test_29_the_card_under_a_removed_top_faces_as_before() -> None:
    state = position(piles={"green": "g10:0", "red": "r02:0 r03:1"})
    assert activate(state, "green", "yes").piles[0][-1].facing == 0


def test_30_an_empty_pile_is_controlled_by_nobody() -> None:
    state = position(piles={"blue": "b07:0"})
    assert activate(state, "blue").sapphires == (3, 2)
    assert activate(position(piles={"red": "r11:0"}), "red").energy == (10, 10)


def test_31_your_own_card_may_be_covered() -> None:
    state = position(hands={0: "r04"}, piles={"red": "r02:0"})
    after = act(state, Play(cards("r04")[0]))
    assert [laid.card for laid in after.piles[0]] == ["r02", "r04"]


def test_32_a_card_covered_while_it_resolves_goes_on() -> None:
    state = position(hands={0: "g01 r02"}, piles={"green": "g14:0"})
    after = activate(state, "green", "yes", "g01", "r02")
    assert [laid.card for laid in after.piles[1]] == ["g14", "g01"]
    assert after.piles[0][-1].card == "r02"


def test_33_a_turned_spell_is_controlled_by_whom_it_faces() -> None:
    state = position(piles={"green": "g05:0", "red": "r02:1"})
    given(GAME, state).when(0, Activate("red")).refused("pile-not-yours")
    given(GAME, activate(state, "green", "yes")).may(0, Activate("red"))


def test_34_the_owner_picks_what_is_discarded() -> None:
    state = begin(position(piles={"green": "g08:0"}, hands={1: "r01 b02"}))
    assert asked(state) == (1, "cards", ("b02", "r01"))
    assert act(state, Choose(("r01",))).hands[1] == cards("b02")


def test_35_an_empty_hand_cannot_avert() -> None:
    after = activate(position(piles={"red": "r08:0"}), "red")
    assert (after.pending, after.energy) == (None, (10, 7))


def test_36_a_forced_discard_takes_what_there_is() -> None:
    assert begin(position(piles={"green": "g08:0"}, hands={1: "r01"})).hands[1] == ()
    assert begin(position(piles={"green": "g08:0"})).stage == "actions"


def test_37_an_avert_is_decided_when_its_step_is_reached() -> None:
    effect = [["gain", "self", "energy", 1]]
    effect += [["unless", "rival", [["pay", "rival", "sapphire", 1]], [["draw", "self", 1]]]]
    with listed_with("y13", {"effect": effect}) as name:
        state = activate(position(piles={"yellow": "y13:0"}, deck_list=name), "yellow")
    assert state.energy == (11, 10)
    assert asked(state) == (1, "unless", ("pay", "refuse"))


def test_38_wards_stop_losses_and_thefts_by_rival_spells_only() -> None:
    shield = (ward("all_loss", 1, 1),)
    state = position(piles={"red": "r02:0", "blue": "b05:0"}, effects=shield, turn=1)
    assert activate(activate(state, "red"), "blue").energy == (10, 10)
    assert activate(state, "blue").sapphires == (2, 2)
    mine = (ward("all_loss", 0, 0),)
    own = position(piles={"red": "r05:0", "blue": "b11:0"}, effects=mine)
    assert activate(own, "red").energy == (9, 7)
    assert activate(own, "blue", "yes").energy == (8, 10)


def test_39_reductions_come_first_and_a_shield_only_if_something_is_left() -> None:
    both = (ward("next_loss_energy", 1, 1), ward("reduce_energy_loss_1", 1, 1))
    one = activate(position(piles={"red": "r04:0"}, effects=both), "red")
    assert (one.energy, one.effects) == ((10, 10), both)
    more = activate(position(piles={"red": "r02:0"}, effects=both), "red")
    assert (more.energy, more.effects) == ((10, 10), both[1:])


def test_40_a_copied_spell_is_the_copying_mages() -> None:
    state = position(piles={"green": "g06:0", "yellow": "y08:1"})
    after = activate(state, "green", "yes")
    assert [(each.kind, each.side, each.until_turn_of) for each in after.effects] == [
        ("all_loss", 0, 0)
    ]


def test_41_the_pile_of_the_resolving_card_counts() -> None:
    state = position(piles={"blue": "b07:0", "red": "r02:0", "green": "g01:1"})
    assert activate(state, "blue").sapphires == (4, 2)


def test_42_a_lock_stops_only_the_rival() -> None:
    locked = (lock("red", 0, 0),)
    mine = position(hands={0: "r02", 1: "r03"}, piles={"red": "r04:0"}, effects=locked)
    given(GAME, mine).may(0, Play(cards("r02")[0]))
    yours = position(active=1, hands={1: "r03"}, piles={"red": "r04:0"}, effects=locked)
    given(GAME, yours).when(1, Play(cards("r03")[0])).refused("pile-locked")


def test_43_piles_discard_and_counts_are_public_and_hands_are_not() -> None:
    state = position(hands={0: "r01", 1: "b01 b02"}, piles={"red": "r02:0 r03:1"}, discard="g01")
    given(GAME, state).seen_by(
        "spectator",
        hand=None,
        hand_sizes=[1, 2],
        deck=10,
        discard=["g01"],
        piles__red=[{"card": "r02", "facing": 0}, {"card": "r03", "facing": 1}],
    ).seen_by(0, hand=["r01"]).seen_by(1, hand=["b01", "b02"])


def test_44_a_hand_has_no_limit() -> None:
    many = " ".join(f"b{number:02}" for number in range(1, 16))
    assert len(act(position(hands={0: many}), Draw()).hands[0]) == 16


def test_45_a_partner_sees_no_hand_unless_the_option_says_so() -> None:
    hands = {0: "r01", 1: "b01", 2: "g01", 3: "y01"}
    assert "hands" not in GAME.view(position(4, hands=hands), Seat(0))
    open_hands = position(4, hands=hands, partners_see_hands=True)
    given(GAME, open_hands).seen_by(0, hands={"2": ["g01"]}).seen_by(1, hands={"3": ["y01"]})
    given(GAME, open_hands).seen_by("spectator", hands={})


def test_46_the_solo_mage_gets_six_cards_and_plays_after_each_team_mage() -> None:
    state = first_state(3, Options())
    events = start(state, scripted())
    dealt = given(GAME, state, *events).seen_by(0, hand_sizes=[4, 6, 3], deck=47).state
    order = []
    for _ in range(5):
        order.append(dealt.active)
        dealt = act(dealt, Draw(), Draw())
    assert order == [0, 1, 2, 1, 0]
    assert dealt.energy == (10, 10)


def test_47_with_three_mages_the_first_of_the_team_starts() -> None:
    state = first_state(3, Options())
    given(GAME, state, *start(state, scripted(seed=5))).seen_by(0, active=0)
    assert Options(starter=Seat(0)).settled(3).starter == 0
    with pytest.raises(BadField):
        Options(starter=Seat(1)).settled(3)


def test_48_either_rival_may_avert_with_a_discard() -> None:
    state = activate(
        position(3, active=1, piles={"red": "r08:1"}, hands={0: "b01", 2: "b02"}), "red"
    )
    assert asked(state) == (2, "unless", ("pay", "refuse"))
    second = act(state, Choose(("refuse",)))
    assert asked(second) == (0, "unless", ("pay", "refuse"))
    paid = act(second, Choose(("pay",)))
    assert (paid.hands[0], paid.hands[2], paid.energy) == ((), cards("b02"), (10, 10))
    assert act(second, Choose(("refuse",))).energy == (7, 10)


def test_49_a_partner_pays_with_the_pool_and_never_with_the_hand() -> None:
    piles = {"blue": "b12:0"}
    after = activate(position(4, piles=piles, hands={2: "r01 r02"}), "blue")
    assert (after.pending, after.sapphires) == (None, (2, 2))
    pool = activate(position(4, active=2, piles={"red": "r06:0"}), "red", "yes")
    assert pool.sapphires == (0, 2)


def test_50_nobody_is_compensated_for_not_starting() -> None:
    state = first_state(2, Options(starter=Seat(1)))
    given(GAME, state, *start(state, scripted())).seen_by(
        0,
        active=1,
        hand_sizes=[3, 4],
        sides=[
            {"seats": [0], "energy": 10, "sapphires": 2},
            {"seats": [1], "energy": 10, "sapphires": 2},
        ],
    )
