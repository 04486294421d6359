"""Waiting for replicas: what is acknowledged has to outlive the server that took it."""

from collections.abc import Sequence
from typing import Any, Final

from redis import Redis
from redis.exceptions import ResponseError

from events.servers.connection import OutcomeUnknown, call, replicas_of, reply_seconds

_SHARE: Final = 0.4
"""Of the time a reply may take, so much is for replicas to hear of a write; again, to keep it."""


def waits(client: Redis) -> tuple[tuple[Any, ...], ...]:
    """Answer the commands that go behind a write, in the same trip; none without replicas."""
    replicas = replicas_of(client)
    if not replicas:
        return ()
    within = int(reply_seconds(client) * _SHARE * 1000)
    # Without WAIT before it, WAITAOF waits for what a replica tells only once a second.
    return ("WAIT", replicas, within), ("WAITAOF", 1, replicas, within)


def check_safe(client: Redis, reply: Any) -> None:
    """Raise OutcomeUnknown if the last of ``waits`` answered that too few have it on disk."""
    if not isinstance(reply, ResponseError):
        here, replicas = reply
        if here >= 1 and replicas >= replicas_of(client):
            return
    raise OutcomeUnknown("it is not on the disk of enough replicas yet")


def write_safely(client: Redis, command: Sequence[Any]) -> Any:
    """Send one write and answer its reply, an error as well, once replicas have it.

    Raise StoreUnavailable or OutcomeUnknown.
    """
    behind = waits(client)
    replies = call(client, command, *behind)
    if behind and not isinstance(replies[0], ResponseError):
        check_safe(client, replies[-1])
    return replies[0]
