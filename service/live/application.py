"""The ASGI application: streams, long polls, and whether the process is alive."""

import asyncio
import logging
import re
from contextlib import suppress
from typing import Final

from events.servers.connection import StoreError
from service import http
from service.enforce import problem_of
from service.http import written
from service.identity import tickets
from service.limits import who_asks
from service.live.asked import Asked, Scope, asked_of, request_of
from service.live.connection import Connection, Receive, Send
from service.live.my_stream import stream_mine, wait_for_mine
from service.live.table_stream import stream_table, wait_for_page
from service.live.topics import Topics
from service.parts import Parts
from service.problems import Problem
from service.views import table_id

MOST_STREAMS: Final = 4000
"""How many answers may be open at once."""
MOST_EACH: Final = 64
"""How many of them may be one player's, unless limits are off."""
GUARD: Final = 2.0
"""Seconds between two looks at whether the tokens of open streams still count: with the time that
a look takes, no stream lives five seconds longer than its token."""

_ALLOW: Final = ("Allow", "GET, OPTIONS")
_TABLE: Final = re.compile(r"/v1/tables/([^/]+)/events")
_LOG: Final = logging.getLogger("abraxas.live")


class Live:
    """Everything that the process does: make it within a running loop."""

    def __init__(self, parts: Parts, url: str) -> None:
        self._parts = parts
        self._topics = Topics(parts.door.store, url)
        self._open: set[Connection] = set()
        self._stopping = False
        self._tasks = [
            asyncio.create_task(work)
            for work in (
                self._topics.nudges.run(),
                self._topics.run(),
                self._topics.sweep(),
                self._guard(),
            )
        ]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] != "http":
            return
        who = who_asks(None, (scope.get("client") or ("",))[0])
        to = Connection(send, self._parts.limits.told("streams", who) or ())
        watch = asyncio.create_task(to.until_gone(receive))
        self._open.add(to)
        try:
            await self._answer(scope, to)
        finally:
            self._open.discard(to)
            watch.cancel()

    async def _answer(self, scope: Scope, to: Connection) -> None:
        try:
            if scope["method"] == "OPTIONS":
                await to.answer(written(request_of(scope), None, 204, http.PREFLIGHT))
            elif scope["path"] == "/livez":
                body = {"status": "ok", "streams": len(self._open) - 1}
                await to.answer(written(request_of(scope), body, 200))
            else:
                await self._stream(scope, to)
        except Exception as error:
            stopped = problem_of(error)
            if stopped.code == "internal":
                _LOG.error("a stream failed with %s", type(error).__name__)
            if to.started:
                # What was sent stands; the client goes on after it.
                raise
            more = [_ALLOW] if stopped.code == "method-not-allowed" else []
            await to.answer(http.problem(request_of(scope), stopped, *more))

    async def _stream(self, scope: Scope, to: Connection) -> None:
        if scope["method"] != "GET":
            raise Problem("method-not-allowed")
        found = _TABLE.fullmatch(scope["path"])
        if found is None and scope["path"] != "/v1/me/events":
            raise Problem("unknown-path")
        if len(self._open) > MOST_STREAMS or self._stopping:
            raise Problem("slow-down", seconds=5)
        asked = await self._asked("list_events" if found else "list_my_events", scope, to)
        to.digest = asked.digest
        self._count(asked, to)
        if asked.form == "page":
            body = await self._page(found[1] if found else None, asked, to)
            spoken = ("Content-Language", asked.language)
            await to.answer(written(request_of(scope), body, 200, [spoken], cache=http.PRIVATE))
        elif found:
            await stream_table(self._topics, table_id(found[1]), asked, to)
        else:
            await stream_mine(self._topics, self._parts.client, asked, to)

    async def _asked(self, operation: str, scope: Scope, to: Connection) -> Asked:
        """Meet the demands of an operation; the request is let go, since streams live for long."""
        request = request_of(scope)
        to.request = http.request_id(request)
        try:
            return await self._topics.ask(asked_of, self._parts, operation, request)
        finally:
            to.limit = request.environ.get(http.LIMIT) or to.limit

    def _count(self, asked: Asked, to: Connection) -> None:
        to.player = asked.caller.player if asked.caller else None
        if to.player is None or not self._parts.limits.on:
            return
        if sum(each.player == to.player for each in self._open) > MOST_EACH:
            raise Problem("slow-down", seconds=5)

    async def _page(self, table: str | None, asked: Asked, to: Connection) -> bytes:
        if table is None:
            return await wait_for_mine(self._topics, self._parts.client, asked, to)
        return await wait_for_page(self._topics, table_id(table), asked, to)

    async def _guard(self) -> None:
        """End the streams whose token was revoked."""
        while True:
            await asyncio.sleep(GUARD)
            digests = sorted({to.digest for to in self._open if to.digest})
            gone: set[str] = set()
            with suppress(StoreError):
                gone = await self._topics.ask(tickets.revoked, self._parts.client, digests)
            for to in self._open:
                if to.digest in gone:
                    to.end()

    def stop(self) -> None:
        """End every stream, each after what it is writing."""
        self._stopping = True
        for to in self._open:
            to.end()

    async def close(self) -> None:
        """Let go of the store."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._topics.close()
