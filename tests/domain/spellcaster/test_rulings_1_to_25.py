"""The rulings 1 to 25, one test named after each."""

from domain.game import Seat
from domain.spellcaster import GAME
from domain.spellcaster.commands import Activate, Draw, Pass, Play
from domain.spellcaster.events import LastTurnFlagged
from tests.domain.given import given
from tests.domain.spellcaster.lists import listed_with
from tests.domain.spellcaster.positions import act, activate, asked, begin, cards, lock, position


def test_1_the_end_is_looked_for_after_the_whole_spell() -> None:
    # Iron Hail takes the rival's last energy first and the mage's own last energy afterwards.
    after = activate(position(piles={"red": "r05:0"}, energy=(1, 3)), "red")
    assert GAME.result(after) == {"winners": [], "reason": "draw"}


def test_2_both_sides_without_energy_compare_sapphires() -> None:
    state = position(piles={"red": "r10:0"}, energy=(2, 2), sapphires=(3, 4))
    assert GAME.result(activate(state, "red")) == {"winners": [1], "reason": "energy"}


def test_3_a_side_without_energy_loses_whatever_it_owns() -> None:
    state = position(piles={"blue": "b02:0"}, energy=(2, 10), sapphires=(12, 2))
    assert GAME.result(activate(state, "blue")) == {"winners": [1], "reason": "energy"}


def test_4_no_energy_against_fifteen_sapphires_loses() -> None:
    state = position(piles={"red": "r14:0"}, energy=(10, 2), sapphires=(15, 2))
    assert GAME.result(begin(state)) == {"winners": [0], "reason": "energy"}


def test_5_fifteen_on_both_sides_compare_sapphires_then_energy() -> None:
    market = {"blue": "b06:0"}
    more = begin(position(piles=market, sapphires=(14, 14)))
    assert GAME.result(more) == {"winners": [0], "reason": "sapphires"}
    equal = begin(position(piles=market, sapphires=(13, 14), energy=(4, 5)))
    assert GAME.result(equal) == {"winners": [1], "reason": "sapphires"}
    same = begin(position(piles=market, sapphires=(13, 14)))
    assert GAME.result(same) == {"winners": [], "reason": "draw"}


def test_5_fifteen_on_one_side_alone_win() -> None:
    market = {"blue": "b06:0"}
    for sapphires, winner in (((14, 2), 0), ((2, 14), 1)):
        over = begin(position(piles=market, sapphires=sapphires))
        assert GAME.result(over) == {"winners": [winner], "reason": "sapphires"}
    assert GAME.result(begin(position(piles=market, sapphires=(12, 13)))) is None


def test_6_equal_pools_at_the_scoring_are_a_draw() -> None:
    state = position(deck="r01", actions=1)
    assert GAME.result(act(state, Draw())) == {"winners": [], "reason": "draw"}


def test_7_the_rival_may_win_in_my_turn() -> None:
    state = position(piles={"red": "r14:0"}, sapphires=(2, 14))
    assert GAME.result(begin(state)) == {"winners": [1], "reason": "sapphires"}


def test_8_the_turn_in_progress_is_the_last_whoever_draws() -> None:
    after = activate(position(piles={"red": "r01:0"}, deck="g01", hands={0: "r02"}), "red")
    assert (after.end_after_turn, after.stage, after.actions_left) == (True, "actions", 1)
    assert GAME.result(act(after, Play(cards("r02")[0]))) == {"winners": [0], "reason": "deck"}


def test_8_the_last_turn_is_flagged_once() -> None:
    state = position(piles={"green": "g12:0", "red": "r04:0"}, deck="r01")
    first = given(GAME, state).when(0, Activate("green"))
    assert LastTurnFlagged(1) in first.events()
    second = first.then().when(0, Activate("red"))
    assert LastTurnFlagged(1) not in second.events()


def test_9_a_turn_flagged_at_its_start_is_played_without_the_free_draw() -> None:
    state = position(piles={"green": "g09:0"}, deck="")
    after = begin(state)
    assert after.end_after_turn
    assert (after.stage, after.actions_left, after.hands[0]) == ("actions", 2, ())


def test_10_taking_the_last_card_exactly_flags_nothing() -> None:
    after = activate(position(piles={"green": "g01:0"}, deck="r01 r02"), "green")
    assert after.hands[0] == cards("r01 r02")
    assert not after.end_after_turn


def test_11_the_draw_action_on_an_empty_deck_is_illegal() -> None:
    given(GAME, position(deck="", hands={0: "r01"})).when(0, Draw()).refused("deck-empty")


def test_12_losing_cards_from_an_empty_deck_flags_nothing() -> None:
    after = activate(position(piles={"green": "g12:0"}, deck="r01 r02 r03"), "green")
    assert after.deck == ()
    assert not after.end_after_turn


def test_13_in_the_last_turn_spells_draw_nothing_and_the_action_is_illegal() -> None:
    state = position(piles={"green": "g01:0"}, deck="", last_turn=True)
    given(GAME, state).when(0, Draw()).refused("deck-empty")
    given(GAME, activate(state, "green")).seen_by(0, hand=[], end_after_turn=True, turn=1)


