"""What a simulated server was asked, asked of a real one: both must answer alike."""

from collections.abc import Iterator, Sequence
from typing import Any, Final, TypeAlias

from redis import Redis
from redis.exceptions import NoScriptError, ResponseError

from tests.simulation import scripts
from workers.scripts import ACQUIRE, DELIVER, ENROL, RENEW

Asked: TypeAlias = tuple[tuple[bytes, ...], Any]
"""A command, and what the simulated server replied."""

_CLOCKED: Final = (DELIVER, ENROL)
"""Scripts that read the server's clock: what they leave behind depends on when they run."""

_LEASED: Final = (ACQUIRE, RENEW)
_FOR_LONG: Final = b"100000000"
_WITHOUT_REPLY: Final = (b"SPUBLISH", b"PUBLISH", b"INFO", b"TIME", b"SSUBSCRIBE")


def differences(asked: Sequence[Asked], real: Redis) -> Iterator[str]:
    """Ask a real server the same in the same order; answer where it differs."""
    real.flushall()
    clocked: set[bytes] = set()
    for command, simulated in asked:
        name, *arguments = command
        if isinstance(simulated, NoScriptError):
            # The simulated server was restarted.
            continue
        if name == b"EVAL":
            real.script_load(arguments[0])
        if name in _WITHOUT_REPLY or _is_clocked(name, arguments, clocked):
            continue
        told = _told(real, name, arguments)
        if isinstance(simulated, ResponseError):
            if not isinstance(told, type(simulated)):
                yield f"{_short(command)}: {simulated!r} simulated, {told!r} real"
        elif _without_listeners(told) != _without_listeners(simulated):
            yield f"{_short(command)}: {simulated!r} simulated, {told!r} real"


def _is_clocked(name: bytes, arguments: Sequence[bytes], clocked: set[bytes]) -> bool:
    if name in (b"EVALSHA", b"EVAL"):
        body = arguments[0] if name == b"EVAL" else b""
        digest = scripts.digest(body) if body else arguments[0]
        keys = arguments[2 : 2 + int(arguments[1])]
        if digest in [each.digest.encode() for each in _CLOCKED]:
            clocked.update(keys)
            return True
        return not clocked.isdisjoint(keys)
    return not clocked.isdisjoint(arguments)


def _told(real: Redis, name: bytes, arguments: Sequence[bytes]) -> Any:
    sent = list(arguments)
    if name in (b"EVALSHA", b"EVAL") and arguments[0] in [
        known for each in _LEASED for known in (each.body, each.digest.encode())
    ]:
        sent[-1] = _FOR_LONG
    if name == b"SET" and b"PX" in sent:
        sent[sent.index(b"PX") + 1] = _FOR_LONG
    connection = real.connection_pool.get_connection()
    try:
        connection.send_command(name, *sent)  # type: ignore[no-untyped-call]
        return connection.read_response()
    except ResponseError as error:
        return error
    finally:
        real.connection_pool.release(connection)


def _without_listeners(reply: Any) -> Any:
    """Leave out how many heard of an append: here nobody listens."""
    return reply[:1] if isinstance(reply, list) and reply[:1] == [b"appended"] else reply


def _short(command: Sequence[bytes]) -> str:
    return b" ".join(each[:60] for each in command[:12]).decode(errors="replace")
