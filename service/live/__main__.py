"""The process of live updates: one loop, no threads that wait, as many streams as descriptors."""

import asyncio
import os
import signal
import socket
import sys
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import replace
from typing import Final

import uvicorn

from events.tracing import start_tracing
from events.transact import Door
from service.app import make_parts
from service.live.application import MOST_STREAMS, Live
from service.live.command import DRAIN
from service.settings import Settings, settings_from_env
from service.supervise.child import open_many
from workers.logs import start_log

BACKLOG: Final = MOST_STREAMS + 96
NICE: Final = 5
"""By how much the process that ``serve`` starts steps back."""

# A client that vanishes without a word, or does not read, is found out within half a minute, and
# the system keeps little for it meanwhile.
_SOCKET: Final = (
    ("SO_SNDBUF", socket.SOL_SOCKET, 64 * 1024),
    ("SO_KEEPALIVE", socket.SOL_SOCKET, 1),
    ("TCP_KEEPIDLE", socket.IPPROTO_TCP, 10),
    ("TCP_KEEPINTVL", socket.IPPROTO_TCP, 5),
    ("TCP_KEEPCNT", socket.IPPROTO_TCP, 2),
    ("TCP_USER_TIMEOUT", socket.IPPROTO_TCP, 15_000),
)


class _Server(uvicorn.Server):
    """Uvicorn, with the signals left to the loop: asked to stop, it exits with 0."""

    @contextmanager
    def capture_signals(self) -> Generator[None, None, None]:
        yield


def listen(host: str, port: int) -> socket.socket:
    """Listen with what accepted connections inherit where the system knows it."""
    family, kind, protocol, _, address = socket.getaddrinfo(
        host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
    )[0]
    listening = socket.socket(family, kind, protocol)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    if hasattr(socket, "SO_REUSEPORT"):
        # Whoever starts this holds the port for it.
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
    for name, level, value in _SOCKET:
        if hasattr(socket, name):
            listening.setsockopt(level, getattr(socket, name), value)
    listening.bind(address)
    return listening


def run_live(settings: Settings, host: str, port: int) -> None:
    """Serve streams until SIGTERM or SIGINT."""
    open_many()
    start_log("live", os.environ)
    start_tracing("live", os.environ)
    asyncio.run(_serve(settings, listen(host, port)))


async def _serve(settings: Settings, listening: socket.socket) -> None:
    parts = make_parts(settings)
    # Tables are read without their games here: a cache of them would only take room.
    parts = replace(parts, door=Door(parts.door.store, cache_size=1))
    live = Live(parts, settings.redis_url)
    server = _Server(
        uvicorn.Config(
            live,
            http="httptools",
            ws="none",
            lifespan="off",
            interface="asgi3",
            backlog=BACKLOG,
            log_config=None,
            access_log=False,
            server_header=False,
            timeout_graceful_shutdown=DRAIN,
        )
    )

    def stop() -> None:
        server.should_exit = True
        live.stop()

    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stop)
    try:
        await server.serve(sockets=[listening])
    finally:
        await live.close()


if __name__ == "__main__":
    # Beside an API on the same machine, which goes first: a flood of streams must not slow moves.
    os.nice(NICE)
    run_live(settings_from_env(os.environ), sys.argv[1], int(sys.argv[2]))
