"""Plain appends to a store, for tests of the store alone."""

from typing import Any

from redis import Redis

from events import keys
from events.recorded import Recorded
from events.store import (
    CommandKey,
    EventStore,
)

TABLE = "6ba7b810-9dad-4d1d-80b4-00c04fd430c8"
PARTITION = keys.partition(TABLE)


def event(version: int, table: str = TABLE, **other: Any) -> Recorded:
    fields: dict[str, Any] = {
        "kind": "CardPlayed",
        "schema": 1,
        "at": 1_760_000_000_000 + version,
        "seat": 1,
        "audience": None,
        "public": b'{"card":"I3","seat":1}',
        "sealed": b"",
        "trace": None,
    }
    return Recorded(table, version, **(fields | other))


def command(number: int, fingerprint: str = "same") -> CommandKey:
    return CommandKey(f"command {number}", fingerprint)


def append(
    store: EventStore,
    after: int,
    many: int = 1,
    *,
    table: str = TABLE,
    after_hash: str | None = None,
    named: CommandKey | None = None,
    phase: str = "playing",
) -> Any:
    recorded = [event(after + 1 + each, table) for each in range(many)]
    return store.append(
        table,
        after=after,
        after_hash=hash_of(after) if after_hash is None else after_hash,
        recorded=recorded,
        head=hash_of(after + many),
        phase=phase,
        command=named or command(after),
    )


def hash_of(version: int) -> str:
    return f"{version:064x}" if version else ""


def everything(client: Redis) -> dict[Any, Any]:
    """Answer all that is stored, but for the count of repeats."""
    found: dict[Any, Any] = {}
    for key in client.scan_iter():
        kind = client.type(key)
        if kind == b"stream":
            found[key] = client.xrange(key)
        elif kind == b"hash":
            found[key] = {k: v for k, v in client.hgetall(key).items() if k != b"repeats"}
        else:
            found[key] = client.zrange(key, 0, -1, withscores=True)
    return found


def trim_feed(client: Any, partition: int, through: int) -> None:
    """Drop the entries of a feed up to a position."""
    client.xtrim(keys.feed(partition), minid=f"{through + 1}-0", approximate=False)


def other_table_of_the_partition() -> str:
    return next(name for name in map(str, range(10_000)) if keys.partition(name) == PARTITION)
