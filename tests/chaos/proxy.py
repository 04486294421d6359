"""A network that breaks: carries connections to a server, and cuts them where fate says.

It reads of HTTP only where a message begins and ends, so that a cut falls where it should.
"""

import asyncio
import re
import socket
import struct
import threading
from collections.abc import AsyncGenerator, Iterator
from contextlib import aclosing, contextmanager, suppress
from dataclasses import dataclass, field
from typing import Final

from tests.chaos.fates import STREAMS, UNBROKEN, Fate, Fates, Point
from tests.e2e.server import PATIENCE

SILENCE: Final = 0.5
"""Seconds that a silent connection is kept before it breaks after all."""

_LENGTH: Final = re.compile(rb"\r\ncontent-length: *(\d+)", re.IGNORECASE)
_CHUNKED: Final = re.compile(rb"\r\ntransfer-encoding: *chunked", re.IGNORECASE)
_NO_BODY: Final = re.compile(rb"HTTP/1\.1 (?:1\d\d|204|304) ")
_GONE: Final = (OSError, asyncio.IncompleteReadError)


class Broken(Exception):  # noqa: N818 - how networks are, not a defect
    """Say that the connection breaks here."""


@dataclass
class Wire:
    """One end of a connection."""

    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter

    async def send(self, data: bytes) -> None:
        """Send some bytes."""
        self.writer.write(data)
        await self.writer.drain()

    async def hung_up(self) -> None:
        """Wait until the other side is gone, or says more than it should."""
        with suppress(OSError):
            await self.reader.read(1)

    def close(self, *, reset: bool) -> None:
        """Let go, with a reset or politely."""
        if reset and (bare := self.writer.get_extra_info("socket")) is not None:
            with suppress(OSError):
                bare.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.writer.transport.abort() if reset else self.writer.close()


async def head_of(wire: Wire) -> bytes:
    """Read the head of a message; nothing if there is no other."""
    try:
        return await wire.reader.readuntil(b"\r\n\r\n")
    except asyncio.IncompleteReadError as cut:
        if cut.partial:
            raise
        return b""


async def request_of(wire: Wire) -> bytes:
    """Read a request; nothing if there is no other."""
    head = await head_of(wire)
    length = _LENGTH.search(head)
    return head + await wire.reader.readexactly(int(length[1])) if length else head


async def reply_of(wire: Wire) -> AsyncGenerator[bytes, None]:
    """Read a reply piece by piece: its head, then its body or each of its chunks."""
    head = await wire.reader.readuntil(b"\r\n\r\n")
    yield head
    if _NO_BODY.match(head):
        return
    if length := _LENGTH.search(head):
        if body := await wire.reader.readexactly(int(length[1])):
            yield body
        return
    assert _CHUNKED.search(head), head
    size = -1
    while size:
        line = await wire.reader.readuntil(b"\r\n")
        size = int(line, 16)
        yield line + await wire.reader.readexactly(size + 2)


async def carry(request: bytes, fate: Fate, client: Wire, server: Wire) -> None:
    """Carry an exchange as far as fate lets it; raise Broken where it ends."""
    if fate.point is Point.BEFORE:
        raise Broken
    if fate.point is Point.INSIDE_REQUEST:
        await server.send(fate.part(request))
        raise Broken
    await server.send(request)
    await asyncio.sleep(fate.pause)
    if fate.point is Point.GONE:
        raise Broken
    if fate.point is Point.HALF_CLOSED:
        server.writer.write_eof()
    number = -1
    async with aclosing(reply_of(server)) as pieces:
        async for piece in pieces:
            number += 1
            await _carry_piece(piece, number, fate, client)
    if fate.point is Point.SILENT:
        await asyncio.sleep(SILENCE)
    if fate.point in (Point.LOST, Point.SILENT, Point.HALF_CLOSED):
        raise Broken


