"""Spells while they are carried out: what they count, what they wait for, when they settle."""

from typing import Any

import pytest

from domain.game import Refused, Seat
from domain.spellcaster import GAME
from domain.spellcaster import effects as fx
from domain.spellcaster.commands import Activate, Choose, Concede, Draw, Pass
from domain.spellcaster.decide import start
from domain.spellcaster.events import (
    ActionPassed,
    ActionsGained,
    CardsDrawn,
    ChoiceMade,
    DeckShuffled,
    HandDealt,
    HandHinted,
    LastTurnFlagged,
    SpellCast,
    StarterChosen,
    TurnBegun,
)
from domain.spellcaster.sides import offered
from domain.spellcaster.state import Hint, Lasting, Options, first_state
from domain.spellcaster.targets import can_pay
from domain.value import changed
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


def test_a_side_moves_and_pays_as_much_as_the_table_says() -> None:
    hands = {1: "b01 g01"}
    moved = cast([["transfer", "rival", "self", "energy", "hand(rival)"]], hands=hands)
    assert moved.energy == (12, 8)
    pay = ["pay", "self", "energy", "hand(rival)"]
    assert cast([pay], hands=hands).energy == (8, 10)
    offer = [["may", "self", [pay], [["gain", "self", "sapphire", 1]]]]
    assert asked(cast(offer, hands=hands, energy=(2, 9))) == (0, "may", ("yes", "no"))
    assert cast(offer, hands=hands, energy=(1, 9)).pending is None


def test_x_is_known_until_the_spell_is_over() -> None:
    effect = [PAID, ["flip_all"], ["gain", "self", "energy", "X"], ["draw", "self", "X"]]
    after = cast(effect, "b01", "g01", hands={0: "b01 g01"}, deck="r05 r06 r07")
    assert (after.energy, after.hands[0]) == ((12, 10), cards("r05 r06"))


def test_every_top_turns_that_no_lock_of_the_other_side_holds() -> None:
    """Ruling 42."""
    piles = {"green": "g08:1", "yellow": "y03:1"}
    locks = (lock("green", 0, 0), lock("yellow", 1, 1))
    after = cast([["flip_all"]], piles=piles, effects=locks)
    assert [pile[-1].facing for pile in after.piles if pile] == [1, 0, 1]


def test_who_draws_from_an_empty_deck_is_told_nothing_but_the_last_turn() -> None:
    """2.6."""
    with listed_with("r02", {"effect": [["draw", "self", 1]], "asterisk": True}) as name:
        state = position(piles={"red": "r02:0"}, deck="", hands={0: "b01"}, deck_list=name)
        given(GAME, state).when(0, Activate("red")).then(
            SpellCast(Seat(0), cards("r02")[0], "red", "action", 1), LastTurnFlagged(1)
        )


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
    assert (state.stack, state.pending, offered(state)) == ((), None, ())
    given(GAME, state).seen_by(0, active=0, turn=0, hand=[], used=[], end_after_turn=False)
    assert GAME.to_move(state) == ()
    assert GAME.moves(state, Seat(0)) == ()


def test_a_game_begins_with_the_starter_the_deck_the_hands_and_a_turn() -> None:
    """2.2 and 2.3, event by event."""
    state = first_state(2, Options(starter=Seat(1)))
    starter, shuffled, *dealt, begun, drawn, gained = start(state, scripted())
    assert (starter, begun) == (StarterChosen(Seat(1)), TurnBegun(Seat(1), 1, ()))
    assert isinstance(shuffled, DeckShuffled)
    deck = shuffled.deck
    assert shuffled.count == len(deck) == 60
    assert dealt == [HandDealt(Seat(0), 3, deck[:3]), HandDealt(Seat(1), 3, deck[3:6])]
    assert drawn == CardsDrawn(Seat(1), 1, "turn", 0, deck[6:7])
    assert gained == ActionsGained(Seat(1), 2, 2)


def test_of_three_mages_the_first_is_told_to_start_without_dice() -> None:
    """Ruling 47."""
    dice = scripted()
    assert start(first_state(3, Options()), dice)[0] == StarterChosen(Seat(0))
    assert [n for n, _ in dice.rolls] == list(range(60, 1, -1))


def test_active_spells_are_told_when_the_turn_begins_and_when_they_resolve() -> None:
    """2.3 and ruling 21."""
    state = position(active=1, piles={"green": "g09:0", "yellow": "y03:0"}, actions=1)
    events = given(GAME, state).when(1, Draw()).events()
    assert TurnBegun(Seat(0), 3, cards("g09")) in events
    assert SpellCast(Seat(0), cards("g09")[0], "green", "turn", 0) in events


def test_what_a_mage_chose_is_told_with_the_card_that_asked() -> None:
    state = activate(position(piles={"red": "r08:0"}, hands={1: "g01 g02"}), "red")
    after = given(GAME, state).when(1, Choose(("pay",)))
    after.then_among(ChoiceMade(Seat(1), cards("r08")[0], "unless", ("pay",)))
    done = act(state, Choose(("pay",)), Choose(("g01",)))
    assert (done.pending, done.stack) == (None, ())


