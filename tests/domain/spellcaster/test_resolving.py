"""Spells while they are carried out: what they count, what they wait for, when they settle."""

from typing import Any

import pytest

from domain.game import Refused, Seat
from domain.spellcaster import GAME
from domain.spellcaster import effects as fx
from domain.spellcaster.commands import Concede, Pass
from domain.spellcaster.events import ActionPassed, HandHinted
from domain.spellcaster.state import Lasting, Options, first_state
from domain.spellcaster.targets import can_pay
from tests.domain.given import given, scripted
from tests.domain.spellcaster.lists import cast, listed_with
from tests.domain.spellcaster.positions import (
    act,
    activate,
    asked,
    begin,
    cards,
    lock,
    position,
)

PAID = ["pay_any", "self", "hand", 2, "X"]


def test_a_spell_that_waits_for_a_choice_ends_no_game_before_it_is_over() -> None:
    """Ruling 1: no energy in between does no harm."""
    effect = [
        ["lose", "rival", "energy", 10],
        ["choose", "self", [[["gain", "self", "energy", 1]], [["gain", "rival", "energy", 1]]]],
    ]
    waiting = cast(effect)
    assert (asked(waiting), waiting.energy) == ((0, "choose_one", ("0", "1")), (10, 0))
    assert GAME.result(waiting) is None
    assert GAME.result(cast(effect, "1")) is None
    assert GAME.result(cast(effect, "0")) == {"winners": [0], "reason": "energy"}


def test_all_of_a_pool_goes_to_the_other_side() -> None:
    everything = [["transfer", "rival", "self", "energy", "all"]]
    assert cast(everything, energy=(7, 4)).energy == (11, 0)


def test_all_of_a_hand_is_discarded_at_random() -> None:
    dice = scripted(picks=[1, 0])
    after = cast([["discard", "rival", "all", "random"]], dice=dice, hands={1: "b01 g01"})
    assert (after.hands[1], after.discard) == ((), cards("g01 b01"))


def test_the_deck_loses_as_many_cards_as_the_table_says() -> None:
    after = cast(
        [["lose_cards", "deck", "deck", "hand(rival)"]], hands={1: "b01 g01"}, deck="r05 r06 r07"
    )
    assert (after.deck, after.discard) == (cards("r07"), cards("r05 r06"))


def test_who_cannot_pay_x_is_not_asked_to() -> None:
    effect = [
        PAID,
        ["unless", "self", [["pay", "self", "energy", "X"]], [["gain", "self", "sapphire", 1]]],
    ]
    poor = cast(effect, "b01", "g01", hands={0: "b01 g01"}, energy=(1, 9))
    assert (poor.pending, poor.sapphires) == (None, (3, 2))


def test_what_is_no_cost_cannot_be_paid() -> None:
    with pytest.raises(ValueError, match="is no cost"):
        can_pay(position(), (fx.FlipAll(),), Seat(0), None)


def test_nothing_is_suspended_once_somebody_has_conceded() -> None:
    state = activate(position(piles={"red": "r08:0"}, hands={1: "g01 g02"}), "red")
    assert len(state.stack) == 1
    over = act(state, Concede())
    assert (over.stack, over.pending) == ((), None)


def test_an_enchantment_that_was_silenced_at_the_turns_start_stays_so_for_the_turn() -> None:
    """2.3: what has not resolved before the free draw does not resolve any more."""
    silence = Lasting("suppress", 1, Seat(1), "green", cards("g09")[0])
    state = begin(position(piles={"green": "g09:0"}, effects=(silence,)))
    assert (state.stage, state.triggers, state.used) == ("actions", (), ())


def test_before_the_free_draw_a_mage_has_no_action() -> None:
    state = begin(position(piles={"yellow": "y02:0", "green": "g08:0"}, actions=2))
    assert state.actions_left == 0


def test_nobody_is_waited_for_before_the_deal() -> None:
    state = first_state(2, Options())
    assert GAME.to_move(state) == ()
    assert GAME.moves(state, Seat(0)) == ()


def test_nobody_moves_in_the_place_of_a_mage_whose_turn_it_is_not() -> None:
    with pytest.raises(Refused, match="not-your-turn"):
        GAME.fallback(position(), Seat(1))


def test_a_pass_tells_who_passed_and_what_that_tells_of_the_hand() -> None:
    stuck = position(deck="", hands={0: "r01 r02"}, effects=(lock("red", 1, 1),))
    given(GAME, stuck).when(0, Pass()).then(
        HandHinted(Seat(0), ("red",), 2), ActionPassed(Seat(0), 1)
    )


def test_a_lock_of_ones_own_closes_nothing_to_free_plays() -> None:
    effect: list[Any] = [["may", "self", [], [["play", "self", 1]]]]
    locks = (lock("red", 1, 1), lock("green", 0, 0))
    with listed_with("y03", {"effect": effect, "asterisk": True}) as name:
        state = position(
            hands={0: "g01 b01"}, piles={"yellow": "y03:0"}, effects=locks, deck_list=name
        )
        offered = activate(state, "yellow", "yes")
        assert asked(offered) == (0, "cards", ("b01", "g01"))
        assert {hint.colours for hint in offered.knowledge[1].hints} == {
            ("green", "yellow", "blue")
        }
        assert offered.pending is not None
        assert offered.pending.colours == ("green", "yellow", "blue")
