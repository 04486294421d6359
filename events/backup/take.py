"""Taking a backup while everything runs: each table at a version of its own, its chain proved."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

from redis import Redis

from events import keys
from events.backup.saved import (
    FORMAT,
    Kind,
    Line,
    SavedCounters,
    SavedKey,
    SavedTable,
    Start,
    is_kept,
    is_told,
    proved,
    saved_event,
    table_of,
)
from events.servers.connection import StoreError, StoreUnavailable, ask, servers
from events.store import EventStore

_SCANNED: Final = 1_000
_TABLES: Final = 32
_KEYS: Final = 256

_READERS: Final[dict[Kind, tuple[str, tuple[Any, ...]]]] = {
    "hash": ("HGETALL", ()),
    "set": ("SMEMBERS", ()),
    "zset": ("ZRANGE", (0, -1, "WITHSCORES")),
    "list": ("LRANGE", (0, -1)),
    "string": ("GET", ()),
}


def backup(store: EventStore, damaged: Callable[[str, Exception], object]) -> Iterator[Line]:
    """Answer the lines of a backup, but its end; raise StoreUnavailable.

    Every table that is there at the start is in it, at a version that it had meanwhile; whatever
    was acknowledged before the start is in it. ``damaged`` is told of tables that are left out,
    because their events do not lead to their heads.
    """
    yield Start(FORMAT, _now(store))
    tables = []
    told = []
    for key in _scan(store):
        table = table_of(key)
        if table is not None:
            tables.append(table)
        elif is_told(key):
            told.append(key)
    yield from _keys(store, told)
    for some in _parts(tables, _TABLES):
        yield from _proved(store, some, damaged)
    yield from _counters(store)
    # Players after their tables: whoever sits somewhere is known.
    for some in _parts(sorted({key for key in _scan(store) if is_kept(key)}), _KEYS):
        yield from _keys(store, some)


def _proved(
    store: EventStore, tables: Sequence[str], damaged: Callable[[str, Exception], object]
) -> Iterator[SavedTable]:
    """Answer tables whose chains hold; one that cannot even be read spoils no other."""
    try:
        found = [*read_tables(store, tables)]
    except StoreError:
        raise
    except Exception as error:  # noqa: BLE001 - a damaged entry may break anything
        if len(tables) == 1:
            damaged(tables[0], error)
            return
        for each in tables:
            yield from _proved(store, [each], damaged)
        return
    for saved in found:
        try:
            proved(saved)
        except Exception as error:  # noqa: BLE001 - and so may a damaged history
            damaged(saved.id, error)
        else:
            yield saved


def read_tables(store: EventStore, tables: Sequence[str]) -> Iterator[SavedTable]:
    """Answer tables as they would be saved now; unknown ones are left out."""
    asked: list[tuple[Any, ...]] = []
    for table in tables:
        position = keys.tables(keys.partition(table))
        asked += (("HGETALL", keys.meta(table)), ("ZSCORE", position, table))
    replies = ask(store.client, *asked)
    heads = [
        (table, _texts(told), position)
        for table, told, position in zip(tables, replies[::2], replies[1::2], strict=True)
        if told
    ]
    # Read in this order, events and commands may be newer than the head: that is cut off.
    histories = store.read_many([(table, 0, int(meta["version"])) for table, meta, _ in heads])
    accepted = ask(store.client, *(("HGETALL", keys.commands(table)) for table, _, _ in heads))
    for (table, meta, position), history, commands in zip(heads, histories, accepted, strict=True):
        version = int(meta["version"])
        ends = () if commands else store.archived_ends(table)
        if ends and "archived" not in meta:
            # It has gone to the archive since its head was read, and stays as it is now.
            yield from read_tables(store, [table])
            continue
        yield SavedTable(
            id=table,
            position=None if position is None else int(position),
            meta=meta,
            commands={
                name: value
                for name, value in _texts(commands).items()
                if int(value.rpartition("|")[2]) <= version
            },
            events=tuple([saved_event(each) for each in history]),
            ends=ends,
        )


def _counters(store: EventStore) -> Iterator[SavedCounters]:
    partitions = range(keys.PARTITIONS)
    replies = ask(store.client, *(("HGETALL", keys.counters(each)) for each in partitions))
    for partition, reply in zip(partitions, replies, strict=True):
        if reply:
            yield SavedCounters(partition, _texts(reply))


def _keys(store: EventStore, names: Sequence[str]) -> Iterator[SavedKey]:
    """Save keys; one that is gone meanwhile is left out."""
    kinds: list[Any] = [
        each.decode() for each in ask(store.client, *(("TYPE", each) for each in names))
    ]
    known = [(name, kind) for name, kind in zip(names, kinds, strict=True) if kind in _READERS]
    asked: list[tuple[Any, ...]] = [("TIME",)]
    for name, kind in known:
        verb, how = _READERS[kind]
        asked += ((verb, name, *how), ("PTTL", name))
    (seconds, micros), *replies = ask(store.client, *asked)
    now = int(seconds) * 1000 + int(micros) // 1000
    for (name, kind), value, left in zip(known, replies[::2], replies[1::2], strict=True):
        values = [value] if kind == "string" else value
        if value:
            expires = now + left if left >= 0 else None
            yield SavedKey(name, kind, tuple([each.decode() for each in values]), expires)


def _now(store: EventStore) -> int:
    seconds, micros = ask(store.client, ("TIME",))[0]
    return int(seconds) * 1000 + int(micros) // 1000


def _scan(store: EventStore) -> Iterator[str]:
    """Answer every key that is there from the start to the end; raise StoreUnavailable.

    Nothing may move from server to server of a cluster meanwhile.
    """
    there = servers(store.client)
    for server in there:
        yield from _scan_server(server)
    if servers(store.client) != there:
        raise StoreUnavailable("parts of the cluster have moved meanwhile: begin again")


def _scan_server(server: Redis) -> Iterator[str]:
    seen: set[str] = set()
    cursor: bytes = b"0"
    while True:
        cursor, found = ask(server, ("SCAN", cursor, "COUNT", _SCANNED))[0]
        for name in found:
            key = name.decode(errors="replace")
            # Only what is saved is remembered: projections are far more.
            if (table_of(key) is None and not is_told(key) and not is_kept(key)) or key in seen:
                continue
            seen.add(key)
            yield key
        if int(cursor) == 0:
            return


def _parts(names: Sequence[str], size: int) -> Iterator[Sequence[str]]:
    for start in range(0, len(names), size):
        yield names[start : start + size]


def _texts(flat: Sequence[bytes]) -> dict[str, str]:
    texts = [each.decode() for each in flat]
    return dict(zip(texts[::2], texts[1::2], strict=True))
