"""What operators are told of the work after the fact."""

import pytest
from redis import Redis

from events import keys
from events.servers.connection import StoreUnavailable, connect
from events.store import EventStore
from events.transact import Door
from tests.workers.sittings import (
    catch_up,
    following,
    opened,
    six_seconds_later,
)
from workers.leases import BLOCKS
from workers.queues import FOLLOW, JOBS, enqueue_follow, queue
from workers.status import CONSUMERS, QueueState, status
from workers.sweeper import start_what_lags


def test_an_empty_store_is_well(client: Redis) -> None:
    found = status(client, client)
    assert [f"{lag.consumer}@{lag.generation}" for lag in found.lags] == list(CONSUMERS)
    assert {(lag.behind, lag.undelivered) for lag in found.lags} == {(0, 0)}
    assert (found.parked, found.parked_count, found.degraded) == ((), 0, ())
    assert (found.followers, found.unowned) == ((), BLOCKS)


def test_every_consumer_says_how_far_it_is_behind(store: EventStore, door: Door) -> None:
    opened(door, "a", players=["ann", "bob"])
    opened(door, "b", players=["ann", "bob"])
    found = status(store.client, store.client)
    assert {lag.behind for lag in found.lags} == {2}
    assert found.degraded == ("no follower is alive and 2 feed entries wait",)
    follower = following(store)
    catch_up(follower)
    found = status(store.client, store.client)
    assert {(lag.behind, lag.undelivered) for lag in found.lags} == {(0, 0)}
    assert (len(found.followers), found.unowned) == (1, 0)
    assert found.degraded == ()
    follower.end()
    found = status(store.client, store.client)
    assert (found.followers, found.unowned) == ((), BLOCKS)


def test_followers_that_are_far_behind_are_said_to_be(store: EventStore) -> None:
    following(store)
    store.client.hset(keys.counters(7), "head", 5000)
    assert status(store.client, store.client).degraded == (
        "followers are 5000 feed entries behind",
    )


def test_the_queues_are_counted_without_being_changed(client: Redis) -> None:
    enqueue_follow(client)
    found = queue(client, JOBS)
    client.zadd(found.failed_job_registry.key, {"failed": 1})
    client.zadd(found.started_job_registry.key, {"running:1": 1})
    for _ in range(2):
        assert status(client, client).queues == (
            QueueState(FOLLOW, waiting=1, running=0, failed=0),
            QueueState(JOBS, waiting=0, running=1, failed=1),
        )


def test_a_dead_rq_server_is_said(client: Redis, tmp_path: object) -> None:
    found = status(client, connect(f"unix://{tmp_path}/nobody.sock"))
    assert found.queues == ()
    assert found.degraded == ("RQ's server does not answer",)


def test_a_dead_store_is_an_error(client: Redis, tmp_path: object) -> None:
    with pytest.raises(StoreUnavailable):
        status(connect(f"unix://{tmp_path}/nobody.sock"), client)


def test_what_lags_and_has_no_owner_is_started(store: EventStore, door: Door) -> None:
    client = store.client
    assert not start_what_lags(client, client)
    opened(door, players=["ann", "bob"])
    assert start_what_lags(client, client)
    assert len(queue(client, FOLLOW).job_ids) == 1


def test_what_lags_and_has_an_owner_is_left_to_it(store: EventStore, door: Door) -> None:
    client = store.client
    following(store)
    opened(door, players=["ann", "bob"])
    assert not start_what_lags(client, client)
    six_seconds_later(client)
    assert start_what_lags(client, client)


def test_undelivered_news_is_started_too(store: EventStore, door: Door) -> None:
    client = store.client
    opened(door, players=["ann", "bob"])
    dying = following(store)
    dying.sweep()
    dying.drain()
    six_seconds_later(client)
    found = status(client, client)
    assert max(lag.behind for lag in found.lags if lag.consumer != "bots") == 0
    assert max(lag.undelivered for lag in found.lags) > 0
    assert start_what_lags(client, client)
