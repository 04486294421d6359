"""Signals as something a loop can wait for."""

import os
import select
import signal
from contextlib import suppress
from types import FrameType
from typing import Any, Final, Self

_STOP: Final = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)


class Signals:
    """Catch the signals that ask to stop, and those of dying children, while in its context."""

    def __init__(self) -> None:
        self.asked_to_stop = 0
        """How often somebody has asked."""
        self._before: dict[signal.Signals, Any] = {}

    def __enter__(self) -> Self:
        self._awake, self._wakes = os.pipe()
        for end in (self._awake, self._wakes):
            os.set_blocking(end, False)
        signal.set_wakeup_fd(self._wakes, warn_on_full_buffer=False)
        for number in _STOP:
            # Whoever started us with a signal ignored (nohup) wants it ignored.
            if signal.getsignal(number) is not signal.SIG_IGN:
                self._before[number] = signal.signal(number, self._stop)
        # Without a handler of its own the signal would not wake the loop.
        self._before[signal.SIGCHLD] = signal.signal(signal.SIGCHLD, lambda *_: None)
        return self

    def __exit__(self, *_: object) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)
        signal.set_wakeup_fd(-1)
        os.close(self._awake)
        os.close(self._wakes)

    def _stop(self, number: int, frame: FrameType | None) -> None:  # noqa: ARG002
        self.asked_to_stop += 1

    def wait(self, seconds: float | None) -> None:
        """Sleep until a signal comes, or for so many seconds."""
        select.select([self._awake], [], [], seconds)
        with suppress(BlockingIOError):
            os.read(self._awake, 4096)
