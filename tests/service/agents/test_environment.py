"""Every game passes PettingZoo's own tests, and no agent observes what its seat may not know."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from pettingzoo.test import api_test, seed_test  # type: ignore[import-untyped]

from domain.catalogue import games
from domain.dice import seeded
from domain.game import Seat
from domain.selfplay import selfplay
from domain.table.view import moves, reshuffle, view
from domain.wire import plain_command, read_command
from service.agents.actions import actions_of
from service.agents.environment import TableEnv, env
from service.agents.observations import LARGEST, SIZE, observation

EVERY = [(name, seats) for name, game in games().items() for seats in game.seats]
every = pytest.mark.parametrize(("game", "seats"), EVERY)


# An observation with a mask beside it is PettingZoo's own convention, which its test still
# remarks upon; a mask is empty once there is nothing left to do.
@pytest.mark.filterwarnings(
    "ignore:Observation is not a NumPy array",
    "ignore:Observation space for each agent probably should be",
    "ignore:Action mask numpy array is all zeros",
)
@every
def test_it_passes_the_api_test(game: str, seats: int) -> None:
    api_test(env(game, seats), num_cycles=100)


@every
def test_the_same_seed_and_actions_lead_to_the_same_table(game: str, seats: int) -> None:
    seed_test(lambda: env(game, seats), num_cycles=30)


@every
def test_random_agents_play_to_an_end_with_rewards_that_tell_the_winners(
    game: str, seats: int
) -> None:
    played = TableEnv(game, seats)
    played.reset(seed=5)
    total = dict.fromkeys(played.possible_agents, 0.0)
    picking = np.random.default_rng(5)
    for agent in played.agent_iter():
        seen, reward, over, given_up, _ = played.last()
        total[agent] += reward
        assert not given_up
        assert seen is not None
        legal = np.flatnonzero(seen["action_mask"])
        assert bool(over) == (len(legal) == 0)
        played.step(None if over else int(picking.choice(legal)))
    assert played.agents == []
    result = played.game.result(played._table.play)
    assert result
    winners = result["winners"]
    if 0 < len(winners) < seats:
        assert total == {f"seat_{s}": 1.0 if s in winners else -1.0 for s in range(seats)}
    else:
        assert set(total.values()) == {0.0}


@every
def test_every_legal_move_is_an_action_and_every_action_a_command(game: str, seats: int) -> None:
    actions = actions_of(game, seats)
    for command in actions.commands[:: max(1, len(actions.commands) // 200)]:
        again = plain_command(read_command(games()[game], command))
        assert actions.number(again) == actions.number(command)
    for seed in range(3):
        for step in selfplay(game, seats, seed=seed):
            for seat in range(seats):
                listed = [plain_command(each) for each in moves(step.after, Seat(seat))]
                assert len({actions.number(each) for each in listed}) == len(listed)


@every
def test_hidden_cards_dealt_again_change_no_observation(game: str, seats: int) -> None:
    watched = TableEnv(game, seats)
    watched.reset(seed=3)
    dealt = 0
    for at, step in enumerate(selfplay(game, seats, seed=3)):
        if at % 7 or step.after.phase != "playing":
            continue
        for seat in map(Seat, range(seats)):
            watched._table = step.after
            before = watched.observe(f"seat_{seat}")
            watched._table = reshuffle(step.after, seat, seeded(at))
            dealt += watched._table != step.after
            after = watched.observe(f"seat_{seat}")
            assert np.array_equal(before["observation"], after["observation"])
            assert np.array_equal(before["action_mask"], after["action_mask"])
    assert dealt


def positions(game: str, seats: int) -> Iterator[Any]:
    for step in selfplay(game, seats, seed=1):
        for seat in range(seats):
            yield view(step.after, Seat(seat))


@every
def test_observations_have_one_size_and_tell_positions_apart(game: str, seats: int) -> None:
    told: dict[bytes, Any] = {}
    for seen in positions(game, seats):
        numbers = observation(seen)
        assert numbers.shape == (SIZE,)
        assert numbers.dtype == np.dtype(np.float32)
        assert np.abs(numbers).max() < LARGEST
        key = numbers.tobytes()
        facts = {part: seen[part] for part in ("phase", "viewer", "to_move", "play")}
        assert told.setdefault(key, facts) == facts


def test_an_illegal_action_is_an_error_and_changes_nothing() -> None:
    table = TableEnv("potage_sauvage", 2)
    table.reset(seed=1)
    before = table.observe("seat_0")
    illegal = int(np.flatnonzero(before["action_mask"] == 0)[0])
    with pytest.raises(ValueError, match="seat_0 may not do"):
        table.step(illegal)
    assert np.array_equal(before["observation"], table.observe("seat_0")["observation"])


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_an_illegal_action_in_the_wrapped_environment_ends_the_table() -> None:
    table = env("potage_sauvage", 2)
    table.reset(seed=1)
    seen, *_ = table.last()
    table.step(int(np.flatnonzero(seen["action_mask"] == 0)[0]))
    assert table.rewards == {"seat_0": -1, "seat_1": 0}


def test_a_table_that_never_ends_is_given_up() -> None:
    table = TableEnv("potage_sauvage", 2, longest=2)
    table.reset(seed=1)
    for _ in range(2):
        seen, *_ = table.last()
        table.step(int(np.flatnonzero(seen["action_mask"])[0]))
    assert table.truncations == {"seat_0": True, "seat_1": True}


def test_options_of_the_game_are_those_of_the_environment() -> None:
    table = TableEnv("potage_sauvage", 2, options={"starting_points": 9}, render_mode="ansi")
    table.reset(seed=1)
    assert '"starting_points": 9' in str(table.render())
    assert '"hand": null' in str(table.render())
