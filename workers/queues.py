"""The two RQ queues: ``follow`` for followers alone, ``jobs`` for slow work.

RQ supervises and schedules; it carries no data. It may lose, repeat or delay any job.
"""

from typing import Any, Final
from uuid import uuid4

from redis import Redis
from rq import Queue
from rq.defaults import RQ_KEY_PREFIX
from rq.serializers import JSONSerializer

from events.servers.connection import connect

FOLLOW: Final = "follow"
JOBS: Final = "jobs"

SLICE_SECONDS: Final = 60
"""How long one follow job runs before a successor takes its place."""

POST_SECONDS: Final = 10
"""How long one job sends to webhooks before other jobs have their turn."""

ARCHIVE_SECONDS: Final = 10
"""How long one job archives before other jobs have their turn."""

_JOB_GRACE_SECONDS: Final = 60
_GRACE_SECONDS: Final = 30
_FAILURE_SECONDS: Final = 600
_ASK_MILLISECONDS: Final = 1000
_POST_ASKED: Final = f"{RQ_KEY_PREFIX}:post-asked"
_ARCHIVE_ASKED: Final = f"{RQ_KEY_PREFIX}:archive-asked"


def connect_rq(url: str) -> Redis:
    """Make a client of RQ's server; keys begin with RQ_KEY_PREFIX, which RQ reads by itself."""
    return connect(url)


def queue(client: Redis, name: str) -> Queue:
    """Answer one of the queues."""
    return Queue(name, connection=client, serializer=JSONSerializer)


def enqueue_follow(client: Redis) -> bool:
    """Enqueue a follow job under a new id, unless one waits already."""
    follow = queue(client, FOLLOW)
    if client.llen(follow.key):
        return False
    follow.enqueue_call(
        "workers.jobs.follow",
        timeout=SLICE_SECONDS + _GRACE_SECONDS,
        result_ttl=0,
        failure_ttl=_FAILURE_SECONDS,
        job_id=uuid4().hex,
    )
    return True


def ask_for_follower(client: Redis) -> bool:
    """Enqueue a follow job, once a second however many ask in however many processes."""
    first = client.set(f"{RQ_KEY_PREFIX}:follow-asked", "1", nx=True, px=_ASK_MILLISECONDS)
    return bool(first) and enqueue_follow(client)


def ask_for_poster(client: Redis) -> bool:
    """Enqueue a job that sends to webhooks, unless one waits that has not begun."""
    return _ask_for(client, _POST_ASKED, "workers.jobs.post", POST_SECONDS)


def ask_for_archiver(client: Redis) -> bool:
    """Enqueue a job that archives finished tables, unless one waits that has not begun."""
    return _ask_for(client, _ARCHIVE_ASKED, "workers.jobs.archive", ARCHIVE_SECONDS)


def _ask_for(client: Redis, asked: str, job: str, seconds: int) -> bool:
    if not client.set(asked, "1", nx=True, px=_ASK_MILLISECONDS):
        return False
    jobs, name = queue(client, JOBS), uuid4().hex
    waiting: Any = client.get(f"{asked}-as")
    if waiting and client.lpos(jobs.key, waiting.decode()) is not None:
        return False
    client.set(f"{asked}-as", name)
    jobs.enqueue_call(
        job,
        timeout=seconds + _JOB_GRACE_SECONDS,
        result_ttl=0,
        failure_ttl=_FAILURE_SECONDS,
        job_id=name,
    )
    return True


def poster_has_begun(client: Redis) -> None:
    """Let the next one be asked for: this one may have missed what comes from now on."""
    client.delete(_POST_ASKED)


def archiver_has_begun(client: Redis) -> None:
    """Let the next one be asked for."""
    client.delete(_ARCHIVE_ASKED)
