"""What a simulated Redis holds, and the commands on it: as few as the product sends."""

# ruff: noqa: N802 - commands are named as they are sent
from bisect import bisect_left
from collections.abc import Callable, Sequence
from typing import Any, Final, TypeAlias

from redis.exceptions import ResponseError

OK: Final = b"OK"
_ENDS: Final = (b"-inf", b"+inf")

Arguments: TypeAlias = Sequence[bytes]


class Hash(dict[bytes, bytes]):
    """Fields and values."""


class Members(dict[bytes, None]):
    """A set."""


class Sorted(dict[bytes, float]):
    """A sorted set: member -> score."""

    def ordered(self) -> list[tuple[bytes, float]]:
        """Answer members and scores in order."""
        return sorted(self.items(), key=lambda each: (each[1], each[0]))


class Row(list[bytes]):
    """A list."""


class Stream(list[tuple[int, list[bytes]]]):
    """Entries whose ids are ``<n>-0``, and the last id that ever was."""

    last: int = 0

    def __init__(self, other: "Stream | tuple[()]" = ()) -> None:
        super().__init__(other)
        if isinstance(other, Stream):
            self.last = other.last


Value: TypeAlias = bytes | Hash | Members | Sorted | Row | Stream
Before: TypeAlias = dict[bytes, tuple[Any, int | None]]
"""What some keys held before a write: value (None: nothing) and when they were to expire."""


