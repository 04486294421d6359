"""One open answer: its bell, whether anybody still reads, and why it should end."""

from collections.abc import Awaitable, Callable
from http import HTTPStatus
from typing import Any, Final, TypeAlias

from flask import Response

from service.http import EVERYWHERE
from service.live.bell import Bell

Receive: TypeAlias = Callable[[], Awaitable[Any]]
Send: TypeAlias = Callable[[dict[str, Any]], Awaitable[None]]

HEARTBEAT: Final = 15.0
"""Seconds of silence after which a stream says that it is still there."""

Headers: TypeAlias = tuple[tuple[str, str], ...]

_ALWAYS: Final = [(name.lower().encode(), text.encode()) for name, text in EVERYWHERE]


class Connection:
    """The answer to one request; ``bell`` is rung when there is something to look at."""

    __slots__ = ("_send", "bell", "digest", "done", "limit", "player", "request", "started")

    def __init__(self, send: Send, limit: Headers = ()) -> None:
        self.bell = Bell()
        self.done = False
        self.started = False
        self.digest: str | None = None
        self.player: str | None = None
        self.limit = limit
        """The headers that say what is left to the caller."""
        self.request = ""
        """The id of the request."""
        self._send = send

    def end(self) -> None:
        """Have the answer end soon: nobody reads it, or nobody may write it any more."""
        self.done = True
        self.bell.ring()

    async def pause(self, seconds: float) -> bool:
        """Wait for the bell; answer whether it was rung in time."""
        return await self.bell.heard(seconds)

    async def until_gone(self, receive: Receive) -> None:
        """Wait until the other side has gone away."""
        while (await receive())["type"] != "http.disconnect":
            pass
        self.end()

    async def start(self, media: str, *more: tuple[str, str]) -> None:
        """Begin a stream."""
        own = (
            ("x-request-id", self.request),
            ("content-type", media),
            ("cache-control", "no-store"),
            # Proxies would keep notices back until there are many.
            ("x-accel-buffering", "no"),
            *self.limit,
            *more,
        )
        headers = [(name.lower().encode(), text.encode("latin-1")) for name, text in own]
        self.started = True
        await self._send(
            {"type": "http.response.start", "status": 200, "headers": [*headers, *_ALWAYS]}
        )

    async def write(self, data: bytes, *, more: bool = True) -> None:
        """Send some of a stream; a reader that is too slow makes this wait."""
        await self._send({"type": "http.response.body", "body": data, "more_body": more})

    async def answer(self, response: Response) -> None:
        """Send a whole answer."""
        data = response.get_data()
        said = [*response.headers, *self.limit]
        if response.status_code != HTTPStatus.NO_CONTENT:
            said.append(("Content-Length", str(len(data))))
        headers = [(name.lower().encode(), text.encode("latin-1")) for name, text in said]
        start = {
            "type": "http.response.start",
            "status": response.status_code,
            "headers": [*headers, *_ALWAYS],
        }
        self.started = True
        await self._send(start)
        await self.write(data, more=False)
