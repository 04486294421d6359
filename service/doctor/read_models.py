"""Whether documents and lists say what a fold of the history says."""

import time
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from redis import Redis

from events import keys
from events.store import EventStore
from service.doctor.finding import Finding
from workers.projections import PROJECTIONS
from workers.projections.shape import Document, News, Projection, Sitting, unseen
from workers.scripts import ask

_PATIENCE: Final = 2.0
"""Seconds in which a follower at work may catch up with what looks different."""


def check_read_models(store: EventStore, tables: Iterable[str]) -> Iterator[Finding]:
    """Compare every projection of some tables with their histories.

    A difference counts if it stays while its follower claims to have applied everything.
    """
    for table in tables:
        deadline = time.monotonic() + _PATIENCE
        while different := [*_differences(store, table)]:
            if time.monotonic() > deadline:
                yield from different
                break
            time.sleep(_PATIENCE / 10)


def _differences(store: EventStore, table: str) -> Iterator[Finding]:
    applied = _applied(store, keys.partition(table))
    sitting = unseen(table).after(store.read(table))
    archived = bool(store.archived([table]))
    for projection in PROJECTIONS:
        if not applied[projection.consumer]:
            continue
        changes = projection.apply(sitting)
        for document in changes.documents:
            # What lay beside a table left the store with it.
            wanted = {} if archived else _stored(document)
            if _document(store.client, document) != wanted:
                yield _finding(projection, sitting, "document")
        for news in changes.news:
            if not _is_listed(store.client, projection, table, news):
                yield _finding(projection, sitting, f"entry in the list of {news.of}")


def _applied(store: EventStore, partition: int) -> Mapping[str, bool]:
    """Answer which consumers claim to have applied the whole feed."""
    head = store.feed_heads([partition])[partition]
    consumers = [projection.consumer for projection in PROJECTIONS]
    positions = ask(store.client, ("HMGET", keys.checkpoints(partition), *consumers))[0]
    return {
        consumer: position is not None and int(position) >= head
        for consumer, position in zip(consumers, positions, strict=True)
    }


def _document(client: Redis, document: Document) -> dict[bytes, bytes]:
    flat = ask(client, ("HGETALL", document.key))[0]
    return dict(zip(flat[::2], flat[1::2], strict=True))


def _stored(document: Document) -> dict[bytes, bytes]:
    return {name.encode(): _bytes(value) for name, value in document.fields.items()}


def _bytes(value: str | bytes | int) -> bytes:
    return value if isinstance(value, bytes) else str(value).encode()


def _is_listed(client: Redis, projection: Projection, table: str, news: News) -> bool:
    def key(rest: str) -> str:
        return keys.listing(projection.name, projection.generation, news.of, rest)

    item, *scores = ask(
        client,
        ("HGET", key("items"), table),
        *(("ZSCORE", key(order), news.member) for order in projection.orders),
    )
    # What is kept in front of an item is the version it was written at.
    said = (item or b"").partition(b" ")[2].decode()
    return said == news.item and tuple(each is not None for each in scores) == news.orders


def _finding(projection: Projection, sitting: Sitting, what: str) -> Finding:
    table = sitting.loaded.table
    return Finding(
        f"The projection {projection.name} has another {what} than its history makes"
        f" at version {sitting.loaded.version}.",
        f"Have it drawn anew, while the server runs: abraxas rebuild {projection.name}",
        table,
    )