class Keyspace:
    """Keys and values at one moment of a clock (ms); each method named in capitals is a command.

    What a command changes is noted in ``before`` while that is a dict.
    """

    def __init__(self, clock: Callable[[], int]) -> None:
        self.clock = clock
        self.values: dict[bytes, Any] = {}
        self.until: dict[bytes, int] = {}
        self.before: Before | None = None

    def _read(self, key: bytes) -> Any:
        if self.until and self.until.get(key, 1 << 62) <= self.clock():
            self._note(key)
            del self.values[key], self.until[key]
            self.expired(key)
        return self.values.get(key)

    def expired(self, key: bytes) -> None:
        """Hear of a key that has just expired."""

    def _note(self, key: bytes) -> None:
        if self.before is not None and key not in self.before:
            value = self.values.get(key)
            copied = value if value is None or type(value) is bytes else type(value)(value)
            self.before[key] = (copied, self.until.get(key))

    def _write(self, key: bytes, kind: Callable[[], Any]) -> Any:
        value = self._read(key)
        self._note(key)
        if value is None:
            value = self.values[key] = kind()
        return value

    def _tidy(self, key: bytes) -> None:
        """Forget what is empty."""
        if not self.values[key]:
            del self.values[key]
            self.until.pop(key, None)

    def restore(self, before: Before) -> None:
        """Undo one write."""
        for key, (value, until) in before.items():
            self.values.pop(key, None)
            self.until.pop(key, None)
            if value is not None:
                self.values[key] = value
            if until is not None:
                self.until[key] = until

    # Keys and texts

    def PING(self, _: Arguments) -> Any:
        return b"PONG"

    def INFO(self, _: Arguments) -> Any:
        return b"redis_version:8.0.0\r\n"

    def TIME(self, _: Arguments) -> Any:
        milliseconds = self.clock()
        return [b"%d" % (milliseconds // 1000), b"%d" % (milliseconds % 1000 * 1000)]

    def EXISTS(self, arguments: Arguments) -> Any:
        return sum(self._read(key) is not None for key in arguments)

    def DEL(self, arguments: Arguments) -> Any:
        there = [key for key in arguments if self._read(key) is not None]
        for key in there:
            self._note(key)
            del self.values[key]
            self.until.pop(key, None)
        return len(there)

    UNLINK = DEL

    def GET(self, arguments: Arguments) -> Any:
        return self._read(arguments[0])

    def SET(self, arguments: Arguments) -> Any:
        key, value, *rest = arguments
        words = [each.upper() for each in rest]
        if b"NX" in words and self._read(key) is not None:
            return None
        self._note(key)
        self.values[key] = value
        self.until.pop(key, None)
        for word, unit in ((b"PX", 1), (b"EX", 1000)):
            if word in words:
                self.until[key] = self.clock() + unit * int(rest[words.index(word) + 1])
        return OK

    def INCR(self, arguments: Arguments) -> Any:
        number = int(self._write(arguments[0], lambda: b"0")) + 1
        self.values[arguments[0]] = b"%d" % number
        return number

    def PEXPIRE(self, arguments: Arguments, unit: int = 1) -> Any:
        if self._read(arguments[0]) is None:
            return 0
        self._note(arguments[0])
        self.until[arguments[0]] = self.clock() + unit * int(arguments[1])
        return 1

    def EXPIRE(self, arguments: Arguments) -> Any:
        return self.PEXPIRE(arguments, 1000)

    def PERSIST(self, arguments: Arguments) -> Any:
        if self._read(arguments[0]) is None or arguments[0] not in self.until:
            return 0
        self._note(arguments[0])
        del self.until[arguments[0]]
        return 1

    # Hashes

    def HGET(self, arguments: Arguments) -> Any:
        return (self._read(arguments[0]) or {}).get(arguments[1])

    def HMGET(self, arguments: Arguments) -> Any:
        found = self._read(arguments[0]) or {}
        return [found.get(name) for name in arguments[1:]]

    def HGETALL(self, arguments: Arguments) -> Any:
        return [part for pair in (self._read(arguments[0]) or {}).items() for part in pair]

    def HVALS(self, arguments: Arguments) -> Any:
        return list((self._read(arguments[0]) or {}).values())

    def HLEN(self, arguments: Arguments) -> Any:
        return len(self._read(arguments[0]) or ())

    def HEXISTS(self, arguments: Arguments) -> Any:
        return int(arguments[1] in (self._read(arguments[0]) or {}))

    def HSET(self, arguments: Arguments) -> Any:
        found = self._write(arguments[0], Hash)
        before = len(found)
        found.update(zip(arguments[1::2], arguments[2::2], strict=True))
        return len(found) - before

    def HSETNX(self, arguments: Arguments) -> Any:
        found = self._write(arguments[0], Hash)
        if arguments[1] in found:
            return 0
        found[arguments[1]] = arguments[2]
        return 1

    def HDEL(self, arguments: Arguments) -> Any:
        if self._read(arguments[0]) is None:
            return 0
        found = self._write(arguments[0], Hash)
        gone = sum(found.pop(name, None) is not None for name in arguments[1:])
        self._tidy(arguments[0])
        return gone

    def HINCRBY(self, arguments: Arguments) -> Any:
        found = self._write(arguments[0], Hash)
        number = int(found.get(arguments[1], b"0")) + int(arguments[2])
        found[arguments[1]] = b"%d" % number
        return number

    # Sets and lists

    def SADD(self, arguments: Arguments) -> Any:
        found = self._write(arguments[0], Members)
        before = len(found)
        found.update(dict.fromkeys(arguments[1:]))
        return len(found) - before

    def SMEMBERS(self, arguments: Arguments) -> Any:
        return list(self._read(arguments[0]) or ())

    def RPUSH(self, arguments: Arguments) -> Any:
        row = self._write(arguments[0], Row)
        row.extend(arguments[1:])
        return len(row)

    def LPOP(self, arguments: Arguments) -> Any:
        if self._read(arguments[0]) is None:
            return None
        row = self._write(arguments[0], Row)
        first = row.pop(0)
        self._tidy(arguments[0])
        return first

    def LLEN(self, arguments: Arguments) -> Any:
        return len(self._read(arguments[0]) or ())

    # Sorted sets

    def ZADD(self, arguments: Arguments) -> Any:
        found = self._write(arguments[0], Sorted)
        before = len(found)
        for score, member in zip(arguments[1::2], arguments[2::2], strict=True):
            found[member] = float(score)
        return len(found) - before

    def ZREM(self, arguments: Arguments) -> Any:
        if self._read(arguments[0]) is None:
            return 0
        found = self._write(arguments[0], Sorted)
        gone = sum(found.pop(member, None) is not None for member in arguments[1:])
        self._tidy(arguments[0])
        return gone

    def ZCARD(self, arguments: Arguments) -> Any:
        return len(self._read(arguments[0]) or ())

    def ZSCORE(self, arguments: Arguments) -> Any:
        score = (self._read(arguments[0]) or {}).get(arguments[1])
        return None if score is None else _number(score)

    def ZCOUNT(self, arguments: Arguments) -> Any:
        return len(self._between(arguments[0], arguments[1], arguments[2]))

    def ZREMRANGEBYSCORE(self, arguments: Arguments) -> Any:
        gone = self._between(*arguments)
        return self.ZREM([arguments[0], *(member for member, _ in gone)]) if gone else 0

    def _between(self, key: bytes, low: bytes, high: bytes) -> list[tuple[bytes, float]]:
        found = self._read(key)
        above, below = _bound(low, exclusive_is_above=True), _bound(high, exclusive_is_above=False)
        return (
            [each for each in found.ordered() if above(each[1]) and below(each[1])] if found else []
        )

    def ZRANGE(self, arguments: Arguments) -> Any:
        key, low, high, *rest = arguments
        words = [each.upper() for each in rest]
        if b"BYSCORE" in words:
            found = self._between(key, low, high)
        else:
            every = self._read(key)
            found = _part(every.ordered() if every else [], int(low), int(high))
        if b"LIMIT" in words:
            at = words.index(b"LIMIT")
            first, many = int(rest[at + 1]), int(rest[at + 2])
            found = found[first : first + many]
        if b"WITHSCORES" in words:
            return [part for member, score in found for part in (member, _number(score))]
        return [member for member, _ in found]

    def ZREVRANGE(self, arguments: Arguments) -> Any:
        key, first, last, *rest = arguments
        every = self._read(key)
        found = _part(every.ordered()[::-1] if every else [], int(first), int(last))
        if rest:
            return [part for member, score in found for part in (member, _number(score))]
        return [member for member, _ in found]

    def ZREVRANGEBYLEX(self, arguments: Arguments) -> Any:
        key, high, low, *rest = arguments
        if low != b"-" or (high != b"+" and high[:1] != b"("):
            raise NotImplementedError(arguments)
        members = sorted(self._read(key) or (), reverse=True)
        if high != b"+":
            members = [each for each in members if each < high[1:]]
        first, many = (int(rest[1]), int(rest[2])) if rest else (0, len(members))
        return members[first : first + many]

    # Streams

    def XADD(self, arguments: Arguments) -> Any:
        key, entry, *fields = arguments
        number = int(entry[:-2])
        known = self._read(key)
        if number <= (known.last if known is not None else 0):
            return ResponseError(
                "The ID specified in XADD is equal or smaller than the target stream top item"
            )
        stream = self._write(key, Stream)
        stream.append((number, list(fields)))
        stream.last = number
        return entry

    def XRANGE(self, arguments: Arguments) -> Any:
        key, low, high, *rest = arguments
        if high != b"+":
            raise NotImplementedError(arguments)
        stream = self._read(key) or ()
        first = bisect_left(stream, int(low[:-2]), key=lambda each: each[0])
        last = first + int(rest[1]) if rest else len(stream)
        return [[b"%d-0" % number, fields] for number, fields in stream[first:last]]

    def XLEN(self, arguments: Arguments) -> Any:
        return len(self._read(arguments[0]) or ())

    def XTRIM(self, arguments: Arguments) -> Any:
        key, _, lowest = arguments
        if self._read(key) is None:
            return 0
        stream = self._write(key, Stream)
        gone = bisect_left(stream, int(lowest[:-2]), key=lambda each: each[0])
        del stream[:gone]
        return gone


def _number(score: float) -> bytes:
    return b"%d" % score if score == int(score) else repr(score).encode()


def _bound(written: bytes, *, exclusive_is_above: bool) -> Callable[[float], bool]:
    if written in _ENDS:
        return lambda _: True
    exclusive = written[:1] == b"("
    edge = float(written[1:] if exclusive else written)
    if exclusive_is_above:
        return (lambda score: score > edge) if exclusive else (lambda score: score >= edge)
    return (lambda score: score < edge) if exclusive else (lambda score: score <= edge)


def _part(found: list[Any], first: int, last: int) -> list[Any]:
    return found[first:] if last == -1 else found[first : last + 1]
