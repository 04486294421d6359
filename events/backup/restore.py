"""Putting a backup back: into an empty store only, once every chain in it is proved."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final, assert_never

import msgspec
from redis.exceptions import ResponseError

from events import keys
from events.archive.packed import archivable
from events.backup.saved import (
    BadBackup,
    End,
    Line,
    SavedCounters,
    SavedKey,
    SavedTable,
    Start,
    proved,
    recorded,
)
from events.backup.take import read_tables
from events.entries import fields_of
from events.servers.connection import ask, call, failure, servers
from events.store import EventStore

_COMMANDS: Final = 1_000
"""Commands that are sent together: so many replies are awaited at once."""

_FIELDS: Final = 500
"""Values that one command carries."""

_FIELD_NAMES: Final = ("k", "s", "t", "w", "a", "p", "x")

_WRITERS: Final = {"hash": "HSET", "set": "SADD", "zset": "ZADD", "list": "RPUSH", "string": "SET"}


class NotEmpty(Exception):  # noqa: N818 - what somebody asked for, not a defect
    """Say that the store holds something already."""


@dataclass(frozen=True, slots=True)
class Proved:
    """What a backup holds: when it was begun (ms since 1970), how many tables, events and keys."""

    at: int
    tables: int
    events: int
    keys: int


def prove(lines: Iterable[Line]) -> Proved:
    """Look through a whole backup; raise BadBackup unless every table's chain leads to its head."""
    at = tables = events = kept = 0
    opened: dict[int, int] = {}
    heads: dict[int, int] = {}
    ids: set[str] = set()
    for line in lines:
        match line:
            case Start():
                at = line.at
            case SavedTable():
                tables, events = tables + 1, events + len(line.events)
                _prove_table(line, ids)
                partition = keys.partition(line.id)
                opened[partition] = max(opened.get(partition, 0), line.position or 0)
            case SavedCounters():
                heads[line.partition] = int(line.values.get("head", "0"))
            case SavedKey():
                kept += 1
            case End():
                if (line.tables, line.events, line.keys) != (tables, events, kept):
                    raise BadBackup("Its end counts otherwise than its lines do.")
            case _:
                assert_never(line)
    for partition, position in opened.items():
        if position > heads.get(partition, 0):
            raise BadBackup(f"Partition {partition} has a table beyond the end of its feed.")
    return Proved(at, tables, events, kept)


def _prove_table(saved: SavedTable, ids: set[str]) -> None:
    if saved.id in ids:
        raise BadBackup(f"Table {saved.id} is in it twice.")
    ids.add(saved.id)
    try:
        proved(saved)
    except Exception as error:  # noqa: BLE001 - a damaged history may break anything
        raise BadBackup(
            f"The history of table {saved.id} is not whole: {type(error).__name__}: {error}."
        ) from None


def restore(store: EventStore, lines: Iterable[Line]) -> None:
    """Write a backup that was proved; raise NotEmpty, BadBackup, or StoreError in its middle.

    Every table is read back and compared. While it runs, and after it failed, the store says so by
    a key: what is in it then is not whole, and has to be emptied before the next attempt.
    """
    if any(ask(each, ("DBSIZE",))[0] for each in servers(store.client)):
        raise NotEmpty
    if not _written(store, [("SET", keys.restoring(), "1", "NX")])[0]:
        raise NotEmpty
    now = int(ask(store.client, ("TIME",))[0][0]) * 1000
    waiting: list[SavedTable | SavedCounters | SavedKey] = []
    commands: list[tuple[Any, ...]] = []
    for line in lines:
        if isinstance(line, Start | End):
            continue
        waiting.append(line)
        commands += _commands(line, now, to_archive=store.shelf is not None)
        if len(commands) >= _COMMANDS:
            _flush(store, waiting, commands)
    _flush(store, waiting, commands)
    _written(store, [("DEL", keys.restoring())])


