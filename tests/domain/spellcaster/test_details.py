"""The settled details: choices, refusals in their order, effects, results, options."""

import msgspec
import pytest

from domain.game import BadField, Seat
from domain.spellcaster import GAME
from domain.spellcaster.cards import Card
from domain.spellcaster.commands import Activate, Choose, Concede, Draw, Pass, Play
from domain.spellcaster.decide import start
from domain.spellcaster.decks import DECKS
from domain.spellcaster.events import (
    CardPlayed,
    CardsDrawn,
    MageConceded,
    ResourceLost,
    SpellCast,
    WinnersDecided,
)
from domain.spellcaster.sides import next_opponents
from domain.spellcaster.state import Options, State, first_state
from domain.wire import read_command, read_options
from tests.domain.given import given, scripted
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


def test_the_starter_is_one_pick_and_the_deck_one_shuffle() -> None:
    dice = scripted(["r01", "r02", "r03", "b01", "b02", "b03", "g01"], picks=[1])
    state = given(GAME, first_state(2, Options()), *start(first_state(2, Options()), dice))
    state.seen_by(0, active=1, turn=1, deck=53, hand=["r01", "r02", "r03"])
    state.seen_by(1, hand=["b01", "b02", "b03", "g01"], actions_left=2, phase="actions")
    assert [n for n, _ in dice.rolls] == [2, *range(60, 1, -1)]


def test_nobody_has_an_action_before_the_game_starts() -> None:
    given(GAME, first_state(2, Options())).seen_by("spectator", actions_left=0, turn=0)


def test_with_three_seats_the_first_starts_and_with_four_the_dice_say() -> None:
    three, four = scripted(), scripted(picks=[2])
    given(GAME, first_state(3, Options()), *start(first_state(3, Options()), three)).seen_by(
        0, active=0
    )
    given(GAME, first_state(4, Options()), *start(first_state(4, Options()), four)).seen_by(
        0, active=2
    )
    assert (three.rolls[0][0], four.rolls[0][0]) == (60, 4)


def test_an_agreed_starter_needs_no_dice() -> None:
    dice = scripted(["r01"])
    events = start(first_state(4, Options(starter=Seat(2))), dice)
    given(GAME, first_state(4, Options()), *events).seen_by(2, active=2)
    assert [n for n, _ in dice.rolls] == list(range(60, 1, -1))


def test_a_draw_is_told_with_the_card_to_the_mage_alone() -> None:
    given(GAME, position(deck="g01 g02")).when(0, Draw()).then(
        CardsDrawn(Seat(0), 1, "action", 1, cards("g01"))
    ).seen_by(0, hand=["g01"]).seen_by(1, hand_sizes=[1, 0], deck=1)


def test_a_play_takes_control_of_the_colour_and_does_nothing_else() -> None:
    state = position(hands={0: "r02"}, piles={"red": "r04:1"})
    given(GAME, state).when(0, Play(Card("r02"))).then(
        CardPlayed(Seat(0), Card("r02"), "red", 0, free=False, actions_left=1)
    )


def test_an_activation_is_paid_before_it_is_carried_out() -> None:
    given(GAME, position(piles={"red": "r02:0"})).when(0, Activate("red")).then(
        SpellCast(Seat(0), Card("r02"), "red", "action", 1),
        ResourceLost(1, "energy", 2, 8),
    )


def test_a_choice_is_refused_for_the_first_reason_that_holds() -> None:
    state = activate(position(piles={"red": "r08:0"}, hands={1: "g01 g02"}), "red")
    given(GAME, position()).when(0, Choose(("yes",))).refused("wrong-phase")
    given(GAME, state).when(0, Choose(("pay", "pay"))).refused("not-your-choice")
    given(GAME, state).when(1, Choose(("pay", "refuse"))).refused("wrong-count")
    given(GAME, state).when(1, Choose(("pay", "pay"))).refused("wrong-count")
    given(GAME, state).when(1, Choose(())).refused("wrong-count")
    given(GAME, state).when(1, Choose(("yes",))).refused("no-such-option")


