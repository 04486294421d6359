"""The parts of the effect language that our list does not use, each in a card of another list."""

from typing import Any

import pytest

from domain.game import Seat
from domain.spellcaster import GAME
from domain.spellcaster.amounts import holds, worth
from domain.spellcaster.cards import Card
from domain.spellcaster.commands import Activate, Draw
from domain.spellcaster.events import CardPlayed, SpellCast
from domain.spellcaster.expressions import Unreadable, read_amount, read_condition
from tests.domain.given import given, scripted
from tests.domain.spellcaster.lists import cast, listed_with
from tests.domain.spellcaster.positions import act, activate, asked, cards, lock, position

EXAMPLE = position(
    hands={0: "r01 r02 r03", 1: "b01"},
    piles={"red": "r04:0", "green": "g08:1", "yellow": "y03:0"},
    deck="b04 b05 b06 b07",
    energy=(4, 9),
    sapphires=(7, 1),
)


@pytest.mark.parametrize(
    ("written", "value"),
    [
        (3, 3),
        ("3", 3),
        ("X", 5),
        ("all", 8),
        ("colours(self)", 2),
        ("colours(rival)", 1),
        ("hand(self)", 3),
        ("hand(rival)", 1),
        ("energy(self)", 4),
        ("sapphire(rival)", 1),
        ("deck", 4),
        ("energy(rival)-energy(self)", 5),
        ("energy(self) - energy(rival)", 0),
        ("9-3-2", 4),
        ("min(9, all)", 8),
        ("all-3", 5),
        ("0", 0),
        (0, 0),
        ("min(deck, hand(self))", 3),
        ("max(deck, hand(self))", 4),
        ("X-3", 2),
        ("9-X", 4),
        ("min(X, 9)", 5),
        ("max(1, X)", 5),
    ],
)
def test_an_amount_is_worth_what_it_says(written: Any, value: int) -> None:
    assert worth(EXAMPLE, read_amount(written), x=5, everything=8) == value


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("energy(self)<energy(rival)", True),
        ("energy(self)<=4", True),
        ("energy(self)=4", True),
        ("energy(self)!=4", False),
        ("energy(self)>=5", False),
        ("X>4", True),
        ("4<X", True),
        ("controls(self,red)", True),
        ("controls(self,blue)", False),
        ("controls(rival,green)", True),
        ("empty(blue)", True),
        ("empty(red)", False),
        ("top(green,enchantment)", True),
        ("top(red,enchantment)", False),
        ("top(blue,incantation)", False),
        ("not empty(blue)", False),
        ("empty(blue) and empty(red)", False),
        ("empty(blue) or empty(red)", True),
        ("empty(red) or empty(blue) and deck>3", True),
        ("not (empty(blue) or deck>3)", False),
        ("X>4 and X<6", True),
        ("deck>3 and X>5", False),
        ("deck>3 and X>4", True),
        ("X>5 or X=5", True),
        ("X=5 or X>5", True),
        ("not X=5", False),
    ],
)
def test_a_condition_holds_or_not(written: str, expected: bool) -> None:
    assert holds(EXAMPLE, read_condition(written), x=5) is expected


@pytest.mark.parametrize(
    "written",
    ["", "energy", "energy(me)", "energy(self", "2+2", "min(1)", "-1", "controls(self)", "1 1"],
)
def test_what_is_no_amount_is_not_read(written: str) -> None:
    with pytest.raises(Unreadable):
        read_amount(written)


@pytest.mark.parametrize(
    "written", ["", "deck", "deck<", "not", "empty(purple)", "(deck<2", "deck<2 and", 3, "deck<2 )"]
)
def test_what_is_no_condition_is_not_read(written: Any) -> None:
    with pytest.raises(Unreadable):
        read_condition(written)


def test_all_is_everything_there_is() -> None:
    assert cast([["transfer", "rival", "self", "sapphire", "all"]]).sapphires == (4, 0)
    assert cast([["discard", "self", "all", "owner"]], hands={0: "g01"}).hands[0] == ()
    assert cast([["pay", "self", "sapphire", "all"]]).sapphires == (0, 2)
    assert cast([["pay", "self", "energy", "all"]]).energy == (0, 10)
    assert cast([["lose", "rival", "energy", "all"]], energy=(7, 4)).energy == (7, 0)
    assert cast([["lose", "rival", "sapphire", "all"]]).sapphires == (2, 0)
    taken = cast([["take_discard", "self", "all"]], "g02", discard="g01 g02")
    assert taken.hands[0] == cards("g01 g02")


