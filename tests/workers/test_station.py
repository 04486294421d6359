"""Worker processes: killed, stopped, flushed, repeated, cut off; and everything is still right."""

import signal
from collections.abc import Callable
from pathlib import Path
from threading import Event
from time import monotonic
from typing import Any

import pytest
from redis import Redis
from rq.serializers import JSONSerializer

from domain.dice import seeded
from events import keys
from events.servers.connection import StoreError, connect
from events.servers.embedded import Embedded, start
from events.store import EventStore
from events.transact import Door
from tests.e2e.server import PATIENCE
from tests.workers.folds import differences
from tests.workers.processes import applied, eventually, short_sliced, stops, worker
from tests.workers.sittings import move, opened
from workers.queues import FOLLOW, SLICE_SECONDS, connect_rq, queue
from workers.station import StoppableWorker
from workers.status import status

pytestmark = [pytest.mark.slow]


@pytest.fixture
def rq_url(embedded: Embedded) -> str:
    """Give RQ a database of its own on the same server."""
    return f"{embedded.url}?db=1"


@pytest.fixture
def rq(rq_url: str, valkey: Redis) -> Redis:
    """Connect to RQ's database, which was emptied with the rest."""
    return connect(rq_url, timeout=PATIENCE)


def over(door: Door, tables: list[str]) -> Callable[[], bool]:
    """Answer the question whether tables are over."""
    return lambda: all(door.load(table).state.phase == "over" for table in tables)


def followers(client: Redis) -> int:
    """Count the followers alive."""
    return len(status(client, client).followers)


@pytest.mark.chaos
def test_a_worker_killed_in_the_middle_leaves_nothing_wrong(
    valkey: Redis, embedded: Embedded, rq_url: str
) -> None:
    store = EventStore(valkey)
    door = Door(store)
    chance = seeded(11)
    people = [opened(door, f"p{n}", players=["ann", "bob"]) for n in range(6)]
    bots = [opened(door, f"b{n}", seats=3, bots=dict.fromkeys(range(3), "random")) for n in "ab"]
    for _ in range(3):
        with worker("follow", embedded.url, rq_url) as process:
            assert eventually(lambda: followers(valkey) > 0)
            for _ in range(30):
                move(door, people[chance.pick(len(people))], chance)
            process.send_signal(signal.SIGKILL)
            process.wait()
    with worker("follow", embedded.url, rq_url):
        assert eventually(over(door, bots), 110)
        assert eventually(lambda: applied(valkey))
        assert differences(store) == []
        assert status(valkey, valkey).parked == ()
    for table in bots:
        versions = [each.version for each in store.read(table)]
        assert versions == list(range(1, len(versions) + 1))


@pytest.mark.parametrize("name", ["follow", "jobs"])
def test_a_worker_stops_within_a_second_and_gives_everything_up(
    valkey: Redis, embedded: Embedded, rq_url: str, name: str
) -> None:
    door = Door(EventStore(valkey))
    with worker(name, embedded.url, rq_url) as process:
        if name == "follow":
            opened(door, players=["ann", "bob"])
            assert eventually(lambda: status(valkey, valkey).unowned == 0)
        else:
            registered = "rq:workers:jobs"
            assert eventually(lambda: connect(rq_url, timeout=PATIENCE).scard(registered) == 1)
        assert stops(process)
    assert status(valkey, valkey).followers == ()
    assert valkey.keys("*:lease") == []