def test_an_action_is_refused_for_the_first_reason_that_holds() -> None:
    choosing = activate(position(piles={"red": "r08:0"}, hands={1: "g01 g02"}), "red")
    for seat in (0, 1):
        for command in (Draw(), Play(Card("g01")), Activate("red"), Pass()):
            given(GAME, choosing).when(seat, command).refused("wrong-phase")
    empty = position(deck="", hands={0: "r01"}, effects=(lock("red", 1, 1),))
    given(GAME, empty).when(1, Draw()).refused("not-your-turn")
    given(GAME, empty).when(0, Draw()).refused("deck-empty")
    given(GAME, empty).when(0, Play(Card("r02"))).refused("card-not-in-hand")
    given(GAME, empty).when(0, Play(Card("r01"))).refused("pile-locked")
    piles = {"red": "r03:1", "green": "g09:0", "blue": "b01:0"}
    tops = position(piles=piles, used="b01")
    given(GAME, tops).when(0, Activate("yellow")).refused("pile-empty")
    given(GAME, tops).when(0, Activate("red")).refused("pile-not-yours")
    given(GAME, tops).when(0, Activate("green")).refused("not-an-incantation")
    given(GAME, tops).when(0, Activate("blue")).refused("already-used")
    given(GAME, tops).when(0, Pass()).refused("must-act")


def test_nothing_is_accepted_after_the_end() -> None:
    over = act(position(active=1), Concede())
    for seat in (0, 1):
        for command in (Draw(), Choose(("yes",)), Pass(), Concede()):
            given(GAME, over).when(seat, command).refused("game-over")
        assert GAME.moves(over, Seat(seat)) == ()
    assert GAME.to_move(over) == ()


def test_any_seat_may_concede_at_any_time_and_the_other_side_wins() -> None:
    state = activate(position(4, piles={"red": "r08:0"}, hands={1: "g01 g02"}), "red")
    for seat in range(4):
        given(GAME, state).may(seat, Concede())
    assert GAME.to_move(state) == (1,)
    over = given(GAME, state).when(2, Concede())
    over.then(MageConceded(Seat(2)), WinnersDecided((Seat(1), Seat(3)), "concede")).seen_by(
        2, phase="over", pending=None, active=0, actions_left=1
    )
    assert GAME.result(over.then().state) == {"winners": [1, 3], "reason": "concede"}


def test_the_order_of_active_spells_is_asked_before_any_spell_resolves() -> None:
    state = begin(position(piles={"yellow": "y02:0", "green": "g08:0"}))
    assert asked(state) == (0, "next_enchantment", ("green", "yellow"))
    assert state.stack == ()


def test_the_arbiter_sees_every_hidden_zone_only_while_the_game_runs() -> None:
    state = position(hands={0: "r01"}, deck="g01 g02")
    given(GAME, state).seen_by(
        "arbiter", hand=None, open={"hands": [["r01"], []], "deck": ["g01", "g02"]}
    )
    over = act(state, Concede())
    assert GAME.view(over, "arbiter") == GAME.view(over, "spectator")


def test_options_of_a_choice_are_hidden_where_they_name_cards_of_a_hand() -> None:
    state = begin(position(piles={"green": "g08:0"}, hands={1: "r01 b02"}))
    shown = {"seat": 1, "card": "g08", "kind": "cards", "min": 1, "max": 1}
    given(GAME, state).seen_by(1, pending=shown | {"options": ["b02", "r01"]})
    for viewer in (0, "spectator"):
        given(GAME, state).seen_by(viewer, pending=shown | {"options": None})


def test_a_suspended_spell_survives_storage_and_goes_on_as_if_nothing_had_happened() -> None:
    state = activate(
        position(piles={"green": "g06:0", "red": "r08:1"}, hands={1: "g01 g02"}), "green", "yes"
    )
    stored = msgspec.json.encode(state)
    again = msgspec.json.decode(stored, type=State)
    assert again == state
    assert asked(again) == (1, "unless", ("pay", "refuse"))
    picks = (Choose(("pay",)), Choose(("g02",)))
    assert act(again, *picks) == act(state, *picks)


