"""Applications on stores: fakeredis for most tests, the embedded Valkey where threads race."""

from collections.abc import Iterator

import pytest
from fakeredis import FakeRedis, FakeServer

from events.connection import connect
from events.embedded import Embedded, start
from tests.service.asking import Api, Sat, api_on


def fake_store() -> FakeRedis:
    """Make an empty store in this process."""
    return FakeRedis(server=FakeServer(server_type="valkey", version=(8,)), protocol=2)


@pytest.fixture
def api() -> Api:
    """Make an application on an empty fakeredis."""
    return api_on(fake_store(), fake_store(), DURABILITY="relaxed")


@pytest.fixture
def duel(api: Api) -> Sat:
    """Seat two guests at a table that has started."""
    return api.table(api.guest("Ana"), api.guest("Ben"))


@pytest.fixture(scope="session")
def finished() -> Sat:
    """Play a table to its end; nobody may change it."""
    api = api_on(fake_store(), fake_store(), DURABILITY="relaxed")
    table = api.table(api.guest(), api.guest())
    table.play_out()
    return table


@pytest.fixture(scope="session")
def embedded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Embedded]:
    """Run one Valkey for all tests."""
    with start(tmp_path_factory.mktemp("store")) as running:
        yield running


@pytest.fixture
def valkey_api(embedded: Embedded) -> Iterator[Api]:
    """Make an application on the embedded Valkey."""
    client = connect(embedded.url)
    client.flushall()
    yield api_on(client, client)
    client.close()