def test_a_transfer_may_go_to_the_rival_and_no_ward_of_ones_own_stops_it() -> None:
    assert cast([["transfer", "self", "rival", "energy", 2]]).energy == (8, 12)


def test_a_payment_outside_a_cost_is_made_in_full_or_not_at_all() -> None:
    assert cast([["pay", "self", "energy", 3]]).energy == (7, 10)
    assert cast([["pay", "self", "energy", 11]]).energy == (10, 10)


def test_a_discard_at_random_asks_the_dice() -> None:
    after = cast(
        [["discard", "rival", 2, "random"]], dice=scripted(picks=[2, 0]), hands={1: "b01 g01 y01"}
    )
    assert after.discard == cards("y01 b01")
    assert cast([["discard", "self", 3, "random"]], hands={0: "b01"}).discard == cards("b01")


def test_several_cards_are_discarded_one_by_one() -> None:
    state = cast([["discard", "self", 2, "owner"]], hands={0: "b01 g01 y01"})
    assert asked(state) == (0, "cards", ("b01", "g01", "y01"))
    again = cast([["discard", "self", 2, "owner"]], "g01", hands={0: "b01 g01 y01"})
    assert asked(again) == (0, "cards", ("b01", "y01"))


def test_several_cards_are_stolen_from_one_rival() -> None:
    after = cast(
        [["steal_card", "rival", "self", 2, "random"]],
        dice=scripted(picks=[0, 0]),
        hands={1: "b01 g01 y01"},
    )
    assert after.hands[0] == cards("b01 g01")
    everything = [["steal_card", "rival", "self", "all", "random"]]
    assert cast(everything, dice=scripted(picks=[0, 0]), hands={1: "b01 g01"}).hands[1] == ()


def test_a_card_of_one_colour_is_taken_from_the_discard_pile() -> None:
    after = cast([["take_discard", "self", 1, "green"]], discard="b01 g01 y01")
    assert after.hands[0] == cards("g01")
    assert cast([["take_discard", "self", 1, "green"]], discard="b01").hands[0] == ()


def test_an_optional_take_is_offered_only_if_there_is_a_card() -> None:
    effect = [["may", "self", [], [["take_discard", "self", 1]]]]
    assert asked(cast(effect, discard="b01")) == (0, "may", ("yes", "no"))
    assert cast(effect).pending is None
    green = [["may", "self", [], [["take_discard", "self", 1, "green"]]]]
    assert cast(green, discard="b01").pending is None
    assert asked(cast(green, discard="b01 g01")) == (0, "may", ("yes", "no"))


def test_a_rival_may_be_offered_something() -> None:
    effect = [["may", "rival", [["pay", "rival", "energy", 1]], [["draw", "rival", 1]]]]
    state = cast(effect, deck="g01 g02 g03")
    assert asked(state) == (1, "may", ("yes", "no"))
    paid = cast(effect, "yes", deck="g01 g02 g03")
    assert (paid.energy, paid.hands[1]) == ((10, 9), cards("g01"))


def test_a_mage_may_avert_what_his_own_spell_does() -> None:
    effect = [["unless", "self", [["pay", "self", "sapphire", 1]], [["lose", "self", "energy", 5]]]]
    assert asked(cast(effect)) == (0, "unless", ("pay", "refuse"))
    assert cast(effect, "pay").sapphires == (1, 2)
    assert cast(effect, "refuse").energy == (5, 10)


def test_a_rival_may_choose_a_top() -> None:
    state = cast([["discard_top", "rival", {"facing": "self"}]], piles={"blue": "b01:1 b02:1"})
    assert state.discard == cards("b02")
    several = cast([["discard_top", "rival", {}]], piles={"blue": "b01:1"})
    assert asked(several) == (1, "pile", ("red", "blue"))


def test_x_reaches_the_blocks_inside_later_steps() -> None:
    effect = [["pay_any", "self", "hand", 2, "X"], ["if", "X>=1", [["draw", "self", "X"]], []]]
    state = cast(effect, "b01", "g01", hands={0: "b01 g01 y01"}, deck="r05 r06 r07")
    assert state.hands[0] == cards("r05 r06 y01")


def test_what_is_owed_twice_has_to_be_there_twice() -> None:
    cost = [["pay", "self", "energy", 4], ["pay", "self", "energy", 5]]
    effect = [["may", "self", cost, [["gain", "self", "sapphire", 1]]]]
    assert cast(effect, energy=(8, 9)).pending is None
    assert cast(effect, "yes", energy=(10, 9)).energy == (1, 9)