def test_a_copied_spell_settles_together_with_the_copying_one() -> None:
    # Both are at no energy only once the copied spell is over: then sapphires decide.
    state = position(piles={"green": "g06:0", "red": "r10:1"}, energy=(2, 1), sapphires=(3, 2))
    assert GAME.result(activate(state, "green", "yes")) == {"winners": [0], "reason": "energy"}


def test_a_lock_and_a_suppression_stay_whatever_happens_on_the_pile() -> None:
    piles = {"green": "g15:0", "red": "r02:1 r03:1", "yellow": "y12:0"}
    silenced = activate(activate(position(piles=piles, actions=4), "green"), "yellow", "yes")
    assert silenced.discard == cards("r03")
    given(GAME, silenced).seen_by(
        0, effects=[{"kind": "suppress", "side": 0, "until_turn_of": 0, "pile": "red"}]
    )


def test_a_lock_stays_on_its_pile_when_the_top_is_gone() -> None:
    piles = {"red": "r02:1 r03:0", "yellow": "y12:0"}
    state = position(piles=piles, hands={1: "r04"}, effects=(lock("red", 0, 0),), actions=1)
    gone = activate(state, "yellow", "yes")
    assert (gone.active, gone.discard) == (1, cards("r03"))
    given(GAME, gone).when(1, Play(Card("r04"))).refused("pile-locked")
    given(GAME, gone).may(1, Activate("red"))


def test_partners_use_each_others_cards_and_active_spells_work_for_both() -> None:
    # Seat 2 follows seat 0: what faces their side is theirs, but each card counts anew each turn.
    state = position(4, active=2, piles={"red": "r02:0 r04:0", "blue": "b04:0"})
    begun = begin(state)
    assert (begun.sapphires, begun.used) == ((3, 2), cards("b04"))
    given(GAME, begun).may(2, Activate("red")).may_not(0, Activate("red"))
    given(GAME, position(4, active=3, piles={"red": "r04:0"})).when(3, Activate("red")).refused(
        "pile-not-yours"
    )


@pytest.mark.parametrize(("seats", "left"), [(2, 54), (3, 48), (4, 48)])
def test_the_deal_leaves_so_many_cards_before_the_free_draw(seats: int, left: int) -> None:
    state = first_state(seats, Options())
    given(GAME, state, *start(state, scripted())).seen_by("spectator", deck=left - 1, turn=1)


def test_active_spells_come_before_the_free_draw_and_wait_without_actions() -> None:
    state = begin(position(piles={"yellow": "y02:0", "red": "r03:0"}, deck="g01 g02"))
    given(GAME, state).seen_by(0, phase="choice", actions_left=0, deck=2, hand=[])
    assert act(state, Choose(("red",))).hands[0] == cards("g01")


def test_equal_wards_add_up_and_the_oldest_shield_goes_first() -> None:
    mantles = (ward("reduce_energy_loss_1", 1, 1), ward("reduce_energy_loss_1", 1, 3))
    assert activate(position(4, piles={"red": "r05:0"}, effects=mantles), "red").energy == (9, 9)
    shields = (ward("next_loss_energy", 1, 3), ward("next_loss_energy", 1, 1))
    after = activate(position(4, piles={"red": "r02:0"}, effects=shields), "red")
    assert (after.energy, after.effects) == ((10, 10), shields[1:])


def test_a_loss_of_nothing_uses_no_shield() -> None:
    shield = (ward("next_loss_energy", 1, 1),)
    state = position(piles={"red": "r11:0"}, effects=shield)
    assert activate(state, "red").effects == shield


def test_a_shield_is_used_by_what_is_asked_for_not_by_what_is_there() -> None:
    shield = (ward("next_loss_energy", 1, 1),)
    state = position(piles={"red": "r02:0"}, energy=(10, 1), effects=shield)
    after = activate(state, "red")
    assert (after.energy, after.effects) == ((10, 1), ())


def test_opposing_mages_are_asked_from_the_one_who_plays_next() -> None:
    assert next_opponents(position(4, active=2)) == (3, 1)
    assert next_opponents(position(4, active=0)) == (1, 3)
    assert next_opponents(position(3, active=1, turn=2)) == (2, 0)
    assert next_opponents(position(3, active=1, turn=4)) == (0, 2)
    assert next_opponents(position(3, active=2)) == (1,)


