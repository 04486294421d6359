"""The red cards, each in the smallest position that shows its effect."""

from domain.spellcaster.commands import Choose
from tests.domain.spellcaster.positions import act, activate, asked, begin, cards, position


def test_r01_demonspawn_takes_four_energy_and_lets_the_rival_draw_two() -> None:
    after = activate(position(piles={"red": "r01:0"}, deck="g01 g02 g03"), "red")
    assert (after.energy, after.hands[1]) == ((10, 6), cards("g01 g02"))


def test_r01_demonspawn_lets_the_mage_who_plays_next_draw() -> None:
    state = position(4, active=2, piles={"red": "r01:0"}, deck="g01 g02 g03")
    assert activate(state, "red").hands == ((), (), (), cards("g01 g02"))


def test_r02_flame_beast_takes_two_energy() -> None:
    assert activate(position(piles={"red": "r02:0"}), "red").energy == (10, 8)


def test_r03_demons_paw_takes_one_energy_each_turn() -> None:
    assert begin(position(piles={"red": "r03:0"})).energy == (10, 9)


def test_r04_ember_lash_takes_one_energy_and_draws() -> None:
    after = activate(position(piles={"red": "r04:0"}, deck="g01 g02"), "red")
    assert (after.energy, after.hands[0]) == ((10, 9), cards("g01"))


def test_r05_iron_hail_takes_three_energy_and_costs_one() -> None:
    assert activate(position(piles={"red": "r05:0"}), "red").energy == (9, 7)


def test_r06_blood_tithe_takes_four_energy_for_two_sapphires() -> None:
    state = position(piles={"red": "r06:0"})
    assert asked(activate(state, "red")) == (0, "may", ("yes", "no"))
    paid = activate(state, "red", "yes")
    assert (paid.sapphires, paid.energy) == ((0, 2), (10, 6))
    kept = activate(state, "red", "no")
    assert (kept.sapphires, kept.energy) == ((2, 2), (10, 10))


def test_r07_leech_wraith_moves_one_energy() -> None:
    assert activate(position(piles={"red": "r07:0"}), "red").energy == (11, 9)


def test_r08_thorn_swarm_takes_three_energy_unless_a_card_is_discarded() -> None:
    state = position(piles={"red": "r08:0"}, hands={1: "g01 g02"})
    assert asked(activate(state, "red")) == (1, "unless", ("pay", "refuse"))
    assert activate(state, "red", "refuse").energy == (10, 7)
    paying = activate(state, "red", "pay")
    assert asked(paying) == (1, "cards", ("g01", "g02"))
    paid = act(paying, Choose(("g02",)))
    assert (paid.energy, paid.discard) == ((10, 10), cards("g02"))


def test_r09_cruel_choice_takes_energy_or_sapphires_as_the_rival_says() -> None:
    state = position(piles={"red": "r09:0"})
    assert asked(activate(state, "red")) == (1, "choose_one", ("0", "1"))
    assert activate(state, "red", "0").energy == (10, 8)
    assert activate(state, "red", "1").sapphires == (2, 0)


def test_r09_cruel_choice_asks_the_rival_who_plays_next() -> None:
    team = position(4, active=2, piles={"red": "r09:0"})
    assert asked(activate(team, "red")) == (3, "choose_one", ("0", "1"))
    solo = position(3, active=1, turn=4, piles={"red": "r09:1"})
    assert asked(activate(solo, "red")) == (0, "choose_one", ("0", "1"))


def test_r10_wildfire_burns_both_and_draws_two() -> None:
    after = activate(position(piles={"red": "r10:0"}, deck="g01 g02 g03"), "red")
    assert (after.energy, after.hands[0]) == ((8, 8), cards("g01 g02"))


def test_r11_crown_of_spite_takes_energy_for_each_colour_of_the_rival() -> None:
    state = position(piles={"red": "r11:0", "blue": "b01:1", "green": "g01:1", "yellow": "y01:0"})
    assert activate(state, "red").energy == (10, 8)


def test_r12_cinder_rune_takes_two_energy_while_yellow_is_controlled() -> None:
    assert begin(position(piles={"red": "r12:0"})).energy == (10, 9)
    assert begin(position(piles={"red": "r12:0", "yellow": "y03:0"})).energy == (10, 8)
    assert begin(position(piles={"red": "r12:0", "yellow": "y03:1"})).energy == (10, 9)


def test_r13_gem_shatter_takes_a_sapphire_and_an_energy() -> None:
    after = activate(position(piles={"red": "r13:0"}), "red")
    assert (after.sapphires, after.energy) == ((2, 1), (10, 9))


def test_r14_brand_of_ruin_takes_two_energy_and_gives_a_sapphire() -> None:
    after = begin(position(piles={"red": "r14:0"}))
    assert (after.energy, after.sapphires) == ((10, 8), (2, 3))


def test_r15_burning_pages_takes_an_energy_for_each_card_discarded() -> None:
    state = position(piles={"red": "r15:0"}, hands={0: "g01 g02 g03 g04"})
    assert asked(activate(state, "red")) == (0, "cards", ("g01", "g02", "g03", "g04"))
    assert activate(state, "red", "").energy == (10, 10)
    assert activate(state, "red", "g02", "").energy == (10, 9)
    all_three = activate(state, "red", "g02", "g01", "g04")
    assert (all_three.energy, all_three.pending) == ((10, 7), None)
    assert (all_three.hands[0], all_three.discard) == (cards("g03"), cards("g02 g01 g04"))


def test_r15_burning_pages_asks_nothing_of_an_empty_hand() -> None:
    after = activate(position(piles={"red": "r15:0"}), "red")
    assert (after.pending, after.energy) == (None, (10, 10))
