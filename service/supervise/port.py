"""The port, tested before anything is started on it."""

import errno
import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from random import SystemRandom
from typing import Any, Final

from service.supervise.refusal import CannotServe

_ANY: Final = range(20_000, 32_000)
"""Where a port is drawn if any will do: systems give others to whoever connects or binds to 0, and
would soon give away what is not listened to yet, or the port above it.
"""
_DRAWS: Final = 20


def free_port(host: str, port: int) -> int:
    """Answer the port if a server may listen there, a free one for 0; else raise CannotServe.

    Granian listens with SO_REUSEPORT, so two servers on one port would both start and share the
    requests; this listens without it for a moment.
    """
    for drawn in SystemRandom().sample(_ANY, _DRAWS) if port == 0 else ():
        try:
            return _free(host, drawn)
        except CannotServe:
            continue
    return _free(host, port)


@contextmanager
def held(host: str, port: int) -> Iterator[None]:
    """Keep a free port from all who look for one, for a child that listens with SO_REUSEPORT.

    Until it does, and while it is started again, another server would draw the port for itself,
    and both would share the requests. Where the system holds no port, it goes without.
    """
    (family, kind, protocol, _, address), *_ = _addresses(host, port)
    with socket.socket(family, kind, protocol) as waiting:
        with suppress(AttributeError, OSError):
            waiting.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
            waiting.bind(address)
        yield


def _addresses(host: str, port: int) -> list[tuple[Any, ...]]:
    try:
        return [*socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)]
    except socket.gaierror:
        raise CannotServe(f"There is no address called {host!r} to listen on.") from None


def _free(host: str, port: int) -> int:
    (family, kind, protocol, _, address), *_ = _addresses(host, port)
    with socket.socket(family, kind, protocol) as listening:
        # Connections of an earlier server that still fade away are no reason to refuse.
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listening.bind(address)
            listening.listen()
        except OSError as failure:
            raise CannotServe(_sentence(host, port, failure)) from None
        return int(listening.getsockname()[1])


def _sentence(host: str, port: int, failure: OSError) -> str:
    match failure.errno:
        case errno.EADDRINUSE:
            return f"Port {port} is taken: choose another one with --port."
        case errno.EACCES:
            return f"Port {port} is not open to this user: choose one above 1023 with --port."
        case _:
            return f"Nothing can listen on {host}, port {port}: {failure.strerror}."