def test_14_the_supply_is_endless_unless_the_option_caps_it() -> None:
    rich = {"piles": {"blue": "b02:0"}, "sapphires": (10, 14)}
    assert activate(position(**rich), "blue").sapphires == (14, 14)  # type: ignore[arg-type]
    capped = position(**rich, supply_cap=26)  # type: ignore[arg-type]
    assert activate(capped, "blue").sapphires == (12, 14)


def test_15_energy_has_no_maximum() -> None:
    assert activate(position(piles={"yellow": "y03:0"}), "yellow").energy == (13, 10)


def test_16_losing_more_than_there_is_loses_what_is_there() -> None:
    after = activate(position(piles={"blue": "b10:0"}, sapphires=(2, 1)), "blue")
    assert after.sapphires == (2, 0)


def test_17_paying_without_enough_is_not_offered() -> None:
    after = activate(position(piles={"red": "r06:0"}, sapphires=(1, 2)), "red")
    assert after.pending is None
    assert (after.sapphires, after.energy) == ((1, 2), (10, 10))


def test_18_the_last_energy_may_be_paid_and_loses_if_it_stays_gone() -> None:
    state = position(piles={"blue": "b11:0"}, energy=(2, 10))
    assert asked(activate(state, "blue")) == (0, "may", ("yes", "no"))
    assert GAME.result(activate(state, "blue", "yes")) == {"winners": [1], "reason": "energy"}


def test_19_stealing_takes_what_is_there() -> None:
    state = position(piles={"blue": "b13:0"}, sapphires=(0, 1))
    assert activate(state, "blue").sapphires == (1, 0)


def test_20_the_owner_orders_active_spells_and_by_default_red_comes_first() -> None:
    state = begin(position(piles={"yellow": "y02:0", "red": "r03:0", "blue": "b04:0"}))
    assert asked(state) == (0, "next_enchantment", ("red", "yellow", "blue"))
    assert GAME.view(state, Seat(1))["pending"] == {
        "seat": 0,
        "card": None,
        "kind": "next_enchantment",
        "options": ["red", "yellow", "blue"],
        "min": 1,
        "max": 1,
    }
    assert GAME.fallback(state, Seat(0)).pick == ("red",)  # type: ignore[union-attr]
    chosen = begin(position(piles={"yellow": "y02:0", "red": "r03:0", "blue": "b04:0"}), "blue")
    assert asked(chosen) == (0, "next_enchantment", ("red", "yellow"))
    assert act(chosen, GAME.fallback(chosen, Seat(0))).used == cards("b04 r03 y02")


def test_21_an_active_spell_uncovered_while_they_resolve_waits_for_another_turn() -> None:
    # None of our enchantments uncovers another, so a list with such a one is tried.
    uncovering = {"effect": [["discard_top", "self", "any_other"]]}
    with listed_with("g09", uncovering) as name:
        after = begin(position(piles={"green": "g09:0", "yellow": "y02:0 y03:1"}, deck_list=name))
    assert after.piles[2][-1].card == "y02"
    assert (after.used, after.energy) == (cards("g09"), (10, 10))


def test_21_an_active_spell_of_the_list_must_still_be_valid_when_its_turn_comes() -> None:
    uncovering = {"effect": [["discard_top", "self", "any_other"]]}
    with listed_with("g09", uncovering) as name:
        state = position(piles={"green": "g09:0", "yellow": "y02:0"}, deck_list=name)
        after = begin(state, "green")
    assert (after.used, after.energy) == (cards("g09"), (10, 10))


def test_22_passing_is_legal_only_if_nothing_else_is() -> None:
    given(GAME, position()).when(0, Pass()).refused("must-act")
    stuck = position(deck="", hands={0: "r01"}, effects=(lock("red", 1, 1),), turn=1)
    given(GAME, stuck).may(0, Pass()).may_not(0, Play(cards("r01")[0]))
    assert act(stuck, Pass()).actions_left == 1


def test_23_an_enchantment_is_not_activated_with_an_action() -> None:
    state = position(piles={"red": "r03:0"})
    given(GAME, state).when(0, Activate("red")).refused("not-an-incantation")


def test_24_an_enchantment_works_from_the_next_turn_start_of_its_side() -> None:
    state = position(hands={0: "r03"}, actions=1)
    played = act(state, Play(cards("r03")[0]))
    assert (played.active, played.energy) == (1, (10, 10))
    mine_again = act(played, Draw(), Draw())
    assert (mine_again.active, mine_again.energy) == (0, (10, 9))


def test_25_an_active_spell_cannot_be_declined_but_for_its_optional_part() -> None:
    assert begin(position(piles={"red": "r03:0"})).energy == (10, 9)
    debt = position(piles={"blue": "b15:0"})
    assert asked(begin(debt)) == (0, "may", ("yes", "no"))
    assert begin(debt, "no").sapphires == (2, 2)
    assert begin(debt, "yes").sapphires == (4, 2)
