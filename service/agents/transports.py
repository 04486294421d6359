"""The two ways to the tools: a pipe for one player, HTTP for whoever brings a token."""

import asyncio
import os
import signal
import socket
from collections.abc import Generator
from contextlib import contextmanager
from typing import Any, Final

import uvicorn
from mcp.server.mcpserver import Context

from service.agents.asking import Asking
from service.agents.described import make_server

TOKEN: Final = "MCP_TOKEN"  # noqa: S105 - the name of a variable
"""The variable that holds the player's token on a pipe."""
PATH: Final = "/mcp"


class _Server(uvicorn.Server):
    """Uvicorn, with the signals left to the loop: asked to stop, it exits with 0."""

    @contextmanager
    def capture_signals(self) -> Generator[None, None, None]:
        yield


def run_pipe(url: str) -> None:
    """Serve one player on standard input and output until the input ends."""
    asyncio.run(_pipe(url))


def listen(host: str, port: int) -> socket.socket:
    """Listen: from now on whoever asks is answered, if only once ``run_http`` runs."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    return socket.create_server((host, port), family=family, backlog=512)


def run_http(url: str, host: str, listening: socket.socket) -> None:
    """Serve whoever asks at ``/mcp``, each with the token of the request, until SIGTERM."""
    asyncio.run(_http(url, host, listening))


async def _pipe(url: str) -> None:
    asking, token = Asking(url), os.environ.get(TOKEN) or None
    try:
        await make_server(asking, lambda _: token).run_stdio_async()
    finally:
        await asking.close()


async def _http(url: str, host: str, listening: socket.socket) -> None:
    asking = Asking(url)
    # Without sessions, no request can borrow the token of another one.
    app = make_server(asking, _bearer).streamable_http_app(
        streamable_http_path=PATH, stateless_http=True, host=host
    )
    server = _Server(
        uvicorn.Config(
            app,
            log_level="warning",
            access_log=False,
            server_header=False,
            timeout_graceful_shutdown=5,
        )
    )

    def stop() -> None:
        server.should_exit = True

    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stop)
    try:
        await server.serve(sockets=[listening])
    finally:
        await asking.close()


def _bearer(context: Context[Any, Any]) -> str | None:
    """Answer the token of this very request, None for a spectator."""
    request = context.request_context.request
    said = request.headers.get("authorization", "") if request is not None else ""
    scheme, _, token = said.partition(" ")
    return token.strip() if scheme.lower() == "bearer" and token.strip() else None
