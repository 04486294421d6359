"""The green cards, each in the smallest position that shows its effect."""

from domain.game import Seat
from domain.spellcaster import GAME
from domain.spellcaster.cards import Card
from domain.spellcaster.commands import Activate, Choose, Draw
from domain.spellcaster.events import CardStolen
from domain.spellcaster.state import Lasting
from tests.domain.given import given, scripted
from tests.domain.spellcaster.positions import (
    act,
    activate,
    asked,
    begin,
    cards,
    lock,
    position,
)


def test_g01_dreamcloak_draws_two() -> None:
    after = activate(position(piles={"green": "g01:0"}, deck="r01 r02 r03"), "green")
    assert after.hands[0] == cards("r01 r02")


def test_g02_fumbletongue_may_discard_an_enchantment_on_top() -> None:
    state = position(piles={"green": "g02:0", "red": "r03:1", "blue": "b01:1"})
    assert activate(state, "green", "yes").discard == cards("r03")
    assert activate(state, "green", "no").discard == ()


def test_g03_serpents_tongue_steals_a_random_card() -> None:
    state = position(piles={"green": "g03:0"}, hands={1: "r01 b01 y01"})
    stolen = given(GAME, state).when(0, Activate("green"), dice=scripted(picks=[1]))
    after = stolen.then_among(CardStolen(Seat(0), Seat(1), cards("r01")[0])).state
    assert (after.hands[0], after.hands[1]) == (cards("r01"), cards("b01 y01"))


def test_g03_serpents_tongue_picks_even_from_one_card_and_not_from_none() -> None:
    for hand, rolls in (("r01", [(1, 0)]), ("", [])):
        dice = scripted()
        activate(position(piles={"green": "g03:0"}, hands={1: hand}), "green", dice=dice)
        assert dice.rolls == rolls


def test_g03_serpents_tongue_lets_the_mage_pick_among_rivals_who_hold_a_card() -> None:
    hands = {1: "r01", 3: "b01"}
    state = activate(position(4, piles={"green": "g03:0"}, hands=hands), "green")
    assert asked(state) == (0, "mage", ("1", "3"))
    assert act(state, Choose(("3",))).hands[0] == cards("b01")
    alone = activate(position(4, piles={"green": "g03:0"}, hands={3: "b01"}), "green")
    assert alone.hands[0] == cards("b01")
    assert activate(position(4, piles={"green": "g03:0"}), "green").hands[0] == ()


def test_g04_hard_question_draws_two_unless_a_card_is_discarded() -> None:
    state = position(piles={"green": "g04:0"}, hands={1: "b01"}, deck="r01 r02 r03")
    assert activate(state, "green", "refuse").hands[0] == cards("r01 r02")
    paid = activate(state, "green", "pay")
    assert (paid.hands[0], paid.discard) == ((), cards("b01"))


def test_g05_turncoat_glyph_may_turn_the_top_of_another_pile() -> None:
    state = position(piles={"green": "g05:0", "red": "r02:1", "blue": "b01:0"})
    assert asked(activate(state, "green", "yes")) == (0, "pile", ("red", "blue"))
    assert activate(state, "green", "yes", "blue").piles[3][-1].facing == 1
    assert activate(position(piles={"green": "g05:0"}), "green").pending is None


def test_g06_mirror_step_may_use_another_top_incantation_of_either_side() -> None:
    piles = {"green": "g06:0", "red": "r02:1", "blue": "b01:0", "yellow": "y02:0"}
    state = position(piles=piles)
    assert asked(activate(state, "green", "yes")) == (0, "pile", ("red", "blue"))
    assert activate(state, "green", "yes", "red").energy == (10, 8)
    assert activate(state, "green", "yes", "blue").sapphires == (4, 2)


def test_g06_mirror_step_names_the_copied_card_when_that_asks() -> None:
    state = activate(position(piles={"green": "g06:0", "red": "r09:1"}), "green", "yes")
    given(GAME, state).seen_by(1, pending__card="r09", pending__seat=1)


def test_g07_quick_sigil_gives_two_more_actions() -> None:
    assert activate(position(piles={"green": "g07:0"}), "green").actions_left == 3


def test_g08_mind_fog_makes_a_rival_discard_each_turn() -> None:
    hands = {1: "r01 r02", 3: "b01 b02"}
    state = begin(position(4, piles={"green": "g08:0"}, hands=hands))
    assert asked(state) == (0, "mage", ("1", "3"))
    picking = act(state, Choose(("3",)))
    assert asked(picking) == (3, "cards", ("b01", "b02"))
    assert act(picking, Choose(("b02",))).hands[3] == cards("b01")


def test_g09_readers_lamp_draws_each_turn() -> None:
    assert begin(position(piles={"green": "g09:0"}, deck="r01 r02 r03")).hands[0] == cards(
        "r01 r02"
    )


def test_g10_unravel_may_discard_any_other_top() -> None:
    state = position(piles={"green": "g10:0", "red": "r02:1", "blue": "b04:0"})
    assert asked(activate(state, "green", "yes")) == (0, "pile", ("red", "blue"))
    assert activate(state, "green", "yes", "red").discard == cards("r02")


