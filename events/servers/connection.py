"""Clients of the store: how they connect, what they never do, and what a failed call means."""

import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from typing import Any, Final, Literal, TypeAlias, get_args
from urllib.parse import parse_qsl, urlencode

from redis import Redis, exceptions
from redis.backoff import NoBackoff
from redis.retry import Retry

from events import keys
from events.servers.cluster import Cluster, Replicated
from events.servers.exchange import (
    OutcomeUnknown,
    StoreError,
    StoreUnavailable,
    WritesRefused,
    exchange,
)
from events.servers.pool import Pool

__all__ = [
    "DURABILITIES", "Durability", "OutcomeUnknown", "StoreError", "StoreUnavailable",
    "WritesRefused", "WrongConfiguration", "ask", "ask_by", "call", "check_configuration",
    "check_whole", "connect", "failure", "home", "home_url", "names_cluster", "replicas_of",
    "reply_seconds", "servers", "takes_writes",
]  # fmt: skip

Durability: TypeAlias = Literal["always", "relaxed", "trusted"]
"""always: the server must fsync every write before it answers, and says so in its configuration;
trusted: it does, but its host forbids to ask; relaxed: what was acknowledged may be lost."""

DURABILITIES: Final[tuple[Durability, ...]] = get_args(Durability)

_SCRIPT: Final = "user_script"


class WrongConfiguration(Exception):  # noqa: N818 - the glossary's words
    """Say in one sentence what is wrong with the store's configuration."""


def connect(url: str, *, timeout: float = 0.9) -> Redis:
    """Make a client of a store; no connection is opened before the first call.

    ``timeout`` (seconds) is for connecting and for each reply. The client never repeats a call by
    itself: a lost reply does not say whether the store has acted. A URL with ``?cluster=true``
    names any server of a cluster; ``replicas`` says how many must have a move on disk, too (1 in
    a cluster, 0 elsewhere). Raise ValueError if either is anything else.
    """
    place, clustered, replicas = _read(url)
    client: Replicated = (
        Cluster(place, _connect, timeout) if clustered else _connect(place, timeout)
    )
    client.replicas = replicas
    return client


def _connect(url: str, timeout: float) -> Replicated:
    pool = Pool.from_url(
        url,
        decode_responses=False,
        protocol=2,
        retry=Retry(NoBackoff(), 0),
        socket_timeout=timeout,
        socket_connect_timeout=timeout,
    )
    client: Any = Replicated.from_pool(pool)
    made: Replicated = client
    return made


def names_cluster(url: str) -> bool:
    """Answer whether a URL says that it names a cluster; raise ValueError if it says nonsense."""
    return _read(url)[1]


def _read(url: str) -> tuple[str, bool, int]:
    """Split what is meant for us off a URL: whether it is a cluster, how many replicas."""
    place, _, query = url.partition("?")
    ours = {"cluster": "false", "replicas": ""}
    rest = []
    for name, value in parse_qsl(query, keep_blank_values=True):
        if name in ours:
            ours[name] = value
        else:
            rest.append((name, value))
    if ours["cluster"] not in ("true", "false"):
        raise ValueError("cluster must be true or false")
    clustered = ours["cluster"] == "true"
    if clustered and place.startswith("unix:"):
        raise ValueError("the servers of a cluster are reached by host and port")
    replicas = ours["replicas"] or ("1" if clustered else "0")
    if not re.fullmatch("[0-9]", replicas):
        raise ValueError("replicas must be a number from 0 to 9")
    return f"{place}?{urlencode(rest)}" if rest else place, clustered, int(replicas)


def call(client: Redis, *commands: Sequence[Any]) -> list[Any]:
    """Send commands together and answer their plain replies; an error reply is among them.

    In a cluster each goes to the owner of its first key. Raise StoreUnavailable if nothing was
    carried out, OutcomeUnknown if that cannot be told.
    """
    if isinstance(client, Cluster):
        return client.together(commands)
    return exchange(client.connection_pool, commands)


def ask(client: Redis, *commands: Sequence[Any]) -> list[Any]:
    """Send plain reads together and answer their replies; raise StoreUnavailable."""
    return ask_by(partial(call, client), commands)


def ask_by(send: Callable[..., list[Any]], commands: Sequence[Sequence[Any]]) -> list[Any]:
    """Do the same by something that sends commands as ``call`` does."""
    if not commands:
        return []
    try:
        replies = send(*commands)
    except OutcomeUnknown as error:
        raise StoreUnavailable(str(error)) from error
    for reply in replies:
        if isinstance(reply, exceptions.ResponseError):
            raise StoreUnavailable(str(reply)) from reply
    return replies


def replicas_of(client: Redis) -> int:
    """Answer how many replicas must have a move on disk before it is acknowledged."""
    return client.replicas if isinstance(client, Replicated) else 0


def reply_seconds(client: Redis) -> float:
    """Answer how long a reply may take, in seconds."""
    seconds: float = client.connection_pool.connection_kwargs["socket_timeout"]
    return seconds


