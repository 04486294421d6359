"""One partition in the hands of its follower: what was applied, what is parked, what to commit."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, Final

import msgspec

from events import keys
from events.recorded import FeedEntry
from workers.scripts import CLAIM, COMMIT, Call


class Parked(msgspec.Struct, frozen=True):
    """Why a consumer lets a table wait: at which version, what went wrong, since when (ms)."""

    version: int
    error: str
    at: int


_PARKED: Final = msgspec.json.Decoder(Parked)
_ENCODER: Final = msgspec.json.Encoder()


def parked_key(partition: int, consumer: str) -> str:
    """Key of the tables that a consumer of a partition has parked: table -> why."""
    name, _, generation = consumer.partition("@")
    return keys.projection(partition, name, int(generation), "parked")


def read_parked(value: bytes) -> Parked:
    """Read what is stored of a parked table."""
    return _PARKED.decode(value)


class Verdict(Enum):
    """What became of a commit."""

    DONE = b"done"
    FENCED = b"fenced"
    """A newer follower was here: the partition is ours no more."""
    MOVED = b"moved"
    """A checkpoint is elsewhere than thought: claim the partition again."""


@dataclass(slots=True)
class Rescan:
    """A consumer that takes every table of the partition anew: where it is, where it then stands.

    That is how a new consumer begins, and one that finds the feed trimmed before it.
    """

    head: int
    after: int = 0


@dataclass(slots=True)
class Write:
    """One command of a commit on one key."""

    key: str
    command: str
    arguments: Sequence[Any] = ()


@dataclass(slots=True)
class Share:
    """A claimed partition; what it remembers is true as long as every commit is done."""

    partition: int
    token: int
    positions: dict[str, int]
    cursor: int
    """Last position read from the feed; no consumer is behind it but one that rescans."""
    parked: dict[str, dict[str, Parked]] = field(default_factory=dict)
    rescans: dict[str, Rescan] = field(default_factory=dict)
    drawn: dict[tuple[str, str], int] = field(default_factory=dict)
    """(consumer, table) -> version of what was written last."""
    told: dict[tuple[str, str, str], Any] = field(default_factory=dict)
    """(consumer, list, table) -> news that was written last."""
    writes: list[Write] = field(default_factory=list)
    """What goes into the next commit whatever else it holds."""

    def due(self, entries: Iterable[FeedEntry]) -> dict[str, dict[str, int]]:
        """Sort entries by consumer: table -> its first position that the consumer has not seen."""
        due: dict[str, dict[str, int]] = {consumer: {} for consumer in self.positions}
        for entry in entries:
            for consumer, position in self.positions.items():
                if entry.position > position and consumer not in self.rescans:
                    due[consumer].setdefault(entry.table, entry.position)
        return due

    def miss(self, first: int) -> None:
        """Let every consumer rescan that needs an entry before ``first``, where the feed begins."""
        for consumer, position in self.positions.items():
            if position < first - 1:
                self.rescans.setdefault(consumer, Rescan(first - 1))

    def lose_feed(self, head: int) -> None:
        """Let every consumer rescan that is behind ``head``, the feed's end, and go on there."""
        self.miss(head + 1)
        self.cursor = head

    def park(self, consumer: str, table: str, parked: Parked) -> None:
        """Let a table wait until somebody mends what failed; all others go on."""
        self.parked[consumer][table] = parked
        self.drawn.pop((consumer, table), None)
        self.writes.append(
            Write(parked_key(self.partition, consumer), "HSET", (table, _ENCODER.encode(parked)))
        )

    def unpark(self, consumer: str, table: str) -> None:
        """Let a table go on that failed before."""
        if self.parked[consumer].pop(table, None) is not None:
            self.writes.append(Write(parked_key(self.partition, consumer), "HDEL", (table,)))

    def commit(self, moves: Mapping[str, int]) -> Call:
        """Answer the call that makes all writes and moves checkpoints, together or not at all."""
        named = [keys.checkpoints(self.partition), keys.feed(self.partition)]
        places: dict[str, int] = {}
        arguments: list[Any] = [self.token, len(moves)]
        for consumer, position in moves.items():
            arguments += (consumer, self.positions[consumer], position)
        for write in self.writes:
            if write.key not in places:
                named.append(write.key)
                places[write.key] = len(named)
            arguments += (write.command, places[write.key], len(write.arguments))
            arguments += write.arguments
        return Call(COMMIT, named, arguments)

    def committed(self, moves: Mapping[str, int]) -> None:
        """Take note that the last commit was done."""
        self.writes.clear()
        self.positions |= moves


def claim(partition: int, token: int, consumers: Sequence[str]) -> Call:
    """Answer the call that takes a partition over; its reply is what was ``claimed``."""
    return Call(CLAIM, (keys.checkpoints(partition),), (token, *consumers))


def claimed(partition: int, token: int, consumers: Sequence[str], reply: Sequence[bytes]) -> Share:
    """Make a share of what a claim answered."""
    told = zip(consumers, reply, strict=True)
    positions = {consumer: int(position) for consumer, position in told}
    return Share(partition, token, positions, min(positions.values()))
