"""Proved records are stored as tables that are over, and never over another history."""

import pytest
from redis import Redis

from domain.catalogue import games
from events import keys
from events.imports import is_imported, keep
from events.records.record import Imported, import_record
from events.servers.connection import StoreUnavailable, connect
from events.store import EventStore
from events.transact import Door
from tests.events.histories import finished, recorded_as
from tests.events.tables import sitting

NOBODY = EventStore(connect("redis://127.0.0.1:1/0"))


def imported(seed: int = 0) -> Imported:
    return import_record(recorded_as(finished(games()["potage_sauvage"], 2, seed)))


def test_a_record_is_stored_once_and_known_afterwards(store: EventStore) -> None:
    taken = imported()
    assert keep(store, taken) == "stored"
    assert keep(store, taken) == "known"
    assert store.read(taken.loaded.table) == taken.recorded
    loaded = Door(store).load(taken.loaded.table)
    assert (loaded.version, loaded.hash) == (taken.loaded.version, taken.loaded.hash)
    assert is_imported(store, taken.loaded.table)


def test_a_server_that_forgot_the_script_is_given_it_again(store: EventStore) -> None:
    keep(store, imported(0))
    store.client.script_flush()
    assert keep(store, imported(1)) == "stored"


def test_the_id_of_a_table_that_is_played_is_taken(store: EventStore) -> None:
    taken = imported()
    sitting(store, taken.loaded.table).steps(2)
    before = store.read(taken.loaded.table)
    assert keep(store, taken) == "taken"
    assert store.read(taken.loaded.table) == before
    assert not is_imported(store, taken.loaded.table)


def test_no_feed_tells_of_an_imported_table(store: EventStore) -> None:
    taken = imported()
    keep(store, taken)
    assert not store.client.exists(keys.feed(keys.partition(taken.loaded.table)))


def test_nobody_is_told_that_a_store_that_is_away_knows_a_table() -> None:
    with pytest.raises(StoreUnavailable):
        is_imported(NOBODY, "table")
    with pytest.raises(StoreUnavailable):
        keep(NOBODY, imported())


def test_a_key_of_another_kind_is_a_store_that_does_not_answer(valkey: Redis) -> None:
    valkey.set(keys.meta("table"), "no hash")
    with pytest.raises(StoreUnavailable):
        is_imported(EventStore(valkey), "table")
