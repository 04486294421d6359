"""Limits to how long a computation may take."""

import signal
from collections.abc import Iterator
from threading import Thread
from time import monotonic

import pytest

from workers.limit import TooSlow, limited


@pytest.fixture(autouse=True)
def own_alarm() -> Iterator[None]:
    """Put the alarm away that limits the tests themselves, and back again."""
    left, _ = signal.setitimer(signal.ITIMER_REAL, 0)
    handler = signal.getsignal(signal.SIGALRM)
    yield
    signal.signal(signal.SIGALRM, handler)
    signal.setitimer(signal.ITIMER_REAL, left)


class AlarmError(Exception):
    """What an alarm of somebody else raises."""


def busy(seconds: float) -> None:
    """Compute for so long."""
    end = monotonic() + seconds
    while monotonic() < end:
        pass


def test_what_takes_too_long_is_interrupted() -> None:
    with pytest.raises(TooSlow), limited(0.02):
        busy(60)


def test_what_is_quick_is_left_alone() -> None:
    with limited(60):
        pass
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)


def test_an_alarm_that_was_set_before_still_comes() -> None:
    def ring(*_: object) -> None:
        raise AlarmError

    signal.signal(signal.SIGALRM, ring)
    signal.alarm(600)
    with limited(60):
        busy(0.01)
    left, _ = signal.getitimer(signal.ITIMER_REAL)
    assert 500 < left < 600
    assert signal.getsignal(signal.SIGALRM) is ring

    with pytest.raises(AlarmError):
        overdue()


def overdue() -> None:
    """Let an alarm become due while something else is limited."""
    signal.setitimer(signal.ITIMER_REAL, 0.02)
    with limited(60):
        busy(0.03)
    busy(60)


def test_other_threads_are_not_limited() -> None:
    done = []

    def run() -> None:
        with limited(0.001):
            busy(0.02)
        done.append(True)

    thread = Thread(target=run)
    thread.start()
    thread.join()
    assert done == [True]
