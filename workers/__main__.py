"""Runs one worker process: ``python -m workers follow`` or ``python -m workers jobs``."""

import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from events.tracing import start_tracing
from workers.logs import start_log
from workers.queues import FOLLOW, JOBS
from workers.station import NOT_ARCHIVING, Archiving, run_worker


def run_follow_worker(redis_url: str, rq_url: str, *, archiving: Archiving = NOT_ARCHIVING) -> int:
    """Follow the feeds until SIGTERM or SIGINT; answer the exit code."""
    return run_worker(redis_url, rq_url, FOLLOW, archiving=archiving)


def run_jobs_worker(
    redis_url: str,
    rq_url: str,
    *,
    loopback: bool = False,
    archiving: Archiving = NOT_ARCHIVING,
) -> int:
    """Do slow work, and start followers where they lack, until SIGTERM or SIGINT.

    ``loopback`` lets webhooks be on this machine.
    """
    return run_worker(redis_url, rq_url, JOBS, loopback=loopback, archiving=archiving)


def main(arguments: Sequence[str], environ: Mapping[str, str]) -> int:
    """Run what is named, on REDIS_URL and RQ_URL; answer the exit code."""
    redis_url = environ.get("REDIS_URL")
    if len(arguments) != 1 or arguments[0] not in (FOLLOW, JOBS) or not redis_url:
        print("usage: REDIS_URL=... python -m workers follow|jobs", file=sys.stderr)
        return 2
    start_log(f"{arguments[0]} worker", environ)
    start_tracing(f"{arguments[0]} worker", environ)
    rq_url = environ.get("RQ_URL") or redis_url
    after = environ.get("ABRAXAS_ARCHIVE_AFTER") or "off"
    archiving = Archiving(
        folder=Path(environ.get("ABRAXAS_DATA") or "var"),
        after=None if after == "off" else int(after) * 1000,
    )
    if arguments[0] == FOLLOW:
        return run_follow_worker(redis_url, rq_url, archiving=archiving)
    loopback = environ.get("ABRAXAS_LOCAL_WEBHOOKS") == "on"
    return run_jobs_worker(redis_url, rq_url, loopback=loopback, archiving=archiving)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:], os.environ))
