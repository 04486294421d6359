"""Whether histories are whole: events, feeds and heads of tables agree with one another."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Final

from events import keys
from events.entries import feed_of
from events.loaded import Loaded, fold, unopened
from events.recorded import FeedEntry
from events.servers.connection import StoreError
from events.store import EventStore, Meta
from service.doctor.finding import Finding
from workers.scripts import ask
from workers.status import CONSUMERS

_RESTORE: Final = (
    "Restore the newest backup into an empty store with abraxas restore. What came after it is lost"
    " with that: if no other table is wrong, you may rather leave this one as it is."
)
_FEED_TAIL: Final = 1000
"""Entries of each feed that are looked at: the newest."""


def check_feeds(store: EventStore) -> Iterator[Finding]:
    """Look for gaps in the feeds, and for entries without their events."""
    heads = store.feed_heads(range(keys.PARTITIONS))
    yield from _check_counters(store, heads)
    after = {each: max(0, head - _FEED_TAIL) for each, head in heads.items() if head}
    for partition, entries in store.read_feeds(after, _FEED_TAIL).items():
        yield from _check_feed(store, partition, heads[partition], entries)


def _check_counters(store: EventStore, heads: Mapping[int, int]) -> Iterator[Finding]:
    """Look for feeds whose counter was set back: the next move would meet what is there."""
    asked = [("XREVRANGE", keys.feed(each), "+", "-", "COUNT", 1) for each in heads]
    ends = [feed_of(reply) for reply in ask(store.client, *asked)]
    checkpoints = ask(store.client, *(("HGETALL", keys.checkpoints(each)) for each in heads))
    for (partition, head), end, flat in zip(heads.items(), ends, checkpoints, strict=True):
        known = zip(flat[::2], flat[1::2], strict=True)
        applied = [int(position) for consumer, position in known if consumer != b"token"]
        reached = max([*(each.position for each in end), *applied], default=0)
        if head < reached:
            yield Finding(
                f"The counter of the feed {keys.feed(partition)} is at {head}, and {reached} was"
                " reached before: its tables take no moves.",
                f"Set it with valkey-cli: HSET {keys.counters(partition)} head {reached}",
            )


def _anew(partition: int) -> str:
    """Say how everybody looks at all tables of a partition again."""
    back = " ".join(f"{consumer} 0" for consumer in CONSUMERS)
    return (
        "Let everybody look at its tables again, with valkey-cli and while the server runs:"
        f" HSET {keys.checkpoints(partition)} {back}, then XTRIM {keys.feed(partition)} MAXLEN 0"
    )


def _check_feed(
    store: EventStore, partition: int, head: int, entries: Sequence[FeedEntry]
) -> Iterator[Finding]:
    name = keys.feed(partition)
    if entries[-1].position < head:
        yield Finding(
            f"The feed {name} ends at {entries[-1].position}, before {head}.", _anew(partition)
        )
    for before, entry in pairwise(entries):
        if entry.position != before.position + 1:
            gap = f"{before.position} to {entry.position}"
            yield Finding(f"The feed {name} has a gap from {gap}.", _anew(partition))
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