def _flush(
    store: EventStore,
    waiting: list[SavedTable | SavedCounters | SavedKey],
    commands: list[tuple[Any, ...]],
) -> None:
    if store.shelf is not None:
        store.shelf.keep(
            [
                archivable([*recorded(each)], each.ends)
                for each in waiting
                if isinstance(each, SavedTable) and _is_archived(each)
            ]
        )
    for start in range(0, len(commands), _COMMANDS):
        _written(store, commands[start : start + _COMMANDS])
    tables = [each for each in waiting if isinstance(each, SavedTable)]
    if store.shelf is None:
        tables = [_brought_back(each) for each in tables]
    if [*read_tables(store, [each.id for each in tables])] != tables:
        raise BadBackup("The store gives back other tables than were written to it.")
    waiting.clear()
    commands.clear()


def _written(store: EventStore, commands: Sequence[Sequence[Any]]) -> list[Any]:
    replies = call(store.client, *commands)
    for reply in replies:
        if isinstance(reply, ResponseError):
            raise failure(reply)
    return replies


def _brought_back(saved: SavedTable) -> SavedTable:
    """Answer a table as it is where there is no archive: its events are in the store again."""
    meta = {name: value for name, value in saved.meta.items() if name != "archived"}
    return msgspec.structs.replace(saved, meta=meta, ends=())


def _is_archived(saved: SavedTable) -> bool:
    return "archived" in saved.meta


def _commands(
    line: SavedTable | SavedCounters | SavedKey, now: int, *, to_archive: bool
) -> Iterator[tuple[Any, ...]]:
    match line:
        case SavedTable():
            if not (to_archive and _is_archived(line)):
                yield from _history(line, now)
            yield from _head(line, to_archive=to_archive)
        case SavedCounters():
            # Feeds begin after their heads: followers then take every table anew.
            yield ("HSET", keys.counters(line.partition), *_flat(line.values.items()))
        case SavedKey():
            if line.expires is None or line.expires > now:
                for values in _slices(line):
                    yield (_WRITERS[line.kind], line.key, *values)
            if line.expires is not None and line.expires > now:
                yield ("PEXPIREAT", line.key, line.expires)


def _history(saved: SavedTable, now: int) -> Iterator[tuple[Any, ...]]:
    """Write what of a table is in the store as long as it is not archived."""
    stream = keys.events(saved.id)
    for each in recorded(saved):
        fields = _flat(zip(_FIELD_NAMES, fields_of(each), strict=True))
        # As append.lua writes them: a trace comes last, if there is one.
        trace = ("trace", each.trace) if each.trace is not None else ()
        yield ("XADD", stream, f"{each.version}-0", *fields, *trace)
    flat = _flat(saved.commands.items())
    for start in range(0, len(flat), _FIELDS):
        yield ("HSET", keys.commands(saved.id), *flat[start : start + _FIELDS])
    if saved.position is None:
        # No follower will meet it.
        yield ("ZADD", keys.finished(keys.partition(saved.id)), now, saved.id)


def _head(saved: SavedTable, *, to_archive: bool) -> Iterator[tuple[Any, ...]]:
    told = [each for each in saved.meta.items() if to_archive or each[0] != "archived"]
    yield ("HSET", keys.meta(saved.id), *_flat(told))
    if saved.position is not None:
        yield ("ZADD", keys.tables(keys.partition(saved.id)), saved.position, saved.id)


def _slices(line: SavedKey) -> Iterator[tuple[str, ...]]:
    values = line.values
    if line.kind == "zset":
        # Saved as members and their scores, written the other way round.
        values = _flat(zip(values[1::2], values[::2], strict=True))
    for start in range(0, len(values), _FIELDS):
        yield values[start : start + _FIELDS]


def _flat(pairs: Iterable[tuple[Any, Any]]) -> tuple[Any, ...]:
    return tuple([part for pair in pairs for part in pair])
