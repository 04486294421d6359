"""The tables that somebody watches: one read for all who watch, each woken when there is more."""

import asyncio
import logging
from collections import Counter
from collections.abc import AsyncIterator, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from functools import partial
from typing import Any, Final, ParamSpec, TypeVar

from domain.game import Viewer
from events import keys
from events.notices import notice
from events.recorded import Recorded
from events.servers.connection import StoreError, StoreUnavailable
from events.store import EventStore
from service.live.bell import Bell
from service.live.frames import Frames
from service.live.looking import MOST, News, Standing, look, read_on
from service.live.nudges import Nudges

SWEEP: Final = 5.0
"""Seconds between two looks at every watched table, in case a nudge was lost."""
_AT_ONCE: Final = 256
_TAIL: Final = 16
_PAUSE: Final = 0.2
_LOG: Final = logging.getLogger("abraxas.live")

P = ParamSpec("P")
T = TypeVar("T")


class Topic:
    """A watched table: where it stands, its newest events, and the bell of each who watches."""

    __slots__ = ("_framed", "_said", "bells", "standing", "table", "tail")

    def __init__(self, table: str, standing: Standing) -> None:
        self.table = table
        self.standing = standing
        self.tail: tuple[Recorded, ...] = ()
        self.bells: set[Bell] = set()
        self._said: dict[tuple[int, Viewer, str], bytes] = {}
        self._framed: dict[tuple[int, int, Viewer, str, str], bytes] = {}

    def take(self, news: News) -> None:
        """Take in what is new and wake all who watch."""
        changed = news.recorded or news.standing.over != self.standing.over
        self.standing = news.standing
        if news.recorded:
            self.tail = news.recorded[-_TAIL:]
            self._said, self._framed = {}, {}
        if changed:
            for bell in self.bells:
                bell.ring()

    def since(self, version: int) -> tuple[Recorded, ...] | None:
        """Answer the events after a version, or None if they have to be read from the store."""
        if version >= self.standing.version:
            return ()
        if self.tail and self.tail[0].version <= version + 1:
            return self.tail[version + 1 - self.tail[0].version :]
        return None

    def tell(
        self, recorded: Sequence[Recorded], reader: Viewer, language: str, frames: Frames
    ) -> bytes:
        """Write events as a stream does; the newest once for all streams that are alike."""
        first, last = recorded[0].version, recorded[-1].version
        wanted = (first, last, reader, language, frames.media)
        framed = self._framed.get(wanted)
        if framed is None:
            framed = frames.told(
                (each.version, self.say(each, reader, language)) for each in recorded
            )
            if self.tail and first >= self.tail[0].version:
                self._framed[wanted] = framed
        return framed

    def say(self, recorded: Recorded, reader: Viewer, language: str) -> bytes:
        """Tell an event; the newest are told once for all who are alike."""
        if not self.tail or recorded.version < self.tail[0].version:
            return notice(recorded, reader, language, self.standing.sitting)
        told = (recorded.version, reader, language)
        said = self._said.get(told)
        if said is None:
            said = notice(recorded, reader, language, self.standing.sitting)
            self._said[told] = said
        return said


