"""Slow work is asked for once: jobs that nobody carries out do not pile up."""

from collections.abc import Callable

import pytest
from redis import Redis

from workers.queues import JOBS, ask_for_archiver, ask_for_poster, queue

ASKS = (ask_for_poster, ask_for_archiver)


def a_second_later(client: Redis) -> None:
    for key in client.keys("*-asked"):
        client.delete(key)


@pytest.mark.parametrize("ask", ASKS)
def test_while_a_job_waits_no_other_of_its_kind_is_asked_for(
    client: Redis, ask: Callable[[Redis], bool]
) -> None:
    assert ask(client)
    for _ in range(5):
        a_second_later(client)
        assert not ask(client)
    assert len(queue(client, JOBS).job_ids) == 1


def test_one_kind_of_job_keeps_no_other_from_waiting(client: Redis) -> None:
    assert ask_for_poster(client)
    assert ask_for_archiver(client)
    assert len(queue(client, JOBS).job_ids) == 2


@pytest.mark.parametrize("ask", ASKS)
def test_a_job_that_has_begun_or_was_lost_is_asked_for_again(
    client: Redis, ask: Callable[[Redis], bool]
) -> None:
    assert ask(client)
    client.lpop(queue(client, JOBS).key)
    a_second_later(client)
    assert ask(client)
    assert len(queue(client, JOBS).job_ids) == 1
