"""Followers: what they apply, how they share, and that only one of them writes."""

from time import monotonic
from typing import Any

import pytest
from redis import Redis

from domain.dice import seeded
from events import keys
from events.servers.connection import StoreUnavailable, call
from events.store import EventStore
from events.transact import Door
from tests.e2e.server import PATIENCE
from tests.events.appends import trim_feed
from tests.workers.folds import differences
from tests.workers.sittings import (
    catch_up,
    following,
    leave,
    move,
    opened,
    play_out,
    sit,
    six_seconds_later,
)
from workers.follow import Follower
from workers.leases import BLOCKS
from workers.projections import PROJECTIONS, tables
from workers.share import Verdict
from workers.sittings import Sittings


def positions(client: Redis, partition: int) -> dict[str, int]:
    """Read the checkpoints of a partition."""
    return {name: at for name, at in _held(client, partition).items() if name != "token"}


def _held(client: Redis, partition: int) -> dict[str, int]:
    held: Any = client.hgetall(keys.checkpoints(partition))
    return {name.decode(): int(value) for name, value in held.items()}


def test_every_read_model_equals_a_fold_of_the_streams(store: EventStore, door: Door) -> None:
    follower = following(store)
    opened(door, "a", seats=2, players=["ann", "bob"])
    opened(door, "b", seats=3, players=["ann", "cid"], bots={2: "random"})
    opened(door, "c", seats=4, players=["dan"], visibility="private")
    chance = seeded(5)
    for _ in range(12):
        for table in "ab":
            move(door, table, chance)
        catch_up(follower)
    assert differences(store) == []


def test_a_whole_table_is_applied_at_once_or_step_by_step_with_equal_results(fake: Redis) -> None:
    store = EventStore(fake)
    door = Door(store)
    opened(door, "a", players=["ann", "bob"])
    play_out(door, "a")
    catch_up(following(store))
    assert differences(store) == []


def test_what_nobody_was_nudged_about_is_found_by_sweeping(store: EventStore, door: Door) -> None:
    follower = following(store)
    opened(door, players=["ann", "bob"])
    assert not follower.busy()
    follower.sweep()
    assert follower.busy()


def test_an_append_nudges_the_follower_and_is_told_so(store: EventStore) -> None:
    follower = following(store)
    follower.hear(0.0)
    door = Door(store)
    opened(door, players=["ann", "bob"])
    while not follower.busy():
        follower.hear(0.5)
    follower.drain()
    follower.deliver()
    assert differences(store) == []


def test_a_follower_that_ended_is_counted_as_a_listener_no_more(store: EventStore) -> None:
    partition = keys.partition("table")
    following(store).end()
    # A server learns of a closed connection when it comes to it.
    end = monotonic() + PATIENCE
    while store.client.spublish(keys.wake(partition), "") and monotonic() < end:
        pass
    assert store.client.spublish(keys.wake(partition), "") == 0


def test_the_feed_is_trimmed_behind_the_slowest_consumer(store: EventStore, door: Door) -> None:
    follower = following(store)
    opened(door, players=["ann", "bob"])
    partition = keys.partition("table")
    for _ in range(5):
        move(door, "table", seeded(1))
    catch_up(follower)
    assert set(positions(store.client, partition).values()) == {6}
    assert store.read_feed(partition) == ()

    store.client.hset(keys.checkpoints(partition), "statistics@1", 6)
    move(door, "table", seeded(2))
    move(door, "table", seeded(3))
    catch_up(follower)
    assert [entry.position for entry in store.read_feed(partition)] == [7, 8]


def test_a_late_follower_with_an_old_token_writes_nothing(store: EventStore, door: Door) -> None:
    partition = keys.partition(opened(door, players=["ann", "bob"]))
    late = following(store)
    six_seconds_later(store.client)
    newer = following(store)
    move(door, "table", seeded(1))

    late.sweep()
    late.drain()
    assert store.client.exists(tables.document("table")) == 0
    assert positions(store.client, partition) == dict.fromkeys(
        positions(store.client, partition), 0
    )
    assert partition not in late.shares, "it lets go of what it lost"

    catch_up(newer)
    assert differences(store) == []


