"""A projection built anew beside the one that is read, and switched in once it has caught up.

What is built lies in the same slots, under the keys that are read with ``:next`` behind them; what
it replaces is kept for a while with ``:last``. Readers and followers need not know: they go on
with the same keys, and nothing is ever missing there, or older than it was.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from multiprocessing import get_context
from secrets import SystemRandom
from time import monotonic
from typing import Any, Final

from events import keys
from events.loaded import BrokenHistory
from events.recorded import FeedEntry
from events.store import EventStore
from workers.lock import Lock
from workers.projections import listing
from workers.projections.shape import News, Projection, Sitting, unseen
from workers.scripts import NOTE, SWITCH_DOCUMENTS, SWITCH_LIST, Call, ask, run
from workers.sittings import Sittings

_TABLES: Final = 64
"""Tables that are read together, and feed entries of one partition."""

_KEYS: Final = 150
"""Documents that are switched, or keys that are unlinked, in one moment."""

PATIENCE: Final = 30.0
"""Seconds in which what is built must overtake what is read, for each part of it."""


class CannotRebuild(Exception):  # noqa: N818 - the sentence is for people
    """Say in one sentence why a projection was not rebuilt; what is read is as it was."""


@dataclass(frozen=True, slots=True)
class Rebuilt:
    """What was switched in: so many tables, so many lists; so many tables were compared."""

    tables: int
    lists: int
    compared: int


def rebuild(
    store: EventStore,
    projection: Projection,
    *,
    sample: int = 200,
    keep: Callable[[], object] = lambda: None,
    processes: int = 1,
    reopened: Callable[[], EventStore] | None = None,
) -> Rebuilt:
    """Build a projection anew from every table, compare a sample, and switch it in.

    Several ``processes`` draw side by side, each on a store of its own that ``reopened`` makes.
    Return when ``keep`` has and the old one is gone. Raise CannotRebuild at the first table that
    cannot be drawn, naming the event; raise StoreError.
    """
    work = _Rebuild(store, projection)
    with work.alone():
        work.sweep_up()
        try:
            tables = work.build(processes, reopened)
            compared = work.compare(sample)
            work.switch()
            keep()
        finally:
            if work.lock.keep() or work.lock.take():
                work.sweep_up()
    return Rebuilt(tables, len(work.lists), compared)


@dataclass(slots=True)
class _Rebuild:
    store: EventStore
    projection: Projection
    positions: dict[int, int] = field(default_factory=dict)
    """Partition -> the feed position up to which everything is drawn."""
    lists: dict[str, None] = field(default_factory=dict)
    lock: Lock = field(init=False)
    _sittings: Sittings = field(init=False)

    def __post_init__(self) -> None:
        self._sittings = Sittings(self.store)
        self.lock = Lock(self.store.client, self._key("rebuild"))

    def _key(self, name: str) -> str:
        return keys.projection(0, self.projection.name, self.projection.generation, name)

    @property
    def _field(self) -> str:
        return f"{self.projection.consumer}:next"

    @property
    def _made(self) -> str:
        """Key of the lists that a rebuild has begun."""
        return self._key("rebuilding")

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Keep others from rebuilding the same; one that was killed is forgotten in a minute."""
        if not self.lock.take():
            raise CannotRebuild(
                f"{self.projection.name} is being rebuilt already, or was until a minute ago."
            )
        try:
            yield
        finally:
            self.lock.release()

    def _stay_alone(self) -> None:
        """Raise CannotRebuild once the lock has run out: what is built may be swept up."""
        if not self.lock.keep():
            raise CannotRebuild(
                f"The rebuild of {self.projection.name} stood still for over a minute: try again."
            )

    def build(self, processes: int, reopened: Callable[[], EventStore] | None) -> int:
        """Draw every table as it is, having noted the heads of the feeds; answer how many."""
        partitions = range(keys.PARTITIONS)
        notes = [
            Call(NOTE, (keys.counters(each), keys.checkpoints(each)), (self._field,))
            for each in partitions
        ]
        heads = run(self.store.client, *notes)
        self.positions = {each: int(head) for each, head in zip(partitions, heads, strict=True)}
        if processes > 1 and reopened is not None:
            drawn = self._build_together(processes, reopened)
        else:
            drawn = sum(self.draw_partition(each) for each in partitions)
        self.follow()
        return drawn

    def _build_together(self, processes: int, reopened: Callable[[], EventStore]) -> int:
        """Let children draw, each some partitions: a fork knows the projection as it is here."""
        _CHILD.update(work=self, reopened=reopened)
        try:
            with ProcessPoolExecutor(processes, get_context("fork")) as children:
                drawn = 0
                for tables, lists in children.map(_drawn, range(keys.PARTITIONS), chunksize=8):
                    drawn += tables
                    self.lists |= dict.fromkeys(lists)
        except BrokenProcessPool as error:
            raise CannotRebuild(
                f"A process that drew {self.projection.name} was killed: try again."
            ) from error
        finally:
            _CHILD.clear()
        return drawn

    def draw_partition(self, partition: int) -> int:
        """Draw every table of a partition; answer how many there are."""
        after = drawn = 0
        while found := self.store.tables(partition, after, _TABLES):
            after = found[-1][1]
            self._draw(dict.fromkeys(self._here([table for table, _ in found])), partition)
            drawn += len(found)
        return drawn

    def follow(self) -> None:
        """Draw whatever has moved since, to where the feeds end now."""
        more = True
        while more:
            news = self.store.read_feeds(self.positions, _TABLES)
            for partition, entries in news.items():
                self._apply(partition, entries)
            # Something always moves: what comes later is for the next time.
            more = any(len(entries) == _TABLES for entries in news.values())
        ask(
            self.store.client,
            *(
                ("HSET", keys.checkpoints(partition), self._field, position)
                for partition, position in self.positions.items()
            ),
        )

    def _apply(self, partition: int, entries: Sequence[FeedEntry]) -> None:
        if entries[0].position != self.positions[partition] + 1:
            raise CannotRebuild(
                f"The feed {keys.feed(partition)} lacks what came after"
                f" {self.positions[partition]}: abraxas doctor says more."
            )
        self.positions[partition] = entries[-1].position
        self._draw({each.table: each.last for each in entries}, partition)

    def _draw(self, wanted: Mapping[str, int | None], partition: int) -> None:
        """Write what the projection makes of tables of a partition beside what is read."""
        self._stay_alone()
        # A store at its memory limit refuses this, and with it all that a rebuild would add.
        commands: list[tuple[object, ...]] = [("SETRANGE", keys.nothing(partition), 0, "")]
        deliveries = []
        for table, found in self._sittings.read(wanted).items():
            sitting = found if isinstance(found, Sitting) else self._broken(table, found)
            try:
                changes = self.projection.apply(sitting)
            except Exception as error:
                raise self._stopped(table, sitting.loaded.version, error) from error
            for document in changes.documents:
                flat = [part for pair in document.fields.items() for part in pair]
                commands += (("DEL", _next(document.key)), ("HSET", _next(document.key), *flat))
            for news in changes.news:
                if news.of not in self.lists:
                    self.lists[news.of] = None
                    # Whoever sweeps up after one that was killed must know which it made.
                    ask(self.store.client, ("SADD", self._made, news.of))
                deliveries.append(self._delivery(news, sitting, partition))
        ask(self.store.client, *commands)
        run(self.store.client, *deliveries)

    def _here(self, tables: Sequence[str]) -> list[str]:
        """Leave archived tables out where nothing is kept of them; none leaves meanwhile."""
        gone = frozenset() if self.projection.orders else self.store.archived(tables)
        return [table for table in tables if table not in gone]

    def _delivery(self, news: News, sitting: Sitting, partition: int) -> Call:
        _, waiting = listing.entry(news, sitting, self.positions[partition])
        call = listing.delivery(self.projection, partition, waiting)
        return Call(call.script, [_next(key) for key in call.keys], call.arguments)

    def _broken(self, table: str, error: Exception) -> Sitting:
        """Find the event at which a history breaks, and stop there."""
        sitting = unseen(table)
        (history,) = self.store.read_each([(table, 0, None)])
        if isinstance(history, Exception):
            raise self._stopped(table, 0, history) from error
        for each in history:
            try:
                sitting = sitting.after([each])
            except Exception as broken:
                raise self._stopped(table, each.version, broken) from broken
        if sitting.loaded.version == 0:
            raise self._stopped(table, 0, BrokenHistory("it has no events")) from error
        return sitting

    def _stopped(self, table: str, version: int, error: Exception) -> CannotRebuild:
        # The kind of error only: its words could name a hidden card.
        return CannotRebuild(
            f"{self.projection.name} cannot be drawn at event {version} of table {table}:"
            f" {type(error).__name__}."
        )

    def compare(self, sample: int) -> int:
        """Compare some tables with folds of their own; answer how many."""
        every = [table for each in self.positions for table in self._tables(each)]
        chosen = self._here(SystemRandom().sample(every, min(sample, len(every))))
        for table in chosen:
            end = monotonic() + PATIENCE
            while not self._is_right(table):
                if monotonic() > end:
                    raise CannotRebuild(
                        f"What was built of {self.projection.name} for table {table} is not what"
                        " its history makes."
                    )
                self.follow()
        return len(chosen)

    def _is_right(self, table: str) -> bool:
        # Up to where it was drawn: somebody may go on playing faster than it is drawn.
        drawn = self._sittings.get(table)
        version = None if drawn is None else drawn.loaded.version
        sitting = unseen(table).after(self.store.read(table, 0, version))
        changes = self.projection.apply(sitting)
        documents = [("HGETALL", _next(each.key)) for each in changes.documents]
        for document, flat in zip(
            changes.documents, ask(self.store.client, *documents), strict=True
        ):
            wanted = {name.encode(): _bytes(value) for name, value in document.fields.items()}
            if dict(zip(flat[::2], flat[1::2], strict=True)) != wanted:
                return False
        items = [("HGET", _next(self._list(each.of)[1]), table) for each in changes.news]
        replies = zip(changes.news, ask(self.store.client, *items), strict=True)
        return all((item or b"").partition(b" ")[2] == each.item.encode() for each, item in replies)

    def switch(self) -> None:
        """Put what was built in the place of what is read, part by part."""
        for of in tuple(self.lists):
            self._switch_list(of)
        for partition in range(keys.PARTITIONS):
            tables = {
                key: each for each in self._tables(partition) for key in self.projection.keys(each)
            }
            for some in _parts(tuple(tables)):
                claims = ask(self.store.client, *(("HGET", key, "v") for key in some))
                for at in self._never_was([tables[key] for key in some], claims):
                    ask(self.store.client, ("HDEL", some[at], "v"))
                self._switch_documents(partition, some)

    def _never_was(self, tables: Sequence[str], claims: Sequence[bytes | None]) -> list[int]:
        """Answer which tables never had the version that is claimed: nothing need overtake it."""
        metas = self.store.read_metas(tables)
        pairs = enumerate(zip(metas, claims, strict=True))
        return [at for at, (meta, said) in pairs if meta and said and int(said) > meta.version]

    def _switch_list(self, of: str) -> None:
        items = self._list(of)[1]
        flat = ask(self.store.client, ("HGETALL", items))[0]
        tables = [each.decode() for each in flat[::2]]
        claims = [each.partition(b" ")[0] for each in flat[1::2]]
        for at in self._never_was(tables, claims):
            ask(self.store.client, ("HDEL", items, tables[at]))
        numbered = "1" if self.projection.numbered else "0"
        call = Call(SWITCH_LIST, _flat(self._list(of)), (numbered,))
        self._overtake(lambda: call, f"the list of {of}")

    def _switch_documents(self, partition: int, documents: Sequence[str]) -> None:
        named = (keys.checkpoints(partition), *_flat(documents))
        consumer = self.projection.consumer
        self._overtake(
            lambda: Call(SWITCH_DOCUMENTS, named, (consumer, self.positions[partition])),
            f"partition {partition}",
        )

    def _overtake(self, call: Callable[[], Call], what: str) -> None:
        """Switch one part as soon as nothing that is read is newer."""
        end = monotonic() + PATIENCE
        self._stay_alone()
        while not run(self.store.client, call())[0]:
            if monotonic() > end:
                raise CannotRebuild(f"{self.projection.name} moves too fast at {what}: try again.")
            self.follow()
            self._stay_alone()

    def sweep_up(self) -> None:
        """Unlink what was built and is not read, and what is read no more; let go of the feeds."""
        made = [of.decode() for of in ask(self.store.client, ("SMEMBERS", self._made))[0]]
        self._unlink([key for of in made for key in self._list(of)])
        ask(self.store.client, ("DEL", self._made))
        for partition in range(keys.PARTITIONS):
            self._unlink(
                [key for each in self._tables(partition) for key in self.projection.keys(each)]
            )
        ask(
            self.store.client,
            *(("HDEL", keys.checkpoints(each), self._field) for each in range(keys.PARTITIONS)),
        )

    def _unlink(self, names: Sequence[str]) -> None:
        for some in _parts(names):
            self.lock.keep()
            ask(
                self.store.client,
                *(("UNLINK", each) for key in some for each in _triple(key)[1:]),
            )

    def _tables(self, partition: int) -> list[str]:
        after, names = 0, []
        while found := self.store.tables(partition, after):
            after = found[-1][1]
            names += [table for table, _ in found]
        return names

    def _list(self, of: str) -> tuple[str, ...]:
        return tuple(
            listing.order_key(self.projection, of, rest)
            for rest in ("positions", "items", *listing.every_order(self.projection))
        )


