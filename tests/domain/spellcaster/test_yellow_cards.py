"""The yellow cards, each in the smallest position that shows its effect."""

from domain.spellcaster import GAME
from domain.spellcaster.commands import Choose, Draw
from tests.domain.given import given
from tests.domain.spellcaster.positions import act, activate, asked, begin, cards, position, ward


def test_y01_repel_curse_gains_an_energy_and_stops_the_next_loss_once() -> None:
    state = activate(position(piles={"yellow": "y01:0", "red": "r13:1"}), "yellow")
    assert state.energy == (11, 10)
    given(GAME, state).seen_by(
        1, effects=[{"kind": "next_loss_energy", "side": 0, "until_turn_of": 0, "pile": None}]
    )
    hit = activate(act(state, Draw()), "red")
    assert (hit.energy, hit.sapphires, hit.effects) == ((11, 10), (1, 2), ())


def test_y01_repel_curse_ends_when_the_mages_next_turn_starts() -> None:
    state = activate(position(piles={"yellow": "y01:0"}), "yellow")
    assert act(state, Draw()).effects
    assert not act(state, Draw(), Draw(), Draw()).effects


def test_y02_word_of_guarding_gains_an_energy_each_turn() -> None:
    assert begin(position(piles={"yellow": "y02:0"})).energy == (11, 10)


def test_y03_holy_water_gains_three_energy() -> None:
    assert activate(position(piles={"yellow": "y03:0"}), "yellow").energy == (13, 10)


def test_y04_hearth_song_gains_two_energy_and_gives_one() -> None:
    assert begin(position(piles={"yellow": "y04:0"})).energy == (12, 11)


def test_y05_long_sleep_gains_four_energy_and_lets_the_rival_draw() -> None:
    after = activate(position(piles={"yellow": "y05:0"}, deck="g01 g02"), "yellow")
    assert (after.energy, after.hands[1]) == ((14, 10), cards("g01"))


def test_y05_long_sleep_lets_the_rival_who_plays_next_draw() -> None:
    for turn, hands in ((2, ((), (), cards("g01"))), (4, (cards("g01"), (), ()))):
        state = position(3, active=1, turn=turn, piles={"yellow": "y05:1"}, deck="g01 g02")
        assert activate(state, "yellow").hands == hands


def test_y06_gem_to_breath_gains_three_energy_for_a_sapphire() -> None:
    paid = activate(position(piles={"yellow": "y06:0"}), "yellow", "yes")
    assert (paid.energy, paid.sapphires) == ((13, 10), (1, 2))


def test_y07_scales_of_mercy_takes_two_energy_from_who_has_more() -> None:
    scales = {"yellow": "y07:0"}
    assert activate(position(piles=scales, energy=(4, 9)), "yellow").energy == (6, 7)
    assert activate(position(piles=scales, energy=(9, 9)), "yellow").energy == (10, 9)


def test_y08_dawn_shell_stops_every_loss_to_rival_spells() -> None:
    state = activate(position(piles={"yellow": "y08:0", "red": "r13:1"}), "yellow")
    hit = activate(act(state, Draw()), "red")
    assert (hit.energy, hit.sapphires) == ((10, 10), (2, 2))
    assert [each.kind for each in hit.effects] == ["all_loss"]


def test_y08_dawn_shell_is_a_reduction_and_spares_an_older_shield() -> None:
    shield = ward("next_loss_energy", 0, 0)
    state = position(piles={"yellow": "y08:0", "red": "r02:1"}, effects=(shield,))
    hit = activate(act(activate(state, "yellow"), Draw()), "red")
    assert (hit.energy, [each.kind for each in hit.effects]) == (
        (10, 10),
        ["next_loss_energy", "all_loss"],
    )


def test_y09_stone_mantle_takes_one_off_each_energy_loss() -> None:
    state = begin(position(piles={"yellow": "y09:0", "red": "r13:1", "blue": "b10:1"}))
    assert [each.kind for each in state.effects] == ["reduce_energy_loss_1"]
    rival = act(state, Draw(), Draw())
    hit = activate(activate(rival, "red"), "blue")
    assert (hit.energy, hit.sapphires) == ((10, 10), (0, 2))