def test_an_old_token_cannot_claim(store: EventStore) -> None:
    store.client.hset(keys.checkpoints(0), "token", 7)
    follower = following(store)
    assert 0 not in follower.shares
    assert keys.BLOCK in follower.shares


def test_a_partition_whose_token_was_set_back_is_followed_by_and_by(
    store: EventStore, door: Door
) -> None:
    partition = keys.partition(opened(door, players=["ann", "bob"]))
    # A failover may lose the newest tokens of one server and leave those of another.
    store.client.hset(keys.checkpoints(partition), "token", 4)
    follower = following(store)
    assert partition not in follower.shares
    (heard,) = call(store.client, ("PUBSUB", "SHARDNUMSUB", keys.wake(partition)))
    assert heard[1] == 0, "whoever appends is told that nobody follows"
    for _ in range(3):
        follower.balance()
    assert partition in follower.shares
    catch_up(follower)
    assert differences(store) == []


def test_a_commit_from_another_position_writes_nothing(store: EventStore, door: Door) -> None:
    partition = keys.partition(opened(door, players=["ann", "bob"]))
    follower = following(store)
    catch_up(follower)
    consumer = PROJECTIONS[0].consumer
    store.client.hset(keys.checkpoints(partition), consumer, 99)
    before = store.client.hgetall(tables.document("table"))
    move(door, "table", seeded(1))
    follower.sweep()
    follower.drain()
    assert store.client.hgetall(tables.document("table")) == before
    assert partition not in follower.shares


@pytest.mark.parametrize("slices", [1, 2], ids=["in one slice", "between two slices"])
def test_what_a_failover_has_lost_is_forgotten(store: EventStore, door: Door, slices: int) -> None:
    opened(door, players=["ann", "bob"])
    sittings = Sittings(store)
    follower = following(store, sittings=sittings)
    catch_up(follower)
    before = {key: store.client.dump(key) or b"" for key in store.client.scan_iter()}
    move(door, "table", seeded(1))
    catch_up(follower)
    if slices == 2:
        follower.end()
    # Followers may see what no replica has yet: another server goes on without it.
    store.client.flushall()
    for key, content in before.items():
        store.client.restore(key, 0, content)
    again = Door(store)
    move(again, "table", seeded(2))
    if slices == 2:
        six_seconds_later(store.client)
        follower = following(store, sittings=sittings)
    else:
        move(again, "table", seeded(3))
        catch_up(follower)
        follower.balance()
    catch_up(follower)
    assert differences(store) == []


def test_a_batch_that_is_applied_again_changes_nothing(store: EventStore, door: Door) -> None:
    opened(door, "a", players=["ann", "bob"])
    sit_down_and_leave(door)
    touched = {keys.partition(table) for table in "ab"}
    for partition in touched:
        # Somebody slow keeps the feed from being trimmed.
        store.client.hset(keys.checkpoints(partition), "webhooks@1", 0)
    follower = following(store)
    catch_up(follower)
    follower.end()
    before = snapshot(store.client)
    for partition in touched:
        for name in positions(store.client, partition):
            store.client.hset(keys.checkpoints(partition), name, 0)
    again = following(store)
    catch_up(again)
    again.end()
    assert differences(store) == []
    assert snapshot(store.client) == before


def sit_down_and_leave(door: Door) -> None:
    """Leave a table that stays open."""
    opened(door, "b", seats=3, players=["ann"])
    sit(door, "b", "bob")
    leave(door, "b", "bob")


def snapshot(client: Any) -> dict[bytes, object]:
    """Read every list and document."""
    found: dict[bytes, object] = {}
    for name in client.keys("*:p:*"):
        found[name] = client.hgetall(name)
    for name in client.keys("{l.*"):
        is_hash = name.endswith((b"items", b"positions"))
        found[name] = client.hgetall(name) if is_hash else client.zrange(name, 0, -1)
    return found


def test_nothing_over_many_tables_depends_on_the_order_between_tables(fake: Redis) -> None:
    store = EventStore(fake)
    door = Door(store)
    chance = seeded(8)
    names = [f"t{n}" for n in range(6)]
    for name in names:
        opened(door, name, players=["ann", "bob"])
    for _ in range(40):
        move(door, names[chance.pick(len(names))], chance)
    follower = Follower(store)
    follower.begin()
    behind = [each for each in follower.shares.values() if store.read_feed(each.partition)]
    for share in chance.shuffle(behind):
        follower._nudged = {share.partition: None}
        follower.drain()
    follower.end()
    assert differences(store) == []


