"""Starts whatever lags and has no owner, whatever became of RQ's jobs."""

from typing import Final

from redis import Redis

from workers.archive import is_due as is_archiving_due
from workers.leases import partitions
from workers.queues import ask_for_archiver, ask_for_follower, ask_for_poster
from workers.status import is_behind, unowned, watch
from workers.webhooks.poster import is_due

SWEEP_SECONDS: Final = 3.0

ARCHIVE_SECONDS: Final = 10.0
"""How often somebody looks for tables that have been over long enough."""


def start_archiving(client: Redis, rq_client: Redis, after: int) -> bool:
    """Ask for an archiver if a table has been over for so many ms; raise like the other."""
    return is_archiving_due(client, after) and ask_for_archiver(rq_client)


def start_what_lags(client: Redis, rq_client: Redis) -> bool:
    """Ask for a follower if partitions without one have something to apply or to deliver.

    Messages to webhooks that are due are seen to as well.

    Raise StoreError or RedisError if one of the servers does not answer.
    """
    if is_due(client):
        ask_for_poster(rq_client)
    covered = [each for block in unowned(client) for each in partitions(block)]
    if any(is_behind(watched) for watched in watch(client, covered).values()):
        return ask_for_follower(rq_client)
    return False
