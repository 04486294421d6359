"""Backups: complete and consistent while moves go on, restored only if every chain is whole."""

import inspect
from collections.abc import Iterable
from threading import Event, Thread
from typing import Any

import msgspec
import pytest
from redis import Redis

from events import keys
from events.backup import saved
from events.backup.restore import NotEmpty, Proved, prove, restore
from events.backup.saved import (
    BadBackup,
    End,
    Line,
    SavedEvent,
    SavedTable,
    is_kept,
    is_told,
    read,
    written,
)
from events.backup.take import backup
from events.store import EventStore
from events.transact import Door
from tests.events.tables import Sitting, named, plays, sitting

PLAYER, HOOK = "7f1c", "9a2e"


def taken(store: EventStore) -> list[bytes]:
    """Take a backup of which nothing may be left out."""

    def damaged(table: str, error: Exception) -> None:
        raise AssertionError(table) from error

    return list(written(backup(store, damaged)))


def tables_in(texts: Iterable[bytes]) -> dict[str, SavedTable]:
    return {line.id: line for line in read(texts) if isinstance(line, SavedTable)}


def resealed(lines: Iterable[Line]) -> list[bytes]:
    """Write lines with a digest that is right."""
    return list(written(line for line in lines if not isinstance(line, End)))


def emptied(store: EventStore) -> None:
    store.client.flushall()


def with_people(client: Redis) -> None:
    """Write one key of every kind that is kept."""
    client.hset(keys.player(PLAYER), mapping={"name": "Zoé", "seed": "00ff"})
    client.sadd(keys.player_tokens(PLAYER), "d1", "d2")
    client.sadd(keys.player_bots(PLAYER), "b")
    client.sadd(keys.player_apps(PLAYER), "a")
    client.sadd(keys.player_grants(PLAYER), "g")
    client.sadd(keys.player_webhooks(PLAYER), HOOK)
    client.hset(keys.token("d1"), mapping={"player": PLAYER, "scopes": "play"})
    client.set(keys.recovery("d3"), PLAYER)
    client.hset(keys.oauth("code", "d4"), mapping={"player": PLAYER})
    client.pexpire(keys.oauth("code", "d4"), 600_000)
    client.hset(keys.webhook(HOOK), mapping={"owner": PLAYER, "url": "https://example.org/"})
    client.hset(keys.webhook(HOOK, "told"), mapping={"turn one": 3})
    client.lpush(keys.webhook(HOOK, "log"), "second", "first")
    client.hset(keys.subscriptions(), f"p:{PLAYER}", HOOK)


def with_leavings(client: Redis) -> None:
    """Write what is made anew."""
    client.set(keys.limit("moves", PLAYER), 1, px=600_000)
    client.set(keys.ticket("d5"), PLAYER, px=600_000)
    client.set(keys.lease(0), "follower 1")
    client.incr(keys.fence(0))
    client.zadd(keys.followers(), {"follower": 1})
    client.hset(keys.checkpoints(0), "token", 1)
    client.hset(keys.projection(0, "tables", 1, "one"), "v", 1)
    client.zadd(keys.listing("lobby", 1, "potage_sauvage", "over"), {"one": 0})
    client.hset(keys.webhook(HOOK, "pending"), "turn one", "4 0 0 0 {}")
    client.zadd(keys.webhooks_due(3), {HOOK: 1})
    client.zadd(keys.webhooks_held(3), {HOOK: 1})


def everything(client: Any) -> dict[bytes, object]:
    """Read whatever a backup keeps, as the server tells it."""
    found: dict[bytes, object] = {}
    for name in sorted(client.keys("*")):
        match client.type(name):
            case b"hash":
                found[name] = client.hgetall(name)
            case b"set":
                found[name] = client.smembers(name)
            case b"list":
                found[name] = client.lrange(name, 0, -1)
            case b"zset":
                found[name] = client.zrange(name, 0, -1, withscores=True)
            case b"stream":
                found[name] = client.xrange(name)
            case _:
                found[name] = client.get(name)
    return found


