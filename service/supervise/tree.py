"""The loop that keeps a tree of processes running until somebody asks it to stop."""

import logging
import signal
import time
from collections.abc import Callable, Iterable
from typing import Final

from service.supervise.child import Child, Part
from service.supervise.claim import Claim
from service.supervise.refusal import CannotServe
from service.supervise.signals import Signals

_LOG: Final = logging.getLogger("abraxas.serve")

_LOOK: Final = 1.0
"""Seconds between two looks at what no child tells."""

BAD_SETUP: Final = 2
"""Exit code of a process that has said in one sentence why it cannot start."""


class GaveUp(Exception):  # noqa: N818 - the end of a start, told to people
    """Say that the tree cannot be brought up; ``code`` is the exit code."""

    def __init__(self, sentence: str | None, code: int) -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.code = code


class Tree:
    """Run parts as children: started in order, restarted when they die, stopped in stages."""

    def __init__(self, signals: Signals, claim: Claim | None = None) -> None:
        self._signals = signals
        self._claim = claim
        self._children: list[Child] = []

    def start(self, *parts: Part) -> None:
        """Start processes and keep them running from now on; may raise CannotServe."""
        inherited = (self._claim.descriptor,) if self._claim else ()
        self._children += [Child(part, inherited) for part in parts]
        self._start_due()

    def wait_until(self, ready: Callable[[], bool], seconds: float, what: str) -> bool:
        """Keep all running until ``ready``; answer False if somebody asks to stop before.

        Raise GaveUp if a process refuses its setup, or if it takes longer than ``seconds``.
        """
        deadline = time.monotonic() + seconds
        while not self._signals.asked_to_stop:
            if ready():
                return True
            if time.monotonic() > deadline:
                raise GaveUp(f"{what} is not ready after {seconds:.0f} s.", 1)
            self._signals.wait(0.02)
            if BAD_SETUP in self._bury():
                raise GaveUp(None, BAD_SETUP)
            self._start_due()
        return False

    def keep(self, look: Callable[[], None] | None = None) -> None:
        """Keep all running until somebody asks to stop; ``look`` around every second."""
        looked = time.monotonic()
        while not self._signals.asked_to_stop:
            due = [child.due for child in self._children if child.due is not None]
            if look:
                due.append(looked + _LOOK)
            self._signals.wait(max(0.0, min(due) - time.monotonic()) if due else None)
            if not self._signals.asked_to_stop:
                self._bury()
                self._start_due()
                if look and time.monotonic() >= looked + _LOOK:
                    look()
                    looked = time.monotonic()

    def stop(self, *stages: Iterable[str]) -> None:
        """Stop the named parts, stage after stage, then what is left, last started first.

        A process that does not stop in its time is killed; asking twice leaves nobody time.
        """
        named = [name for stage in stages for name in stage]
        rest = [[c.part.name] for c in reversed(self._children) if c.part.name not in named]
        for stage in (*stages, *rest):
            self._stop_stage([child for child in self._children if child.part.name in stage])

    def _stop_stage(self, children: list[Child]) -> None:
        running = [child for child in children if child.running()]
        begun = time.monotonic()
        for child in running:
            if child.process is not None:
                child.part.ask(child.process)
        while running := [child for child in running if child.running()]:
            late = time.monotonic() - begun
            for child in running:
                if child.process is not None and (
                    late > child.part.grace or self._signals.asked_to_stop > 1
                ):
                    tell(f"The {child.part.name} does not stop, so it is killed.")
                    child.process.send_signal(signal.SIGKILL)
                    child.process.wait()
            self._signals.wait(0.05)

    def _bury(self) -> list[int]:
        """Answer the exit codes of those who died, and tell of them."""
        codes = []
        for child in self._children:
            code = child.died()
            if code is not None:
                codes.append(code)
                tell(f"The {child.part.name} {_ended(code)}; it is started again.")
        return codes

    def _start_due(self) -> None:
        now = time.monotonic()
        late = [c for c in self._children if c.due is not None and c.due <= now]
        for child in late:
            try:
                child.start()
            except CannotServe as refusal:
                if child.process is None:
                    raise
                tell(str(refusal))
        if late and self._claim:
            self._claim.note([c.process.pid for c in self._children if c.process and not c.due])


def tell(sentence: str) -> None:
    """Tell whoever watches the server, or reads its log."""
    _LOG.warning(sentence)


def _ended(code: int) -> str:
    if code < 0:
        return f"was ended by {signal.Signals(-code).name}"
    return f"ended with exit code {code}"