class Topics:
    """Everything that is watched in this process."""

    def __init__(self, store: EventStore, url: str) -> None:
        self.store = store
        self.nudges = Nudges(url, self._heard, self._all_due)
        self._ears: dict[str, set[Bell]] = {}
        """Channel of a player's list -> the bells that are rung when it has changed."""
        self._topics: dict[str, Topic] = {}
        self._looked_for: Counter[str] = Counter()
        self._missed: set[str] = set()
        self._due: set[str] = set()
        self._news = asyncio.Event()
        # The store's client blocks; few threads do, since each call is short.
        self._threads = ThreadPoolExecutor(4, "store")

    async def ask(self, do: Callable[P, T], *args: P.args, **named: P.kwargs) -> T:
        """Run what asks the store in a thread."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._threads, partial(do, *args, **named))

    @asynccontextmanager
    async def hearing(self, channel: str, bell: Bell) -> AsyncIterator[None]:
        """Have ``bell`` rung whenever something is said on a channel, or may have been.

        Raise StoreUnavailable.
        """
        bells = self._ears.setdefault(channel, set())
        bells.add(bell)
        try:
            await self.nudges.hear(channel)
            try:
                yield
            finally:
                await self.nudges.ignore(channel)
        finally:
            bells.discard(bell)
            if not bells and self._ears.get(channel) is bells:
                del self._ears[channel]

    @asynccontextmanager
    async def watching(self, table: str, bell: Bell) -> AsyncIterator[Topic]:
        """Watch a table: from now on ``bell`` is rung whenever it has grown.

        First the nudges, then the look: nothing that happens in between is missed. Raise
        UnknownTable, StoreUnavailable.
        """
        channel = keys.stir(keys.partition(table))
        await self.nudges.hear(channel)
        try:
            topic = await self._looked_at(table)
            topic.bells.add(bell)
            try:
                yield topic
            finally:
                topic.bells.discard(bell)
                if not topic.bells and self._topics.get(table) is topic:
                    del self._topics[table]
        finally:
            await self.nudges.ignore(channel)

    async def _looked_at(self, table: str) -> Topic:
        known = self._topics.get(table)
        self._looked_for[table] += 1
        try:
            standing = await self.ask(look, self.store, table, known.standing if known else None)
        finally:
            self._looked_for[table] -= 1
            if not self._looked_for[table]:
                del self._looked_for[table]
        # Others may have come, gone, or taken news in meanwhile.
        topic = self._topics.get(table)
        if topic is None:
            topic = self._topics[table] = Topic(table, standing)
        if table in self._missed:
            self._missed.discard(table)
            self._make_due(table)
        if standing.version > topic.standing.version:
            await self._caught_up(topic, standing.version)
        return topic

    async def _caught_up(self, topic: Topic, version: int) -> None:
        """Wait until a topic is as far as its table was seen to be."""
        bell = Bell()
        topic.bells.add(bell)
        try:
            while topic.standing.version < version:
                self._make_due(topic.table)
                if not await bell.heard(SWEEP):
                    raise StoreUnavailable("the store is too slow")
                bell.clear()
        finally:
            topic.bells.discard(bell)

    async def read(self, table: str, after: int, limit: int = MOST) -> tuple[Recorded, ...]:
        """Read events that are not at hand."""
        return await self.ask(self.store.read, table, after, limit)

    def _heard(self, channel: str, said: str) -> None:
        if said in self._looked_for:
            # The look may have come too early for this.
            self._missed.add(said)
        if said in self._topics:
            self._make_due(said)
        for bell in self._ears.get(channel, ()):
            bell.ring()

    def _make_due(self, table: str) -> None:
        self._due.add(table)
        self._news.set()

    def _all_due(self) -> None:
        self._due.update(self._topics)
        self._news.set()
        for bells in self._ears.values():
            for bell in bells:
                bell.ring()

    async def run(self) -> None:
        """Read what is new whenever there is a nudge."""
        while True:
            await self._news.wait()
            self._news.clear()
            while self._due:
                due = [self._due.pop() for _ in range(min(_AT_ONCE, len(self._due)))]
                try:
                    await self._read_on([each for each in due if each in self._topics])
                except StoreError:
                    self._due.update(due)
                    await asyncio.sleep(_PAUSE)

    async def _read_on(self, tables: list[str]) -> None:
        topics = [self._topics[table] for table in tables]
        behind = [(topic.table, topic.standing) for topic in topics]
        for topic, news in zip(topics, await self._news_of(behind), strict=True):
            if isinstance(news, Exception):
                # A history that cannot be read must not hold up the others.
                _LOG.error("table %s cannot be streamed: %s", topic.table, type(news).__name__)
                continue
            topic.take(news)
            if news.more:
                self._make_due(topic.table)

    async def _news_of(self, behind: list[tuple[str, Standing]]) -> list[News | Exception]:
        try:
            return [*await self.ask(read_on, self.store, behind)] if behind else []
        except StoreError:
            raise
        except Exception as error:  # noqa: BLE001 - one of several: found by asking one by one
            if len(behind) == 1:
                return [error]
            return [each for one in behind for each in await self._news_of([one])]

    async def sweep(self) -> None:
        """Look from time to time whether a nudge was lost."""
        while True:
            await asyncio.sleep(SWEEP)
            tables = [*self._topics]
            for at in range(0, len(tables), _AT_ONCE):
                await self._sweep(tables[at : at + _AT_ONCE])

    async def _sweep(self, tables: list[str]) -> None:
        try:
            metas: list[Any] = await self.ask(self.store.read_metas, tables)
        except StoreError:
            return
        for table, meta in zip(tables, metas, strict=True):
            topic = self._topics.get(table)
            if topic and meta and meta.version > topic.standing.version:
                self._make_due(table)

    async def close(self) -> None:
        """Let go of the store."""
        await self.nudges.close()
        self._threads.shutdown(wait=False, cancel_futures=True)
