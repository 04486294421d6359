"""From a move to a receiver on this machine, by real workers that are killed on the way."""

from collections.abc import Iterator
from threading import Event

import pytest
from redis import Redis

from domain.dice import seeded
from events import keys
from events.servers.embedded import Embedded
from events.store import EventStore
from events.transact import Door
from tests.e2e.server import PATIENCE
from tests.workers.processes import eventually, stops, worker
from tests.workers.sittings import move, opened
from tests.workers.webhooks.receiver import Receiver, receiving
from workers.queues import JOBS, queue
from workers.webhooks import hooks
from workers.webhooks.delivery import SECONDS

pytestmark = pytest.mark.e2e


@pytest.fixture
def receiver(monkeypatch: pytest.MonkeyPatch) -> Iterator[Receiver]:
    monkeypatch.setenv("ABRAXAS_LOCAL_WEBHOOKS", "on")
    with receiving() as running:
        yield running


def test_a_move_reaches_its_receiver_whatever_becomes_of_jobs(
    valkey: Redis, embedded: Embedded, receiver: Receiver
) -> None:
    door = Door(EventStore(valkey))
    hook = hooks.register(valkey, "ann", receiver.url, ["table.changed"], 1)
    with worker("follow", embedded.url, embedded.url):
        opened(door, players=["ann", "ben"])
        assert eventually(lambda: queue(valkey, JOBS).count > 0)
        # RQ loses the job: the state in the store is enough.
        valkey.delete(queue(valkey, JOBS).key)
        with worker("jobs", embedded.url, embedded.url) as jobs:
            assert eventually(lambda: len(receiver.received) > 0)
            jobs.kill()
            jobs.wait()
            assert move(door, "table", seeded(1))
        # Killed with the webhook in its hands, it would hold it for a minute.
        shard = keys.webhook_shard(hook.id)
        for each in (keys.webhooks_held(shard), keys.webhooks_due(shard)):
            valkey.zadd(each, {hook.id: 0}, xx=True)
        with worker("jobs", embedded.url, embedded.url) as jobs:
            version = door.load("table").version
            assert eventually(
                lambda: receiver.received[-1].verified(hook.secrets[0])["version"] == version
            )
            assert stops(jobs)


def test_a_worker_stops_while_a_receiver_keeps_it_waiting(
    valkey: Redis, embedded: Embedded, receiver: Receiver
) -> None:
    let_go = Event()

    def slow(_: object) -> tuple[int, dict[str, str]]:
        let_go.wait(PATIENCE)
        return 204, {}

    receiver.answer = slow
    hooks.register(valkey, "ann", receiver.url, ["table.changed"], 1)
    with (
        worker("follow", embedded.url, embedded.url),
        worker("jobs", embedded.url, embedded.url) as jobs,
    ):
        opened(Door(EventStore(valkey)), players=["ann", "ben"])
        assert eventually(lambda: len(receiver.received) > 0)
        # The attempt would end by itself after SECONDS: it is not waited for.
        assert stops(jobs, SECONDS - 1)
    let_go.set()