def servers(client: Redis) -> tuple[Redis, ...]:
    """Answer a client of each server that owns a part of the store; raise StoreUnavailable."""
    if isinstance(client, Cluster):
        return tuple(each.client for each in client.primaries())
    return (client,)


def home(client: Redis, key: str) -> Redis:
    """Answer a client of the server that owns a key or channel now; raise StoreUnavailable."""
    return client.home(key).client if isinstance(client, Cluster) else client


def failure(error: exceptions.ResponseError) -> StoreError:
    """Answer what an error reply to a write means.

    A script checks before it writes, so only an error in its middle leaves the outcome open; a
    server that denies writes does so at the first one.
    """
    denied = isinstance(error, (exceptions.OutOfMemoryError, exceptions.ReadOnlyError)) or str(
        error
    ).startswith(("MISCONF", "NOREPLICAS"))
    if denied:
        return WritesRefused(str(error))
    if _SCRIPT not in str(error):
        return StoreUnavailable(str(error))
    return OutcomeUnknown(str(error))


def takes_writes(client: Redis) -> bool:
    """Ask, without a change, whether the store takes what needs memory; raise StoreUnavailable."""
    asked = range(keys.PARTITIONS if isinstance(client, Cluster) else 1)
    try:
        # A server that refuses writes does so before it sees that there is nothing to be written.
        replies = call(client, *(("SETRANGE", keys.nothing(each), 0, "") for each in asked))
    except OutcomeUnknown as error:
        raise StoreUnavailable(str(error)) from error
    return not any(isinstance(reply, exceptions.ResponseError) for reply in replies)


def home_url(client: Redis, url: str, key: str) -> str:
    """Answer where the server is that owns a key or channel now; raise StoreUnavailable.

    ``url`` is what the client was made of.
    """
    return client.home(key).url if isinstance(client, Cluster) else _read(url)[0]


_WANTED: Final = {
    "appendonly": "yes",
    "appendfsync": "always",
    "no-appendfsync-on-rewrite": "no",
    "maxmemory-policy": "noeviction",
}


def check_configuration(client: Redis, durability: Durability) -> None:
    """Raise WrongConfiguration if what the store acknowledges could be lost, or events evicted.

    Every server of a cluster is asked that answers. Raise StoreError if none does.
    """
    if durability != "always":
        return
    replicas = replicas_of(client)
    if not isinstance(client, Cluster):
        _check_server(client, "The store", replicas)
        return
    ranges = client.ranges()
    if replicas and not any(each.replicas for each in ranges):
        raise WrongConfiguration(
            "The cluster has no replicas, and one lost server would lose acknowledged moves: give "
            "each server one, or say replicas=0 in REDIS_URL to accept that."
        )
    for owner in {each.owner for each in ranges}:
        _check_server(client.server(owner).client, f"The store's server {_at(owner)}", replicas)
    for replica in {each for some in ranges for each in some.replicas}:
        # One that is away counts for nothing until it is back, and is asked then.
        with suppress(StoreError):
            told = f"The store's server {_at(replica)}"
            _check_server(client.server(replica).client, told, replicas)


def _at(address: tuple[str, int]) -> str:
    return f"{address[0]}:{address[1]}"


def _check_server(server: Redis, name: str, replicas: int) -> None:
    # One by one: several at once are more than a Redis before version 7 understands.
    asked = [("CONFIG", "GET", each) for each in (*_WANTED, "min-replicas-to-write")]
    replies = call(server, *asked, *([("COMMAND", "INFO", "WAITAOF")] if replicas else ()))
    for reply in replies:
        if isinstance(reply, exceptions.ResponseError):
            raise WrongConfiguration(
                f"{name} does not tell its configuration ({reply}); set DURABILITY=trusted if "
                "it fsyncs every write before it answers and never evicts."
            )
    told = {
        name: reply[1].decode() if reply else ""
        for name, reply in zip((*_WANTED, "min-replicas-to-write"), replies, strict=False)
    }
    wanted = dict(_WANTED)
    if replicas:
        if not replies[-1][0]:
            raise WrongConfiguration(
                f"{name} does not know WAITAOF: replicas need Redis 7.2, Valkey 7.2 or newer."
            )
        if int(told["min-replicas-to-write"] or 0) < replicas:
            wanted["min-replicas-to-write"] = str(replicas)
    wrong = [f"{each} {told[each]}" for each in wanted if told[each] != wanted[each]]
    if wrong:
        right = ", ".join(f"{each} {wanted[each]}" for each in wanted)
        raise WrongConfiguration(
            f"{name} could lose acknowledged moves: it has {', '.join(wrong)} where {right} "
            "is needed; set DURABILITY=relaxed to accept that."
        )


def check_whole(client: Redis) -> None:
    """Raise WrongConfiguration if a client of one server has only a part of a cluster."""
    if isinstance(client, Cluster):
        return
    reply = call(client, ("INFO", "cluster"))[0]
    if isinstance(reply, bytes) and b"cluster_enabled:1" in reply:
        raise WrongConfiguration("it is one server of a cluster")
