"""How fast and how cheap following is: ``python -m tests.benchmarks.follow [--rate N]``.

Everything runs on an embedded store: commands from processes of their own, one follow worker.
"""

import argparse
import os
import platform
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic, perf_counter, sleep
from typing import Any

from redis import Redis

from domain.dice import seeded
from events import keys
from events.servers.connection import call, connect
from events.servers.embedded import start
from events.store import EventStore
from events.transact import Door
from tests.workers.processes import eventually, worker
from tests.workers.sittings import move, opened
from workers.projections import tables
from workers.sittings import Sittings
from workers.status import is_behind, watch

TICKS = os.sysconf("SC_CLK_TCK")


def machine() -> str:
    """Say what this runs on."""
    load = ", ".join(f"{each:.1f}" for each in os.getloadavg())
    return f"{os.cpu_count()} cores, Python {platform.python_version()}, load {load}"


def cpu_seconds(pid: int) -> float:
    """Answer how much CPU a process has used."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def percentiles(milliseconds: list[float]) -> str:
    """Say where half and where all but one in a hundred lie."""
    cuts = statistics.quantiles(milliseconds, n=100, method="inclusive")
    return f"p50 {cuts[49]:.1f} ms, p99 {cuts[98]:.1f} ms, worst {max(milliseconds):.1f} ms"


class Players:
    """People at many tables for two who move at random; an ended table makes room for another."""

    def __init__(self, client: Redis, name: str, many: int) -> None:
        self.door = Door(EventStore(client))
        self._name = name
        self._opened = 0
        self._chance = seeded(name)
        self._tables = [self._open() for _ in range(many)]
        self._turn = 0

    def _open(self) -> str:
        self._opened += 1
        return opened(self.door, f"{self._name}-{self._opened}", players=["ann", "bob"])

    def step(self) -> str:
        """Make one command at the next table; answer the table."""
        self._turn = (self._turn + 1) % len(self._tables)
        table = self._tables[self._turn]
        if not move(self.door, table, self._chance):
            table = self._tables[self._turn] = self._open()
        return table


def paced(rate: float, seconds: float, step: Callable[[], Any]) -> int:
    """Call something so many times a second; answer how often it was called."""
    began = monotonic()
    done = 0
    while (now := monotonic()) < began + seconds:
        if done < (now - began) * rate:
            step()
            done += 1
        else:
            sleep(max(0.0, began + done / rate - now))
    return done


def load(url: str, rate: float, seconds: float) -> None:
    """Send commands; what a process of its own does."""
    players = Players(connect(url, timeout=60.0), "load", 100)
    print("ready", flush=True)
    print(paced(rate, seconds, players.step) / seconds)


@contextmanager
def loading(url: str, rate: float, seconds: float) -> Iterator["subprocess.Popen[str]"]:
    """Run a load beside us; enter when it is under way."""
    command = [sys.executable, "-m", "tests.benchmarks.follow", "--load", url]
    command += ["--rate", str(rate), "--seconds", str(seconds)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    process.stdout.readline()
    try:
        yield process
    finally:
        process.kill()
        process.wait()


def visible(url: str, rate: float, seconds: float) -> str:
    """Measure from a sampled command's reply until its document is there."""
    client = connect(url, timeout=60.0)
    players = Players(client, "sample", 20)
    waits: list[float] = []

    def sample() -> None:
        table = players.step()
        began = perf_counter()
        version = players.door.load(table).version
        document = tables.document(table)
        while int(call(client, ("HGET", document, "v"))[0] or 0) < version:
            sleep(0.0005)
        waits.append((perf_counter() - began) * 1000)

    sampled = min(rate / 10, 50.0)
    with loading(url, rate - sampled, seconds + 1) as process:
        paced(sampled, seconds, sample)
        sent = float(process.communicate()[0])
    return f"{percentiles(waits)} at {sent + sampled:.0f} commands/s ({len(waits)} samples)"


def idle(pid: int, seconds: float) -> str:
    """Measure what a worker costs that has nothing to do."""
    before = cpu_seconds(pid)
    sleep(seconds)
    return f"{(cpu_seconds(pid) - before) / seconds:.2%} of a core"


def applied(client: Redis) -> bool:
    """Answer whether nothing is left to apply."""
    return not any(is_behind(each) for each in watch(client, range(keys.PARTITIONS)).values())


def bots(client: Redis, pid: int, many: int) -> str:
    """Measure whole tables of bots."""
    door = Door(EventStore(client))
    names = [
        opened(door, f"bots-{n}", seats=3, bots=dict.fromkeys(range(3), "random"))
        for n in range(many)
    ]
    before, began = cpu_seconds(pid), perf_counter()
    over = all(
        eventually(lambda: door.load(name).state.phase == "over", 120)  # noqa: B023
        for name in names
    )
    spent, cpu = perf_counter() - began, cpu_seconds(pid) - before
    commands = sum(client.hlen(keys.commands(name)) - 1 for name in names)
    assert over
    return (
        f"{many} tables for three in {spent:.1f} s: {commands / spent:.0f} moves/s,"
        f" {commands / cpu:.0f} for each second of the worker's CPU, projections included"
    )


def folding(client: Redis) -> str:
    """Measure reading and folding whole histories, every table in the store, from nothing."""
    store = EventStore(client)
    names = [name for each in range(keys.PARTITIONS) for name, _ in store.tables(each)]
    sittings = Sittings(store, size=len(names))
    began, events = perf_counter(), 0
    for at in range(0, len(names), 64):
        for found in sittings.read(dict.fromkeys(names[at : at + 64])).values():
            assert not isinstance(found, Exception)
            events += found.loaded.version
    return f"{events / (perf_counter() - began):.0f} events/s ({events} events)"


def raw(client: Redis) -> str:
    """Measure XADD beside it."""
    began = perf_counter()
    for _ in range(1000):
        call(client, ("XADD", "raw", "*", "k", "0123456789" * 12))
    client.delete("raw")
    return f"{1000 / (perf_counter() - began):.0f}/s from one client"


def measure(data: Path, rate: float, seconds: float) -> None:
    """Measure everything and print it."""
    print(f"machine: {machine()}; store in {data}")
    with start(data) as embedded, worker("follow", embedded.url, embedded.url) as follower:
        client = connect(embedded.url, timeout=60.0)
        assert eventually(lambda: bool(client.exists(keys.lease(0))))
        print(f"raw XADD: {raw(client)}")
        print(f"idle follow worker: {idle(follower.pid, seconds)}")
        print(f"append to visible document: {visible(embedded.url, rate, seconds)}")
        assert eventually(lambda: applied(client))
        print(f"bots: {bots(client, follower.pid, 20)}")
        print(f"fold: {folding(client)}")


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rate", type=float, default=500.0, help="commands per second")
    parser.add_argument("--seconds", type=float, default=10.0, help="how long each part takes")
    parser.add_argument("--data", type=Path, help="folder of the store (a temporary one)")
    parser.add_argument("--load", metavar="URL", help="only send commands to a store")
    given = parser.parse_args()
    if given.load:
        load(given.load, given.rate, given.seconds)
        return
    with tempfile.TemporaryDirectory(dir=given.data) as data:
        measure(Path(data), given.rate, given.seconds)


if __name__ == "__main__":
    main()