def test_cards_are_drawn_as_many_as_the_table_says() -> None:
    after = cast([["draw", "self", "hand(rival)"]], hands={1: "b01 g01"}, deck="r05 r06 r07")
    assert after.hands[0] == cards("r05 r06")


def test_a_copy_is_told_as_one_with_the_pile_of_its_card() -> None:
    effect = {"effect": [["activate", "self", "any_other_top"]], "asterisk": True}
    with listed_with("r02", effect) as name:
        state = position(piles={"red": "r02:0", "yellow": "y03:1"}, deck_list=name)
        given(GAME, state).when(0, Activate("red")).then_among(
            SpellCast(Seat(0), Card("y03"), "yellow", "copy", 1)
        )


def test_blocks_may_lie_in_blocks_as_deep_as_a_card_says() -> None:
    offer = ["may", "self", [["pay", "self", "energy", 1]], [["gain", "self", "sapphire", 1]]]
    choice = ["choose", "self", [[["draw", "self", 1]], [offer, ["gain", "self", "energy", 5]]]]
    effect = [["if", "deck>9", [["flip_all"]], [choice]]]
    assert asked(cast(effect, "1", deck="r05")) == (0, "may", ("yes", "no"))
    after = cast(effect, "1", "yes", deck="r05")
    assert (after.energy, after.sapphires) == ((14, 10), (3, 2))


PAID = ["pay_any", "self", "hand", 2, "X"]


@pytest.mark.parametrize(
    ("step", "expected"),
    [
        (["gain", "self", "energy", "X"], {"energy": (12, 10)}),
        (["lose", "rival", "energy", "X"], {"energy": (10, 8)}),
        (["pay", "self", "energy", "X"], {"energy": (8, 10)}),
        (["transfer", "rival", "self", "energy", "X"], {"energy": (12, 8)}),
        (["draw", "rival", "X"], {"deck": cards("r07"), "hands": ((), cards("r05 r06"))}),
        (["lose_cards", "deck", "deck", "X"], {"deck": cards("r07")}),
        (["actions", "self", "X"], {"actions_left": 3}),
        (["discard", "rival", "X", "random"], {"hands": ((), ())}),
        (["steal_card", "rival", "self", "X", "random"], {"hands": (cards("b02 g02"), ())}),
    ],
    ids=lambda each: each[0] if isinstance(each, list) else "",
)
def test_x_counts_in_every_step(step: list[Any], expected: dict[str, Any]) -> None:
    hands = {0: "b01 g01"} if step[0] == "draw" else {0: "b01 g01", 1: "b02 g02"}
    dice = scripted(picks=[0, 0])
    after = cast([PAID, step], "b01", "g01", hands=hands, deck="r05 r06 r07", dice=dice)
    assert {name: getattr(after, name) for name in expected} == expected


@pytest.mark.parametrize(
    ("step", "picks", "hand"),
    [
        (["discard", "self", "X", "owner"], ["y01", "y02"], "y03 y04"),
        (["lose_cards", "self", "hand", "X"], ["y01", "y02"], "y03 y04"),
        (["take_discard", "self", "X"], ["b01"], "b01 g01 y01 y02 y03 y04"),
    ],
    ids=lambda each: each[0] if isinstance(each, list) else "",
)
def test_x_counts_the_cards_that_a_step_asks_for(
    step: list[Any], picks: list[str], hand: str
) -> None:
    after = cast([PAID, step], "b01", "g01", *picks, hands={0: "b01 g01 y01 y02 y03 y04"})
    assert (after.pending, after.hands[0]) == (None, cards(hand))


def test_x_counts_in_a_cost() -> None:
    gain = [["gain", "self", "sapphire", 1]]
    cost = [["pay", "self", "energy", "X"]]
    offered = cast([PAID, ["may", "self", cost, gain]], "b01", "g01", "yes", hands={0: "b01 g01"})
    assert (offered.energy, offered.sapphires) == ((8, 10), (3, 2))
    averted = cast(
        [PAID, ["unless", "self", cost, gain]], "b01", "g01", "pay", hands={0: "b01 g01"}
    )
    assert (averted.energy, averted.sapphires) == ((8, 10), (2, 2))
    poor = cast(
        [PAID, ["may", "self", cost, gain]], "b01", "g01", hands={0: "b01 g01"}, energy=(1, 9)
    )
    assert (poor.pending, poor.sapphires) == (None, (2, 2))


