"""Rebuilding a projection: strict, complete, and unnoticed by whoever reads meanwhile."""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from threading import Event, Thread
from typing import Any

import pytest
from redis import Redis

from domain.dice import seeded
from events import keys
from events.keyframes import document as keyframe_document
from events.servers.connection import connect
from events.servers.embedded import Embedded
from events.store import EventStore
from events.transact import Door
from tests.e2e.server import PATIENCE
from tests.workers.folds import differences
from tests.workers.processes import eventually
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
from workers.projections import PROJECTIONS, keyframes, lobby, players, shape, tables
from workers.projections.listing import order_key
from workers.projections.shape import Changes, Projection, Sitting
from workers.rebuild import CannotRebuild, rebuild

NAMES = [f"t{number}" for number in range(int(os.environ.get("REBUILT_TABLES", "8")))]
ROUNDS = int(os.environ.get("REBUILDS", "1"))


@pytest.fixture(autouse=True)
def _frequent_keyframes(monkeypatch: pytest.MonkeyPatch) -> None:
    for room in (keyframes, shape):
        monkeypatch.setattr(room, "EVERY", 5)


def filled(store: EventStore) -> None:
    """Play at some tables, with projections that are caught up."""
    door = Door(store)
    opened(door, "over", players=["ann", "bob"])
    play_out(door, "over")
    opened(door, "left", seats=3, players=["ann"])
    sit(door, "left", "bob")
    leave(door, "left", "bob")
    opened(door, "private", players=["ann", "cid"], visibility="private")
    opened(door, "public", players=["bob", "cid"])
    follower = following(store)
    catch_up(follower)
    follower.end()


def leftovers(client: Any) -> list[bytes]:
    """Answer what a rebuild should have taken away."""
    fields = [
        name
        for partition in range(keys.PARTITIONS)
        for name in client.hkeys(keys.checkpoints(partition))
        if b":next" in name
    ]
    ends = (":next", ":last", "rebuild", "rebuilding")
    return fields + [name for name in client.keys("*") if name.decode().endswith(ends)]


@pytest.mark.parametrize("projection", PROJECTIONS, ids=lambda each: each.name)
def test_a_rebuilt_projection_is_what_the_histories_make(
    store: EventStore, projection: Projection
) -> None:
    filled(store)
    done = rebuild(store, projection)
    assert (done.tables, done.compared) == (4, 4)
    assert differences(store) == []
    assert leftovers(store.client) == []


@pytest.mark.parametrize("projection", PROJECTIONS, ids=lambda each: each.name)
def test_several_processes_make_what_one_makes(
    valkey: Redis, embedded: Embedded, projection: Projection
) -> None:
    store = EventStore(valkey)
    filled(store)
    done = rebuild(
        store,
        projection,
        processes=2,
        reopened=lambda: EventStore(connect(embedded.url, timeout=PATIENCE)),
    )
    assert (done.tables, done.compared) == (4, 4)
    assert differences(store) == []
    assert leftovers(store.client) == []


def test_a_process_that_is_killed_stops_it_with_nothing_changed(
    valkey: Redis, embedded: Embedded
) -> None:
    store = EventStore(valkey)
    filled(store)
    parent = os.getpid()

    def killed(sitting: Sitting) -> Changes:
        if os.getpid() != parent:
            os._exit(9)
        return lobby.apply(sitting)

    projection = replace(lobby.LOBBY, apply=killed)
    with pytest.raises(CannotRebuild, match="was killed"):
        rebuild(
            store,
            projection,
            processes=2,
            reopened=lambda: EventStore(connect(embedded.url, timeout=PATIENCE)),
        )
    assert differences(store) == []
    assert leftovers(store.client) == []


def test_lists_of_a_rebuild_that_was_killed_are_swept_up_by_the_next(store: EventStore) -> None:
    filled(store)
    made = keys.projection(0, "lobby", lobby.LOBBY.generation, "rebuilding")
    store.client.sadd(made, "old-game")
    begun = f"{order_key(lobby.LOBBY, 'old-game', 'items')}:next"
    store.client.hset(begun, "table", "1 {}")
    rebuild(store, lobby.LOBBY)
    assert leftovers(store.client) == []


def test_what_was_spoilt_is_right_again(store: EventStore) -> None:
    filled(store)
    client = store.client
    client.hset(tables.document("over"), "junk", "1")
    client.delete(tables.document("private"))
    client.hset(keyframe_document("left"), "newest", "{}")
    items = order_key(lobby.LOBBY, "potage_sauvage", "items")
    client.hset(items, "over", "99999 {}")
    client.hset(items, "never", "1 {}")
    client.zadd(order_key(lobby.LOBBY, "potage_sauvage", "open"), {"000000000000001:never": 0})
    client.delete(order_key(players.PLAYERS, "ann", "all"))
    assert len(differences(store)) >= 4
    for projection in PROJECTIONS:
        rebuild(store, projection)
    assert differences(store) == []
    assert not client.exists(keyframe_document("left")), "it never had as many versions"