def test_y10_shared_balm_gains_two_energy_and_a_card_and_gives_one() -> None:
    after = activate(position(piles={"yellow": "y10:0"}, deck="g01 g02"), "yellow")
    assert (after.energy, after.hands[0]) == ((12, 11), cards("g01"))


def test_y11_second_wind_gains_four_energy_for_the_weak() -> None:
    wind = {"yellow": "y11:0"}
    assert activate(position(piles=wind, energy=(4, 9)), "yellow").energy == (8, 9)
    assert activate(position(piles=wind, energy=(5, 9)), "yellow").energy == (6, 9)


def test_y12_break_the_charm_gains_an_energy_and_may_discard_an_enchantment() -> None:
    piles = {"yellow": "y12:0", "red": "r03:1", "blue": "b04:0", "green": "g01:1"}
    state = activate(position(piles=piles), "yellow")
    assert (state.energy, asked(state)) == ((11, 10), (0, "may", ("yes", "no")))
    choosing = act(state, Choose(("yes",)))
    assert asked(choosing) == (0, "pile", ("red", "blue"))
    assert act(choosing, Choose(("red",))).discard == cards("r03")


def test_y13_healers_wager_gains_four_energy_unless_a_sapphire_is_paid() -> None:
    state = position(piles={"yellow": "y13:0"})
    assert asked(activate(state, "yellow")) == (1, "unless", ("pay", "refuse"))
    assert activate(state, "yellow", "refuse").energy == (14, 10)
    paid = activate(state, "yellow", "pay")
    assert (paid.energy, paid.sapphires) == ((10, 10), (2, 1))


def test_y13_healers_wager_asks_only_the_rival_who_plays_next() -> None:
    state = activate(position(4, active=2, piles={"yellow": "y13:0"}), "yellow")
    assert asked(state) == (3, "unless", ("pay", "refuse"))
    assert act(state, Choose(("refuse",))).energy == (14, 10)


def test_y13_healers_wager_asks_nobody_who_cannot_pay() -> None:
    after = activate(position(piles={"yellow": "y13:0"}, sapphires=(2, 0)), "yellow")
    assert (after.pending, after.energy) == (None, (14, 10))


def test_y14_back_from_ash_takes_the_only_card_unasked_and_nothing_where_nothing_lies() -> None:
    only = activate(position(piles={"yellow": "y14:0"}, discard="b02"), "yellow")
    assert (only.pending, only.hands[0], only.discard) == (None, cards("b02"), ())
    none = activate(position(piles={"yellow": "y14:0"}), "yellow")
    assert (none.pending, none.hands[0], none.energy) == (None, (), (11, 10))


def test_y14_back_from_ash_gains_an_energy_and_takes_a_discarded_card() -> None:
    state = activate(position(piles={"yellow": "y14:0"}, discard="r05 b02 g07"), "yellow")
    assert (state.energy, asked(state)) == ((11, 10), (0, "cards", ("b02", "g07", "r05")))
    given(GAME, state).seen_by(1, pending__options=["b02", "g07", "r05"])
    after = act(state, Choose(("g07",)))
    assert (after.hands[0], after.discard) == (cards("g07"), cards("r05 b02"))


def test_y15_sun_garden_gains_an_energy_or_a_card() -> None:
    state = position(piles={"yellow": "y15:0"}, deck="g01 g02 g03")
    assert asked(begin(state)) == (0, "choose_one", ("0", "1"))
    assert begin(state, "0").energy == (11, 10)
    assert begin(state, "1").hands[0] == cards("g01 g02")


def test_y15_sun_garden_offers_both_with_an_empty_deck_and_may_flag_the_last_turn() -> None:
    state = position(piles={"yellow": "y15:0"}, deck="")
    assert asked(begin(state)) == (0, "choose_one", ("0", "1"))
    assert begin(state, "1").end_after_turn
