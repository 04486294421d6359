"""Stores that are gone, lose their replies, or come back as something else."""

import pytest
from redis import Redis

from events import keys
from events.loaded import BrokenHistory
from events.servers.connection import OutcomeUnknown, StoreUnavailable
from events.store import EventStore
from events.transact import (
    Door,
    UnknownTable,
)
from tests.events.faults import Faulty
from tests.events.tables import (
    FRUITS,
    WASTE,
    recipe,
    sitting,
)


def test_a_lost_reply_leaves_the_outcome_open_and_a_repeat_finds_it(client: Redis) -> None:
    store = Faulty(client)
    game = sitting(store)
    version = game.door.load("table").version
    store.faults = ["lost"]
    with pytest.raises(OutcomeUnknown):
        recipe(game.door, "p0", FRUITS, "a")
    assert game.door.cached("table") is None
    again = recipe(game.door, "p0", FRUITS, "a")
    assert (again.replayed, again.first) == (True, version + 1)
    assert len(store.read("table", version)) == 1


def test_a_store_that_cannot_be_reached_has_stored_nothing(client: Redis) -> None:
    store = Faulty(client)
    game = sitting(store)
    version = game.door.load("table").version
    store.faults = ["unreachable", "unreachable"]
    with pytest.raises(StoreUnavailable):
        recipe(game.door, "p0", FRUITS, "a")
    with pytest.raises(StoreUnavailable):
        game.door.load("table")
    assert not recipe(game.door, "p0", FRUITS, "a").replayed
    assert len(store.read("table", version)) == 1


def test_a_lost_refusal_is_an_unavailable_store(client: Redis) -> None:
    store = Faulty(client)
    game = sitting(store)
    recipe(game.door, "p0", FRUITS, "a")
    store.faults = ["lost", "lost"]
    with pytest.raises(StoreUnavailable):
        recipe(game.door, "p0", WASTE, "b")
    with pytest.raises(StoreUnavailable):
        game.door.load("table")


def test_a_repeat_whose_events_cannot_be_read_has_an_open_outcome(client: Redis) -> None:
    store = Faulty(client)
    game = sitting(store)
    recipe(game.door, "p0", FRUITS, "a")
    store.faults = [None, "unreachable"]
    with pytest.raises(OutcomeUnknown):
        recipe(game.door, "p0", FRUITS, "a")


def test_a_process_notices_that_its_store_was_restored_from_a_copy(
    store: EventStore, client: Redis
) -> None:
    """What it kept is a history that never happened."""
    game = sitting(store)
    game.steps(3)
    client.flushall()
    other = sitting(store, seed="another table")
    other.steps(1)
    now = other.door.load("table")
    assert game.door.load("table") == now
    game.steps(2)
    assert game.door.load("table") == Door(store).load("table")


def test_a_move_meets_a_restored_store(store: EventStore, client: Redis) -> None:
    game = sitting(store)
    recipe(game.door, "p0", FRUITS, "a")
    client.flushall()
    other = sitting(store, seed="another table")
    outcome = recipe(game.door, "p0", WASTE, "b")
    assert (outcome.replayed, outcome.loaded) == (False, other.door.load("table"))


def test_a_copy_of_another_history_with_as_many_events_is_noticed(
    store: EventStore, client: Redis
) -> None:
    game = sitting(store)
    kept = game.door.load("table")
    client.flushall()
    other = sitting(store, seed="another table")
    assert other.door.load("table").version == kept.version
    assert game.door.load("table") == other.door.load("table")


def test_events_of_another_history_are_never_applied_to_what_was_kept(
    store: EventStore, client: Redis
) -> None:
    """They could not be: cards would be played that nobody holds."""
    game = sitting(store)
    game.steps(2)
    client.flushall()
    other = sitting(store, seed="another table")
    other.steps(12)
    assert game.door.load("table") == other.door.load("table")


def test_a_table_that_somebody_else_folded_is_kept(store: EventStore, client: Redis) -> None:
    now = sitting(store).door.load("table")
    door = Door(store)
    door.keep(now)
    assert door.cached("table") is now


def test_a_table_that_vanished_is_unknown(store: EventStore, client: Redis) -> None:
    game = sitting(store)
    client.flushall()
    with pytest.raises(UnknownTable):
        recipe(game.door, "p0", FRUITS, "a")
    game = sitting(store)
    client.flushall()
    with pytest.raises(UnknownTable):
        game.door.load("table")


def test_stored_events_that_do_not_lead_to_the_stored_hash_are_told(
    store: EventStore, client: Redis
) -> None:
    sitting(store).steps(3)
    client.hset(keys.meta("table"), "hash", "00" * 32)
    with pytest.raises(BrokenHistory):
        Door(store).load("table")
