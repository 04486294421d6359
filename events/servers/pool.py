"""Connections that wait for their next call: the client's pool, without its books."""

import os
import socket
from collections import deque
from struct import pack
from time import monotonic
from typing import Any, Final

from redis import ConnectionPool

_TRUSTED: Final = 0.01
"""Seconds for which a connection may wait and is not asked whether it was closed."""


class Pool(ConnectionPool):
    """Hands out the connection used last; the client's own pool takes 14 µs a call for that.

    To the client's pool a waiting connection is in use, so it closes it with all others.
    """

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self._waiting: deque[tuple[Any, float]] = deque()

    def get_connection(self, command_name: Any = None, *keys: Any, **options: Any) -> Any:  # noqa: ARG002
        """Answer a connection that is ready; raise what connecting raises."""
        if self.pid != os.getpid():
            # The parent goes on with these.
            self._waiting.clear()
        while self._waiting:
            try:
                connection, since = self._waiting.pop()
            except IndexError:
                break
            if connection.is_connected and (
                monotonic() < since + _TRUSTED or not _has_ended(connection)
            ):
                return connection
            connection.disconnect()
            super().release(connection)
        return _timed_by_kernel(super().get_connection())

    def release(self, connection: Any) -> None:
        """Take a connection back."""
        if connection.is_connected and self.pid == os.getpid():
            self._waiting.append((connection, monotonic()))
        else:
            super().release(connection)


def _timed_by_kernel(connection: Any) -> Any:
    """Have the kernel watch the time of a plain socket: Python would poll before every call."""
    plain = connection._sock  # noqa: SLF001
    seconds = connection.socket_timeout
    if type(plain) is socket.socket and seconds:
        limit = pack("@ll", int(seconds), int(seconds % 1 * 1_000_000))
        plain.settimeout(None)
        plain.setsockopt(socket.SOL_SOCKET, socket.SO_RCVTIMEO, limit)
        plain.setsockopt(socket.SOL_SOCKET, socket.SO_SNDTIMEO, limit)
    return connection


def _has_ended(connection: Any) -> bool:
    """Say whether something came that nobody has asked for: mostly the end."""
    try:
        return bool(connection.can_read())
    except Exception:  # noqa: BLE001 - whatever it is, another connection will do
        return True