def test_an_absent_mage_declines_what_is_optional_and_else_takes_the_first_option() -> None:
    may = activate(position(piles={"red": "r06:0"}), "red")
    assert GAME.fallback(may, Seat(0)) == Choose(("no",))
    unless = activate(position(piles={"yellow": "y13:0"}), "yellow")
    assert GAME.fallback(unless, Seat(1)) == Choose(("refuse",))
    pages = activate(position(piles={"red": "r15:0"}, hands={0: "g01"}), "red")
    assert GAME.fallback(pages, Seat(0)) == Choose(())
    fog = begin(position(piles={"green": "g08:0"}, hands={1: "r01 b02"}))
    assert GAME.fallback(fog, Seat(1)) == Choose(("b02",))
    cruel = activate(position(piles={"red": "r09:0"}), "red")
    assert GAME.fallback(cruel, Seat(1)) == Choose(("0",))
    assert GAME.fallback(position(), Seat(0)) == Draw()
    assert GAME.fallback(position(deck="", hands={0: "r01"}), Seat(0)) == Play(Card("r01"))


def test_moves_list_each_answer_once_and_the_empty_one_after_the_others() -> None:
    pages = activate(position(piles={"red": "r15:0"}, hands={0: "g01 g02"}), "red")
    assert GAME.moves(pages, Seat(0)) == (
        Choose(("g01",)),
        Choose(("g02",)),
        Choose(()),
        Concede(),
    )
    assert GAME.moves(pages, Seat(1)) == (Concede(),)


@pytest.mark.parametrize(
    ("seats", "options", "field"),
    [
        (2, {"starter": 2}, "starter"),
        (3, {"starter": 2}, "starter"),
        (4, {"starter": -1}, "starter"),
        (2, {"supply_cap": -1}, "supply_cap"),
        (2, {"supply_cap": "30"}, "supply_cap"),
        (2, {"supply_cap": 2**53}, "supply_cap"),
        (2, {"partners_see_hands": None}, "partners_see_hands"),
        (2, {"deck": "printed"}, "deck"),
        (2, {"colour": "red"}, "colour"),
    ],
)
def test_options_out_of_range_are_bad_fields(
    seats: int, options: dict[str, object], field: str
) -> None:
    with pytest.raises(BadField) as bad:
        read_options(GAME, options, seats)
    assert bad.value.field == field


def test_who_asks_for_a_starter_that_there_is_not_is_told_the_last_one() -> None:
    for seats, last in ((2, 1), (3, 0), (4, 3)):
        assert Options(starter=Seat(last)).settled(seats).starter == last
        with pytest.raises(BadField) as bad:
            Options(starter=Seat(last + 1)).settled(seats)
        assert (bad.value.field, bad.value.reason) == ("starter", f"must be null or at most {last}")


def test_options_of_a_list_that_is_not_there_are_bad_fields() -> None:
    with pytest.raises(BadField) as bad:
        Options(deck="printed").settled(2)
    assert (bad.value.field, bad.value.reason) == ("deck", f"must be one of {', '.join(DECKS)}")


@pytest.mark.parametrize(
    "body",
    [
        {"type": "play", "card": "r16"},
        {"type": "activate", "pile": "purple"},
        {"type": "choose", "pick": "yes"},
        {"type": "flee"},
        {"type": "draw", "card": "r01"},
        {},
        {"type": None},
        {"type": ["draw"]},
        {"type": {"draw": True}},
        [],
        "draw",
        None,
    ],
)
def test_an_unknown_card_colour_or_type_is_a_bad_field(body: object) -> None:
    with pytest.raises(BadField):
        read_command(GAME, body)


def test_free_plays_forced_by_a_lock_are_carried_out_at_once() -> None:
    state = position(piles={"green": "g14:0"}, hands={0: "b01 r02"}, effects=(lock("red", 1, 1),))
    after = activate(state, "green", "yes")
    assert (after.pending, after.hands[0]) == (None, cards("r02"))