def test_cards_and_actions_that_a_spell_brings_are_told_as_such() -> None:
    effect = [["draw", "self", 2], ["actions", "self", "hand(rival)"]]
    with listed_with("r02", {"effect": effect, "asterisk": True}) as name:
        state = position(
            piles={"red": "r02:0"}, hands={1: "b01 g01"}, deck="r05 r06", deck_list=name
        )
        given(GAME, state).when(0, Activate("red")).then(
            SpellCast(Seat(0), cards("r02")[0], "red", "action", 1),
            CardsDrawn(Seat(0), 2, "spell", 1, cards("r05 r06")),
            ActionsGained(Seat(0), 2, 3),
        )
        short = changed(state, deck=cards("r05"))
        given(GAME, short).when(0, Activate("red")).then_among(
            CardsDrawn(Seat(0), 1, "spell", 1, cards("r05")), LastTurnFlagged(1)
        )


def test_a_cost_of_a_rivals_hand_is_paid_by_the_one_who_was_asked() -> None:
    effect = [["may", "rival", [["discard", "rival", 1, "owner"]], [["draw", "self", 1]]]]
    hands = {0: "y01", 1: "b01 g01", 3: "b02 g02"}
    assert asked(cast(effect, seats=4, hands=hands)) == (1, "may", ("yes", "no"))
    paying = cast(effect, "yes", seats=4, hands=hands)
    assert asked(paying) == (1, "cards", ("b01", "g01"))


def test_a_cost_of_cards_is_counted_together() -> None:
    one: list[Any] = ["discard", "self", 1, "owner"]
    effect = [["may", "self", [one, one], [["gain", "self", "sapphire", 1]]]]
    assert cast(effect, hands={0: "b01"}).pending is None
    assert asked(cast(effect, hands={0: "b01 g01"})) == (0, "may", ("yes", "no"))
    counted = [PAID, ["may", "self", [["discard", "self", "X", "owner"]], [["flip_all"]]]]
    assert cast(counted, "b01", "g01", hands={0: "b01 g01 y01"}).pending is None
    enough = cast(counted, "b01", "g01", hands={0: "b01 g01 y01 y02"})
    assert asked(enough) == (0, "may", ("yes", "no"))


def test_who_has_too_few_cards_loses_those_there_are() -> None:
    after = cast([["discard", "self", 3, "owner"]], "b01", hands={0: "b01 g01"})
    assert (after.pending, after.hands[0]) == (None, ())


def test_free_plays_end_with_their_number_or_with_the_hand() -> None:
    after = cast([["play", "self", 1]], "b01", hands={0: "b01 g01"})
    assert (after.pending, after.hands[0]) == (None, cards("g01"))
    assert cast([["play", "self", 1]]).pending is None


def test_whoever_concedes_the_whole_other_side_wins() -> None:
    for seat, winners in ((0, [1, 3]), (1, [0, 2]), (2, [1, 3]), (3, [0, 2])):
        over = given(GAME, position(4)).when(seat, Concede()).then().state
        assert GAME.result(over) == {"winners": winners, "reason": "concede"}


def test_a_viewer_sees_exactly_what_lies_open() -> None:
    """Section 5."""
    state = position(
        hands={0: "r01", 1: "b01 b02"},
        piles={"red": "r03:1 r02:0"},
        deck="g01 g02",
        discard="y01",
        energy=(9, 8),
        sapphires=(3, 4),
        used="r02",
        effects=(lock("red", 1, 1),),
    )
    open_to_all = {
        "turn": 1,
        "phase": "actions",
        "active": 0,
        "actions_left": 2,
        "sides": [
            {"seats": [0], "energy": 9, "sapphires": 3},
            {"seats": [1], "energy": 8, "sapphires": 4},
        ],
        "hand": None,
        "hand_sizes": [1, 2],
        "deck": 2,
        "discard": ["y01"],
        "piles": {
            "red": [{"card": "r03", "facing": 1}, {"card": "r02", "facing": 0}],
            "green": [],
            "yellow": [],
            "blue": [],
        },
        "used": ["r02"],
        "effects": [{"kind": "lock", "side": 1, "until_turn_of": 1, "pile": "red"}],
        "pending": None,
        "end_after_turn": False,
    }
    assert GAME.view(state, "spectator") == open_to_all
    assert GAME.view(state, Seat(1)) == open_to_all | {"hand": ["b01", "b02"]}


def test_nobody_moves_in_the_place_of_a_mage_whose_turn_it_is_not() -> None:
    with pytest.raises(Refused) as refusal:
        GAME.fallback(position(), Seat(1))
    assert refusal.value.code == "not-your-turn"


def test_a_pass_tells_who_passed_and_what_that_tells_of_the_hand() -> None:
    locks = (lock("red", 1, 1), lock("green", 0, 0))
    stuck = position(deck="", hands={0: "r01 r02"}, effects=locks)
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
        locked = activate(state, "yellow", "yes")
        assert asked(locked) == (0, "cards", ("b01", "g01"))
        assert locked.knowledge[1].hints == (Hint((Seat(0),), ("green", "yellow", "blue"), 2, ()),)
        assert locked.pending is not None
        assert locked.pending.colours == ("green", "yellow", "blue")


def test_nothing_is_told_of_a_hand_by_locks_of_ones_own_or_by_offers_of_something_else() -> None:
    play, gain = ["play", "self", 1], ["gain", "self", "sapphire", 1]
    for step, locked in ((play, lock("red", 0, 0)), (gain, lock("red", 1, 1))):
        effect = [["may", "self", [], [step]]]
        with listed_with("y03", {"effect": effect, "asterisk": True}) as name:
            state = position(
                hands={0: "g01 b01"},
                piles={"yellow": "y03:0"},
                effects=(locked,),
                deck_list=name,
            )
            events = given(GAME, state).when(0, Activate("yellow")).events()
            assert [type(each).__name__ for each in events] == ["SpellCast", "ChoiceOffered"]
