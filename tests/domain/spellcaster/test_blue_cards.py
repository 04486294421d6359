"""The blue cards, each in the smallest position that shows its effect."""

from domain.spellcaster.commands import Choose
from tests.domain.spellcaster.positions import act, activate, asked, begin, cards, position


def test_b01_djinns_door_gains_two_sapphires() -> None:
    assert activate(position(piles={"blue": "b01:0"}), "blue").sapphires == (4, 2)


def test_b02_goblins_bite_gains_four_sapphires_and_costs_two_energy() -> None:
    after = activate(position(piles={"blue": "b02:0"}), "blue")
    assert (after.sapphires, after.energy) == ((6, 2), (8, 10))


def test_b03_spirit_portal_gains_a_sapphire_and_a_card() -> None:
    after = activate(position(piles={"blue": "b03:0"}, deck="g01 g02"), "blue")
    assert (after.sapphires, after.hands[0]) == ((3, 2), cards("g01"))


def test_b04_tide_toll_gains_a_sapphire_each_turn() -> None:
    assert begin(position(piles={"blue": "b04:0"})).sapphires == (3, 2)


def test_b05_magpie_wisp_moves_a_sapphire() -> None:
    assert activate(position(piles={"blue": "b05:0"}), "blue").sapphires == (3, 1)


def test_b06_moonlit_market_gains_two_sapphires_and_gives_one() -> None:
    assert begin(position(piles={"blue": "b06:0"})).sapphires == (4, 3)


def test_b07_deep_seam_gains_a_sapphire_for_each_colour_controlled() -> None:
    state = position(piles={"blue": "b07:0", "red": "r01:0", "green": "g01:0", "yellow": "y01:1"})
    assert activate(state, "blue").sapphires == (5, 2)


def test_b08_glass_bargain_gains_three_sapphires_and_gives_two_energy() -> None:
    after = activate(position(piles={"blue": "b08:0"}), "blue")
    assert (after.sapphires, after.energy) == ((5, 2), (10, 12))


def test_b09_tribute_circle_gains_three_sapphires_unless_a_card_is_discarded() -> None:
    state = position(piles={"blue": "b09:0"}, hands={1: "g01"})
    assert activate(state, "blue", "refuse").sapphires == (5, 2)
    paid = activate(state, "blue", "pay")
    assert (paid.sapphires, paid.discard) == ((2, 2), cards("g01"))


def test_b10_gem_moth_takes_two_sapphires() -> None:
    assert activate(position(piles={"blue": "b10:0"}), "blue").sapphires == (2, 0)


def test_b11_soul_pawn_gains_three_sapphires_for_two_energy() -> None:
    paid = activate(position(piles={"blue": "b11:0"}), "blue", "yes")
    assert (paid.sapphires, paid.energy) == ((5, 2), (8, 10))


def test_b12_paper_alchemy_gains_three_sapphires_for_a_card() -> None:
    state = activate(position(piles={"blue": "b12:0"}, hands={0: "g01 g02"}), "blue", "yes")
    assert asked(state) == (0, "cards", ("g01", "g02"))
    paid = act(state, Choose(("g01",)))
    assert (paid.sapphires, paid.hands[0]) == ((5, 2), cards("g02"))


def test_b13_even_scales_takes_two_sapphires_from_who_has_more() -> None:
    scales = {"blue": "b13:0"}
    assert activate(position(piles=scales, sapphires=(2, 6)), "blue").sapphires == (4, 4)
    assert activate(position(piles=scales, sapphires=(6, 6)), "blue").sapphires == (7, 6)


def test_b14_treasure_chart_draws_two_loses_one_and_gains_a_sapphire() -> None:
    state = activate(position(piles={"blue": "b14:0"}, deck="g01 g02 g03"), "blue")
    assert asked(state) == (0, "cards", ("g01", "g02"))
    after = act(state, Choose(("g01",)))
    assert (after.hands[0], after.discard) == (cards("g02"), cards("g01"))
    assert after.sapphires == (3, 2)


def test_b14_treasure_chart_asks_nothing_of_an_empty_hand() -> None:
    after = activate(position(piles={"blue": "b14:0"}, deck=""), "blue")
    assert (after.pending, after.sapphires, after.end_after_turn) == (None, (3, 2), True)


def test_b15_prism_debt_gains_two_sapphires_for_an_energy_each_turn() -> None:
    paid = begin(position(piles={"blue": "b15:0"}), "yes")
    assert (paid.sapphires, paid.energy) == ((4, 2), (9, 10))
