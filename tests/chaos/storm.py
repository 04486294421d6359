"""A network before the store that swallows, resets, delays and half-closes, unseen by it."""

import asyncio
import random
import socket
import struct
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Final

FAULTS: Final = (
    "request swallowed", "reply swallowed", "reply cut", "reset", "request late", "reply late",
    "half-closed",
)  # fmt: skip


@dataclass
class Storm:
    """Carries bytes both ways; one in ``every`` pieces meets a fault, none if that is 0."""

    path: str
    dice: random.Random
    every: int = 0
    port: int = 0
    met: Counter[str] = field(default_factory=Counter)
    _tasks: set[object] = field(default_factory=set)

    async def carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Carry a connection until one of its ends is gone."""
        self._tasks.add(task := asyncio.current_task())
        try:
            behind, before = await asyncio.open_unix_connection(self.path)
        except OSError:
            writer.close()
            return
        ends = (writer, before)
        ways = [
            asyncio.create_task(self._way(reader, before, "request", ends)),
            asyncio.create_task(self._way(behind, writer, "reply", ends)),
        ]
        try:
            await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for each in ways:
                each.cancel()
            for end in ends:
                end.close()
            self._tasks.discard(task)

    async def _way(
        self,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        what: str,
        ends: tuple[asyncio.StreamWriter, ...],
    ) -> None:
        with suppress(OSError):
            while data := await reader.read(65536):
                fault = self._drawn(what)
                if fault.endswith("swallowed"):
                    continue
                if fault == "reset":
                    _reset(ends)
                    return
                if fault.endswith("late"):
                    await asyncio.sleep(self.dice.uniform(0.05, 1.5))
                whole = fault != "reply cut"
                writer.write(data if whole else data[: self.dice.randrange(len(data))])
                await writer.drain()
                if fault == "half-closed":
                    writer.write_eof()
                    # The other way is open: what comes back is still carried, for a while.
                    await asyncio.sleep(0.5)
                    return
                if not whole:
                    return

    def _drawn(self, what: str) -> str:
        if not self.every or self.dice.randrange(self.every):
            return ""
        fault = self.dice.choice([each for each in FAULTS if _may(each, what)])
        self.met[fault] += 1
        return fault


def _may(fault: str, what: str) -> bool:
    return fault in ("reset", "half-closed") or fault.startswith(what)


def _reset(ends: tuple[asyncio.StreamWriter, ...]) -> None:
    for end in ends:
        bare = end.get_extra_info("socket")
        with suppress(OSError):
            bare.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        end.transport.abort()


async def _end(tasks: set[asyncio.Task[object]]) -> None:
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


@contextmanager
def storming(path: str, seed: str) -> Iterator[Storm]:
    """Stand before the store at a socket; calm until ``every`` is set."""
    storm = Storm(path, random.Random(seed))
    loop = asyncio.new_event_loop()
    # The clients are local, but a socket of the network can be reset.
    server = loop.run_until_complete(asyncio.start_server(storm.carry, "127.0.0.1", 0))
    storm.port = server.sockets[0].getsockname()[1]
    thread = threading.Thread(target=loop.run_forever)
    thread.start()
    try:
        yield storm
    finally:
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        server.close()
        loop.run_until_complete(_end(asyncio.all_tasks(loop)))
        loop.close()
