"""Lets finished tables leave the store: what was over long enough goes to the archive.

First the archive has a table, on disk and read back; then its events, commands and documents go
in one moment. Whoever is killed in between has changed nothing that anybody could see, and
whoever comes next does it again.
"""

import logging
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from time import monotonic, time
from typing import Final

import msgspec
from redis import Redis

from events import keys
from events.archive.packed import Archived, NotPackable, archivable
from events.archive.tables import ArchiveUnavailable
from events.loaded import BrokenHistory, fold, unopened
from events.servers.exchange import StoreError
from events.store import EventStore
from workers import bots
from workers.draw import park
from workers.projections import PROJECTIONS
from workers.projections.shape import Sitting
from workers.scripts import ARCHIVE, PUT_OFF, Call, ask, run
from workers.share import Parked, Share, Write, parked_key
from workers.webhooks import tell as webhooks

_LOG: Final = logging.getLogger(__name__)

CONSUMER: Final = "archive@1"

CONSUMERS: Final = (
    CONSUMER, *(each.consumer for each in PROJECTIONS), bots.CONSUMER, webhooks.CONSUMER,
)  # fmt: skip
"""Who must have seen all of a feed before a table of its partition goes."""

TABLES: Final = 32
"""Tables that are written to the archive together."""

_LATER: Final = 60_000
_MUCH_LATER: Final = 3_600_000
"""After so many ms a table is tried again: one that somebody still draws, and a broken one."""


def meet(share: Share, table: str, found: Sitting | Exception, now: int) -> None:
    """Take note of a table that is over: from then on its time runs."""
    known = share.parked[CONSUMER].get(table)
    if known is not None and known.version > 0:
        # An archiver has parked it, and will try again by itself.
        return
    if isinstance(found, Exception):
        park(share, CONSUMER, table, found, found, now)
        return
    share.unpark(CONSUMER, table)
    if found.loaded.state.phase == "over":
        finished = keys.finished(share.partition)
        share.writes.append(Write(finished, "ZADD", (found.loaded.at, table)))


def is_due(client: Redis, after: int) -> bool:
    """Answer whether a table has been over for so many ms; raise StoreUnavailable."""
    return bool(_due(client, int(time() * 1000) - after, 1))


def _due(client: Redis, before: int, many: int) -> list[str]:
    asked = [
        ("ZRANGEBYSCORE", keys.finished(each), "-inf", before, "LIMIT", 0, many)
        for each in range(keys.PARTITIONS)
    ]
    return [table.decode() for some in ask(client, *asked) for table in some]


@dataclass(frozen=True, slots=True)
class _Finished:
    """A table that is to go: what the archive will have, and the head that it leads to."""

    table: str
    archived: Archived
    hash: str


class Archiver:
    """Archives what is due on a store with a shelf; every method may raise StoreError."""

    def __init__(
        self,
        store: EventStore,
        after: int,
        *,
        clock: Callable[[], int] = lambda: int(time() * 1000),
    ) -> None:
        """Take for how many ms tables have to be over, and a clock in ms since 1970."""
        if store.shelf is None:
            raise ValueError("the store has no archive")
        self._store = store
        self._shelf = store.shelf
        self._after = after
        self._clock = clock

    def run(self, seconds: float, stop: Callable[[], bool] = lambda: False) -> bool:
        """Archive for so long at most; answer whether more is due."""
        end = monotonic() + seconds
        while due := _due(self._store.client, self._clock() - self._after, 1):
            for start in range(0, len(due), TABLES):
                if stop() or monotonic() > end:
                    return True
                self.archive(due[start : start + TABLES])
        return False

    def archive(self, tables: Sequence[str]) -> int:
        """Let tables go that are over; answer how many have. What cannot go waits."""
        going = [*self._read(tables)]
        try:
            self._shelf.keep([each.archived for each in going])
        except NotPackable:
            going = [each for each in going if self._keep(each)]
        verdicts = run(self._store.client, *(self._leaving(each) for each in going))
        gone = 0
        for each, verdict in zip(going, verdicts, strict=True):
            if verdict == b"archived":
                gone += 1
            else:
                self._put_off(each.table, _LATER)
        return gone

    def _read(self, tables: Sequence[str]) -> Iterator[_Finished]:
        """Prove the histories of tables; what is archived already, or no table, is due no more."""
        client = self._store.client
        commands = ask(client, *(("HVALS", keys.commands(table)) for table in tables))
        gone = self._store.archived(tables)
        histories = self._store.read_each([(table, 0, None) for table in tables])
        heads = self._store.read_metas(tables)
        for table, ends, history, head in zip(tables, commands, histories, heads, strict=True):
            if head is None or table in gone:
                ask(client, ("ZREM", keys.finished(keys.partition(table)), table))
                continue
            if isinstance(history, Exception):
                self._park(table, head.version, history)
                continue
            try:
                loaded = fold(unopened(table), history)
                if (loaded.hash.hex(), loaded.state.phase) != (head.hash, "over"):
                    raise BrokenHistory(f"table {table}: its events do not lead to its head")  # noqa: TRY301
            except Exception as error:  # noqa: BLE001 - a damaged history may break anything
                self._park(table, head.version, error)
            else:
                known = [int(each.rpartition(b"|")[2]) for each in ends]
                yield _Finished(table, archivable(history, known), head.hash)

    def _keep(self, finished: _Finished) -> bool:
        """Archive one table by itself, and park it if that is what cannot be packed."""
        try:
            self._shelf.keep([finished.archived])
        except NotPackable as error:
            self._park(finished.table, len(finished.archived.recorded), error)
            return False
        return True

    def _leaving(self, finished: _Finished) -> Call:
        table = finished.table
        partition = keys.partition(table)
        places = [
            keys.meta(table),
            keys.events(table),
            keys.commands(table),
            keys.finished(partition),
            keys.checkpoints(partition),
            keys.counters(partition),
            *(parked_key(partition, consumer) for consumer in CONSUMERS),
            *(key for projection in PROJECTIONS for key in projection.keys(table)),
        ]
        version = len(finished.archived.recorded)
        return Call(ARCHIVE, places, (table, version, finished.hash, len(CONSUMERS), *CONSUMERS))

    def _park(self, table: str, version: int, error: Exception) -> None:
        """Let a table stay where it is, and say so; the log alone says what went wrong in full."""
        _LOG.error("%s parks table %s at version %d", CONSUMER, table, version, exc_info=error)
        parked = Parked(version, type(error).__name__, self._clock())
        self._put_off(table, _MUCH_LATER, msgspec.json.encode(parked))

    def _put_off(self, table: str, later: int, parked: bytes = b"") -> None:
        partition = keys.partition(table)
        places = (keys.finished(partition), parked_key(partition, CONSUMER))
        again = self._clock() - self._after + later
        run(self._store.client, Call(PUT_OFF, places, (table, again, parked)))


def archive_for(
    archiver: Archiver, seconds: float, stop: Callable[[], bool] = lambda: False
) -> bool:
    """Archive for so long at most; answer whether more is due, also if the archive is away."""
    try:
        return archiver.run(seconds, stop)
    except ArchiveUnavailable as error:
        _LOG.warning("the archive cannot be used: %s", error)
    except StoreError as error:
        _LOG.warning("the store does not answer: %s", error)
    return False
