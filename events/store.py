"""The event store: append, look, read, and the feeds that tell followers what is new."""

from base64 import urlsafe_b64encode
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha1, sha256
from importlib.resources import files
from typing import Any, Final, TypeAlias, cast

import msgspec
from redis import Redis
from redis.exceptions import NoScriptError, ResponseError

from events import keys
from events.archive.packed import Archived
from events.archive.tables import ArchiveUnavailable, Shelf
from events.entries import feed_of, fields_of, history_of
from events.recorded import FeedEntry, Recorded
from events.servers.connection import (
    OutcomeUnknown,
    StoreError,
    StoreUnavailable,
    ask,
    ask_by,
    call,
    failure,
    servers,
)
from events.servers.replicas import check_safe, waits

_SCRIPT: Final = (files(__package__) / "append.lua").read_bytes()
_SHA: Final = sha1(_SCRIPT, usedforsecurity=False).hexdigest()
_WRITTEN: Final = (b"appended", b"duplicate")
_BODY: Final = msgspec.json.Encoder(order="sorted")


@dataclass(frozen=True, slots=True)
class CommandKey:
    """What a command is remembered by: its id, and the fingerprint of what it asked."""

    id: str
    fingerprint: str


def command_key(player: str, key: str, body: Mapping[str, Any]) -> CommandKey:
    """Answer what to remember of a player's command by its Idempotency-Key and its JSON body."""
    named = sha256(player.encode() + b"\0" + key.encode()).digest()
    asked = sha256(_BODY.encode(body)).digest()
    return CommandKey(_short(named[:16]), _short(asked[:9]))


def _short(digest: bytes) -> str:
    return urlsafe_b64encode(digest).rstrip(b"=").decode()


@dataclass(frozen=True, slots=True)
class Appended:
    """The events are stored; so many followers heard the nudge."""

    listeners: int


@dataclass(frozen=True, slots=True)
class Duplicate:
    """The command was accepted before, as these versions."""

    first: int
    last: int


@dataclass(frozen=True, slots=True)
class Mismatch:
    """The command id was used for another command."""


@dataclass(frozen=True, slots=True)
class Conflict:
    """The table is elsewhere: its version, hash, and the events after the version expected."""

    version: int
    hash: str
    tail: tuple[Recorded, ...]


@dataclass(frozen=True, slots=True)
class Unchanged:
    """The table is where the caller thought, and the command is new."""


@dataclass(frozen=True, slots=True)
class Meta:
    """Where a table is: version, head of its chain in hex, phase."""

    version: int
    hash: str
    phase: str


Looked: TypeAlias = Unchanged | Duplicate | Mismatch | Conflict


