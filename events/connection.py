"""Clients of the store: how they connect, what they never do, and what a failed call means."""

from collections.abc import Sequence
from typing import Any, Final, Literal, TypeAlias, get_args

from hiredis import pack_command
from redis import Redis, exceptions
from redis.backoff import NoBackoff
from redis.retry import Retry

from events.pool import Pool

Durability: TypeAlias = Literal["always", "relaxed", "trusted"]
"""always: the server must fsync every write before it answers, and says so in its configuration;
trusted: it does, but its host forbids to ask; relaxed: what was acknowledged may be lost."""

DURABILITIES: Final[tuple[Durability, ...]] = get_args(Durability)

_SCRIPT: Final = "user_script"


class StoreError(Exception):
    """Say that the store could not be asked."""


class StoreUnavailable(StoreError):  # noqa: N818 - the glossary's words
    """Say that nothing was stored: the store cannot be reached or refuses to write."""


class OutcomeUnknown(StoreError):  # noqa: N818 - the glossary's words
    """Say that the store's reply was lost; the same command id may be sent again."""


class WrongConfiguration(Exception):  # noqa: N818 - the glossary's words
    """Say in one sentence what is wrong with the store's configuration."""


def connect(url: str, *, timeout: float = 0.9) -> Redis:
    """Make a client of a store; no connection is opened before the first call.

    ``timeout`` (seconds) is for connecting and for each reply. The client never repeats a call by
    itself: a lost reply does not say whether the store has acted.
    """
    pool = Pool.from_url(
        url,
        decode_responses=False,
        protocol=2,
        retry=Retry(NoBackoff(), 0),
        socket_timeout=timeout,
        socket_connect_timeout=timeout,
    )
    return Redis.from_pool(pool)


def call(client: Redis, *commands: Sequence[Any]) -> list[Any]:
    """Send commands together and answer their plain replies; an error reply is among them.

    Raise StoreUnavailable if nothing was carried out, OutcomeUnknown if that cannot be told.
    """
    pool: Any = client.connection_pool
    try:
        connection = pool.get_connection()
    except (exceptions.RedisError, OSError) as error:
        raise StoreUnavailable(str(error)) from error
    try:
        # Packed here: the client would look through every argument once more.
        packed = b"".join([pack_command(tuple(command)) for command in commands])
        connection.send_packed_command([packed], check_health=False)
        return [_reply(connection) for _ in commands]
    except (exceptions.BusyLoadingError, exceptions.AuthenticationError) as error:
        raise StoreUnavailable(str(error)) from error
    except (exceptions.ConnectionError, exceptions.TimeoutError, OSError) as error:
        connection.disconnect()
        raise OutcomeUnknown(str(error)) from error
    except BaseException:
        # Interrupted, by a signal or a time limit: the next call must not read this one's reply.
        connection.disconnect()
        raise
    finally:
        pool.release(connection)


def _reply(connection: Any) -> Any:
    try:
        return connection.read_response()
    except exceptions.ResponseError as error:
        return error


def failure(error: exceptions.ResponseError) -> StoreError:
    """Answer what an error reply to a write means.

    A script checks before it writes, so only an error in its middle leaves the outcome open; a
    server that denies writes does so at the first one.
    """
    denied = isinstance(error, (exceptions.OutOfMemoryError, exceptions.ReadOnlyError)) or str(
        error
    ).startswith(("MISCONF", "NOREPLICAS"))
    if denied or _SCRIPT not in str(error):
        return StoreUnavailable(str(error))
    return OutcomeUnknown(str(error))


def check_configuration(client: Redis, durability: Durability) -> None:
    """Raise WrongConfiguration if what the store acknowledges could be lost, or events evicted.

    Raise StoreError if it does not answer.
    """
    if durability != "always":
        return
    wanted = {
        "appendonly": "yes",
        "appendfsync": "always",
        "no-appendfsync-on-rewrite": "no",
        "maxmemory-policy": "noeviction",
    }
    # One by one: several at once are more than a Redis before version 7 understands.
    replies = call(client, *[("CONFIG", "GET", name) for name in wanted])
    for reply in replies:
        if isinstance(reply, exceptions.ResponseError):
            raise WrongConfiguration(
                f"The store does not tell its configuration ({reply}); set DURABILITY=trusted if "
                "it fsyncs every write before it answers and never evicts."
            )
    told = {
        name: reply[1].decode() if reply else ""
        for name, reply in zip(wanted, replies, strict=True)
    }
    wrong = [f"{name} {told[name]}" for name in wanted if told[name] != wanted[name]]
    if wrong:
        right = ", ".join(f"{name} {wanted[name]}" for name in wanted)
        raise WrongConfiguration(
            f"The store could lose acknowledged moves: it has {', '.join(wrong)} where {right} "
            "is needed; set DURABILITY=relaxed to accept that."
        )
