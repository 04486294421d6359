"""Whole deals and games: the worked deal G1, dealing, choosing, the end."""

from collections.abc import Iterator
from functools import reduce
from typing import Any

import pytest

from domain.game import Seat
from domain.potage_sauvage import GAME
from domain.potage_sauvage.cards import DECK, RECIPES, Recipe, in_order
from domain.potage_sauvage.commands import ChooseRecipe
from domain.potage_sauvage.decide import start
from domain.potage_sauvage.events import (
    CardsSetAside,
    DealScored,
    DealStarted,
    HandDealt,
    RecipeChosen,
    RecipesRevealed,
)
from domain.potage_sauvage.options import Options
from domain.potage_sauvage.scoring import deal_points
from domain.potage_sauvage.state import State, initial
from domain.selfplay import selfplay
from domain.table.view import view as table_view
from tests.domain.given import given, scripted
from tests.domain.potage_sauvage.positions import (
    G1_HANDS,
    G1_TRICKS,
    A,
    B,
    C,
    cards,
    choose_all,
    dealt,
    g1,
    play_out,
    playing,
)

G1_PILES = ("VR F1 F2 W1 W3 W5", "I1 I2 I2 I3 I3 I10 IH V1 V2 V10 F3 F5 F10 FH W4")


def g1_scored() -> State:
    state = g1()
    for trick in G1_TRICKS:
        state = play_out(state, trick).state
    return state


def test_g1_ends_with_an_open_trick_that_is_nobodys() -> None:
    given(GAME, g1_scored()).seen_by(
        "spectator",
        deal=2,
        dealer=1,
        phase="choosing",
        scores=[8, 11],
        last_deal__recipes=["waste", "insects"],
        last_deal__captured=[each.split() for each in G1_PILES],
        last_deal__scores=[3, 6],
    )


def test_g1_gives_the_next_lead_to_the_seat_left_of_the_next_dealer() -> None:
    given(GAME, choose_all(g1_scored(), "fruits", "fruits")).seen_by("spectator", active=A)


@pytest.mark.parametrize("trick", range(len(G1_TRICKS)))
def test_g1_grows_the_piles_trick_by_trick(trick: int) -> None:
    piles = [[0, 7], [0, 10], [0, 13], [6, 13], [6, 15], [0, 0]]
    state = g1()
    for each in G1_TRICKS[: trick + 1]:
        state = play_out(state, each).state
    given(GAME, state).seen_by("spectator", piles=piles[trick])


@pytest.mark.parametrize(
    ("pile", "points"),
    [(G1_PILES[A], (-3, -2, -1, 3, -1)), (G1_PILES[B], (6, 2, 3, -1, -10))],
)
def test_g1_piles_under_every_recipe(pile: str, points: tuple[int, ...]) -> None:
    assert tuple(deal_points(recipe, cards(pile)) for recipe in RECIPES) == points


def test_seat_0_takes_the_first_cards_of_the_deck_and_the_rest_is_set_aside() -> None:
    first = initial(2, Options())
    deck = scripted(cards(" ".join(G1_HANDS))).shuffle(DECK)
    assert start(first, scripted(cards(" ".join(G1_HANDS)))) == (
        DealStarted(1, A, hand_size=13, aside=26),
        HandDealt(A, in_order(cards(G1_HANDS[0]))),
        HandDealt(B, in_order(cards(G1_HANDS[1]))),
        CardsSetAside(in_order(deck[26:])),
    )


def test_four_seats_leave_nothing_to_set_aside() -> None:
    events = start(initial(4, Options()), scripted())
    assert [type(event) for event in events] == [DealStarted, *[HandDealt] * 4]


def test_a_deal_is_one_shuffle_of_the_whole_deck() -> None:
    dice = scripted()
    start(initial(3, Options()), dice)
    assert [n for n, _ in dice.rolls] == list(range(52, 1, -1))


def test_a_choice_is_hidden_until_the_last_one_is_made() -> None:
    some = given(GAME, dealt(3)).when(1, ChooseRecipe("waste")).then(RecipeChosen(B, "waste"))
    some.seen_by(0, recipes__chosen=[None, "hidden", None])
    some.seen_by(1, recipes__chosen=[None, "waste", None], recipes__left__1=list(RECIPES))
    some.seen_by("spectator", recipes__chosen=[None, "hidden", None])
    assert GAME.to_move(some.state) == (A, C)
    more = some.when(0, ChooseRecipe("waste")).then(RecipeChosen(A, "waste"))
    recipes: tuple[Recipe, ...] = ("waste", "waste", "fruits")
    shown = more.when(2, ChooseRecipe("fruits")).then(
        RecipeChosen(C, "fruits"), RecipesRevealed(recipes, leader=B)
    )
    shown.seen_by("spectator", recipes__chosen=recipes, active=1, phase="playing")
    shown.seen_by(0, recipes__left__1=["insects", "vegetables", "fruits", "multicolour"])


