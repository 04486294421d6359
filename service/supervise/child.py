"""One process of the tree: how it is started, and how it is asked to stop."""

import ctypes
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final

_PR_SET_PDEATHSIG: Final = 1
_SETTLED: Final = 10.0
"""Seconds after which a process counts as healthy again."""
_LONGEST: Final = 5.0
"""Seconds between two starts of a process that dies at once."""


def ask_politely(process: "subprocess.Popen[bytes]") -> None:
    """Ask a process to finish what it does and to stop."""
    process.terminate()


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """Describe a process: its command, and the seconds it has to stop once asked to."""

    name: str
    command: tuple[str, ...]
    environment: Mapping[str, str] = field(default_factory=dict)
    grace: float = 10.0
    deaf: tuple[signal.Signals, ...] = (signal.SIGINT,)
    """Signals that never reach it: a terminal sends SIGINT to all, but they stop in order."""
    ask: Callable[["subprocess.Popen[bytes]"], None] = ask_politely


@dataclass(slots=True)
class Child:
    """Run a part, again and again if need be."""

    part: Part
    inherited: tuple[int, ...] = ()
    process: "subprocess.Popen[bytes] | None" = None
    due: float | None = 0.0
    """When it is to be started (monotonic), or None while it runs."""
    _born: float = 0.0
    _failures: int = 0

    def start(self) -> None:
        """Start the process in this process group; it dies with this one."""
        signal.pthread_sigmask(signal.SIG_BLOCK, self.part.deaf)
        try:
            self.process = subprocess.Popen(  # noqa: S603 - commands are our own
                self.part.command,
                env={**os.environ, **self.part.environment},
                stdin=subprocess.DEVNULL,
                # What a child has to say is no part of what the command prints.
                stdout=sys.stderr.fileno(),
                pass_fds=self.inherited,
                # The supervisor has a single thread, so nothing can be locked in the child.
                preexec_fn=_DieWith(os.getpid()),
            )
        finally:
            signal.pthread_sigmask(signal.SIG_UNBLOCK, self.part.deaf)
        self._born = time.monotonic()
        self.due = None

    def died(self) -> int | None:
        """Answer the exit code if the process has ended since it was started; plan a new start."""
        if self.process is None or self.due is not None or self.process.poll() is None:
            return None
        now = time.monotonic()
        self._failures = 0 if now - self._born > _SETTLED else self._failures + 1
        self.due = now + min(_LONGEST, 0.05 * 2**self._failures)
        return self.process.returncode

    def running(self) -> bool:
        """Say whether the process runs."""
        return self.process is not None and self.process.poll() is None


class _DieWith:
    """Tie the life of the calling process to that of its parent, where the system can."""

    def __init__(self, parent: int, number: signal.Signals = signal.SIGKILL) -> None:
        self.parent = parent
        self.number = number
        self.prctl = ctypes.CDLL(None).prctl if sys.platform == "linux" else None

    def __call__(self) -> None:
        if self.prctl is None:
            return
        self.prctl(_PR_SET_PDEATHSIG, self.number, 0, 0, 0)
        if os.getppid() != self.parent:
            os.kill(os.getpid(), self.number)


def die_with_parent() -> None:
    """Have this process killed when its parent dies."""
    _DieWith(os.getppid())()
