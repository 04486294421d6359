"""Waiting for replicas: what is acknowledged has to outlive the server that took it."""

from collections.abc import Sequence
from typing import Any, Final

from redis import Redis
from redis.exceptions import ResponseError

from events.connection import OutcomeUnknown, call, replicas_of

WAIT_MS: Final = 350
"""How long replicas have to hear of a write, and then to have it on disk."""


def waits(client: Redis) -> tuple[tuple[Any, ...], ...]:
    """Answer the commands that go behind a write, in the same trip; none without replicas."""
    replicas = replicas_of(client)
    if not replicas:
        return ()
    # Without WAIT before it, WAITAOF waits for what a replica tells only once a second.
    return ("WAIT", replicas, WAIT_MS), ("WAITAOF", 1, replicas, WAIT_MS)


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
