"""A real server in processes of its own, and what can be done to them."""

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

ABRAXAS = (sys.executable, "-P", "-m", "service")
PATIENCE = 60.0
"""Seconds after which something is broken, and no machine is only busy."""
READY = re.compile(r"^Abraxas is ready on (http://127\.0\.0\.1:(\d+)) ")


def environment() -> dict[str, str]:
    """Answer an environment in which nothing is set but what every program needs."""
    return {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("ABRAXAS_", "REDIS", "RQ_", "DURABILITY"))
    } | {"PYTHONPATH": str(Path(__file__).resolve().parents[2])}


def abraxas(
    *words: str, seconds: float = 100, **environ: str
) -> "subprocess.CompletedProcess[str]":
    """Run the command to its end, which must come within so many seconds."""
    return subprocess.run(
        [*ABRAXAS, *words],
        env=environment() | environ,
        capture_output=True,
        text=True,
        timeout=seconds,
    )


def until(holds: Callable[[], object], what: str, seconds: float = PATIENCE) -> None:
    """Wait for a fact, or fail naming it."""
    deadline = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < deadline, f"{what}: not after {seconds} s"
        time.sleep(0.02)


def alive(pid: int) -> bool:
    """Say whether a process runs, and is not only waiting to be buried."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def children(pid: int) -> list[int]:
    """Answer the children of a process."""
    try:
        return [
            int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
        ]
    except (FileNotFoundError, ProcessLookupError):
        return []


def command_of(pid: int) -> str:
    """Answer the command line of a process."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_text().replace("\0", " ")
    except (FileNotFoundError, ProcessLookupError):
        return ""


_API = ("service.processes.api", "granian ")
_MARKS = {
    "store": ("valkey",),
    "api": _API,
    "live": ("service.live",),
    "api worker": _API,
    "follow": (" follow",),
    "jobs": (" jobs",),
}
"""What a process is started as, or calls itself where setproctitle is installed."""


@dataclass(slots=True)
class Server:
    """A running ``abraxas serve``."""

    process: "subprocess.Popen[str]"
    url: str
    port: int
    data: Path

    def pid(self, part: str) -> int:
        """Answer the process of a part: store, api, api worker, follow or jobs."""
        found = [
            each
            for each in children(self.process.pid)
            if any(mark in command_of(each) for mark in _MARKS[part])
        ]
        if part == "api worker":
            found = [child for each in found for child in children(each)]
        return found[0] if found else 0

    def tree(self) -> list[int]:
        """Answer every process of the server."""
        below = children(self.process.pid)
        return [self.process.pid, *below, *(each for child in below for each in children(child))]

    def kill(self, part: str) -> None:
        """Kill a part as ``kill -9`` does, and wait until another one runs in its place."""
        pid = self.pid(part)
        assert pid, f"there is no {part}"
        os.kill(pid, signal.SIGKILL)
        until(lambda: self.pid(part) not in (0, pid), f"another {part} runs")

    def stop(self) -> int:
        """Ask the server to stop; answer its exit code."""
        self.process.terminate()
        return self.process.wait(timeout=PATIENCE)


@contextmanager
def serving(data: Path, port: int = 0, **environ: str) -> Iterator[Server]:
    """Start a server and wait until it says that it is ready; it is gone afterwards.

    Nobody is limited unless ABRAXAS_LIMITS says so: every test asks from one address.
    """
    environ.setdefault("ABRAXAS_LIMITS", "off")
    process = subprocess.Popen(
        [*ABRAXAS, "serve", "--port", str(port), "--data", str(data)],
        env=environment() | environ,
        stdout=subprocess.PIPE,
        text=True,
    )
    with process:
        try:
            assert process.stdout
            line = process.stdout.readline()
            ready = READY.match(line)
            assert ready, f"it said {line!r}"
            yield Server(process, ready[1], int(ready[2]), data)
        finally:
            if process.poll() is None:
                process.terminate()
                try:
                    process.wait(timeout=PATIENCE)
                except subprocess.TimeoutExpired:
                    process.kill()