def test_a_signal_that_comes_while_a_worker_makes_itself_known_is_not_forgotten(
    rq: Redis, rq_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = connect_rq(rq_url)
    kept = signal.getsignal(signal.SIGTERM), signal.getsignal(signal.SIGINT)
    waiter = StoppableWorker([queue(client, "jobs")], connection=client, serializer=JSONSerializer)
    waiter.stop = Event()
    born = waiter.register_birth

    def interrupted() -> None:
        born()  # type: ignore[no-untyped-call]
        waiter.stop.set()

    monkeypatch.setattr(waiter, "register_birth", interrupted)
    began = monotonic()
    try:
        assert waiter.work(logging_level="WARNING") is False
    finally:
        signal.signal(signal.SIGTERM, kept[0])
        signal.signal(signal.SIGINT, kept[1])
    assert monotonic() - began < waiter.dequeue_timeout / 2


def test_the_next_slice_is_a_new_job_that_goes_on(
    valkey: Redis, embedded: Embedded, rq: Redis, rq_url: str
) -> None:
    store = EventStore(valkey)
    door = Door(store)
    opened(door, players=["ann", "bob"])
    seen: set[Any] = set()

    def three_jobs() -> bool:
        seen.update(rq.keys("rq:job:*"))
        return len(seen) >= 3

    with short_sliced(embedded.url, rq_url) as process:
        assert eventually(three_jobs)
        move(door, "table", seeded(1))
        assert eventually(lambda: applied(valkey))
        assert differences(store) == []
        # Jobs that are done leave nothing behind: there is one at work, and perhaps its successor.
        assert eventually(lambda: len(rq.keys("rq:job:*")) <= 2)
        assert stops(process)


def test_rq_may_be_flushed_at_any_moment(
    valkey: Redis, embedded: Embedded, rq: Redis, rq_url: str
) -> None:
    store = EventStore(valkey)
    door = Door(store)
    opened(door, players=["ann", "bob"])
    chance = seeded(2)
    with short_sliced(embedded.url, rq_url) as process:
        assert eventually(lambda: followers(valkey) > 0)
        for _ in range(4):
            rq.flushdb()
            assert move(door, "table", chance)
            # The job is gone, its successor may be: the process starts another by itself.
            assert eventually(lambda: applied(valkey))
        assert process.poll() is None
        assert differences(store) == []


def test_a_job_that_is_lost_is_replaced(
    valkey: Redis, embedded: Embedded, rq: Redis, rq_url: str
) -> None:
    store = EventStore(valkey)
    door = Door(store)
    with short_sliced(embedded.url, rq_url):
        assert eventually(lambda: followers(valkey) > 0)
        lost = []

        def lose() -> bool:
            found: Any = rq.lpop(queue(rq, FOLLOW).key)
            lost.extend([found] if found else [])
            return len(lost) >= 2

        eventually(lose, 5)
        opened(door, players=["ann", "bob"])
        assert eventually(lambda: applied(valkey))
        assert differences(store) == []


def test_jobs_may_come_several_times_and_to_several_workers(
    valkey: Redis, embedded: Embedded, rq: Redis, rq_url: str
) -> None:
    store = EventStore(valkey)
    door = Door(store)
    tables = [opened(door, f"t{n}", players=["ann"], bots={1: "random"}) for n in range(8)]
    for _ in range(4):
        queue(rq, FOLLOW).enqueue_call(
            "workers.jobs.follow", timeout=SLICE_SECONDS + 30, result_ttl=0
        )
    chance = seeded(3)
    with worker("follow", embedded.url, rq_url), worker("follow", embedded.url, rq_url):
        assert eventually(lambda: followers(valkey) == 2)
        for table in tables:
            for _ in range(5):
                move(door, table, chance)
        assert eventually(lambda: applied(valkey))
        assert differences(store) == []
        shares = {valkey.get(keys.lease(block)) for block in range(16)}
        assert eventually(lambda: len({valkey.get(keys.lease(b)) for b in range(16)}) >= 2), shares


def test_the_jobs_worker_starts_what_lags_and_has_no_owner(
    valkey: Redis, embedded: Embedded, rq: Redis, rq_url: str
) -> None:
    opened(Door(EventStore(valkey)), players=["ann", "bob"])
    with worker("jobs", embedded.url, rq_url):
        assert eventually(lambda: rq.llen(queue(rq, FOLLOW).key) == 1)


@pytest.mark.chaos
def test_a_store_that_is_killed_and_comes_back_is_followed_again(tmp_path: Path) -> None:
    running = start(tmp_path)
    try:
        client = connect(running.url, timeout=PATIENCE)
        door = Door(EventStore(client))
        opened(door, "before", players=["ann", "bob"])
        with worker("follow", running.url, running.url) as process:
            assert eventually(lambda: applied(client))
            running.process.kill()
            running.process.wait()
            running = start(tmp_path)
            client = connect(running.url, timeout=PATIENCE)
            store = EventStore(client)
            door = Door(store)
            move(door, "before", seeded(1))
            opened(door, "after", players=["ann"], bots={1: "random"})
            assert eventually(lambda: applied(client))
            assert differences(store) == []
            assert process.poll() is None
    finally:
        running.stop()


def test_a_worker_whose_store_is_away_still_stops(tmp_path: Path) -> None:
    nowhere = f"unix://{tmp_path}/nobody.sock"
    with worker("follow", nowhere, nowhere) as process:
        with pytest.raises(StoreError):
            EventStore(connect(nowhere)).ping()
        assert eventually(lambda: _handles_signals(process.pid))
        assert stops(process)


def _handles_signals(pid: int) -> bool:
    """Answer whether a process has a handler for SIGTERM by now."""
    status = Path(f"/proc/{pid}/status").read_text()
    caught = next(line for line in status.splitlines() if line.startswith("SigCgt"))
    return bool(int(caught.split()[1], 16) >> (signal.SIGTERM - 1) & 1)
