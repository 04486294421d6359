"""A simulated Redis server: connections that break, writes that may be undone, and no durations."""

from collections import deque
from collections.abc import Callable, Sequence
from hashlib import blake2b
from typing import Any, Final, Protocol

from redis.exceptions import NoScriptError, OutOfMemoryError

from tests.simulation import scripts
from tests.simulation.faults import CallFault, Faults
from tests.simulation.keyspace import OK, Before, Hash, Keyspace
from tests.simulation.schedule import Schedule

EPOCH: Final = 1_900_000_000
"""When simulated time begins, in seconds since 1970."""

_DENIED: Final = "command not allowed when used memory > 'maxmemory'."
_PUBLISH: Final = (b"PUBLISH", b"SPUBLISH")
_SUBSCRIBE: Final = (b"SUBSCRIBE", b"SSUBSCRIBE")
_UNSUBSCRIBE: Final = (b"UNSUBSCRIBE", b"SUNSUBSCRIBE")


class Peer(Protocol):
    """The other end of a connection."""

    def told(self, line: int, replies: Sequence[Any]) -> None:
        """Hear replies or messages, if it is still the same line."""

    def cut(self, line: int) -> None:
        """Notice that the line is dead."""


class Server(Keyspace):
    """One server; ``replicated`` says that more than what was promised may be undone."""

    def __init__(
        self, schedule: Schedule, faults: Faults, name: str, *, replicated: bool = False
    ) -> None:
        super().__init__(lambda: int((EPOCH + schedule.now + self.skew) * 1000))
        self.name = name
        self.skew = 0.0
        self.up = True
        self.epoch = 0
        self.trace: blake2b | None = None
        """Everything that is asked, and when, where somebody wants to compare it."""
        self.log: list[tuple[tuple[bytes, ...], Any]] | None = None
        self.promises: frozenset[bytes] = frozenset()
        """Digests of the scripts whose replies are promises, where replicas acknowledge them."""
        self._schedule = schedule
        self._faults = faults
        self._replicated = replicated
        self._bodies: dict[bytes, bytes] = {}
        self._lines: dict[tuple[Peer, int], None] = {}
        self._channels: dict[bytes, dict[tuple[Peer, int], bool]] = {}
        self._queued: dict[tuple[Peer, int], list[list[bytes]]] = {}
        self._undone = 0
        self._journal: deque[Before] = deque()
        self._commands: dict[bytes, Callable[[Sequence[bytes]], Any]] = {
            name.encode(): getattr(self, name) for name in dir(self) if name.isupper()
        }

    def from_nothing(self) -> list[tuple[tuple[bytes, ...], Any]]:
        """Begin a log of what is asked, with how everything that is there could have come to be."""
        return [
            ((b"HSET", key, *(part for pair in value.items() for part in pair)), len(value))
            if isinstance(value, Hash)
            else ((b"SADD", key, *value), len(value))
            for key, value in self.values.items()
        ]

    def connected(self, peer: Peer, line: int) -> bool:
        """Take a connection; answer whether anybody is there."""
        if self.up:
            self._lines[peer, line] = None
        return self.up

    def left(self, peer: Peer, line: int) -> None:
        """Forget a connection."""
        self._lines.pop((peer, line), None)
        self._queued.pop((peer, line), None)
        for listeners in self._channels.values():
            listeners.pop((peer, line), None)

    def arrive(
        self,
        epoch: int,
        peer: Peer,
        line: int,
        commands: list[list[bytes]],
        fault: CallFault | None,
    ) -> None:
        """Carry out what comes over a line; reply unless a fault is against it."""
        if epoch != self.epoch or not self.up:
            return
        if fault == "denied write":
            replies: list[Any] = [self._refused(each, peer, line) for each in commands]
        else:
            if fault == "cut pipeline":
                commands = commands[: self._schedule.random.randrange(len(commands) + 1)]
            replies = [self.carry_out(each, peer, line) for each in commands]
        mark = self._undone + len(self._journal)
        promised = any(each[1] in self.promises for each in commands if len(each) > 1)
        delay = latency(self._schedule)
        if fault in ("lost reply", "cut pipeline"):
            if self._schedule.random.random() < 0.5:
                self._schedule.at(delay, peer.cut, line)
            return
        if fault == "late reply":
            delay = self._schedule.random.uniform(0.1, 2.5)
        self._schedule.at(delay, self._reply, epoch, peer, line, replies, mark, promised)

    def _reply(
        self, epoch: int, peer: Peer, line: int, replies: list[Any], mark: int, promised: bool
    ) -> None:
        if epoch != self.epoch:
            return
        if (promised or not self._replicated) and (peer, line) in self._lines:
            # Whoever hears this may rely on everything before it.
            while self._undone < mark:
                self._journal.popleft()
                self._undone += 1
        peer.told(line, replies)

    def _refused(self, command: list[bytes], peer: Peer, line: int) -> Any:
        if command[0] in (b"EVALSHA", b"EVAL", b"HSET", b"SET"):
            return OutOfMemoryError(_DENIED)
        return self.carry_out(command, peer, line)

    def carry_out(self, command: list[bytes], peer: Peer, line: int) -> Any:
        """Carry out one command, and remember how to undo it."""
        name = command[0].upper()
        if self.trace is not None:
            told = b"\0".join(command)
            self.trace.update(b"%d %b" % (int(self._schedule.now * 1e6), told))
        if name in _SUBSCRIBE or name in _UNSUBSCRIBE:
            return self._listen(name, command[1:], peer, line)
        queued = self._queued.get((peer, line))
        if name == b"MULTI":
            self._queued[peer, line] = []
            return OK
        if name == b"EXEC":
            return [
                self._journaled(each[0].upper(), each[1:])
                for each in self._queued.pop((peer, line))
            ]
        if queued is not None:
            queued.append(command)
            return b"QUEUED"
        return self._journaled(name, command[1:])

    def _journaled(self, name: bytes, arguments: list[bytes]) -> Any:
        self.before = {}
        reply = self._do(name, arguments)
        if self.before:
            self._journal.append(self.before)
        self.before = None
        if self.log is not None:
            self.log.append(((name, *arguments), reply))
        return reply

    def _do(self, name: bytes, arguments: Sequence[bytes]) -> Any:
        if name == b"EVALSHA" or name == b"EVAL":
            return self._run(name, arguments)
        if name in _PUBLISH:
            return self._publish(name, arguments[0], arguments[1])
        return self._commands[name](arguments)

    def _run(self, name: bytes, arguments: Sequence[bytes]) -> Any:
        body: bytes | None = arguments[0]
        if name == b"EVALSHA":
            body = self._bodies.get(arguments[0])
        else:
            self._bodies[scripts.digest(arguments[0])] = arguments[0]
        if body is None:
            return NoScriptError("No matching script.")
        count = 2 + int(arguments[1])
        return scripts.run(body, arguments[2:count], arguments[count:], self._do)

    def _listen(self, name: bytes, channels: Sequence[bytes], peer: Peer, line: int) -> Any:
        sharded = name.startswith((b"SS", b"SU"))
        for channel in channels:
            listeners = self._channels.setdefault(channel, {})
            if name in _SUBSCRIBE:
                listeners[peer, line] = sharded
            else:
                listeners.pop((peer, line), None)
        return [[name.lower(), each, 1] for each in channels]

    def _publish(self, name: bytes, channel: bytes, message: bytes) -> int:
        listeners = self._channels.get(channel, {})
        told = [b"smessage" if name == b"SPUBLISH" else b"message", channel, message]
        for peer, line in listeners:
            if not self._faults.of_nudge():
                self._schedule.at(latency(self._schedule), peer.told, line, [told])
        return len(listeners)

    # What happens to a server

    def stop(self) -> int:
        """End at once; answer how many writes nobody was promised, all of which may be undone."""
        self.up = False
        self.epoch += 1
        lines, self._lines = tuple(self._lines), {}
        self._channels.clear()
        self._queued.clear()
        self._bodies.clear()
        for peer, line in lines:
            peer.cut(line)
        return len(self._journal)

    def rewind(self, writes: int) -> None:
        """Undo the last writes."""
        for _ in range(writes):
            self.restore(self._journal.pop())

    def expired(self, key: bytes) -> None:
        if self.log is not None:
            self.log.append(((b"DEL", key), 1))

    def ask(self, name: bytes, *arguments: bytes) -> Any:
        """Carry out a command that comes over no line."""
        return self._journaled(name, list(arguments))

    def begin(self) -> None:
        """Be there again."""
        self._undone += len(self._journal)
        self._journal.clear()
        self.up = True

    def end_leases(self) -> None:
        """End every lease at once."""
        for key in [each for each in self.values if each.endswith(b":lease")]:
            self.ask(b"DEL", key)

    def flush(self) -> None:
        """Forget everything."""
        self.values.clear()
        self.until.clear()
        self._undone += len(self._journal)
        self._journal.clear()


def latency(schedule: Schedule) -> float:
    """Draw how long a message is on its way, in seconds: mostly short, sometimes not."""
    drawn = schedule.random.random()
    return 0.0001 + 0.002 * drawn * drawn / (1.02 - drawn)
