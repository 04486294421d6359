"""How followers, projections and queues are doing: for /readyz, /metrics and the doctor."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final

from redis import Redis
from redis.exceptions import RedisError

from events import keys
from events.servers.connection import takes_writes
from workers import archive, bots
from workers.leases import BLOCKS
from workers.projections import PROJECTIONS
from workers.queues import FOLLOW, JOBS, queue
from workers.scripts import WATCH, Call, ask, run
from workers.share import parked_key, read_parked
from workers.webhooks import tell as webhooks

CONSUMERS: Final = (
    *(each.consumer for each in PROJECTIONS), bots.CONSUMER, webhooks.CONSUMER, archive.CONSUMER,
)  # fmt: skip

_BEHIND: Final = 1_000
_SHOWN: Final = 100
_EACH: Final = 3


@dataclass(frozen=True, slots=True)
class Lag:
    """How many feed entries a consumer has not applied, and how much news is undelivered."""

    consumer: str
    generation: int
    behind: int
    undelivered: int


@dataclass(frozen=True, slots=True)
class Parked:
    """A table that a consumer lets wait: at which version, the kind of error, since when (ms)."""

    consumer: str
    table: str
    version: int
    error: str
    at: int


@dataclass(frozen=True, slots=True)
class QueueState:
    """How many jobs of an RQ queue wait, run, and failed lately."""

    name: str
    waiting: int
    running: int
    failed: int


@dataclass(frozen=True, slots=True)
class Status:
    """All that can be said of the work after the fact.

    ``parked`` shows some of the ``parked_count`` tables; ``unowned`` blocks have no follower.
    ``queues`` is empty when RQ's server does not answer; ``takes_moves`` is not so while a server
    of the store refuses all writes.
    """

    lags: tuple[Lag, ...]
    parked: tuple[Parked, ...]
    parked_count: int
    followers: tuple[str, ...]
    unowned: int
    queues: tuple[QueueState, ...]
    takes_moves: bool

    @property
    def behind(self) -> int:
        """Answer the lag of the slowest consumer, in feed entries."""
        return max(lag.behind for lag in self.lags)

    @property
    def degraded(self) -> tuple[str, ...]:
        """Say in sentences what is not well; nothing if all is."""
        said = []
        if not self.takes_moves:
            said.append("the store takes no moves: its memory or its disk is all but full")
        if self.parked_count:
            said.append(f"{self.parked_count} tables are parked by a projection or a bot")
        if self.behind and not self.followers:
            said.append(f"no follower is alive and {self.behind} feed entries wait")
        elif self.behind > _BEHIND:
            said.append(f"followers are {self.behind} feed entries behind")
        if not self.queues:
            said.append("RQ's server does not answer")
        return tuple(said)


def status(client: Redis, rq_client: Redis) -> Status:
    """Ask the store and RQ's server; raise StoreUnavailable if the store does not answer."""
    watched = watch(client, range(keys.PARTITIONS))
    parked = [
        (partition, consumer)
        for partition, reply in watched.items()
        for at, consumer in enumerate(CONSUMERS)
        if reply[3 + _EACH * at]
    ]
    return Status(
        lags=tuple(_lag(consumer, at, watched.values()) for at, consumer in enumerate(CONSUMERS)),
        parked=_parked(client, parked),
        parked_count=sum(
            reply[3 + _EACH * at] for reply in watched.values() for at in range(len(CONSUMERS))
        ),
        followers=_followers(client),
        unowned=len(unowned(client)),
        queues=_queues(rq_client),
        takes_moves=takes_writes(client),
    )


def watch(client: Redis, partitions: Iterable[int]) -> dict[int, list[Any]]:
    """Answer of each partition: head, then each consumer's position, undelivered, parked."""
    asked = tuple(partitions)
    replies = run(client, *(_watching(partition) for partition in asked))
    return {
        partition: [int(each or 0) for each in reply]
        for partition, reply in zip(asked, replies, strict=True)
    }


def _watching(partition: int) -> Call:
    places = [keys.counters(partition), keys.checkpoints(partition)]
    for consumer in CONSUMERS:
        name, _, generation = consumer.partition("@")
        places.append(keys.projection(partition, name, int(generation), "outbox"))
        places.append(parked_key(partition, consumer))
    return Call(WATCH, places, CONSUMERS)


def is_behind(watched: list[Any]) -> bool:
    """Answer whether a partition has anything left to apply or to deliver."""
    head, *rest = watched
    return any(position < head for position in rest[::_EACH]) or any(rest[1::_EACH])


def unowned(client: Redis) -> tuple[int, ...]:
    """Answer the blocks that no follower holds."""
    leases = [("EXISTS", keys.lease(block)) for block in range(BLOCKS)]
    return tuple(block for block, held in enumerate(ask(client, *leases)) if not held)


def _lag(consumer: str, at: int, watched: Iterable[list[Any]]) -> Lag:
    name, _, generation = consumer.partition("@")
    behind = undelivered = 0
    for reply in watched:
        behind += max(0, reply[0] - reply[1 + _EACH * at])
        undelivered += reply[2 + _EACH * at]
    return Lag(name, int(generation), behind, undelivered)


def _parked(client: Redis, places: list[tuple[int, str]]) -> tuple[Parked, ...]:
    shown = places[:_SHOWN]
    replies = ask(client, *(("HGETALL", parked_key(*place)) for place in shown))
    found = []
    for (_, consumer), reply in zip(shown, replies, strict=True):
        for table, value in zip(reply[::2], reply[1::2], strict=True):
            why = read_parked(value)
            found.append(Parked(consumer, table.decode(), why.version, why.error, why.at))
    return tuple(sorted(found, key=lambda each: each.at)[:_SHOWN])


def _followers(client: Redis) -> tuple[str, ...]:
    (seconds, _), enrolled = ask(
        client, ("TIME",), ("ZRANGE", keys.followers(), 0, -1, "WITHSCORES")
    )
    alive = zip(enrolled[::2], enrolled[1::2], strict=True)
    now = int(seconds) * 1000
    return tuple(name.decode() for name, until in alive if float(until) > now)


def _queues(rq_client: Redis) -> tuple[QueueState, ...]:
    try:
        return tuple(_queue(rq_client, name) for name in (FOLLOW, JOBS))
    except (RedisError, OSError):
        return ()


def _queue(rq_client: Redis, name: str) -> QueueState:
    found = queue(rq_client, name)
    # RQ's own counts would clean up in passing: a question must not change anything.
    return QueueState(
        name,
        waiting=int(rq_client.llen(found.key)),
        running=int(rq_client.zcard(found.started_job_registry.key)),
        failed=int(rq_client.zcard(found.failed_job_registry.key)),
    )
