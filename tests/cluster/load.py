"""Writers that append to many tables of a cluster, and remember what was acknowledged."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import pairwise
from threading import Event, Thread
from time import monotonic, sleep

from events import keys
from events.servers.connection import OutcomeUnknown, StoreError, StoreUnavailable
from events.servers.slots import SLOTS, slot_of
from events.store import Appended, Conflict, Duplicate, EventStore
from tests.e2e.server import PATIENCE
from tests.events.appends import append, command, hash_of

PRIMARIES = 3
PAUSE = 0.01
"""Seconds between two attempts, as a client that is told 503 would wait at the least."""


@dataclass(slots=True)
class Writer:
    """Appends to tables of one part of the slots, one event after the other, each until it counts.

    ``acknowledged`` is table -> version -> hash; ``at`` are the moments of acknowledgements.
    """

    store: EventStore
    tables: tuple[str, ...]
    acknowledged: dict[str, dict[int, str]] = field(default_factory=dict)
    at: list[float] = field(default_factory=list)
    lost: int = 0
    doubled: int = 0
    unknown: int = 0
    refused: int = 0
    repeats: int = 0
    failed: Exception | None = None

    def run(self, stop: Event) -> None:
        """Write until asked to stop; an unexpected answer ends it, to be told."""
        versions = dict.fromkeys(self.tables, 0)
        tries = 0
        try:
            while not stop.is_set():
                for table in self.tables:
                    versions[table], tries = self._write(table, versions[table], tries, stop)
        except Exception as error:  # noqa: BLE001 - told by whoever waits
            self.failed = error

    def _write(self, table: str, version: int, tries: int, stop: Event) -> tuple[int, int]:
        named = command(tries)
        while not stop.is_set():
            try:
                answer = append(self.store, version, table=table, named=named)
            except OutcomeUnknown:
                self.unknown += 1
            except StoreUnavailable:
                self.refused += 1
            else:
                return self._heard(table, version, answer, tries)
            sleep(PAUSE)
        return version, tries

    def _heard(self, table: str, version: int, answer: object, tries: int) -> tuple[int, int]:
        if isinstance(answer, Duplicate):
            self.repeats += 1
            self.doubled += answer.first != version + 1
        if isinstance(answer, (Appended, Duplicate)):
            self.acknowledged.setdefault(table, {})[version + 1] = hash_of(version + 1)
            self.at.append(monotonic())
            return version + 1, tries + 1
        if isinstance(answer, Conflict) and answer.version < version:
            # What was acknowledged is gone; a command of that time must not be met again.
            self._forget(table, answer.version)
            return answer.version, tries + 1
        raise AssertionError(f"{table} at {version}: {answer}")

    def _forget(self, table: str, version: int) -> None:
        told = self.acknowledged.get(table, {})
        gone = [each for each in told if each > version]
        self.lost += len(gone)
        for each in gone:
            del told[each]

    def check(self) -> None:
        """Count what was acknowledged and is not there, or there otherwise, or twice."""
        for table, told in self.acknowledged.items():
            stored = [each.version for each in self.store.read(table)]
            self.lost += len(told.keys() - set(stored))
            self.doubled += len(stored) - len(set(stored))
            assert stored == list(range(1, len(stored) + 1)), f"{table} has gaps"
            # A command that was under way at the end may have counted unheard.
            assert len(stored) <= max(told) + 1

    def longest_pause(self, since: float, until: float) -> float:
        """Answer the longest time without an acknowledgement in a stretch of time."""
        moments = [since, *(each for each in self.at if since <= each <= until), until]
        return max(later - earlier for earlier, later in pairwise(moments))


def part_of(table: str) -> int:
    """Answer which of three equal parts of the slots a table is in: where it begins its life."""
    return slot_of(keys.events(table)) * PRIMARIES // SLOTS


def tables_of(part: int, count: int, of: str) -> tuple[str, ...]:
    """Answer tables that lie in one part."""
    names = (f"{of}-{number}" for number in range(100_000))
    found = (name for name in names if part_of(name) == part)
    return tuple(next(found) for _ in range(count))


@dataclass(slots=True)
class Load:
    """Writers of every part, at work."""

    parts: list[list[Writer]]

    @property
    def writers(self) -> Iterator[Writer]:
        """Answer every writer."""
        return (each for part in self.parts for each in part)

    def total(self, name: str) -> int:
        """Add up a count of all writers."""
        return sum(getattr(each, name) for each in self.writers)

    def acknowledged(self) -> int:
        """Answer how many commands were acknowledged."""
        return sum(len(each.at) for each in self.writers)

    def check(self) -> None:
        """Hold everything that was acknowledged against the store."""
        for each in self.writers:
            if each.failed:
                raise each.failed
            each.check()


@contextmanager
def writing(
    store: EventStore, *, each: int = 2, tables: int = 3, named: str = "t"
) -> Iterator[Load]:
    """Write to every part with so many threads, until this is left; ``named`` begins the ids."""
    stop = Event()
    load = Load(
        [
            [Writer(store, tables_of(part, tables, f"{named}-{part}-{at}")) for at in range(each)]
            for part in range(PRIMARIES)
        ]
    )
    threads = [Thread(target=writer.run, args=(stop,), daemon=True) for writer in load.writers]
    for thread in threads:
        thread.start()
    try:
        yield load
    finally:
        stop.set()
        for thread in threads:
            thread.join(PATIENCE)


def is_there(store: EventStore) -> bool:
    """Say whether every server answers."""
    try:
        store.ping()
    except StoreError:
        return False
    return True