def test_a_consumer_that_finds_the_feed_trimmed_takes_every_table_anew(
    store: EventStore, door: Door
) -> None:
    for name in ("a", "b", "c"):
        opened(door, name, players=["ann", "bob"])
    follower = following(store)
    catch_up(follower)
    follower.end()
    for partition in range(keys.PARTITIONS):
        store.client.hdel(keys.checkpoints(partition), *(each.consumer for each in PROJECTIONS))
    store.client.delete(*store.client.keys("*:p:*"), *store.client.keys("{l.*"))
    move(door, "b", seeded(3))
    catch_up(following(store))
    assert differences(store) == []
    held = positions(store.client, keys.partition("b"))
    assert set(held.values()) == {store.feed_heads([keys.partition("b")])[keys.partition("b")]}


def test_rescanning_goes_on_where_more_tables_are_than_one_batch_takes(fake: Redis) -> None:
    store = EventStore(fake)
    door = Door(store)
    same = [f"t{n}" for n in range(8000) if keys.partition(f"t{n}") == 3][:20]
    assert len(same) == 20
    for name in same:
        opened(door, name, players=["ann", "bob"])
    trim_feed(store.client, 3, 20)
    catch_up(following(store))
    assert differences(store) == []


def test_two_followers_share_fairly_and_one_takes_over_what_the_other_leaves(
    store: EventStore, door: Door
) -> None:
    first = following(store)
    assert len(first.shares) == keys.PARTITIONS
    second = following(store)
    assert len(second.shares) == 0
    first.balance()
    second.balance()
    assert len(first.shares) == len(second.shares) == keys.PARTITIONS // 2
    assert not first.shares.keys() & second.shares.keys()

    for name in ("a", "b", "c", "d"):
        opened(door, name, players=["ann", "bob"])
    catch_up(first)
    catch_up(second)
    assert differences(store) == []

    second.end()
    first.balance()
    assert len(first.shares) == keys.PARTITIONS


def test_a_lease_that_was_lost_is_noticed_when_it_is_renewed(store: EventStore) -> None:
    follower = following(store)
    store.client.delete(keys.lease(2))
    follower._renewed -= 10
    # A sweep would take it again at once.
    follower._swept += 60
    follower.tend()
    covered = set(range(2 * keys.BLOCK, 3 * keys.BLOCK))
    assert not covered & follower.shares.keys()
    assert len(follower.shares) == keys.PARTITIONS - keys.BLOCK


def test_a_lease_lasts_six_seconds(store: EventStore) -> None:
    begun = monotonic()
    following(store)
    left = store.client.pttl(keys.lease(0))
    assert 6_000 - (monotonic() - begun) * 1_000 - 1 <= left <= 6_000


def test_a_follower_stops_when_asked(store: EventStore) -> None:
    asked = iter([False, False, True])
    follower = Follower(store, stop=lambda: next(asked))
    follower.run(60)
    assert follower.shares == {}
    assert store.client.exists(*(keys.lease(block) for block in range(BLOCKS))) == 0


@pytest.mark.parametrize("word", [b"done", b"fenced", b"moved"])
def test_every_answer_of_a_commit_has_its_meaning(word: bytes) -> None:
    assert Verdict(word).value == word


class _Breaking(EventStore):
    """A store that fails in the middle of the first batch: after the feeds, before the tables."""

    broken = False

    def read_many(self, wanted: Any) -> Any:
        if wanted and not self.broken:
            self.broken = True
            raise StoreUnavailable("nothing arrived")
        return super().read_many(wanted)


def test_a_batch_that_is_cut_short_settles_nothing(fake: Redis) -> None:
    store = _Breaking(fake)
    opened(Door(store), players=["ann", "bob"], seats=3, bots={2: "random"})
    with pytest.raises(StoreUnavailable):
        Follower(store).run(5.0)
    assert store.broken
    assert set(positions(fake, keys.partition("table")).values()) == {0}
    catch_up(following(store))
    assert differences(store) == []
