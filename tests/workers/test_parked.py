"""What fails parks its table, visibly, and nothing else; a retry lets it go on."""

import logging
from dataclasses import replace
from time import time
from typing import Any

import pytest
from redis import Redis

from domain.dice import seeded
from domain.table.view import to_move
from events import keys
from events.store import EventStore
from events.transact import Door
from tests.workers.folds import differences
from tests.workers.sittings import POTAGE, catch_up, following, move, opened, play_out
from workers.projections import PROJECTIONS, lobby
from workers.projections.shape import Changes, Projection, Sitting
from workers.projections.tables import TABLES
from workers.status import CONSUMERS, Parked, status
from workers.webhooks import hooks
from workers.webhooks.messages import read_pending


class Fault:
    """A projection of tables that fails on the tables named, until it is mended."""

    def __init__(self, *tables: str) -> None:
        self.tables = set(tables)
        self.projection = replace(TABLES, apply=self.apply)

    def apply(self, sitting: Sitting) -> Changes:
        """Draw a table, or fail with words that nobody may read."""
        if sitting.loaded.table in self.tables:
            raise ValueError("the hidden card is I10")
        return TABLES.apply(sitting)

    @property
    def projections(self) -> tuple[Projection, ...]:
        """Answer every projection, this one among them."""
        return (self.projection, *PROJECTIONS[1:])


def parked(store: EventStore) -> tuple[Parked, ...]:
    """Ask what the status shows."""
    return status(store.client, store.client).parked


@pytest.fixture
def fault(caplog: pytest.LogCaptureFixture) -> Fault:
    """Make a projection that fails on table "bad"; what it logs is expected."""
    caplog.set_level(logging.CRITICAL)
    return Fault("bad")


def same_partition() -> str:
    """Find a table that shares the partition of table "bad"."""
    wanted = keys.partition("bad")
    return next(name for n in range(9999) if keys.partition(name := f"good{n}") == wanted)


def test_a_failing_table_is_parked_and_the_others_of_its_partition_go_on(
    store: EventStore, door: Door, fault: Fault
) -> None:
    good = same_partition()
    for table in ("bad", good):
        opened(door, table, players=["ann", "bob"])
    follower = following(store, projections=fault.projections)
    catch_up(follower)
    assert differences(store) == [TABLES.keys("bad")[0]]
    (found,) = parked(store)
    version = door.load("bad").version
    assert (found.consumer, found.table, found.version) == (TABLES.consumer, "bad", version)
    move(door, good, seeded(1))
    catch_up(follower)
    assert differences(store) == [TABLES.keys("bad")[0]]


def test_only_the_kind_of_error_is_shown(store: EventStore, door: Door, fault: Fault) -> None:
    opened(door, "bad", players=["ann", "bob"])
    catch_up(following(store, projections=fault.projections))
    assert parked(store)[0].error == "ValueError"
    assert (
        status(store.client, store.client).degraded
        == (
            "1 tables are parked by a projection or a bot",
            "no follower is alive and",
        )[:1]
    )


def test_a_parked_table_goes_on_when_it_is_tried_again(
    store: EventStore, door: Door, fault: Fault
) -> None:
    opened(door, "bad", players=["ann", "bob"])
    follower = following(store, projections=fault.projections)
    catch_up(follower)
    follower.retry()
    assert len(parked(store)) == 1
    fault.tables.clear()
    follower.retry()
    assert parked(store) == ()
    assert differences(store) == []


def test_a_new_event_tries_a_parked_table_too(store: EventStore, door: Door, fault: Fault) -> None:
    opened(door, "bad", players=["ann", "bob"])
    follower = following(store, projections=fault.projections)
    catch_up(follower)
    since = parked(store)[0].at
    move(door, "bad", seeded(1))
    catch_up(follower)
    version = door.load("bad").version
    assert [(each.version, each.at) for each in parked(store)] == [(version, since)]
    fault.tables.clear()
    move(door, "bad", seeded(2))
    catch_up(follower)
    assert parked(store) == ()
    assert differences(store) == []


def test_a_mended_program_that_starts_tries_what_an_older_one_parked(
    store: EventStore, door: Door, fault: Fault
) -> None:
    opened(door, "bad", players=["ann", "bob"])
    follower = following(store, projections=fault.projections)
    catch_up(follower)
    follower.end()
    catch_up(following(store))
    assert parked(store) == ()
    assert differences(store) == []


def test_a_history_that_cannot_be_folded_parks_its_table_everywhere(
    store: EventStore, door: Door, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.CRITICAL)
    opened(door, "good", players=["ann", "bob"])
    opened(door, "bad", players=["ann"], bots={1: "random"})
    store.client.delete(keys.events("bad"))
    follower = following(store)
    catch_up(follower)
    assert {each.table for each in parked(store)} == {"bad"}
    assert len(parked(store)) == len(CONSUMERS)
    play_out(door, "good")
    catch_up(follower)
    assert {each.table for each in parked(store)} == {"bad"}


def test_a_table_that_was_mended_is_tried_again_for_everybody_who_waited_for_it(
    store: EventStore, door: Door, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.CRITICAL)
    client: Any = store.client
    hook = hooks.register(client, "ann", "https://example.com/", ("table.changed",), 1)
    opened(door, "bad", players=["ann"], bots={1: "random"})
    lost = client.dump(keys.events("bad"))
    client.delete(keys.events("bad"))
    follower = following(store)
    catch_up(follower)
    assert len(parked(store)) == len(CONSUMERS)
    before = lobby.page(client, [POTAGE.name], ("open", "playing"), None, 10)

    client.restore(keys.events("bad"), 0, lost)
    begun = int(time() * 1000)
    follower.retry()
    checkpoints = client.hgetall(keys.checkpoints(keys.partition("bad")))
    del checkpoints[b"token"]
    assert set(checkpoints.values()) == {b"1"}, "nobody is beyond what has happened"
    catch_up(follower)
    assert parked(store) == ()
    assert differences(store) == []
    assert to_move(door.load("bad").state) == (0,), "its bot has moved"
    after = lobby.page(client, [POTAGE.name], ("open", "playing"), None, 10)
    assert (len(before.items), len(after.items)) == (0, 1)
    assert before.position < after.position
    (told,) = read_pending(client.hgetall(keys.webhook(hook.id, "pending")))
    assert begun <= told.first <= int(time() * 1000)


def test_a_list_says_that_it_has_caught_up_once_its_parked_table_is_mended(
    store: EventStore, door: Door, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.CRITICAL)
    client: Any = store.client
    opened(door, "bad", players=["ann", "bob"])
    lost = client.dump(keys.events("bad"))
    client.delete(keys.events("bad"))
    follower = following(store)
    catch_up(follower)
    assert lobby.page(client, [POTAGE.name], ("playing",), None, 10).position == 0

    client.restore(keys.events("bad"), 0, lost)
    follower.retry()
    catch_up(follower)
    assert lobby.page(client, [POTAGE.name], ("playing",), None, 10).position >= 1


def test_what_was_parked_is_in_the_store_even_if_its_follower_is_killed(
    store: EventStore, door: Door, fault: Fault
) -> None:
    opened(door, "bad", players=["ann", "bob"])
    catch_up(following(store, projections=fault.projections))
    client: Redis = store.client
    partition = keys.partition("bad")
    assert client.hgetall(keys.checkpoints(partition))
    assert client.exists(keys.projection(partition, "tables", TABLES.generation, "parked"))