def test_g11_world_turn_draws_and_turns_every_top_its_own_too() -> None:
    state = position(
        piles={"green": "g11:0", "red": "r02:1 r03:0", "blue": "b04:1"}, deck="y01 y02"
    )
    after = activate(state, "green")
    assert [[laid.facing for laid in pile] for pile in after.piles] == [[1, 1], [1], [], [0]]
    assert after.hands[0] == cards("y01")


def test_g12_deep_delve_draws_three_and_the_deck_loses_two() -> None:
    after = activate(position(piles={"green": "g12:0"}, deck="r01 r02 r03 r04 r05 r06"), "green")
    assert (after.hands[0], after.discard) == (cards("r01 r02 r03"), cards("r04 r05"))


def test_g13_binding_chain_locks_a_pile_that_faces_the_mage() -> None:
    state = position(piles={"green": "g13:0", "red": "r02:0", "blue": "b01:1"})
    assert asked(activate(state, "green")) == (0, "pile", ("red", "green"))
    locked = activate(state, "green", "red")
    given(GAME, locked).seen_by(
        1, effects=[{"kind": "lock", "side": 0, "until_turn_of": 0, "pile": "red"}]
    )
    assert not act(locked, Draw(), Draw(), Draw()).effects


def test_g13_binding_chain_may_lock_a_locked_pile_again() -> None:
    piles = {"green": "g13:0", "red": "r02:0", "blue": "b01:0"}
    chained = (lock("red", 0, 0), lock("blue", 1, 1))
    state = activate(position(piles=piles, effects=chained), "green")
    assert asked(state) == (0, "pile", ("red", "green", "blue"))


def test_g13_binding_chain_locks_the_only_pile_unasked() -> None:
    only = activate(position(piles={"green": "g13:0", "red": "r02:1"}), "green")
    assert (only.pending, [each.pile for each in only.effects]) == (None, ["green"])


def test_g13_binding_chain_keeps_the_top_from_being_turned_or_discarded() -> None:
    chained = (lock("red", 1, 1),)
    piles = {"red": "r02:1"}
    for green in ("g05:0", "g10:0", "g11:0"):
        after = activate(position(piles=piles | {"green": green}, effects=chained), "green")
        assert (after.pending, after.piles[0][-1].facing) == (None, 1)
    copied = position(piles=piles | {"green": "g06:0"}, effects=chained)
    assert activate(copied, "green", "yes").energy == (10, 8)


def test_g14_twin_casting_may_play_two_cards_without_an_action() -> None:
    state = position(piles={"green": "g14:0"}, hands={0: "r02 b01 y03"})
    assert asked(activate(state, "green", "yes")) == (0, "cards", ("b01", "r02", "y03"))
    one = activate(state, "green", "yes", "r02")
    given(GAME, one).seen_by(0, pending__min=0).seen_by(1, pending__options=None)
    assert act(one, Choose(())).actions_left == 1
    two = act(one, Choose(("b01",)))
    assert (two.pending, two.hands[0], two.actions_left) == (None, cards("y03"), 1)


def test_g14_twin_casting_is_not_offered_to_an_empty_hand() -> None:
    assert activate(position(piles={"green": "g14:0"}), "green").pending is None


def test_g15_hex_anchor_silences_an_enchantment_and_draws() -> None:
    piles = {"green": "g15:0", "red": "r03:1", "blue": "b04:1"}
    state = position(piles=piles, deck="y01 y02 y03 y04")
    assert asked(activate(state, "green")) == (0, "pile", ("red", "blue"))
    silenced = activate(state, "green", "red")
    assert silenced.hands[0] == cards("y01")
    rival = act(silenced, Draw())
    assert (rival.active, rival.energy, rival.sapphires) == (1, (10, 10), (2, 3))


def test_g15_hex_anchor_may_silence_a_silenced_enchantment_again() -> None:
    piles = {"green": "g15:0", "red": "r03:1", "blue": "b04:1"}
    silenced = Lasting("suppress", 0, Seat(0), "red", Card("r03"))
    state = activate(position(piles=piles, effects=(silenced,)), "green")
    assert asked(state) == (0, "pile", ("red", "blue"))


def test_g15_hex_anchor_silences_the_card_wherever_it_lies_and_no_other() -> None:
    silenced = Lasting("suppress", 0, Seat(0), "red", Card("r03"))
    covered = position(active=1, piles={"red": "r03:1 r12:1"}, effects=(silenced,))
    assert begin(covered).energy == (9, 10)
    uncovered = position(active=1, piles={"red": "r12:1 r03:1"}, effects=(silenced,))
    assert begin(uncovered).energy == (10, 10)


def test_g15_hex_anchor_draws_even_if_there_is_nothing_to_silence() -> None:
    after = activate(position(piles={"green": "g15:0"}, deck="y01 y02"), "green")
    assert (after.hands[0], after.effects) == (cards("y01"), ())
