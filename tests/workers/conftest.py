"""Stores and followers for tests of what happens after the fact.

That stores of both kinds answer alike is what tests/events asks; here fakeredis, which takes four
times as long, is met with EVERY_STORE in the environment only.
"""

import os
from collections.abc import Iterator

import pytest
from fakeredis import FakeRedis, FakeServer
from redis import Redis

from events.servers.connection import connect
from events.servers.embedded import Embedded, start
from events.store import EventStore
from events.transact import Door
from tests.e2e.server import PATIENCE


@pytest.fixture(scope="session")
def embedded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Embedded]:
    """Run one server for all tests."""
    with start(tmp_path_factory.mktemp("store")) as running:
        yield running


@pytest.fixture
def valkey(embedded: Embedded) -> Iterator[Redis]:
    """Connect to an empty Valkey."""
    client = connect(embedded.url, timeout=PATIENCE)
    client.flushall()
    yield client
    client.close()


@pytest.fixture
def fake() -> Redis:
    """Make an empty fakeredis."""
    return FakeRedis(server=FakeServer(server_type="valkey", version=(8,)), protocol=2)


KINDS = ("fakeredis", "valkey") if "EVERY_STORE" in os.environ else ("valkey",)


@pytest.fixture(params=KINDS)
def client(request: pytest.FixtureRequest) -> Redis:
    """Connect to an empty store of either kind."""
    found: Redis = request.getfixturevalue("fake" if request.param == "fakeredis" else "valkey")
    return found


@pytest.fixture
def store(client: Redis) -> EventStore:
    """Give an empty event store of either kind."""
    return EventStore(client)


@pytest.fixture
def door(store: EventStore) -> Door:
    """Give the door to its tables."""
    return Door(store)
