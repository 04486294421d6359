"""A store at its memory limit: it takes no moves, and what follows from those it took goes on."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from time import monotonic

import pytest
from redis import Redis

from domain.dice import seeded
from events import keys
from events.archive.file import shelf_in
from events.servers.connection import StoreUnavailable, WritesRefused, takes_writes
from events.servers.embedded import Embedded
from events.store import EventStore
from events.transact import Door
from tests.workers.folds import differences
from tests.workers.processes import applied, eventually, short_sliced, stops
from tests.workers.sittings import catch_up, following, move, opened, play_out, six_seconds_later
from workers import bots
from workers.archive import CONSUMER, Archiver
from workers.projections import PROJECTIONS
from workers.projections.shape import Changes, Projection, Sitting
from workers.projections.tables import document
from workers.queues import FOLLOW, queue
from workers.rebuild import rebuild
from workers.status import status
from workers.webhooks import hooks

LATER = 9_999_999_999_999


@pytest.fixture
def store(valkey: Redis, tmp_path: Path) -> Iterator[EventStore]:
    """Give an empty Valkey with an archive, which may have all the memory again at the end."""
    yield EventStore(valkey, shelf=shelf_in(tmp_path))
    full(valkey, limit=0)


def full(client: Redis, limit: int = 1) -> None:
    """Leave the store so many bytes: 1 is less than it has, 0 is as many as there are."""
    client.config_set("maxmemory", limit)


def archive(store: EventStore, *tables: str) -> int:
    """Let tables go that are over; answer how many have."""
    return Archiver(store, 0, clock=lambda: LATER).archive(tables)


def test_a_full_store_refuses_a_move_and_stores_nothing_of_it(store: EventStore) -> None:
    door = Door(store)
    opened(door, players=["ann", "bob"])
    before = store.read("table")
    full(store.client)
    with pytest.raises(WritesRefused):
        move(door, "table", seeded(1))
    assert store.read("table") == before
    assert Door(store).load("table").version == len(before)
    full(store.client, limit=0)
    assert move(door, "table", seeded(1))


def test_a_full_store_says_so_and_is_not_changed_by_the_question(store: EventStore) -> None:
    assert takes_writes(store.client)
    full(store.client)
    assert not takes_writes(store.client)
    told = status(store.client, store.client)
    assert not told.takes_moves
    assert "the store takes no moves: its memory or its disk is all but full" in told.degraded
    assert store.client.dbsize() == 0


def test_followers_draw_and_deliver_what_a_full_store_has_taken(store: EventStore) -> None:
    door = Door(store)
    for player in ("ann", "bob"):
        hooks.register(store.client, player, "https://receiver.example/", ["table.changed"], 1)
    for number in range(3):
        opened(door, f"drawn {number}", players=["ann", "bob"])
    known = following(store)
    catch_up(known)
    for number in range(3):
        play_out(door, f"drawn {number}")
        opened(door, f"new {number}", players=["ann", "bob"])
    full(store.client)
    # Those who know the tables, and those who have just come.
    catch_up(known)
    known.end()
    catch_up(new := following(store))
    new.end()
    assert differences(store) == []
    told = status(store.client, store.client)
    assert (told.behind, told.parked) == (0, ())


def test_a_follower_takes_over_a_full_store_from_one_that_was_killed(store: EventStore) -> None:
    following(store)
    opened(Door(store), players=["ann", "bob"])
    six_seconds_later(store.client)
    full(store.client)
    catch_up(other := following(store))
    assert other.shares.keys() == {*range(keys.PARTITIONS)}
    assert differences(store) == []
    other.end()


def test_a_worker_follows_without_jobs_while_rq_has_no_room_for_one(
    store: EventStore, embedded: Embedded
) -> None:
    opened(Door(store), players=["ann", "bob"])
    full(store.client)
    with short_sliced(embedded.url, embedded.url) as process:
        assert eventually(lambda: applied(store.client))
        assert differences(store) == []
        assert not store.client.exists(queue(store.client, FOLLOW).key)
        full(store.client, limit=0)
        # Then it works by jobs again.
        assert eventually(lambda: store.client.keys("rq:job:*") != [])
        full(store.client)
        assert stops(process)


def test_a_full_store_lets_tables_go_that_are_over(store: EventStore) -> None:
    door = Door(store)
    opened(door, players=["ann", "bob"])
    over = play_out(door, "table")
    full(store.client)
    catch_up(follower := following(store))
    follower.end()
    assert archive(store, "table") == 1
    assert not store.client.exists(keys.events("table"), keys.commands("table"), document("table"))
    assert Door(store).load("table") == over


def test_what_cannot_go_yet_waits_in_a_full_store_too(store: EventStore) -> None:
    door = Door(store)
    tables = [opened(door, name, players=["ann", "bob"]) for name in ("behind", "broken")]
    for table in tables:
        play_out(door, table)
    catch_up(follower := following(store))
    follower.end()
    store.client.hincrby(keys.counters(keys.partition("behind")), "head", 1)
    store.client.xdel(keys.events("broken"), "5-0")
    full(store.client)
    assert archive(store, *tables) == 0
    (parked,) = status(store.client, store.client).parked
    assert (parked.consumer, parked.table) == (CONSUMER, "broken")
    for table in tables:
        due = store.client.zscore(keys.finished(keys.partition(table)), table)
        assert due is not None
        assert due > LATER


def test_bots_rest_while_the_store_is_full_and_then_play_on(
    store: EventStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = monotonic()
    for room in ("bots", "follow"):
        monkeypatch.setattr(f"workers.{room}.monotonic", lambda: now)
    door = Door(store)
    opened(door, "bots", seats=2, bots={0: "random", 1: "random"})
    opened(door, "people", players=["ann", "bob"])
    before = len(store.read("bots"))
    full(store.client)
    follower = following(store)
    follower.sweep()
    follower.drain()
    assert follower.play() == 0
    # It waits for a while, and everything else goes on.
    assert follower.busy()
    assert follower._pause(LATER) > 0
    follower.deliver()
    assert differences(store) == []
    full(store.client, limit=0)
    assert follower.play() == 0
    now += bots.REST_SECONDS
    catch_up(follower)
    follower.end()
    assert door.load("bots").state.phase == "over"
    assert before < len(store.read("bots"))


@pytest.mark.parametrize("projection", PROJECTIONS, ids=lambda each: each.name)
def test_a_rebuild_stops_when_the_store_is_full_and_nobody_notices(
    store: EventStore, projection: Projection
) -> None:
    door = Door(store)
    tables = [opened(door, f"t{number}", players=["ann", "bob"]) for number in range(4)]
    catch_up(follower := following(store))
    follower.end()
    drawn: list[str] = []

    def apply(sitting: Sitting) -> Changes:
        if drawn:
            full(store.client)
        drawn.append(sitting.loaded.table)
        return projection.apply(sitting)

    with pytest.raises(StoreUnavailable):
        rebuild(store, replace(projection, apply=apply))
    assert 1 < len(drawn) < len(tables)
    assert differences(store) == []
