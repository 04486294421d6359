"""Connections of redis-py that end in a simulated server: everything above the socket is real."""

import os
from collections import deque
from collections.abc import Callable, Sequence
from copy import copy
from functools import cache
from typing import Any, Final

from hiredis import Reader, pack_command
from redis import ConnectionPool, Redis, exceptions
from redis.backoff import NoBackoff
from redis.retry import Retry

from tests.simulation.faults import Faults
from tests.simulation.schedule import TIMED_OUT, Crashed, Process, Schedule, Task
from tests.simulation.server import Server, latency
from workers import share

TIMEOUT: Final = 0.9
"""Seconds that the product waits for a reply."""

_NEVER: Final = Retry(NoBackoff(), 0)


class _Flag:
    """What threading.Event is to a subscription, in simulated time."""

    def __init__(self, schedule: Schedule) -> None:
        self._schedule = schedule
        self._set = False

    def set(self) -> None:
        self._set = True

    def clear(self) -> None:
        self._set = False

    def is_set(self) -> bool:
        return self._set

    def wait(self, seconds: float) -> bool:
        if not self._set:
            self._schedule.sleep(seconds)
        return self._set


class Client(Redis):
    """A client whose subscriptions wait in simulated time."""

    schedule: Schedule

    def pubsub(self, **named: Any) -> Any:
        found: Any = super().pubsub(**named)  # type: ignore[no-untyped-call]
        found.subscribed_event = _Flag(self.schedule)
        return found


def connected(schedule: Schedule, faults: Faults, process: Process, server: Server) -> Client:
    """Make a process' client of a server."""
    client = copy(_blank())
    # As redis-py's pool names itself: what comes of a seed hangs on every draw.
    os.urandom(4)
    pool: Any = Pool(lambda: Connection(schedule, faults, process, server))
    client.connection_pool, client.schedule = pool, schedule
    return client


@cache
def _blank() -> Client:
    """Make a client of nothing, to be copied: making one takes as long as many of its calls."""
    pool: Any = Pool(_unconnected)
    return Client(connection_pool=pool)


def _unconnected() -> "Connection":
    raise exceptions.ConnectionError("nobody's client")


_ENCODER: Final = ConnectionPool(protocol=2).get_encoder()


class Pool:
    """What redis-py's pool does, without counting it for anybody to observe."""

    def __init__(self, made: Callable[[], "Connection"]) -> None:
        self.connection_kwargs = {"protocol": 2}
        self._made = made
        self._free: list[Connection] = []

    def get_connection(self) -> "Connection":
        """Answer a connection that is open, a new one where the last was cut meanwhile."""
        connection = self._free.pop() if self._free else self._made()
        try:
            connection.connect()
            try:
                unread = connection.can_read()
            except exceptions.ConnectionError:
                unread = True
            if unread:
                connection.disconnect()
                connection.connect()
        except BaseException:
            self.release(connection)
            raise
        return connection

    def release(self, connection: "Connection") -> None:
        """Take a connection back."""
        self._free.append(connection)

    def get_protocol(self) -> int:
        return 2

    def get_encoder(self) -> Any:
        return _ENCODER


