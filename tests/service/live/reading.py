"""Streams within this process: readers that read, that stop reading, and that go away."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from events.servers.embedded import Embedded
from service.live.application import Live
from tests.e2e.server import PATIENCE
from tests.service.asking import Api


@dataclass(eq=False)
class Reader:
    """One answer of the live application, and how it is read."""

    live: Live
    path: str
    headers: dict[str, str]
    status: int = 0
    data: bytes = b""
    gone: asyncio.Event = field(default_factory=asyncio.Event)
    reads: asyncio.Event = field(default_factory=asyncio.Event)
    heard: asyncio.Condition = field(default_factory=asyncio.Condition)
    task: "asyncio.Task[None] | None" = None

    def start(self) -> None:
        """Ask."""
        self.reads.set()
        path, _, query = self.path.partition("?")
        scope = {
            "type": "http",
            "method": "GET",
            "path": path,
            "query_string": query.encode(),
            "scheme": "http",
            "client": ("127.0.0.1", 1),
            "headers": [(n.lower().encode(), v.encode()) for n, v in self.headers.items()],
        }
        self.task = asyncio.create_task(self.live(scope, self._receive, self._send))

    async def _receive(self) -> dict[str, Any]:
        await self.gone.wait()
        return {"type": "http.disconnect"}

    async def _send(self, message: dict[str, Any]) -> None:
        async with self.heard:
            self.status = message.get("status", self.status)
            self.data += message.get("body", b"")
            self.heard.notify_all()
        await self.reads.wait()

    async def hears(self, what: Callable[[bytes], object]) -> None:
        """Wait until what was sent is as it should be."""
        async with asyncio.timeout(PATIENCE), self.heard:
            await self.heard.wait_for(lambda: what(self.data))

    async def ends(self) -> None:
        """Wait until the answer is at its end."""
        assert self.task
        async with asyncio.timeout(PATIENCE):
            await self.task


@dataclass(frozen=True)
class Room:
    """The live application on a store, and what reads it."""

    live: Live
    readers: list[Reader]

    async def read(self, path: str, token: str | None = None, accept: str = "*/*") -> Reader:
        """Begin to read an answer."""
        headers = {"Accept": accept} | ({"Authorization": f"Bearer {token}"} if token else {})
        reader = Reader(self.live, path, headers)
        self.readers.append(reader)
        reader.start()
        return reader


@asynccontextmanager
async def room(api: Api, store: Embedded) -> AsyncIterator[Room]:
    """Run the live application; everybody has left it afterwards."""
    live = Live(api.parts, store.url)
    here = Room(live, [])
    try:
        yield here
    finally:
        for reader in here.readers:
            reader.reads.set()
            reader.gone.set()
            await reader.ends()
        await live.close()
