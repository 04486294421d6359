"""One trip to one server: what is sent together, and what it means when it fails."""

from collections.abc import Sequence
from typing import Any

from hiredis import pack_command
from redis import exceptions


class StoreError(Exception):
    """Say that the store could not be asked."""


class StoreUnavailable(StoreError):  # noqa: N818 - the glossary's words
    """Say that nothing was stored: the store cannot be reached or refuses to write."""


class WritesRefused(StoreUnavailable):
    """Say that the store answers, and takes no writes: its memory or its disk is all but full."""


class OutcomeUnknown(StoreError):  # noqa: N818 - the glossary's words
    """Say that the store's reply was lost; the same command id may be sent again."""


class Trip:
    """A connection that was taken for commands; its replies must be read, or it is closed."""

    def __init__(self, pool: Any) -> None:
        """Take a connection of a server; raise StoreUnavailable if there is none to be had."""
        self._pool = pool
        self._awaited = 0
        self.sent = False
        try:
            self._connection = pool.get_connection()
        except (exceptions.RedisError, OSError) as error:
            raise StoreUnavailable(str(error)) from error

    def send(self, commands: Sequence[Sequence[Any]]) -> None:
        """Send commands together; raise OutcomeUnknown."""
        # Packed here: the client would look through every argument once more.
        packed = b"".join([pack_command(tuple(command)) for command in commands])
        self._awaited = len(commands)
        self.sent = True
        try:
            self._connection.send_packed_command([packed], check_health=False)
        except (exceptions.ConnectionError, exceptions.TimeoutError, OSError) as error:
            raise OutcomeUnknown(str(error)) from error

    def read(self) -> list[Any]:
        """Answer the replies; an error reply is among them.

        Raise StoreUnavailable if nothing was carried out, OutcomeUnknown if that cannot be told.
        """
        replies = []
        try:
            while self._awaited:
                replies.append(self._reply())
                self._awaited -= 1
        except (exceptions.BusyLoadingError, exceptions.AuthenticationError) as error:
            raise StoreUnavailable(str(error)) from error
        except (exceptions.ConnectionError, exceptions.TimeoutError, OSError) as error:
            raise OutcomeUnknown(str(error)) from error
        return replies

    def _reply(self) -> Any:
        try:
            return self._connection.read_response()
        except exceptions.ResponseError as error:
            return error

    def end(self) -> None:
        """Give the connection back; the next one to have it never reads a reply of this trip."""
        if self._awaited:
            self._connection.disconnect()
        self._pool.release(self._connection)


def exchange(pool: Any, commands: Sequence[Sequence[Any]]) -> list[Any]:
    """Send commands to one server together and answer their replies, errors among them.

    Raise StoreUnavailable if nothing was carried out, OutcomeUnknown if that cannot be told.
    """
    trip = Trip(pool)
    try:
        trip.send(commands)
        return trip.read()
    finally:
        # Also when interrupted, by a signal or a time limit.
        trip.end()
