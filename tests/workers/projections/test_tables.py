"""Documents of tables: the very bytes of a fold, for every viewer, in one round trip."""

import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from redis import Redis

from domain.catalogue import games
from domain.dice import seeded
from domain.game import Seat, Viewer
from events.store import EventStore
from events.transact import Door
from tests.workers.sittings import POTAGE, catch_up, following, leave, move, opened, play_out, sit
from workers.projections import tables
from workers.projections.tables import lookers, read, render


@settings(
    max_examples=12,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(
    seed=st.integers(0, 10_000),
    name=st.sampled_from(sorted(games())),
    steps=st.integers(0, 400),
    data=st.data(),
)
def test_the_stored_view_of_every_viewer_equals_the_view_of_a_fold(
    valkey: Redis, seed: int, name: str, steps: int, data: st.DataObject
) -> None:
    valkey.flushall()
    store = EventStore(valkey)
    door = Door(store)
    game = games()[name]
    seats = data.draw(st.sampled_from(list(game.seats)))
    table = opened(
        door,
        game=game,
        seats=seats,
        players=[f"p{n}" for n in range(seats)],
        bots={seats - 1: "random"} if seed % 2 else {},
    )
    follower = following(store)
    chance = seeded(seed)
    for _ in range(steps):
        if not move(door, table, chance):
            break
        if chance.pick(40) == 0:
            catch_up(follower)
    catch_up(follower)
    folded = Door(store).load(table)
    for viewer in lookers(folded.state):
        ready = read(valkey, table, None, viewer)
        assert ready is not None
        assert ready.view == render(folded, viewer)
    follower.end()


@pytest.fixture
def table(store: EventStore, door: Door) -> str:
    """Open a table for two, drawn by a follower that is gone."""
    name = opened(door, players=["ann", "bob"])
    follower = following(store)
    catch_up(follower)
    follower.end()
    return name


def seen(client: Redis, player: str | None, perspective: Viewer | None = None) -> tables.Ready:
    """Read the table."""
    ready = read(client, "table", player, perspective)
    assert ready is not None
    return ready


def test_a_player_sees_from_their_own_seat(store: EventStore, door: Door, table: str) -> None:
    ready = seen(store.client, "bob")
    loaded = door.load(table)
    assert (ready.seat, ready.viewer) == (1, 1)
    assert ready.view == render(loaded, Seat(1))
    assert (ready.version, ready.hash) == (loaded.version, loaded.hash.hex())
    assert (ready.phase, ready.visibility) == ("playing", "public")


@pytest.mark.parametrize("player", [None, "cid"])
def test_who_has_no_seat_sees_as_a_spectator(
    store: EventStore, door: Door, table: str, player: str | None
) -> None:
    ready = seen(store.client, player)
    assert (ready.seat, ready.viewer) == (None, "spectator")
    assert ready.view == render(door.load(table), "spectator")


def test_a_perspective_goes_before_the_own_seat(store: EventStore, table: str) -> None:
    ready = seen(store.client, "bob", Seat(0))
    assert (ready.seat, ready.viewer) == (1, 0)
    assert ready.view is not None
    assert json.loads(ready.view)["viewer"] == {"seat": 0}


def test_the_arbiter_has_no_view_before_the_end(store: EventStore, door: Door, table: str) -> None:
    assert seen(store.client, None, "arbiter").view is None
    play_out(door, table)
    catch_up(following(store))
    ready = seen(store.client, None, "arbiter")
    assert ready.phase == "over"
    assert ready.view == render(door.load(table), "arbiter")


def test_a_view_behind_its_table_is_not_shown(store: EventStore, door: Door, table: str) -> None:
    move(door, table, seeded(1))
    ready = seen(store.client, "ann")
    assert ready.view is None
    assert ready.version == door.load(table).version


def test_a_table_that_was_never_drawn_still_has_its_version(store: EventStore, door: Door) -> None:
    opened(door, players=["ann"])
    ready = seen(store.client, "ann")
    assert (ready.version, ready.view, ready.seat, ready.visibility) == (2, None, None, None)


def test_a_table_that_was_never_opened_is_none(client: Redis) -> None:
    assert read(client, "nowhere", "ann", None) is None


def test_who_left_a_table_has_no_seat_there(store: EventStore, door: Door) -> None:
    opened(door, seats=3, players=["ann"])
    sit(door, "table", "bob")
    follower = following(store)
    catch_up(follower)
    assert seen(store.client, "bob").seat == 1
    leave(door, "table", "bob")
    catch_up(follower)
    assert seen(store.client, "bob").seat is None


def test_a_view_has_everything_but_the_links(store: EventStore, table: str) -> None:
    view = seen(store.client, "ann").view
    assert view is not None
    told = json.loads(view)
    assert list(told)[:3] == ["id", "version", "hash"]
    assert told["id"] == table
    assert told["game"] == POTAGE.name
    assert "links" not in told
