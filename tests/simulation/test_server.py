"""The simulated server answers as a real one does: whatever runs ask of it is asked of Valkey."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from redis import Redis

from events.servers.connection import connect
from events.servers.embedded import start
from tests.simulation.replay import Asked, differences
from tests.simulation.world import World, run_world


@pytest.fixture(scope="module")
def valkey(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Redis]:
    folder: Path = tmp_path_factory.mktemp("store")
    with start(folder) as running:
        client = connect(running.url)
        yield client
        client.close()


@pytest.fixture(scope="module")
def asked(valkey: Redis) -> list[list[Asked]]:
    """Everything that the stores of some runs were asked, from their first key on."""
    from tests.simulation.world import simulated

    found = []
    with simulated():
        for seed in range(12):
            world = World(seed)
            log = world.store.log = world.store.from_nothing()
            assert run_world(world, seed).wrong is None
            found.append(log)
    return found


def test_whatever_runs_ask_valkey_answers_alike(valkey: Redis, asked: list[list[Asked]]) -> None:
    assert sum(map(len, asked)) > 3_000
    for log in asked:
        assert list(differences(log, valkey)) == []


def test_a_reply_that_differs_is_noticed(valkey: Redis, asked: list[list[Asked]]) -> None:
    command, _ = next(each for each in asked[0] if each[0][0] == b"HGETALL" and each[1])
    assert list(differences([(command, [b"something", b"else"])], valkey))
