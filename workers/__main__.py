"""Runs one worker process: ``python -m workers follow`` or ``python -m workers jobs``."""

import logging
import os
import sys
from collections.abc import Mapping, Sequence

from workers.queues import FOLLOW, JOBS
from workers.station import run_worker


def run_follow_worker(redis_url: str, rq_url: str) -> int:
    """Follow the feeds until SIGTERM or SIGINT; answer the exit code."""
    return run_worker(redis_url, rq_url, FOLLOW)


def run_jobs_worker(redis_url: str, rq_url: str) -> int:
    """Do slow work, and start followers where they lack, until SIGTERM or SIGINT."""
    return run_worker(redis_url, rq_url, JOBS)


def main(arguments: Sequence[str], environ: Mapping[str, str]) -> int:
    """Run what is named, on REDIS_URL and RQ_URL; answer the exit code."""
    run = {FOLLOW: run_follow_worker, JOBS: run_jobs_worker}
    redis_url = environ.get("REDIS_URL")
    if len(arguments) != 1 or arguments[0] not in run or not redis_url:
        print("usage: REDIS_URL=... python -m workers follow|jobs", file=sys.stderr)
        return 2
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(name)s: %(message)s")
    return run[arguments[0]](redis_url, environ.get("RQ_URL") or redis_url)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:], os.environ))
