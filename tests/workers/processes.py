"""Real worker processes for tests, and waiting for what they do."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic, sleep

from redis import Redis

from events import keys
from tests.e2e.server import PATIENCE
from workers.status import is_behind, watch

ROOT = Path(__file__).resolve().parents[2]

SHORT_SLICES = """
import sys, workers.station
workers.station.SLICE_SECONDS = 0.5
from workers.__main__ import run_follow_worker
sys.exit(run_follow_worker(*sys.argv[1:]))
"""


def eventually(holds: Callable[[], bool], seconds: float = PATIENCE) -> bool:
    """Wait until something holds; False if it does not in time."""
    end = monotonic() + seconds
    while not holds():
        if monotonic() > end:
            return False
        sleep(0.02)
    return True


def applied(client: Redis) -> bool:
    """Answer whether nothing is left to apply or deliver."""
    return not any(is_behind(each) for each in watch(client, range(keys.PARTITIONS)).values())


@contextmanager
def worker(queue: str, redis_url: str, rq_url: str) -> Iterator["subprocess.Popen[bytes]"]:
    """Run a worker process; it is killed at the end if it still runs."""
    with _process([sys.executable, "-m", "workers", queue], redis_url, rq_url) as process:
        yield process


@contextmanager
def short_sliced(redis_url: str, rq_url: str) -> Iterator["subprocess.Popen[bytes]"]:
    """Run a follow worker whose jobs last half a second."""
    command = [sys.executable, "-c", SHORT_SLICES, redis_url, rq_url]
    with _process(command, redis_url, rq_url) as process:
        yield process


@contextmanager
def _process(
    command: list[str], redis_url: str, rq_url: str
) -> Iterator["subprocess.Popen[bytes]"]:
    environment = {**os.environ, "REDIS_URL": redis_url, "RQ_URL": rq_url}
    process = subprocess.Popen(command, cwd=ROOT, env=environment, stderr=subprocess.DEVNULL)
    try:
        yield process
    finally:
        process.kill()
        process.wait()


def stops(process: "subprocess.Popen[bytes]", seconds: float = 30.0) -> bool:
    """Ask a process to stop; answer whether it did in time and with exit code 0.

    Within a second is what an idle machine takes. A busy one needs many, but none would do for a
    process that works on to the end of its slice, or waits for its next job: that takes a minute.
    """
    process.send_signal(signal.SIGTERM)
    try:
        return process.wait(seconds) == 0
    except subprocess.TimeoutExpired:
        return False