def test_what_is_restored_is_what_was_saved(store: EventStore) -> None:
    sitting(store, "one").steps(6)
    sitting(store, "over").play_out()
    sitting(store, "imported").play_out()
    store.client.zrem(keys.tables(keys.partition("imported")), "imported")
    store.client.hset(keys.meta("imported"), "imported", 1)
    with_people(store.client)
    before = {
        name: value
        for name, value in everything(store.client).items()
        if not name.endswith((b":feed", b":finished"))
    }
    with_leavings(store.client)
    texts = taken(store)
    emptied(store)

    restore(store, read(texts))
    # No feed tells of an imported table: its time until it is archived runs from now.
    finished = keys.finished(keys.partition("imported"))
    assert store.client.zrange(finished, 0, -1) == [b"imported"]
    store.client.delete(finished)
    assert everything(store.client) == before
    assert 0 < store.client.pttl(keys.oauth("code", "d4")) <= 600_000
    assert store.client.ttl(keys.token("d1")) == -1


def test_a_backup_says_what_it_holds(store: EventStore) -> None:
    events = sitting(store, "one").steps(3)[-1].last
    with_people(store.client)
    found = prove(read(taken(store)))
    assert found == Proved(at=found.at, tables=1, events=events, keys=13)
    assert found.at > 1_700_000_000_000


def test_a_repeat_of_an_old_command_meets_its_first_answer_after_a_restore(
    store: EventStore,
) -> None:
    table = sitting(store, "one")
    player, move = table.move(table.door.load("one").state)
    first = table.door.transact("one", plays(player, move), named(player, "kept", move))
    table.steps(2)
    texts = taken(store)
    emptied(store)
    restore(store, read(texts))

    door = Door(store)
    again = door.transact("one", plays(player, move), named(player, "kept", move))
    assert (again.replayed, again.first, again.last) == (True, first.first, first.last)
    assert not Sitting(door, "one").step().replayed
    (entry,) = store.read_feed(keys.partition("one"))
    assert entry.position == 5, "the feed goes on after the head that was saved"


def test_a_backup_taken_during_play_is_whole_and_has_all_that_was_acknowledged_before(
    valkey: Redis,
) -> None:
    store = EventStore(valkey)
    names = [f"t{number}" for number in range(40)]
    for name in names:
        sitting(store, name)
    stop = Event()
    acknowledged: dict[str, int] = {}
    promised: dict[str, int] = {}
    texts: list[bytes] = []
    moved = False

    def play() -> None:
        door = Door(store)
        players = [Sitting(door, name) for name in names]
        while not stop.is_set():
            for each in players:
                if door.load(each.table).state.phase == "playing":
                    acknowledged[each.table] = each.step().last

    thread = Thread(target=play)
    thread.start()
    try:
        while len(acknowledged) < len(names):
            thread.join(0.01)
        for _ in range(5):
            promised = dict(acknowledged)
            texts = taken(store)
            assert prove(read(texts)).tables == len(names)
            for table in tables_in(texts).values():
                assert len(table.events) >= promised[table.id]
                lasts = [int(value.rpartition("|")[2]) for value in table.commands.values()]
                assert max(lasts) == len(table.events), "commands and events are of one moment"
            moved = moved or acknowledged != promised
        assert moved, "nothing moved meanwhile"
    finally:
        stop.set()
        thread.join()
    emptied(store)
    restore(store, read(texts))
    assert tables_in(taken(store)) == tables_in(texts)


def test_only_an_empty_store_takes_a_backup(store: EventStore) -> None:
    sitting(store, "one").steps(2)
    texts = taken(store)
    before = everything(store.client)
    with pytest.raises(NotEmpty):
        restore(store, read(texts))
    assert everything(store.client) == before


def test_a_restore_that_broke_off_is_not_carried_on(store: EventStore) -> None:
    for number in range(60):
        sitting(store, f"t{number}").steps(5)
    texts = taken(store)
    emptied(store)
    with pytest.raises(BadBackup):
        restore(store, read(texts[:-1]))
    assert store.client.exists(keys.restoring())
    with pytest.raises(NotEmpty):
        restore(store, read(texts))


def test_whatever_is_changed_in_a_backup_is_found(store: EventStore) -> None:
    sitting(store, "one").steps(2)
    with_people(store.client)
    texts = taken(store)
    for number, text in enumerate(texts):
        for at in range(0, len(text) - 1, 7):
            other = bytes((text[at] ^ 1,))
            spoilt = [*texts]
            spoilt[number] = text[:at] + other + text[at + 1 :]
            with pytest.raises(BadBackup):
                prove(read(spoilt))
        with pytest.raises(BadBackup):
            prove(read(texts[:number] + texts[number + 1 :]))
        with pytest.raises(BadBackup):
            prove(read(texts[:number]))
    with pytest.raises(BadBackup):
        prove(read([*texts, texts[-1]]))