class Connection:
    """One connection as redis-py's pool and clients expect it."""

    host, port, db = "simulated", 0, 0
    health_check_interval = 0
    socket_timeout = TIMEOUT
    retry = _NEVER
    credential_provider = None

    def __init__(
        self, schedule: Schedule, faults: Faults, process: Process, server: Server
    ) -> None:
        self._schedule = schedule
        self._faults = faults
        self._process = process
        self._server = server
        self._line = 0
        self._open = False
        self._dead = False
        self._inbox: deque[Any] = deque()
        self._waiting: tuple[Task, int] | None = None
        self._sent = 0.0
        self._reader = Reader()
        self._on_connect: list[Callable[[Any], None]] = []
        process.ends.append(self._ended)

    @property
    def is_connected(self) -> bool:
        return self._open

    def _ended(self) -> None:
        self._server.left(self, self._line)

    def connect(self) -> None:
        """Open the line; raise ConnectionError if nobody is there."""
        if self._open:
            return
        if self._process.alive is False:
            raise Crashed
        self._line += 1
        self._inbox.clear()
        if not self._server.connected(self, self._line):
            self._schedule.sleep(0.001)
            raise exceptions.ConnectionError("refused")
        self._open, self._dead = True, False
        for each in tuple(self._on_connect):
            each(self)

    def disconnect(self, *_: Any, **__: Any) -> None:
        """Close the line; what was sent may arrive all the same."""
        if self._open:
            self._open = False
            self._server.left(self, self._line)

    def register_connect_callback(self, callback: Callable[[Any], None]) -> None:
        self._on_connect.append(callback)

    def deregister_connect_callback(self, callback: Callable[[Any], None]) -> None:
        if callback in self._on_connect:
            self._on_connect.remove(callback)

    def should_reconnect(self) -> bool:
        return False

    def reset_should_reconnect(self) -> None:
        """Nothing ever asks for it."""

    def pack_commands(self, commands: Sequence[Sequence[Any]]) -> list[bytes]:
        return [pack_command(tuple(each)) for each in commands]

    def send_command(self, *command: Any, **_: Any) -> None:
        self.send_packed_command([pack_command(command)])

    def send_packed_command(self, packed: Sequence[bytes], **_: Any) -> None:
        """Send commands on their way."""
        self.connect()
        if self._dead:
            self.disconnect()
            raise exceptions.ConnectionError("reset")
        for each in packed:
            self._reader.feed(each)
        commands = []
        while (command := self._reader.gets()) is not False:
            commands.append(command)
        fault = self._faults.of_call()
        if self._faults.stop_commits and _commits(commands) and self._faults.of_commit():
            # Others have taken over when the call comes.
            random = self._schedule.random
            self._process.asleep = self._schedule.now + random.uniform(1.5, 8.0)
            if random.random() < 0.7:
                self._server.end_leases()
            self._schedule.sleep(0.0)
        if fault == "lost request":
            if self._schedule.random.random() < 0.5:
                self._schedule.at(0.0005, self.cut, self._line)
            return
        delay = latency(self._schedule)
        if fault == "late request":
            random = self._schedule.random
            # Long enough for somebody else to have taken over, and moved on.
            delay = random.uniform(0.1, random.choice((3.0, 8.0)))
        server = self._server
        # Over one line nothing overtakes.
        self._sent = max(self._schedule.now + delay, self._sent)
        self._schedule.at(
            self._sent - self._schedule.now,
            server.arrive, server.epoch, self, self._line, commands, fault,
        )  # fmt: skip

    def read_response(self, *_: Any, timeout: Any = TIMEOUT, **__: Any) -> Any:
        """Answer the next reply; raise TimeoutError or ConnectionError if none comes."""
        if not self._inbox:
            self._check()
            if self._wait(TIMEOUT if timeout is None else timeout) is TIMED_OUT:
                self.disconnect()
                raise exceptions.TimeoutError("no reply")
            if not self._inbox:
                self._check()
        reply = self._inbox.popleft()
        if isinstance(reply, exceptions.ResponseError):
            raise reply
        return reply

    def can_read(self, timeout: float | None = 0) -> bool:
        """Answer whether something has come, or comes in so many seconds."""
        if self._inbox:
            return True
        if self._open:
            self._check()
        if timeout and self._open:
            self._wait(timeout)
            self._check()
        return bool(self._inbox)

    def _check(self) -> None:
        if self._dead or not self._open:
            self.disconnect()
            raise exceptions.ConnectionError("reset")

    def _wait(self, seconds: float) -> Any:
        task = self._schedule.here()
        self._waiting = (task, task.turn + 1)
        try:
            return self._schedule.wait(seconds)
        finally:
            self._waiting = None

    def _wake(self) -> None:
        if self._waiting is not None:
            task, turn = self._waiting
            self._schedule.wake(task, turn, None)

    # What the server tells

    def told(self, line: int, replies: Sequence[Any]) -> None:
        if line != self._line or not self._open or self._dead:
            return
        for each in replies:
            # A subscription is confirmed channel by channel.
            self._inbox.extend(each if _is_confirmation(each) else (each,))
        self._wake()

    def cut(self, line: int) -> None:
        if line == self._line and self._open:
            self._dead = True
            self._wake()


def _is_confirmation(reply: Any) -> bool:
    return (
        isinstance(reply, list)
        and bool(reply)
        and isinstance(reply[0], list)
        and bool(reply[0])
        and reply[0][0] in (b"subscribe", b"ssubscribe", b"unsubscribe", b"sunsubscribe")
    )


def _commits(commands: Sequence[Sequence[bytes]]) -> bool:
    # Asked each time: the script may be broken on purpose.
    known = (share.COMMIT.digest.encode(), share.COMMIT.body)  # type: ignore[attr-defined]
    return any(each[1] in known for each in commands if len(each) > 1)
