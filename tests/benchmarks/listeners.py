"""Many open streams in a process of their own, so that reading them costs the server nothing.

Told what to do by JSON lines on standard input; answers each with a line.
"""

import asyncio
import json
import re
import resource
import sys
import time
from collections.abc import Sequence
from functools import partial
from typing import Any, Final

_ID: Final = re.compile(rb"^id: (\d+)$", re.MULTILINE)
_AT_ONCE: Final = 100


class Listener(asyncio.Protocol):
    """One stream: when its bytes came."""

    def __init__(self, link: int, request: bytes) -> None:
        self.link = link
        self.came: list[tuple[float, bytes]] = []
        self.speaks = asyncio.get_running_loop().create_future()
        self._request = request
        self.transport: Any = None

    def connection_made(self, transport: Any) -> None:
        """Ask for the stream."""
        self.transport = transport
        transport.write(self._request)

    def data_received(self, data: bytes) -> None:
        """Note when it came; it is read later."""
        self.came.append((time.time(), data))
        if not self.speaks.done():
            self.speaks.set_result(None)

    def arrivals(self) -> Sequence[tuple[int, int, float]]:
        """Answer link, version and time of every notice that came, once."""
        came, self.came = self.came, []
        return [(self.link, int(at), when) for when, data in came for at in _ID.findall(data)]


async def _open(listeners: list[Listener], told: Any) -> None:
    loop = asyncio.get_running_loop()
    fresh = []
    for number in range(told["open"]):
        link = number % len(told["paths"])
        request = (
            f"GET {told['paths'][link]} HTTP/1.1\r\nHost: a\r\nAccept: text/event-stream\r\n\r\n"
        ).encode()
        made = partial(Listener, link, request)
        _, listener = await loop.create_connection(made, told["host"], told["port"])
        fresh.append(listener)
        if number % _AT_ONCE == _AT_ONCE - 1:
            await asyncio.gather(*(each.speaks for each in fresh))
    await asyncio.gather(*(each.speaks for each in fresh))
    listeners += fresh


async def _serve() -> None:
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    loop = asyncio.get_running_loop()
    listeners: list[Listener] = []
    while line := await loop.run_in_executor(None, sys.stdin.readline):
        told = json.loads(line)
        answer: Any = {"open": len(listeners)}
        if "open" in told:
            await _open(listeners, told)
            answer = {"open": len(listeners)}
        elif "close" in told:
            for each in listeners:
                each.transport.abort()
            listeners.clear()
            answer = {"open": 0}
        else:
            answer = [found for each in listeners for found in each.arrivals()]
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    asyncio.run(_serve())
