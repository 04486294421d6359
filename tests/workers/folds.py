"""What every read model should hold, worked out from the streams alone."""

from collections.abc import Iterator
from typing import Any

from redis import Redis

from events import keys
from events.store import EventStore
from workers.projections import PROJECTIONS
from workers.projections.shape import Projection, Sitting, unseen


def every_table(store: EventStore) -> Iterator[Sitting]:
    """Fold every table of a store from its first event."""
    for partition in range(keys.PARTITIONS):
        for table, _ in store.tables(partition):
            yield unseen(table).after(store.read(table))


def differences(store: EventStore) -> list[str]:
    """Name every document and list that is not what a fold of the streams says."""
    sittings = list(every_table(store))
    assert sittings, "nothing was compared"
    found = [
        name
        for sitting in sittings
        for projection in PROJECTIONS
        for name in _documents(store.client, projection, sitting)
    ]
    return found + [name for each in PROJECTIONS for name in _lists(store.client, each, sittings)]


def _documents(client: Redis, projection: Projection, sitting: Sitting) -> Iterator[str]:
    for document in projection.apply(sitting).documents:
        wanted = {_bytes(name): _bytes(value) for name, value in document.fields.items()}
        if _hash(client, document.key) != wanted:
            yield document.key


def _lists(client: Redis, projection: Projection, sittings: list[Sitting]) -> Iterator[str]:
    items: dict[str, dict[bytes, bytes]] = {}
    orders: dict[tuple[str, str], set[bytes]] = {}
    for sitting in sittings:
        for news in projection.apply(sitting).news:
            if news.item:
                place = items.setdefault(news.of, {})
                place[sitting.loaded.table.encode()] = news.item.encode()
            for order, is_in in zip(projection.orders, news.orders, strict=True):
                members = orders.setdefault((news.of, order), set())
                if is_in:
                    members.add(news.member.encode())
    for of, wanted in items.items():
        key = keys.listing(projection.name, projection.generation, of, "items")
        held = {name: value.partition(b" ")[2] for name, value in _hash(client, key).items()}
        if {name: value for name, value in held.items() if value} != wanted:
            yield key
    for (of, order), members in orders.items():
        key = keys.listing(projection.name, projection.generation, of, order)
        if set(client.zrange(key, 0, -1)) != members:
            yield key


def _hash(client: Any, key: str) -> dict[bytes, bytes]:
    found: dict[bytes, bytes] = client.hgetall(key)
    return found


def _bytes(value: Any) -> bytes:
    return value if isinstance(value, bytes) else str(value).encode()