def _without_its_last_event(table: SavedTable) -> SavedTable:
    return msgspec.structs.replace(table, events=table.events[:-1])


def _with_another_fact(table: SavedTable) -> SavedTable:
    first, *rest = table.events
    later = [msgspec.structs.replace(each, at=each.at + 1) for each in rest]
    events: tuple[SavedEvent, ...] = (first, *later)
    return msgspec.structs.replace(table, events=events)


def _with_another_phase(table: SavedTable) -> SavedTable:
    return msgspec.structs.replace(table, meta={**table.meta, "phase": "over"})


def _with_another_id(table: SavedTable) -> SavedTable:
    return msgspec.structs.replace(table, id="other")


@pytest.mark.parametrize(
    "forge",
    [_without_its_last_event, _with_another_fact, _with_another_phase, _with_another_id],
)
def test_a_forged_table_is_found_by_its_chain_whatever_the_digest(
    store: EventStore, forge: Any
) -> None:
    sitting(store, "one").steps(4)
    lines = [forge(each) if isinstance(each, SavedTable) else each for each in read(taken(store))]
    with pytest.raises(BadBackup, match="is not whole"):
        prove(read(resealed(lines)))


def test_a_table_beyond_its_feed_or_there_twice_is_found(store: EventStore) -> None:
    sitting(store, "one").steps(1)
    lines = [*read(taken(store))]
    behind = [each for each in lines if not isinstance(each, saved.SavedCounters)]
    with pytest.raises(BadBackup, match="beyond the end of its feed"):
        prove(read(resealed(behind)))
    (table,) = (each for each in lines if isinstance(each, SavedTable))
    with pytest.raises(BadBackup, match="twice"):
        prove(read(resealed([*lines[:-1], table])))


def test_a_backup_of_a_later_format_is_refused() -> None:
    with pytest.raises(BadBackup, match="Its format is 2; this release reads 1"):
        prove(read(written([saved.Start(2, 0)])))


def test_a_damaged_table_is_left_out_and_named(store: EventStore) -> None:
    sitting(store, "whole").steps(2)
    sitting(store, "broken").steps(2)
    store.client.xdel(keys.events("broken"), "2-0")
    named_: list[str] = []
    texts = list(written(backup(store, lambda table, _: named_.append(table))))
    assert named_ == ["broken"]
    assert [*tables_in(texts)] == ["whole"]
    assert prove(read(texts)).tables == 1


SOME: dict[str, tuple[Any, ...]] = {
    "events": ("one",), "meta": ("one",), "commands": ("one",), "feed": (3,), "counters": (3,),
    "finished": (3,),
    "tables": (3,), "lease": (3,), "fence": (3,), "checkpoints": (3,), "followers": (),
    "projection": (3, "tables", 1, "one"), "listing": ("lobby", 1, "potage_sauvage", "items"),
    "player": ("x",), "player_tokens": ("x",), "player_bots": ("x",), "player_apps": ("x",),
    "player_grants": ("x",), "player_webhooks": ("x",),
    "player_unfinished": ("x",), "oauth": ("code", "x"),
    "recovery": ("x",), "token": ("x",), "ticket": ("x",), "limit": ("moves", "x"),
    "webhook": ("x",), "webhooks_due": (3,), "webhooks_held": (3,), "subscriptions": (),
    "restoring": (),
}  # fmt: skip
NO_KEYS = {"tag", "slot", "partition", "block", "wake", "stir", "webhook_shard", "nothing"}
KEPT = {
    "player", "player_tokens", "player_bots", "player_apps", "player_grants", "player_webhooks",
    "player_unfinished",
    "oauth", "recovery", "token", "webhook", "subscriptions",
}  # fmt: skip


def test_of_every_key_it_is_decided_whether_a_backup_keeps_it() -> None:
    functions = {
        name
        for name, each in vars(keys).items()
        if callable(each) and not name.startswith("_") and inspect.getmodule(each) is keys
    } | {"partition"}
    assert functions == SOME.keys() | NO_KEYS
    for name, arguments in SOME.items():
        assert is_kept(getattr(keys, name)(*arguments)) == (name in KEPT), name
    assert is_told(keys.webhook("x", "told"))
    assert not is_kept(keys.webhook("x", "told"))
    assert not is_kept(keys.webhook("x", "pending"))
    assert is_kept(keys.webhook("x", "log"))
    assert saved.table_of(keys.meta("one")) == "one"
    assert saved.table_of(keys.events("one")) is None
