"""Whether histories are whole: events, feeds and heads of tables agree with one another."""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

from events import keys
from events.connection import StoreError
from events.loaded import Loaded, fold, unopened
from events.recorded import FeedEntry
from events.store import EventStore, Meta
from service.doctor.finding import Finding

_RESTORE: Final = "Stop the server and put the store's last good backup in place."
_FEED_TAIL: Final = 1000
"""Entries of each feed that are looked at: the newest."""


def check_feeds(store: EventStore) -> Iterator[Finding]:
    """Look for gaps in the feeds, and for entries without their events."""
    heads = store.feed_heads(range(keys.PARTITIONS))
    after = {each: max(0, head - _FEED_TAIL) for each, head in heads.items() if head}
    for partition, entries in store.read_feeds(after, _FEED_TAIL).items():
        yield from _check_feed(store, partition, heads[partition], entries)


def _check_feed(
    store: EventStore, partition: int, head: int, entries: Sequence[FeedEntry]
) -> Iterator[Finding]:
    name = keys.feed(partition)
    if entries[-1].position < head:
        yield Finding(f"The feed {name} ends at {entries[-1].position}, before {head}.", _RESTORE)
    for before, entry in pairwise(entries):
        if entry.position != before.position + 1:
            gap = f"{before.position} to {entry.position}"
            yield Finding(f"The feed {name} has a gap from {gap}.", _RESTORE)
    last = {entry.table: entry.last for entry in entries}
    for (table, version), meta in zip(last.items(), store.read_metas([*last]), strict=True):
        if meta is None or meta.version < version:
            told = f"The feed {name} tells of version {version}, which is not there."
            yield Finding(told, _RESTORE, table)


def check_history(store: EventStore, table: str) -> tuple[Loaded | None, Finding | None]:
    """Fold a table from its first event; answer it, or what is wrong with it."""
    try:
        recorded = store.read(table)
        meta = store.read_meta(table)
        loaded = fold(unopened(table), recorded)
        if meta is not None and meta.version > loaded.version:
            # Somebody moved between the two reads; or the tail is missing.
            loaded = fold(loaded, store.read(table, loaded.version))
    except StoreError:
        raise
    except Exception as failure:  # noqa: BLE001 - a damaged history may break anything
        broken = f"Its history cannot be read: {type(failure).__name__}: {failure}."
        return None, Finding(broken, _RESTORE, table)
    wrong = _difference(loaded, meta)
    return (loaded, None) if wrong is None else (None, Finding(wrong, _RESTORE, table))


def _difference(loaded: Loaded, meta: Meta | None) -> str | None:
    if meta is None:
        return "It is listed, but has no head."
    if loaded.version < meta.version:
        return f"Its events end at version {loaded.version}, before {meta.version}."
    if loaded.version == meta.version and loaded.hash.hex() != meta.hash:
        return "Its events do not lead to the hash of its head."
    if loaded.version == meta.version and loaded.state.phase != meta.phase:
        return f"Its head says {meta.phase!r}, its events {loaded.state.phase!r}."
    return None
