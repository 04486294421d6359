"""One process of the tree: how it is started, and how it is asked to stop."""

import ctypes
import os
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, TypeAlias

from service.supervise.refusal import CannotServe

_PR_SET_PDEATHSIG: Final = 1
_SETTLED: Final = 10.0
"""Seconds after which a process counts as healthy again."""
_LONGEST: Final = 5.0
"""Seconds between two starts of a process that dies at once."""


Process: TypeAlias = subprocess.Popen[bytes]


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """Describe a process: how it starts, and the seconds it has to stop once asked to."""

    name: str
    spawn: Callable[[tuple[int, ...]], Process]
    """Start it with the descriptors to inherit; may raise CannotServe."""
    ask: Callable[[Process], None] = subprocess.Popen.terminate
    grace: float = 10.0


def command(*words: str, **environment: str) -> Callable[[tuple[int, ...]], Process]:
    """Make a part of a command; it runs in this process group and dies with this process."""

    def spawn(inherited: tuple[int, ...]) -> Process:
        # A terminal sends SIGINT to the whole group, but the parts stop in order.
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            return subprocess.Popen(  # noqa: S603 - commands are our own
                words,
                env={**os.environ, **environment},
                stdin=subprocess.DEVNULL,
                # What a child has to say is no part of what the command prints.
                stdout=sys.stderr.fileno(),
                pass_fds=inherited,
                # The supervisor has a single thread, so nothing can be locked in the child.
                preexec_fn=partial(_tie, _prctl(), os.getpid()),
            )
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)

    return spawn


@dataclass(slots=True)
class Child:
    """Run a part, again and again if need be."""

    part: Part
    inherited: tuple[int, ...] = ()
    process: Process | None = None
    due: float | None = 0.0
    """When it is to be started (monotonic), or None while it runs."""
    _born: float = 0.0
    _failures: int = 0

    def start(self) -> None:
        """Start the process; if that raises CannotServe, plan a new start."""
        self._born = time.monotonic()
        try:
            self.process, self.due = self.part.spawn(self.inherited), None
        except CannotServe:
            self._plan()
            raise

    def died(self) -> int | None:
        """Answer the exit code if the process has ended since it was started; plan a new start."""
        if self.process is None or self.due is not None or self.process.poll() is None:
            return None
        self._plan()
        return self.process.returncode

    def _plan(self) -> None:
        now = time.monotonic()
        self._failures = 0 if now - self._born > _SETTLED else self._failures + 1
        self.due = now + min(_LONGEST, 0.05 * 2**self._failures)

    def running(self) -> bool:
        """Say whether the process runs."""
        return self.process is not None and self.process.poll() is None


def die_with(parent: int) -> None:
    """Have this process killed when its parent dies, where the system can do that."""
    _tie(_prctl(), parent)


def open_many() -> None:
    """Let this process have as many descriptors as it may: each client takes one."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def _prctl() -> Any:
    return ctypes.CDLL(None).prctl if sys.platform == "linux" else None


def _tie(prctl: Any, parent: int) -> None:
    if prctl is not None:
        prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
        if os.getppid() != parent:
            # It died before we had asked.
            os.kill(os.getpid(), signal.SIGKILL)
