"""What the server has acknowledged, kept by a client, and held against the store afterwards."""

from collections import defaultdict
from pathlib import Path
from threading import Lock

from events import keys
from events.loaded import fold, unopened
from events.servers.connection import connect
from events.servers.embedded import url
from events.store import EventStore
from service.doctor.histories import check_feeds, check_history
from service.doctor.read_models import check_read_models
from tests.e2e.server import PATIENCE, until
from workers.queues import connect_rq
from workers.scripts import ask
from workers.status import is_behind, status, watch


class Ledger:
    """Keep every acknowledgement: table -> version -> hash."""

    def __init__(self) -> None:
        self._lock = Lock()
        self.tables: dict[str, dict[int, str]] = defaultdict(dict)
        self.count = 0

    def heard(self, table: str, version: int, hash_: str) -> None:
        """Take note of an acknowledgement; a second one of the same version must be equal."""
        with self._lock:
            assert self.tables[table].setdefault(version, hash_) == hash_
            self.count += 1

    def check(self, data: Path) -> None:
        """Hold everything against the store of a running server; fail at the first difference."""
        self.check_at(url(data), url(data))

    def check_at(self, store_url: str, rq_url: str) -> None:
        """Hold everything against a store anywhere."""
        with connect(store_url, timeout=PATIENCE) as client, connect_rq(rq_url) as rq_client:
            store = EventStore(client)
            for table, acknowledged in self.tables.items():
                self._check_table(store, table, acknowledged)
            until(lambda: caught_up(store, rq_client), "the followers have caught up", 120)
            assert [*check_feeds(store)] == []
            assert [*check_read_models(store, self.tables)] == []

    def _check_table(self, store: EventStore, table: str, acknowledged: dict[int, str]) -> None:
        assert check_history(store, table)[1] is None
        hashes = {}
        loaded = unopened(table)
        for each in store.read(table):
            loaded = fold(loaded, [each])
            hashes[loaded.version] = loaded.hash.hex()
        assert {version: hashes.get(version) for version in acknowledged} == acknowledged
        # Each command was stored once: as many as were acknowledged, ending where that was said.
        stored = ask(store.client, ("HVALS", keys.commands(table)))[0]
        assert sorted(int(each.rpartition(b"|")[2]) for each in stored) == sorted(acknowledged)


def all_delivered(data: Path, *tables: str) -> bool:
    """Say whether the lists of a running server know all that happened, anywhere or at tables.

    Tables of different partitions are told of in any order: to know of one is to know no other.
    """
    partitions = {*map(keys.partition, tables)} or range(keys.PARTITIONS)
    with connect(url(data), timeout=PATIENCE) as client:
        return not any(map(is_behind, watch(client, partitions).values()))


def caught_up(store: EventStore, rq_client: object) -> bool:
    """Say whether nothing is left to apply, and nothing is parked."""
    found = status(store.client, rq_client)  # type: ignore[arg-type]
    assert found.parked == ()
    return found.behind == 0 and not any(lag.undelivered for lag in found.lags)