def test_the_arbiter_of_a_running_game_sees_every_hidden_zone() -> None:
    state = given(GAME, dealt(2)).when(0, ChooseRecipe("waste")).then().state
    assert GAME.view(state, "arbiter")["open"] == {
        "hands": [list(hand) for hand in state.hands],
        "aside": list(state.aside),
        "chosen": ["waste", None],
        "piles": [[], []],
    }


def test_captured_cards_are_shown_to_the_arbiter_in_deck_list_order() -> None:
    pot = play_out(playing("I5 V1 V2", "IH I3 F1", "I2 W1"), "A I5=5, B IH=5, C I2=7, A V2=9")
    done = play_out(pot.state, "B I3=12").seen_by("spectator", piles=[0, 5, 0])
    assert GAME.view(done.state, "arbiter")["open"]["piles"] == [
        [],
        ["I2", "I3", "I5", "IH", "V2"],
        [],
    ]


def test_the_last_deal_stays_in_sight_until_the_next_one_is_scored() -> None:
    scored = play_out(playing("I5 V1", "I5"), "A I5=5, B I5=10").state
    last = {"recipes": ["insects", "insects"], "captured": [[], ["I5", "I5"]], "scores": [0, 2]}
    given(GAME, scored).seen_by("spectator", deal=2, last_deal=last)
    later = choose_all(scored, "fruits", "waste")
    lead = given(GAME, later).seen_by("spectator", phase="playing", last_deal=last)
    first = GAME.moves(lead.state, A)[0]
    lead.when(0, first).then().seen_by("spectator", last_deal=last)


def test_a_game_that_is_over_shows_an_empty_table_and_the_last_deal() -> None:
    *_, last = selfplay(GAME, 3, options={"first_dealer": 1})
    seen = table_view(last.after, Seat(0))
    assert seen["to_move"] == seen["moves"] == []
    assert {name: value for name, value in seen["play"].items() if name != "last_deal"} == {
        "deal": 5,
        "dealer": 2,
        "phase": "over",
        "active": None,
        "scores": seen["result"]["scores"],
        "hand": [],
        "hand_sizes": [0, 0, 0],
        "recipes": {"chosen": [None] * 3, "left": [[], [], []]},
        "trick": {"cards": [], "sum": 0, "led": None, "free": False},
        "piles": [0, 0, 0],
    }
    assert seen["play"]["last_deal"]["recipes"] == list(last_deal(last.events).recipes)
    assert table_view(last.after, "spectator")["play"]["hand"] is None
    assert last.after.play.aside == ()


def last_deal(events: tuple[Any, ...]) -> DealScored:
    return next(event for event in events if isinstance(event, DealScored))


def states(seats: int, seed: int) -> Iterator[State]:
    """Yield the state after every event of a random game, once the first hands are dealt."""
    for step in selfplay(GAME, seats, seed=seed):
        state = step.before.play
        for event in step.events:
            if type(event) in GAME.events:
                state = reduce(GAME.evolve, [event], state or initial(seats, Options()))
                yield state


@pytest.mark.parametrize("seats", GAME.seats)
@pytest.mark.parametrize("seed", range(4))
def test_the_invariants_hold_after_every_event_of_random_games(seats: int, seed: int) -> None:
    for state in states(seats, seed):
        if state.phase != "playing":
            continue
        pot = [laid.card for laid in state.trick.cards]
        everywhere = [*pot, *state.aside, *sum(state.hands, ()), *sum(state.captured, ())]
        assert in_order(everywhere) == DECK
        assert 0 <= state.trick.sum <= 9
        assert {len(left) for left in state.left} == {5 - state.deal}
        assert all(hand == in_order(hand) for hand in state.hands)


@pytest.mark.parametrize("seats", GAME.seats)
def test_totals_add_up_over_five_deals_and_every_recipe_is_used_once(seats: int) -> None:
    steps = list(selfplay(GAME, seats, seed=7))
    scored = [event for step in steps for event in step.events if isinstance(event, DealScored)]
    assert [event.deal for event in scored] == [1, 2, 3, 4, 5]
    for seat in range(seats):
        assert {event.recipes[seat] for event in scored} == set(RECIPES)
        assert 5 + sum(event.points[seat] for event in scored) == scored[-1].totals[seat]
