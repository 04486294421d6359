"""Feeds and nudges: how followers learn what is new, and where every table began."""

from typing import Any

import pytest
from fakeredis import FakeRedis, FakeServer
from redis import Redis

from events import keys
from events.recorded import FeedEntry
from events.servers.connection import connect, home
from events.store import (
    Appended,
    EventStore,
)
from tests.e2e.server import PATIENCE
from tests.events.appends import (
    PARTITION,
    TABLE,
    append,
    command,
    other_table_of_the_partition,
    trim_feed,
)
from tests.workers.processes import eventually


def test_each_append_is_one_entry_of_a_dense_feed(store: EventStore) -> None:
    append(store, 0, 3)
    append(store, 0, 1, table=other_table_of_the_partition())
    append(store, 3, 2)
    append(store, 5, named=command(3))
    append(store, 1)
    assert store.read_feed(PARTITION) == (
        FeedEntry(1, TABLE, 1, 3),
        FeedEntry(2, other_table_of_the_partition(), 1, 1),
        FeedEntry(3, TABLE, 4, 2),
    )
    assert store.read_feed(PARTITION)[0].last == 3
    assert store.feed_heads([PARTITION, 0]) == {PARTITION: 3, 0: 0}


def test_feeds_are_read_after_a_position_and_at_most_so_many(store: EventStore) -> None:
    for version in range(5):
        append(store, version)
    assert [each.position for each in store.read_feed(PARTITION, 3)] == [4, 5]
    assert [each.position for each in store.read_feed(PARTITION, 1, 2)] == [2, 3]
    assert store.read_feed(PARTITION, 5) == ()


def test_several_feeds_are_read_in_one_round_trip_and_silent_ones_left_out(
    store: EventStore,
) -> None:
    append(store, 0)
    append(store, 1)
    silent = (PARTITION + 1) % keys.PARTITIONS
    found = store.read_feeds({silent: 0, PARTITION: 1})
    assert found == {PARTITION: (FeedEntry(2, TABLE, 2, 1),)}
    assert store.read_feeds({}) == {}


def test_a_trimmed_feed_keeps_what_comes_after(store: EventStore) -> None:
    for version in range(5):
        append(store, version)
    trim_feed(store.client, PARTITION, 3)
    assert [each.position for each in store.read_feed(PARTITION)] == [4, 5]
    append(store, 5)
    trim_feed(store.client, PARTITION, 6)
    assert store.read_feed(PARTITION) == ()
    append(store, 6)
    assert [each.position for each in store.read_feed(PARTITION)] == [7]
    assert store.feed_heads([PARTITION]) == {PARTITION: 7}


def test_every_table_is_listed_at_the_position_where_it_was_opened(store: EventStore) -> None:
    other = other_table_of_the_partition()
    append(store, 0)
    append(store, 1)
    append(store, 0, table=other)
    append(store, 1, table=other)
    assert store.tables(PARTITION) == ((TABLE, 1), (other, 3))
    assert store.tables(PARTITION, 1) == ((other, 3),)
    assert store.tables(PARTITION, 0, 1) == ((TABLE, 1),)


@pytest.mark.parametrize("sharded", [True, False])
def test_an_append_nudges_and_counts_who_heard(client: Redis, *, sharded: bool) -> None:
    store = EventStore(client, sharded_nudges=sharded)
    follower: Any = home(client, keys.wake(PARTITION)).pubsub()  # type: ignore[no-untyped-call]
    (follower.ssubscribe if sharded else follower.subscribe)(keys.wake(PARTITION))
    assert follower.get_message(timeout=PATIENCE) is not None
    assert append(store, 0) == Appended(1)
    hear = follower.get_sharded_message if sharded else follower.get_message
    nudge: Any = hear(timeout=PATIENCE)
    assert nudge["data"] == b""
    elsewhere = next(name for name in map(str, range(99)) if keys.partition(name) != PARTITION)
    assert append(store, 0, table=elsewhere) == Appended(0)
    follower.close()
    # A server may be told of a closed connection after it was asked something on another.
    assert eventually(lambda: _heard(store) == 0)


def _heard(store: EventStore) -> int:
    meta = store.read_meta(TABLE)
    assert meta
    told = append(store, meta.version)
    assert isinstance(told, Appended)
    return told.listeners


def test_a_server_without_sharded_channels_is_nudged_by_plain_ones() -> None:
    client = FakeRedis(server=FakeServer(version=(6,)), protocol=2)
    follower: Any = client.pubsub()  # type: ignore[no-untyped-call]
    follower.subscribe(keys.wake(PARTITION))
    follower.get_message(timeout=PATIENCE)
    assert append(EventStore(client, sharded_nudges=False), 0) == Appended(1)
    follower.close()


def test_a_nudge_that_may_not_be_sent_does_not_undo_the_append(valkey: Redis) -> None:
    valkey.acl_setuser("mute", enabled=True, nopass=True, keys=["*"], commands=["+@all"])
    mute = connect(
        f"unix://mute:any@{valkey.connection_pool.connection_kwargs['path']}", timeout=PATIENCE
    )
    try:
        assert append(EventStore(mute), 0) == Appended(0)
    finally:
        valkey.acl_deluser("mute")
        mute.close()
    assert [each.version for each in EventStore(valkey).read(TABLE)] == [1]


def test_refusals_nudge_nobody(store: EventStore, client: Redis) -> None:
    append(store, 0)
    follower: Any = home(client, keys.wake(PARTITION)).pubsub()  # type: ignore[no-untyped-call]
    follower.ssubscribe(keys.wake(PARTITION))
    follower.get_message(timeout=PATIENCE)
    append(store, 0, named=command(0))
    append(store, 0, named=command(1))
    assert follower.get_sharded_message(timeout=0.05) is None
    follower.close()


def test_a_feed_position_is_written_out_in_full(store: EventStore, client: Redis) -> None:
    client.hset(keys.counters(PARTITION), "head", 2**52)
    append(store, 0)
    (entry,) = store.read_feed(PARTITION, 2**52)
    assert entry.position == 2**52 + 1
    assert store.tables(PARTITION) == ((TABLE, 2**52 + 1),)