def test_followers_go_on_where_they_were(store: EventStore) -> None:
    filled(store)
    door = Door(store)
    before = [store.client.hgetall(keys.checkpoints(each)) for each in range(keys.PARTITIONS)]
    for projection in PROJECTIONS:
        rebuild(store, projection)
    assert before == [
        store.client.hgetall(keys.checkpoints(each)) for each in range(keys.PARTITIONS)
    ]
    follower = following(store)
    for _ in range(4):
        move(door, "private", seeded(3))
    catch_up(follower)
    assert differences(store) == []


def test_a_rebuild_without_a_follower_at_work_is_ahead_of_it(store: EventStore) -> None:
    filled(store)
    for _ in range(4):
        move(Door(store), "private", seeded(3))
    opened(Door(store), "new", players=["ann", "bob"])
    for projection in PROJECTIONS:
        rebuild(store, projection)
    assert differences(store) == []
    catch_up(following(store))
    assert differences(store) == []


def test_what_is_read_is_never_replaced_by_something_older(
    store: EventStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between the last look at the feeds and the switch, a follower commits a newer move."""
    filled(store)
    follower = following(store)
    door = Door(store)
    switched: list[int] = []

    def moved_first(work: Any) -> None:
        for table in ("private", "public"):
            assert move(door, table, seeded(len(switched)))
        catch_up(follower)
        switched.append(1)
        plain(work)

    plain: Callable[[Any], None] = rebuild.__globals__["_Rebuild"].switch
    monkeypatch.setattr(rebuild.__globals__["_Rebuild"], "switch", moved_first)
    for projection in PROJECTIONS:
        rebuild(store, projection)
        assert differences(store) == []
    assert len(switched) == len(PROJECTIONS)


def test_whoever_goes_on_after_a_number_is_told_only_what_a_rebuild_changed(
    store: EventStore,
) -> None:
    filled(store)
    newest, _ = players.changes(store.client, "ann", 0, 0)
    rebuild(store, players.PLAYERS)
    assert players.changes(store.client, "ann", newest, 10) == (newest, ())
    opened(Door(store), "new", players=["ann", "bob"])
    rebuild(store, players.PLAYERS)
    ahead, found = players.changes(store.client, "ann", newest, 10)
    assert [each.table for each in found] == ["new"]
    catch_up(following(store))
    assert players.changes(store.client, "ann", ahead, 10) == (ahead, ())


def test_a_follower_that_is_ahead_of_the_position_it_says_is_not_taken_back(
    store: EventStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A table is read as it is: a move may be drawn before its entry in the feed is passed."""
    filled(store)
    door = Door(store)
    plain: Callable[[Any], None] = rebuild.__globals__["_Rebuild"].switch

    def ahead(work: Any) -> None:
        partition = keys.partition("private")
        position = store.client.hget(keys.checkpoints(partition), work.projection.consumer)
        assert move(door, "private", seeded(7))
        catch_up(following(store))
        store.client.hset(keys.checkpoints(partition), work.projection.consumer, position)
        for player in ("ann", "cid"):
            of = order_key(players.PLAYERS, player, "positions")
            store.client.hset(of, str(partition), position)
        plain(work)

    monkeypatch.setattr(rebuild.__globals__["_Rebuild"], "switch", ahead)
    for projection in (tables.TABLES, players.PLAYERS):
        six_seconds_later(store.client)
        rebuild(store, projection)
        assert differences(store) == []


def failing_at(version: int) -> Projection:
    def apply(sitting: Sitting) -> Changes:
        if sitting.loaded.version >= version and sitting.loaded.table == "private":
            raise ValueError("the hidden card")
        return tables.apply(sitting)

    return replace(tables.TABLES, apply=apply)


def test_an_error_stops_it_names_the_event_and_leaves_what_is_read(store: EventStore) -> None:
    filled(store)
    at = Door(store).load("private").version
    before = store.client.hgetall(tables.document("over"))
    with pytest.raises(CannotRebuild) as stopped:
        rebuild(store, failing_at(at))
    assert str(stopped.value) == (
        f"tables cannot be drawn at event {at} of table private: ValueError."
    )
    assert store.client.hgetall(tables.document("over")) == before
    assert differences(store) == []
    assert leftovers(store.client) == []


def test_a_broken_history_is_named_by_its_event(store: EventStore) -> None:
    filled(store)
    store.client.xdel(keys.events("private"), "3-0")
    with pytest.raises(CannotRebuild, match="at event 4 of table private: BrokenHistory"):
        rebuild(store, lobby.LOBBY)
    assert leftovers(store.client) == []


def test_what_was_built_is_compared_before_it_is_read(
    store: EventStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("workers.rebuild.PATIENCE", 0.0)
    filled(store)
    plain = rebuild.__globals__["_Rebuild"].build

    def spoilt(work: Any, *how: Any) -> int:
        built: int = plain(work, *how)
        store.client.hset(f"{tables.document('over')}:next", "s", "{}")
        return built

    monkeypatch.setattr(rebuild.__globals__["_Rebuild"], "build", spoilt)
    with pytest.raises(CannotRebuild, match="for table over is not what its history makes"):
        rebuild(store, tables.TABLES)
    assert differences(store) == []


def test_only_one_rebuilds_at_a_time(store: EventStore) -> None:
    filled(store)

    def another() -> None:
        with pytest.raises(CannotRebuild, match="is being rebuilt already"):
            rebuild(store, tables.TABLES)
        rebuild(store, lobby.LOBBY)

    rebuild(store, tables.TABLES, keep=another)


def test_the_old_one_is_kept_for_a_while(store: EventStore) -> None:
    filled(store)
    store.client.hset(tables.document("over"), "junk", "1")
    kept: list[Any] = []
    last = f"{tables.document('over')}:last"
    rebuild(store, tables.TABLES, keep=lambda: kept.append(store.client.hget(last, "junk")))
    assert kept == [b"1"]
    assert not store.client.exists(last)


@contextmanager
def beside(*jobs: Callable[[Redis], object], url: str) -> Iterator[list[BaseException]]:
    """Do jobs over and over in threads of their own; answer what they raised."""
    stop = Event()
    raised: list[BaseException] = []

    def work(job: Callable[[Redis], object]) -> None:
        with connect(url, timeout=PATIENCE) as client:
            try:
                while not stop.is_set():
                    job(client)
            except BaseException as error:  # noqa: BLE001 - told by the test
                raised.append(error)

    threads = [Thread(target=work, args=(job,)) for job in jobs]
    for thread in threads:
        thread.start()
    try:
        yield raised
    finally:
        stop.set()
        for thread in threads:
            thread.join()


@dataclass
class Told:
    """What Ann was told of her tables, two changes at a time."""

    number: int = 0
    told: dict[str, bytes] = field(default_factory=dict)
    versions: dict[str, int] = field(default_factory=dict)

    def go_on(self, client: Redis) -> None:
        """Read on: nothing may come twice."""
        for each in players.changes(client, "ann", self.number, 2)[1]:
            assert each.number > self.number
            # What changed there and back again meanwhile reads as before, at a later version.
            assert each.version > self.versions.get(each.table, 0), "told twice"
            self.number, self.told[each.table] = each.number, each.item
            self.versions[each.table] = each.version

    def finish(self, client: Redis) -> None:
        """Read on to the end."""
        while players.changes(client, "ann", self.number, 1)[1]:
            self.go_on(client)


def rebuild_beside(
    store: EventStore, projection: Projection, counted: dict[str, int], raised: list[BaseException]
) -> None:
    """Rebuild while others read, however seldom a busy machine lets them."""
    before = counted["reads"]

    def was_read() -> bool:
        return counted["reads"] > before or bool(raised)

    done = rebuild(store, projection, keep=lambda: eventually(was_read))
    assert done.tables == len(NAMES)
    assert raised == []
    assert counted["reads"] > before


@pytest.mark.timeout(600)
def test_whoever_reads_during_live_traffic_misses_nothing_and_never_goes_back(
    valkey: Redis, embedded: Embedded
) -> None:
    store = EventStore(valkey)
    door = Door(store)
    for name in NAMES:
        opened(door, name, seats=3, players=["ann", "bob", "cid"])
    first = following(store)
    catch_up(first)
    first.end()
    chance = seeded(4)
    ann = Told()
    seen: dict[tuple[str, str], int] = {}
    counted = {"moves": 0, "reads": 0}

    def play(_: Redis) -> None:
        for name in NAMES:
            counted["moves"] += move(door, name, chance)

    def follow(client: Redis) -> None:
        Follower(EventStore(client)).run(0.5)

    def newer(kind: str, table: str, version: int) -> None:
        assert version >= seen.get((kind, table), 0), (kind, table, version)
        seen[kind, table] = version

    def read_views(client: Redis) -> None:
        for name in NAMES:
            assert client.hget(tables.document(name), "s") is not None
            # A follower that read before the switch may write older bytes after it, for a moment:
            # nobody is shown them, since bytes count only where they are as new as the table.
            ready = tables.read(client, name, "ann", None)
            assert ready is not None
            newer("view", name, ready.version)
            counted["reads"] += 1

    def read_lists(client: Redis) -> None:
        listed = lobby.page(client, ["potage_sauvage"], lobby.PHASES, None, 100)
        assert len({item[:20] for item in listed.items}) == len(NAMES)
        newer("lobby", "position", listed.position)
        mine = players.page(client, "ann", waiting=False, cursor=None, limit=100)
        assert len(mine.items) == len(NAMES)
        newer("players", "position", mine.position)
        _, changed = players.changes(client, "ann", 0, 100)
        assert {each.table for each in changed} == {*NAMES}
        for each in changed:
            newer("item", each.table, each.version)
        ann.go_on(client)
        counted["reads"] += 2

    with beside(play, follow, read_views, read_lists, url=embedded.url) as raised:
        for _ in range(ROUNDS):
            for projection in PROJECTIONS:
                rebuild_beside(store, projection, counted, raised)
    assert raised == []
    assert counted["moves"] > 0
    last = following(store)
    catch_up(last)
    ann.finish(store.client)
    _, changed = players.changes(store.client, "ann", 0, 100)
    assert ann.told == {each.table: each.item for each in changed}
    assert differences(store) == []
    assert leftovers(store.client) == []
