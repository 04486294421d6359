"""What holds in every game, whoever plays: checked after every event of random games.

``SPELLCASTER_GAMES=5000`` plays as many for each seat count; by default there are few.
"""

import os
from collections import Counter
from functools import reduce

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from domain.dice import seeded
from domain.game import Seat, Viewer
from domain.spellcaster import GAME
from domain.spellcaster.events import Event, SpellCast, TurnBegun
from domain.spellcaster.sides import offered
from domain.spellcaster.state import Options, State, first_state

GAMES = int(os.environ.get("SPELLCASTER_GAMES", "60"))


def random_game(seats: int, seed: str, options: Options) -> tuple[State, list[Event]]:
    """A game of random moves, checked after every event."""
    dice = seeded(seed)
    state = first_state(seats, options.settled(seats))
    history: list[Event] = []
    new = GAME.start(state, dice)
    while True:
        for event in new:
            history.append(event)
            state = GAME.evolve(state, event)
            if state.turn:
                check(state)
        if GAME.is_over(state):
            return state, history
        (seat,) = GAME.to_move(state)
        moves = GAME.moves(state, seat)[:-1]
        new = GAME.decide(state, seat, moves[dice.pick(len(moves))], dice)


def check(state: State) -> None:
    zones = [*state.deck, *state.discard, *(card for hand in state.hands for card in hand)]
    zones += [laid.card for pile in state.piles for laid in pile]
    assert len(zones) == len(set(zones)) == 60
    assert min(state.energy) >= 0
    assert min(state.sapphires) >= 0
    assert all(hand == tuple(sorted(hand)) for hand in state.hands)
    longest = 55 if state.seats == 2 else 49
    assert state.turn <= longest
    assert state.actions_left >= 0
    if state.pending is not None:
        assert len(offered(state)) > state.pending.least
        assert len(set(offered(state))) == len(offered(state))
    else:
        assert state.stack == ()


@pytest.mark.timeout(600 + GAMES // 10)
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_sixty_cards_pools_and_turns_hold_and_every_card_is_resolved(seats: int) -> None:
    resolved: Counter[str] = Counter()
    for number in range(GAMES):
        state, history = random_game(seats, f"invariants {seats} {number}", Options())
        resolved.update(event.card for event in history if isinstance(event, SpellCast))
        turns = [event.turn for event in history if isinstance(event, TurnBegun)]
        assert turns == list(range(1, state.turn + 1))
    assert len(resolved) == 60, set(GAME.deck(Options())) - set(resolved)


@given(
    seats=st.sampled_from([2, 3, 4]),
    seed=st.integers(min_value=0),
    supply_cap=st.none() | st.integers(min_value=0, max_value=60),
    partners_see_hands=st.booleans(),
)
@settings(max_examples=25, deadline=None)
def test_the_invariants_hold_with_every_option(
    seats: int, seed: int, supply_cap: int | None, partners_see_hands: bool
) -> None:
    options = Options(supply_cap=supply_cap, partners_see_hands=partners_see_hands)
    state, _ = random_game(seats, str(seed), options)
    if supply_cap is not None:
        assert sum(state.sapphires) <= max(supply_cap, 4)
        assert sum(state.energy) <= max(supply_cap, 20)


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("partners_see_hands", [False, True])
def test_dealing_again_changes_nothing_that_a_viewer_sees_or_may_do(
    seats: int, partners_see_hands: bool
) -> None:
    dice = seeded("again")
    for number in range(3):
        options = Options(partners_see_hands=partners_see_hands)
        _, history = random_game(seats, f"secrets {seats} {number}", options)
        state = first_state(seats, options)
        for event in history:
            state = GAME.evolve(state, event)
            if not state.turn:
                continue
            viewers: list[Viewer] = ["spectator", *map(Seat, range(seats))]
            for viewer in viewers:
                other = GAME.reshuffle(state, viewer, dice)
                assert GAME.view(other, viewer) == GAME.view(state, viewer)
                assert GAME.to_move(other) == GAME.to_move(state)
                if not isinstance(viewer, str):
                    assert GAME.moves(other, viewer) == GAME.moves(state, viewer)
                check(other)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_history_folds_to_the_same_game(seats: int) -> None:
    state, history = random_game(seats, "fold", Options())
    assert reduce(GAME.evolve, history, first_state(seats, Options())) == state
