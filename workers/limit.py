"""A limit to how long pure computation may take, in the main thread of a process."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from threading import current_thread, main_thread
from time import monotonic
from types import FrameType


class TooSlow(Exception):  # noqa: N818 - its name is what operators are shown
    """Say that a computation took longer than it may."""


@contextmanager
def limited(seconds: float) -> Iterator[None]:
    """Raise TooSlow inside if it takes longer; an alarm that was set before still comes.

    Only the main thread hears signals: elsewhere nothing is limited. Calls to a store do not
    belong inside, a reply that was not awaited would meet the next call.
    """
    if current_thread() is not main_thread():
        yield
        return

    def ring(_signum: int, _frame: FrameType | None) -> None:
        raise TooSlow

    handler = signal.signal(signal.SIGALRM, ring)
    began = monotonic()
    left, _ = signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, handler)
        if left:
            signal.setitimer(signal.ITIMER_REAL, max(left - (monotonic() - began), 0.001))