async def _carry_piece(piece: bytes, number: int, fate: Fate, client: Wire) -> None:
    match fate.point:
        case Point.LOST if number <= fate.pieces:
            pass
        case Point.LOST:
            # A stream has no end that could be waited for.
            raise Broken
        case Point.SILENT if fate.kind not in STREAMS:
            pass
        case Point.SILENT if number > fate.pieces:
            await asyncio.sleep(SILENCE)
            raise Broken
        case Point.INSIDE_HEAD:
            await client.send(fate.part(piece))
            raise Broken
        case Point.INSIDE | Point.ENDED if number >= max(1, fate.pieces):
            await client.send(fate.part(piece))
            raise Broken
        case Point.BETWEEN if number >= fate.pieces:
            await client.send(piece)
            raise Broken
        case Point.DRIPPING:
            for at in range(0, len(piece), 1 + len(piece) // 4):
                await client.send(piece[at : at + 1 + len(piece) // 4])
                await asyncio.sleep(fate.pause)
        case _:
            await client.send(piece)


@dataclass
class Proxy:
    """Ports through which the ports of a server are reached; ``to`` says which leads where."""

    fates: Fates
    ports: tuple[int, ...] = ()
    to: dict[int, int] = field(default_factory=dict)
    failed: list[BaseException] = field(default_factory=list)
    _tasks: set[object] = field(default_factory=set)

    async def answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Carry all exchanges of a connection."""
        # A loop holds its tasks weakly: one that waits would be collected with what it waits for.
        self._tasks.add(task := asyncio.current_task())
        try:
            await self._carry_all(reader, writer)
        finally:
            self._tasks.discard(task)

    async def _carry_all(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        port = writer.get_extra_info("sockname")[1]
        client, fate, server = Wire(reader, writer), None, None
        try:
            server = Wire(*await asyncio.open_connection("127.0.0.1", self.to[port], limit=2**22))
            while request := await request_of(client):
                fate = self.fates.draw(request.partition(b"\r\n\r\n")[0])
                await self._exchange(request, fate, client, server)
                self.fates.happened(fate)
            fate = None
        except Broken:
            assert fate
            self.fates.happened(fate)
        except _GONE:
            # The server or the client went first.
            if fate and fate.point in (*UNBROKEN, Point.HALF_CLOSED):
                self.fates.happened(fate)
            fate = None
        except asyncio.CancelledError:
            # The test is over.
            fate = None
        except Exception as error:
            self.failed.append(error)
            raise
        finally:
            reset = fate is not None and fate.reset and fate.point is not Point.ENDED
            for end in filter(None, (client, server)):
                end.close(reset=reset)

    async def _exchange(self, request: bytes, fate: Fate, client: Wire, server: Wire) -> None:
        """Carry an exchange, unless the client hangs up before it is over."""
        exchange = asyncio.create_task(carry(request, fate, client, server))
        if fate.kind not in (*STREAMS, "wait"):
            await exchange
            return
        gone = asyncio.create_task(client.hung_up())
        await asyncio.wait({exchange, gone}, return_when=asyncio.FIRST_COMPLETED)
        for task in (exchange, gone):
            task.cancel()
        _, ended = await asyncio.gather(gone, exchange, return_exceptions=True)
        # Whoever watches for the client's end may have read what it sent next: no more after this.
        raise ended if isinstance(ended, Broken) else ConnectionResetError


@contextmanager
def proxying(fates: Fates, ports: int = 2) -> Iterator[Proxy]:
    """Listen on so many ports, in a thread with a loop of its own."""
    proxy = Proxy(fates)
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()

    async def listen() -> list[asyncio.Server]:
        return [
            await asyncio.start_server(proxy.answer, "127.0.0.1", 0, limit=2**22, backlog=500)
            for _ in range(ports)
        ]

    async def close(servers: list[asyncio.Server]) -> None:
        for server in servers:
            server.close()
        others = asyncio.all_tasks() - {asyncio.current_task()}
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)

    servers = asyncio.run_coroutine_threadsafe(listen(), loop).result(PATIENCE)
    proxy.ports = tuple(each.sockets[0].getsockname()[1] for each in servers)
    try:
        yield proxy
    finally:
        asyncio.run_coroutine_threadsafe(close(servers), loop).result(PATIENCE)
        loop.call_soon_threadsafe(loop.stop)
        thread.join(PATIENCE)
        loop.close()
    assert proxy.failed == []
