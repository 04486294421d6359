"""The whole examination: the store, its feeds, a sample of tables, and the work after the fact."""

from collections.abc import Callable, Iterator, Mapping
from math import ceil
from typing import Any, Final

from redis import Redis

from events import keys
from events.archive.file import shelf_in
from events.servers.connection import connect, replicas_of, servers
from events.store import EventStore
from service.doctor.finding import Finding
from service.doctor.histories import check_feeds, check_history
from service.doctor.read_models import check_read_models
from service.settings import Settings
from workers.queues import connect_rq
from workers.scripts import ask
from workers.status import status

_ROOM: Final = (
    "Raise maxmemory, or let tables that are over leave the store sooner (ABRAXAS_ARCHIVE_AFTER)."
)
_BEHIND: Final = 1_000
"""Feed entries: more than a burst."""


def examine(
    settings: Settings, sample: int | None, said: Callable[[str], object]
) -> Iterator[Finding]:
    """Look through a store that answers; ``sample`` is how many tables at most, None for all.

    ``said`` is told what was looked at. Raise StoreError if the store goes away.
    """
    with connect(settings.redis_url, timeout=10.0) as client:
        store = EventStore(client, shelf=shelf_in(settings.data))
        said(_persistence(store))
        yield from _check_restored(store)
        yield from _check_persistence(store)
        yield from check_feeds(store)
        tables = _sample(store, sample)
        said(f"{len(tables)} tables compared with their histories.")
        whole = []
        for table in tables:
            _, finding = check_history(store, table)
            if finding:
                yield finding
            else:
                whole.append(table)
        yield from check_read_models(store, whole)
        with connect_rq(settings.rq_url) as rq_client:
            yield from _check_work(store, rq_client)


def _sample(store: EventStore, sample: int | None) -> list[str]:
    """Draw tables from every partition, in proportion to how many it has."""
    partitions = range(keys.PARTITIONS)
    counts = ask(store.client, *(("ZCARD", keys.tables(each)) for each in partitions))
    total = sum(counts)
    share = 1.0 if sample is None or total <= sample else sample / total
    drawn = ask(
        store.client,
        *(
            ("ZRANDMEMBER", keys.tables(each), ceil(count * share))
            for each, count in zip(partitions, counts, strict=True)
        ),
    )
    return [table.decode() for partition in drawn for table in partition]


def _check_restored(store: EventStore) -> Iterator[Finding]:
    if ask(store.client, ("EXISTS", keys.restoring()))[0]:
        yield Finding(
            "A backup is being restored into the store, or was not to its end.",
            "Unless abraxas restore still runs, empty the store and restore again.",
        )


def _persistence(store: EventStore) -> str:
    told = [each.info() for each in servers(store.client)]
    version = told[0].get("valkey_version") or told[0].get("redis_version")
    used = sum(int(each["used_memory"]) for each in told)
    many = f" on {len(told)} servers" if len(told) > 1 else ""
    return f"The store answers (version {version}, {used / 2**20:.2f}M of memory{many})."


def _check_persistence(store: EventStore) -> Iterator[Finding]:
    several = servers(store.client)
    for each in several:
        where = f" at {_address(each)}" if len(several) > 1 else ""
        yield from _check_server(each.info(), f"The store{where}", replicas_of(store.client))


def _address(server: Redis) -> str:
    told = server.connection_pool.connection_kwargs
    return f"{told['host']}:{told['port']}"


def _check_server(info: Mapping[str, Any], name: str, replicas: int) -> Iterator[Finding]:
    if info.get("aof_last_write_status", "ok") != "ok":
        yield Finding(
            f"{name} could not write to its disk the last time it tried.",
            "Make room on the disk of the store; it goes on by itself.",
        )
    if info.get("aof_last_bgrewrite_status", "ok") != "ok":
        yield Finding(
            f"{name} could not rewrite its append-only file the last time it tried.",
            "Make room on the disk of the store, and look into its log.",
        )
    if not replicas and info.get("min_slaves_good_slaves") == 0:
        yield Finding(
            f"{name} takes no moves, because its disk is all but full.",
            "Make room on the disk of the store; it goes on by itself.",
        )
    used, limit = int(info["used_memory"]), int(info.get("maxmemory", 0))
    if limit and used >= limit:
        yield Finding(
            f"{name} takes no moves, because its memory is full.",
            f"{_ROOM} It goes on by itself.",
        )
    elif limit and used > 0.9 * limit:
        yield Finding(
            f"{name} uses {used * 100 // limit}% of the memory it may have.",
            f"{_ROOM} A full store takes no more moves.",
        )
    there = int(info.get("connected_slaves", 0))
    if there < replicas:
        yield Finding(
            f"{name} has {there} replicas where {replicas} must have every move on disk.",
            "Start its replicas: until then it acknowledges no move.",
        )


def _check_work(store: EventStore, rq_client: Redis) -> Iterator[Finding]:
    found = status(store.client, rq_client)
    for parked in found.parked:
        yield Finding(
            f"{parked.consumer} lets it wait at version {parked.version}: {parked.error}.",
            "The log of the follow worker says why; it is tried again every now and then.",
            parked.table,
        )
    if not found.followers:
        advice = "Start one: abraxas worker, or abraxas serve for everything."
        yield Finding("No follower is at work: lists and bots stand still.", advice)
    elif found.behind > _BEHIND:
        advice = "Wait, or start another: abraxas worker follow."
        yield Finding(f"The followers are {found.behind} feed entries behind.", advice)
    if not found.queues:
        advice = "Look after the server that RQ_URL names; moves and views need it not."
        yield Finding("RQ's server does not answer.", advice)
