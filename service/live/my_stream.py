"""How one's own tables stand: all that are not over at first, then each that changes."""

from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from typing import Any, Final

import msgspec

from service.live.asked import Asked
from service.live.connection import HEARTBEAT, Connection
from service.live.frames import frames_of
from service.live.topics import Topics
from service.problems import Problem
from workers.projections import players

_MOST_PAGES: Final = 50
_PAGE: Final = 100


class _Mine:
    """What one player was told of its tables."""

    def __init__(self, client: Any, player: str, to: Connection) -> None:
        self.client = client
        self.player = player
        self._to = to
        self._told: dict[str, int] = {}
        self._changed: set[str] = set()
        self._afresh = True

    def hear(self, table: str) -> None:
        """Note that a table has changed."""
        self._changed.add(table)
        self._to.bell.set()

    def look_again(self) -> None:
        """Note that something may have been missed."""
        self._afresh = True
        self._to.bell.set()

    def read(self) -> list[bytes]:
        """Answer what is new, each table with its version; asks the store."""
        changed, self._changed = self._changed, set()
        afresh, self._afresh = self._afresh, False
        try:
            wanted = changed | self._told.keys() if afresh else changed
            found = [*players.items(self.client, self.player, sorted(wanted))]
            if afresh:
                found += self._listed()
        except BaseException:
            self._changed |= changed
            self._afresh |= afresh
            raise
        return [*self._new(found)]

    def _listed(self) -> Iterable[tuple[int, bytes]]:
        cursor: str | None = None
        for _ in range(_MOST_PAGES):
            page = players.page(self.client, self.player, waiting=False, cursor=cursor, limit=_PAGE)
            ids = [item["id"] for each in page.items if _in_play(item := _decoded(each))]
            yield from players.items(self.client, self.player, ids)
            cursor = page.next
            if cursor is None:
                return

    def _new(self, found: Iterable[tuple[int, bytes]]) -> Iterable[bytes]:
        for version, item in found:
            if not item:
                # Left: the list only remembers that it was there.
                continue
            table = _decoded(item)["id"]
            if self._told.get(table, 0) < version:
                self._told[table] = version
                yield b'{"version":%d,%s' % (version, item[1:])


def _decoded(item: bytes) -> Any:
    return msgspec.json.decode(item)


def _in_play(item: Any) -> bool:
    return bool(item["phase"] != "over")


async def stream_mine(topics: Topics, client: Any, asked: Asked, to: Connection) -> None:
    """Tell how the caller's tables stand, until it goes away."""
    if asked.caller is None:
        raise Problem("bad-token")
    mine = _Mine(client, asked.caller.player, to)
    async with _heard(topics, mine):
        frames = frames_of(asked.form)
        news = await topics.ask(mine.read)
        await to.start(frames.media)
        await to.write(frames.hello)
        while not to.done:
            to.bell.clear()
            if news:
                await to.write(frames.told((None, each) for each in news))
            elif not await to.pause(HEARTBEAT):
                await to.write(frames.alive)
            news = await topics.ask(mine.read)
        await to.write(b"", more=False)


@asynccontextmanager
async def _heard(topics: Topics, mine: _Mine) -> AsyncIterator[None]:
    channel = players.channel(mine.player)
    ears = topics.ears.setdefault(channel, set())
    ears.add(mine.hear)
    topics.resumed.add(mine.look_again)
    try:
        await topics.nudges.hear(channel)
        try:
            yield
        finally:
            await topics.nudges.ignore(channel)
    finally:
        topics.resumed.discard(mine.look_again)
        ears.discard(mine.hear)
        if not ears:
            topics.ears.pop(channel, None)
