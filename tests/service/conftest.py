"""Applications on stores: a database for each, the embedded Valkey where fsync shall count."""

from collections.abc import Iterator

import pytest

from events.servers.connection import connect
from events.servers.embedded import Embedded, start
from tests.e2e.server import PATIENCE
from tests.service.asking import Api, Sat, api_on
from tests.stores import empty_store


@pytest.fixture
def api() -> Api:
    """Make an application on an empty store."""
    return api_on(empty_store(), empty_store(), DURABILITY="relaxed")


@pytest.fixture
def duel(api: Api) -> Sat:
    """Seat two guests at a table that has started."""
    return api.table(api.guest("Ana"), api.guest("Ben"))


@pytest.fixture(scope="session")
def finished() -> Sat:
    """Play a table to its end; nobody may change it."""
    api = api_on(empty_store(), empty_store(), DURABILITY="relaxed")
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
    client = connect(embedded.url, timeout=PATIENCE)
    client.flushall()
    yield api_on(client, client)
    client.close()
