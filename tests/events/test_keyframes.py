"""Keyframes hold a table whole, and are passed over where they cannot be read."""

from collections.abc import Iterator

import pytest
from redis import Redis

from domain.catalogue import games
from domain.game import AnyGame
from events import keyframes
from events.keyframes import document, nearest, newest, read, written
from events.loaded import Loaded, fold, unopened
from events.servers.connection import StoreUnavailable, connect
from events.store import EventStore
from tests.events.histories import finished

EVERY_GAME = pytest.mark.parametrize("game", games().values(), ids=lambda game: str(game.name))


def moments(game: AnyGame) -> Iterator[Loaded]:
    history = finished(game, game.seats[-1])
    loaded = unopened(history.table)
    for each in history.recorded:
        loaded = fold(loaded, [each])
        yield loaded


@EVERY_GAME
def test_a_table_is_read_back_as_it_was_written_at_every_version(game: AnyGame) -> None:
    for loaded in moments(game):
        assert read(loaded.table, written(loaded)) == loaded


@pytest.fixture
def kept(store: EventStore, monkeypatch: pytest.MonkeyPatch) -> tuple[EventStore, list[Loaded]]:
    """Keep every fifth version of a table, and its last."""
    monkeypatch.setattr(keyframes, "EVERY", 5)
    every = list(moments(games()["potage_sauvage"]))
    document_of = document(every[0].table)
    for loaded in every:
        if loaded.version % 5 == 0:
            store.client.hset(document_of, str(loaded.version), written(loaded))
    store.client.hset(document_of, keyframes.NEWEST, written(every[-1]))
    return store, every


def test_the_newest_and_the_nearest_before_a_version_are_found(
    kept: tuple[EventStore, list[Loaded]],
) -> None:
    store, every = kept
    table = every[0].table
    assert newest(store, table) == every[-1]
    assert nearest(store, table, 4) is None
    for version in (5, 9, 10, 12):
        assert nearest(store, table, version) == every[version - version % 5 - 1]


def test_where_the_nearest_is_not_drawn_yet_or_foreign_the_one_before_is_taken(
    kept: tuple[EventStore, list[Loaded]],
) -> None:
    store, every = kept
    table = every[0].table
    store.client.hdel(document(table), "10")
    assert nearest(store, table, 12) == every[4]
    for foreign in (b"{}", b"no JSON", written(every[9]).replace(b"potage", b"soupe")):
        store.client.hset(document(table), "10", foreign)
        assert nearest(store, table, 12) == every[4]
    store.client.hdel(document(table), "5")
    assert nearest(store, table, 12) is None


def test_a_table_that_nobody_has_drawn_has_none(store: EventStore) -> None:
    assert newest(store, "table") is None
    assert nearest(store, "table", 7_000) is None


def test_a_store_that_is_away_or_holds_something_else_does_not_answer(valkey: Redis) -> None:
    with pytest.raises(StoreUnavailable):
        newest(EventStore(connect("redis://127.0.0.1:1/0")), "table")
    valkey.set(document("table"), "no hash")
    with pytest.raises(StoreUnavailable):
        newest(EventStore(valkey), "table")