_CHILD: Final[dict[str, Any]] = {}
"""What a child of the pool begins with, and its own part once it has."""


def _drawn(partition: int) -> tuple[int, tuple[str, ...]]:
    """Draw a partition in a child; answer how many tables, and the lists that it met."""
    mine: _Rebuild | None = _CHILD.get("mine")
    if mine is None:
        work: _Rebuild = _CHILD["work"]
        # Connections are not shared with the parent, nor is what it remembers.
        mine = _CHILD["mine"] = _Rebuild(_CHILD["reopened"](), work.projection, work.positions)
        mine.lock = replace(work.lock, client=mine.store.client)
    return mine.draw_partition(partition), tuple(mine.lists)


def _next(key: str) -> str:
    return f"{key}:next"


def _triple(key: str) -> tuple[str, str, str]:
    """Answer a key that is read, what is built for it, and what it is kept as afterwards."""
    return key, _next(key), f"{key}:last"


def _flat(read: Iterable[str]) -> tuple[str, ...]:
    return tuple([key for each in read for key in _triple(each)])


def _parts(names: Sequence[str]) -> Iterator[Sequence[str]]:
    for start in range(0, len(names), _KEYS):
        yield names[start : start + _KEYS]


def _bytes(value: str | bytes | int) -> bytes:
    return value if isinstance(value, bytes) else str(value).encode()
