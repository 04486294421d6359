"""From what happens at tables to what waits to be sent: whoever subscribed hears, once."""

import json
from typing import Any

import pytest
from redis import Redis

from domain.dice import seeded
from events import keys
from events.store import EventStore
from events.transact import Door
from tests.workers.sittings import (
    catch_up,
    following,
    move,
    opened,
    play_out,
    six_seconds_later,
)
from workers.webhooks import hooks, tell
from workers.webhooks.hooks import TYPES, Hook
from workers.webhooks.messages import Pending, read_pending

URL = "https://example.com/"


def hook(client: Redis, owner: str, *types: str, **more: Any) -> Hook:
    return hooks.register(client, owner, URL, types or TYPES, 1, **more)


def waiting(client: Redis, found: Hook) -> dict[str, Pending]:
    pending: Any = client.hgetall(keys.webhook(found.id, "pending"))
    return {each.type: each for each in read_pending(pending)}


def test_a_player_hears_of_every_table_of_theirs_and_of_no_other(client: Redis) -> None:
    store = EventStore(client)
    door = Door(store)
    mine, others = hook(client, "ann"), hook(client, "eve")
    follower = following(store)
    opened(door, players=["ann", "ben"])
    catch_up(follower)
    told = waiting(client, mine)
    assert set(told) == {"table.changed", "table.turn"}
    version = door.load("table").version
    assert json.loads(told["table.turn"].body) == {
        "type": "table.turn",
        "timestamp": json.loads(told["table.changed"].body)["timestamp"],
        "table": "table",
        "version": version,
        "game": "potage_sauvage",
        "phase": "playing",
        "seat": 0,
    }
    assert waiting(client, others) == {}
    assert client.zcard(keys.webhooks_due(keys.webhook_shard(mine.id))) == 1


def test_whoever_sends_is_told_once_messages_are_delivered(client: Redis) -> None:
    store = EventStore(client)
    hook(client, "ann")
    told: list[str] = []
    follower = following(store, posted=lambda: told.append("posted"))
    opened(Door(store), players=["ann", "ben"])
    follower.sweep()
    follower.drain()
    assert told == []
    follower.deliver()
    assert told == ["posted"]
    follower.deliver()
    assert told == ["posted"]


def test_whoever_sends_is_told_once_the_next_batch_has_taken_messages_along(
    client: Redis,
) -> None:
    store = EventStore(client)
    hook(client, "ann")
    told: list[str] = []
    follower = following(store, posted=lambda: told.append("posted"))
    for table, posted in (("table", []), ("other", ["posted"])):
        opened(Door(store), table, players=["ann", "ben"])
        follower.sweep()
        follower.drain()
        assert told == posted


def test_only_the_newest_message_of_a_kind_waits(client: Redis) -> None:
    store = EventStore(client)
    door = Door(store)
    mine = hook(client, "ann")
    opened(door, players=["ann", "ben"])
    follower = following(store)
    catch_up(follower)
    play_out(door, "table")
    catch_up(follower)
    told = waiting(client, mine)
    assert {told["table.changed"].version, told["table.over"].version} == {
        door.load("table").version
    }
    assert told["table.turn"].version < door.load("table").version


def test_a_table_is_heard_of_by_whoever_asked_for_it(client: Redis) -> None:
    store = EventStore(client)
    door = Door(store)
    watching = hook(client, "eve", "table.changed", table="table")
    opened(door, players=["ann", "ben"])
    opened(door, "other", players=["eve", "ben"])
    catch_up(following(store))
    told = waiting(client, watching)["table.changed"]
    assert (told.table, json.loads(told.body)["seat"]) == ("table", None)


@pytest.mark.parametrize(("invited", "hears"), [(True, True), (False, False)])
def test_a_private_table_is_heard_of_by_seats_and_guests_alone(
    client: Redis, invited: bool, hears: bool
) -> None:
    store = EventStore(client)
    watching = hook(client, "eve", table="table", invited=invited)
    opened(Door(store), players=["ann", "ben"], visibility="private")
    catch_up(following(store))
    assert bool(waiting(client, watching)) is hears


def test_no_message_says_what_is_on_a_table(client: Redis) -> None:
    store = EventStore(client)
    door = Door(store)
    mine = hook(client, "ann")
    opened(door, players=["ann", "ben"])
    follower = following(store)
    chance = seeded(1)
    said: set[str] = set()
    while move(door, "table", chance):
        catch_up(follower)
        for each in waiting(client, mine).values():
            said |= set(json.loads(each.body))
    assert said == {"type", "timestamp", "table", "version", "game", "phase", "seat"}


def test_what_was_told_before_a_crash_is_brought_by_the_next_follower(client: Redis) -> None:
    store = EventStore(client)
    mine = hook(client, "ann")
    follower = following(store)
    opened(Door(store), players=["ann", "ben"])
    follower.sweep()
    while follower.busy() and not client.exists(tell.outbox(keys.partition("table"))):
        follower.drain()
    # It dies here: committed, and not brought to the webhook.
    assert waiting(client, mine) == {}
    six_seconds_later(client)
    catch_up(following(store))
    assert set(waiting(client, mine)) == {"table.changed", "table.turn"}
    assert client.exists(tell.outbox(keys.partition("table"))) == 0


def test_who_subscribes_before_a_move_hears_of_it(client: Redis) -> None:
    store = EventStore(client)
    door = Door(store)
    follower = following(store)
    opened(door, players=["ann", "ben"])
    catch_up(follower)
    mine = hook(client, "ben", "table.changed")
    assert move(door, "table", seeded(1))
    catch_up(follower)
    assert waiting(client, mine)["table.changed"].version == door.load("table").version


def test_a_disabled_webhook_keeps_nothing(client: Redis) -> None:
    store = EventStore(client)
    mine = hook(client, "ann")
    hooks.change(client, mine, enabled=False)
    opened(Door(store), players=["ann", "ben"])
    catch_up(following(store))
    assert waiting(client, mine) == {}
