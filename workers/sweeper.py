"""Starts whatever lags and has no owner, whatever became of RQ's jobs."""

from typing import Final

from redis import Redis

from workers.leases import partitions
from workers.queues import ask_for_follower
from workers.status import is_behind, unowned, watch

SWEEP_SECONDS: Final = 3.0


def start_what_lags(client: Redis, rq_client: Redis) -> bool:
    """Ask for a follower if partitions without one have something to apply or to deliver.

    Raise StoreError or RedisError if one of the servers does not answer.
    """
    covered = [each for block in unowned(client) for each in partitions(block)]
    if any(is_behind(watched) for watched in watch(client, covered).values()):
        return ask_for_follower(rq_client)
    return False