class EventStore:
    """Histories of tables in Redis or Valkey; safe to share between threads.

    All raise StoreUnavailable; ``append`` may raise OutcomeUnknown too.
    """

    def __init__(
        self, client: Redis, *, sharded_nudges: bool = True, shelf: Shelf | None = None
    ) -> None:
        """Take a client of ``connect``; servers older than 7 know no sharded channels.

        ``shelf`` has the finished tables that have left the store; they are read like others.
        """
        self.client = client
        self.shelf = shelf
        self.sharded_nudges = sharded_nudges
        self._publish = "SPUBLISH" if sharded_nudges else "PUBLISH"
        self._waits = waits(client)

    def append(
        self,
        table: str,
        *,
        after: int,
        after_hash: str,
        recorded: Sequence[Recorded],
        head: str,
        phase: str,
        command: CommandKey,
    ) -> Appended | Duplicate | Mismatch | Conflict:
        """Store events after a version whose hash is given (hex); ``head`` is their last hash."""
        fields: list[Any] = [head, phase, recorded[0].trace or ""]
        for each in recorded:
            fields += fields_of(each)
        answer = self._appending(table, after, after_hash, command, fields, self._waits)
        return cast("Appended | Duplicate | Mismatch | Conflict", answer)

    def look(
        self, table: str, *, after: int, after_hash: str, command: CommandKey | None = None
    ) -> Looked:
        """Answer in one moment whether a command is known and what came after a version.

        Raise OutcomeUnknown if it is known and not yet safe.
        """
        try:
            answer = self._appending(table, after, after_hash, command, ["", "", ""])
        except OutcomeUnknown as error:
            raise StoreUnavailable(str(error)) from error
        if isinstance(answer, Duplicate) and self._waits:
            # It may never have been acknowledged; this time it is, so it has to be safe.
            try:
                answer = self._appending(
                    table, after, after_hash, command, ["", "", ""], self._waits
                )
            except StoreUnavailable as error:
                raise OutcomeUnknown(str(error)) from error
        return cast("Looked", answer)

    def _appending(
        self,
        table: str,
        after: int,
        after_hash: str,
        command: CommandKey | None,
        rest: Sequence[Any],
        behind: Sequence[Sequence[Any]] = (),
    ) -> Looked | Appended:
        partition = keys.partition(table)
        arguments = (
            6,
            keys.events(table),
            keys.meta(table),
            keys.commands(table),
            keys.feed(partition),
            keys.counters(partition),
            keys.tables(partition),
            table,
            after,
            after_hash,
            command.id if command else "",
            command.fingerprint if command else "",
            self._publish,
            keys.wake(partition),
            keys.stir(partition),
            *rest,
        )
        answer = _answer(table, self._acknowledged(arguments, behind))
        if isinstance(answer, Conflict) and not answer.tail and answer.version > after:
            # The table's events have left the store.
            return replace(answer, tail=self.read(table, after))
        return answer

    def _acknowledged(self, arguments: Sequence[Any], behind: Sequence[Sequence[Any]]) -> list[Any]:
        """Run the script; when this returns, what it wrote is as safe as the store promises.

        With replicas that takes what goes behind the script, on the same connection to the server
        that owns the slot. Raise OutcomeUnknown if too few of them have it on disk.
        """
        replies = self._call(("EVALSHA", _SHA, *arguments), *behind)
        if isinstance(replies[0], NoScriptError):
            replies = self._call(("EVAL", _SCRIPT, *arguments), *behind)
        answer: Any = replies[0]
        if isinstance(answer, ResponseError):
            raise failure(answer)
        if behind and answer[0] == b"duplicate" and not answer[3]:
            raise OutcomeUnknown("it is there, and whether replicas have it cannot be asked")
        if behind and answer[0] in _WRITTEN:
            check_safe(self.client, replies[-1])
        found: list[Any] = answer
        return found

    def _call(self, *commands: Sequence[Any]) -> list[Any]:
        return call(self.client, *commands)

    def read(self, table: str, after: int = 0, limit: int | None = None) -> tuple[Recorded, ...]:
        """Answer the events after a version, oldest first."""
        return self.read_many([(table, after, limit)])[0]

    def read_many(
        self, wanted: Sequence[tuple[str, int, int | None]]
    ) -> list[tuple[Recorded, ...]]:
        """Answer several reads ``(table, after, limit)`` in one round trip."""
        found = self._read_here(wanted)
        nothing = [at for at, history in enumerate(found) if not history]
        if nothing:
            elsewhere = self._read_elsewhere([wanted[at] for at in nothing])
            for at, history in zip(nothing, elsewhere, strict=True):
                found[at] = history
        return found

    def read_each(
        self, wanted: Sequence[tuple[str, int, int | None]]
    ) -> list[tuple[Recorded, ...] | Exception]:
        """Do the same, and answer the error of what a damaged entry does not let be read."""
        try:
            return [*self.read_many(wanted)]
        except StoreError:
            raise
        except Exception as error:  # noqa: BLE001 - whatever one entry holds, others can be read
            if len(wanted) == 1:
                return [error]
        return [found for each in wanted for found in self.read_each([each])]

    def _read_here(
        self, wanted: Sequence[tuple[str, int, int | None]]
    ) -> list[tuple[Recorded, ...]]:
        commands = [
            ("XRANGE", keys.events(table), f"{after + 1}-0", "+")
            + (() if limit is None else ("COUNT", limit))
            for table, after, limit in wanted
        ]
        replies = self._ask(*commands)
        return [
            history_of(table, entries)
            for (table, _, _), entries in zip(wanted, replies, strict=True)
        ]

    def _read_elsewhere(
        self, wanted: Sequence[tuple[str, int, int | None]]
    ) -> Iterator[tuple[Recorded, ...]]:
        """Answer from the archive what the store has no events of.

        A table's head says that it is archived in the moment in which its events go, so whoever
        has met no events and asks the head afterwards knows where they are.
        """
        asked = [("HMGET", keys.meta(table), "version", "archived") for table, _, _ in wanted]
        for (table, after, limit), head in zip(wanted, self._ask(*asked), strict=True):
            version, archived = head
            if not archived or int(version) <= after:
                yield ()
            elif (kept := self._kept(table)) is not None:
                yield kept.recorded[after : None if limit is None else after + limit]
            else:
                # It may have come back meanwhile, with a backup.
                (again,) = self._read_here([(table, after, limit)])
                if not again:
                    raise ArchiveUnavailable(f"table {table} is archived, but not to be found")
                yield again

    def _kept(self, table: str) -> Archived | None:
        return None if self.shelf is None else self.shelf.read(table)

    def archived(self, tables: Sequence[str]) -> frozenset[str]:
        """Answer those of some tables that have left the store."""
        asked = [("HGET", keys.meta(table), "archived") for table in tables]
        replies = zip(tables, self._ask(*asked), strict=True)
        return frozenset([table for table, archived in replies if archived])

    def archived_ends(self, table: str) -> tuple[int, ...]:
        """Answer where the decisions of an archived table ended; none if it is not archived."""
        kept = self._kept(table) if self.archived([table]) else None
        return kept.ends if kept else ()

    def read_meta(self, table: str) -> Meta | None:
        """Answer where a table is, or None if it was never opened."""
        return self.read_metas([table])[0]

    def read_metas(self, tables: Sequence[str]) -> list[Meta | None]:
        """Answer where several tables are, in one round trip."""
        asked = [("HMGET", keys.meta(table), "version", "hash", "phase") for table in tables]
        return [
            Meta(int(version), head.decode(), phase.decode()) if version else None
            for version, head, phase in self._ask(*asked)
        ]

    def read_feed(self, partition: int, after: int = 0, count: int = 500) -> tuple[FeedEntry, ...]:
        """Answer the entries of a partition's feed after a position."""
        return self.read_feeds({partition: after}, count).get(partition, ())

    def read_feeds(
        self, after: Mapping[int, int], count: int = 500
    ) -> dict[int, tuple[FeedEntry, ...]]:
        """Answer what is new in several feeds, in one round trip; ``count`` is for each feed.

        A feed without news is left out.
        """
        asked = [
            ("XRANGE", keys.feed(partition), f"{position + 1}-0", "+", "COUNT", count)
            for partition, position in after.items()
        ]
        replies = zip(after, self._ask(*asked), strict=True)
        return {partition: feed_of(entries) for partition, entries in replies if entries}

    def feed_heads(self, partitions: Sequence[int]) -> dict[int, int]:
        """Answer the last position of each feed; 0 for an empty one."""
        asked = [("HGET", keys.counters(partition), "head") for partition in partitions]
        replies = zip(partitions, self._ask(*asked), strict=True)
        return {partition: int(head or 0) for partition, head in replies}

    def tables(
        self, partition: int, after: int = 0, count: int = 500
    ) -> tuple[tuple[str, int], ...]:
        """Answer tables of a partition and the feed positions they were opened at, in order."""
        listed = self._ask(
            (
                "ZRANGE",
                keys.tables(partition),
                f"({after}",
                "+inf",
                "BYSCORE",
                "LIMIT",
                0,
                count,
                "WITHSCORES",
            )
        )[0]
        pairs = zip(listed[::2], listed[1::2], strict=True)
        return tuple((table.decode(), int(position)) for table, position in pairs)

    def ping(self) -> None:
        """Raise StoreUnavailable unless every server of the store answers."""
        for each in servers(self.client):
            ask(each, ("PING",))

    def _ask(self, *commands: Sequence[Any]) -> list[Any]:
        """Read; a lost reply is no more than an unavailable store."""
        return ask_by(self._call, commands)


def _answer(table: str, reply: list[Any]) -> Looked | Appended:
    match reply:
        case [b"appended", listeners]:
            return Appended(listeners)
        case [b"unchanged"]:
            return Unchanged()
        case [b"conflict", version, head, tail]:
            return Conflict(int(version), head.decode(), history_of(table, tail))
        case [b"duplicate", first, last, _]:
            return Duplicate(int(first), int(last))
        case [b"mismatch"]:
            return Mismatch()
        case _:
            raise ValueError(f"the store answered {reply!r}")