def test_a_cost_of_pool_and_hand_is_paid_as_a_whole() -> None:
    cost = [["pay", "self", "energy", 1], ["discard", "self", 1, "owner"]]
    effect = [["may", "self", cost, [["gain", "self", "sapphire", 5]]]]
    assert cast(effect).pending is None
    paid = cast(effect, "yes", hands={0: "g01"})
    assert (paid.energy, paid.hands[0], paid.sapphires) == ((9, 10), (), (7, 2))


@pytest.mark.parametrize(
    ("target", "options"),
    [
        ({}, ("red", "green", "yellow")),
        ({"colour": "green"}, ("green",)),
        ({"not_colour": "green"}, ("red", "yellow")),
        ({"facing": "self"}, ("red", "yellow")),
        ({"kind": "enchantment"}, ("green",)),
        ({"other_pile": True}, ("green", "yellow")),
        ({"not_this": True, "unused": True, "facing": "self"}, ("yellow",)),
    ],
)
def test_a_target_allows_some_piles(target: dict[str, Any], options: tuple[str, ...]) -> None:
    effect = [["may", "self", [], [["flip", "self", 1, target]]]]
    piles = {"green": "g08:1", "yellow": "y03:0"}
    state = cast(effect, "yes", piles=piles)
    if len(options) == 1:
        assert state.pending is None
    else:
        assert asked(state) == (0, "pile", options)


def test_no_lock_of_ones_own_closes_a_pile_to_a_step() -> None:
    effect = [["flip", "self", 1, {}]]
    piles = {"green": "g08:1", "yellow": "y03:0"}
    own = cast(effect, piles=piles, effects=(lock("green", 0, 0),))
    assert asked(own) == (0, "pile", ("red", "green", "yellow"))
    rivals = cast(effect, piles=piles, effects=(lock("green", 1, 1),))
    assert asked(rivals) == (0, "pile", ("red", "yellow"))


def test_an_empty_pile_may_be_locked() -> None:
    effect = [["lock", "self", {"empty": True, "colour": "blue"}, "until_my_next_turn"]]
    assert [each.pile for each in cast(effect).effects] == ["blue"]


def test_an_effect_may_end_with_the_turn() -> None:
    state = cast([["ward", "self", "all_loss", "until_end_of_turn"]], actions=2)
    assert [each.until_turn_of for each in state.effects] == [1]
    assert act(state, Draw()).effects == ()
    longer = cast([["ward", "self", "all_loss", "until_my_next_turn"]])
    assert [each.until_turn_of for each in longer.effects] == [0]


def test_an_effect_that_ends_with_the_turn_ends_at_the_next_seats_turn() -> None:
    state = cast([["ward", "self", "all_loss", "until_end_of_turn"]], seats=4)
    assert [each.until_turn_of for each in state.effects] == [1]


def test_free_plays_may_be_more_than_two_and_need_not_be_optional() -> None:
    hands = {0: "b01 g01 y01"}
    assert asked(cast([["play", "self", 3]], hands=hands)) == (0, "cards", ("b01", "g01", "y01"))
    after = cast([["play", "self", 3]], "b01", "g01", "y01", hands=hands)
    assert (after.hands[0], after.actions_left) == ((), 1)


def test_a_free_play_says_that_it_was_free() -> None:
    with listed_with("r02", {"effect": [["play", "self", 1]], "asterisk": True}) as name:
        state = position(hands={0: "b01"}, piles={"red": "r02:0"}, deck_list=name)
        given(GAME, state).when(0, Activate("red")).then_among(
            CardPlayed(Seat(0), Card("b01"), "blue", 0, free=True, actions_left=1)
        )


def test_free_plays_are_offered_of_colours_that_are_not_locked() -> None:
    hands = {0: "b01 g01 y01"}
    state = cast([["play", "self", 2]], hands=hands, effects=(lock("green", 1, 1),))
    assert asked(state) == (0, "cards", ("b01", "y01"))


def test_free_plays_stop_where_everything_is_locked() -> None:
    state = cast([["play", "self", 3]], hands={0: "b01 g01"}, effects=(lock("green", 1, 1),))
    assert (state.pending, state.hands[0]) == (None, cards("g01"))


def test_a_copy_of_a_copy_goes_as_deep_as_there_are_unused_tops() -> None:
    with listed_with(
        "b01", {"effect": [["may", "self", [], [["activate", "self", "any_other_top"]]]]}
    ) as name:
        piles = {"green": "g06:0", "blue": "b01:1", "red": "r02:1"}
        state = position(piles=piles, deck_list=name)
        after = activate(state, "green", "yes", "blue", "yes")
    assert (after.used, after.energy) == (cards("g06 b01 r02"), (10, 8))
