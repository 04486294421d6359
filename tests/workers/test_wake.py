"""Waking a follower: only where nobody listens, and never in a storm."""

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from os import environ
from time import monotonic

import pytest
from redis import Redis
from rq.job import Job
from rq.serializers import JSONSerializer

from tests.workers.processes import ROOT
from workers.queues import FOLLOW, ask_for_follower, connect_rq, enqueue_follow, queue
from workers.wake import Waker


def waiting(client: Redis) -> int:
    """Count the follow jobs that wait."""
    return len(queue(client, FOLLOW).job_ids)


def test_who_was_heard_wakes_nobody(client: Redis) -> None:
    Waker(client).wake(1)
    assert waiting(client) == 0


def test_where_nobody_listens_a_follow_job_is_enqueued(client: Redis) -> None:
    Waker(client).wake(0)
    (name,) = queue(client, FOLLOW).job_ids
    job = Job.fetch(name, connection=client, serializer=JSONSerializer)
    assert job.func_name == "workers.jobs.follow"
    assert (job.timeout, job.result_ttl) == (90, 0)
    assert job.failure_ttl is not None
    assert job.failure_ttl <= 3600


def test_a_thousand_appends_enqueue_one_job(client: Redis) -> None:
    waker = Waker(client)
    with ThreadPoolExecutor(8) as threads:
        list(threads.map(waker.wake, [0] * 1000))
    assert waiting(client) == 1


def test_many_processes_enqueue_one_job(client: Redis) -> None:
    for _ in range(20):
        Waker(client).wake(0)
    assert waiting(client) == 1


def test_a_second_later_it_is_asked_again_if_the_job_was_lost(client: Redis) -> None:
    now = [0.0]
    waker = Waker(client, clock=lambda: now[0])
    waker.wake(0)
    client.flushall()
    waker.wake(0)
    assert waiting(client) == 0
    now[0] = 1.0
    waker.wake(0)
    assert waiting(client) == 1


def test_no_second_job_waits_beside_the_first(client: Redis) -> None:
    assert enqueue_follow(client)
    assert not enqueue_follow(client)
    assert waiting(client) == 1


def test_jobs_have_new_ids(client: Redis) -> None:
    enqueue_follow(client)
    (first,) = queue(client, FOLLOW).job_ids
    client.delete(queue(client, FOLLOW).key)
    enqueue_follow(client)
    assert queue(client, FOLLOW).job_ids != [first]


def test_asking_is_quiet_for_a_second(client: Redis) -> None:
    asked_at = monotonic()
    assert ask_for_follower(client)
    client.delete(queue(client, FOLLOW).key)
    # A busy machine may take longer than that second.
    assert not ask_for_follower(client) or monotonic() - asked_at >= 1


def test_a_dead_rq_server_does_not_disturb_the_append(
    tmp_path: object, caplog: pytest.LogCaptureFixture
) -> None:
    Waker(connect_rq(f"unix://{tmp_path}/nobody.sock")).wake(0)
    assert "no follower could be asked for" in caplog.text


PREFIXED = """
import sys
from workers.queues import connect_rq
from workers.wake import Waker
Waker(connect_rq(sys.argv[1])).wake(0)
"""


def test_the_prefix_of_rqs_keys_is_respected(valkey: Redis, embedded: "object") -> None:
    url = embedded.url  # type: ignore[attr-defined]
    subprocess.run(
        [sys.executable, "-c", PREFIXED, url],
        cwd=ROOT,
        env={**environ, "RQ_KEY_PREFIX": "{jobs}"},
        check=True,
    )
    names = valkey.keys("*")
    assert names
    assert all(name.startswith(b"{jobs}:") for name in names)  # type: ignore[arg-type]
