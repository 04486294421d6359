"""Stores for tests: every test of the contract meets fakeredis, one Valkey, and a cluster of it."""

from collections.abc import Iterator

import pytest
from fakeredis import FakeRedis, FakeServer
from hypothesis import settings
from redis import Redis

from events.servers.connection import connect
from events.servers.embedded import Embedded, start
from events.store import EventStore
from tests.cluster.nodes import Nodes, cluster
from tests.e2e.server import PATIENCE

# A busy machine is no bug.
settings.register_profile("patient", deadline=None)
settings.load_profile("patient")


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


def fake() -> Redis:
    """Make an empty fakeredis of its own."""
    return FakeRedis(server=FakeServer(server_type="valkey", version=(8,)), protocol=2)


@pytest.fixture(scope="session")
def nodes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Nodes]:
    """Run three primaries, each with a replica, for all tests."""
    # A busy machine is no dead one.
    with cluster(tmp_path_factory.mktemp("cluster"), node_timeout_ms=20_000) as running:
        yield running


@pytest.fixture
def clustered(nodes: Nodes) -> Iterator[Redis]:
    """Connect to an empty cluster."""
    client = connect(nodes.url, timeout=PATIENCE)
    client.flushall()
    yield client
    client.close()


@pytest.fixture(params=["fakeredis", "valkey", "clustered"])
def client(request: pytest.FixtureRequest) -> Redis:
    """Connect to an empty store of each kind."""
    if request.param == "fakeredis":
        return fake()
    found: Redis = request.getfixturevalue(request.param)
    return found


@pytest.fixture
def store(client: Redis) -> EventStore:
    """Give an empty event store of each kind."""
    return EventStore(client)
