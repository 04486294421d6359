"""What following costs: ``python -m tests.benchmarks.following [--tables N] [--steps N]``.

Events of Potage tables for three are applied by a follower in this process, every view rendered;
counted is its own CPU, so that whatever else runs on the machine matters little.
"""

import argparse
import json
import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from time import perf_counter, process_time
from typing import Any
from uuid import UUID

from domain.dice import seeded
from events.servers.connection import connect
from events.servers.embedded import start
from events.store import EventStore
from events.transact import Door
from tests.workers.sittings import following, move, opened
from workers.follow import Follower


def applied(follower: Follower) -> None:
    """Apply all that nudges tell of, as a follower does between two sweeps."""
    follower.hear(0.05)
    while follower.busy():
        follower.drain()
        follower.deliver()
        follower.play()
        follower.hear(0.0)


def measure(
    folder: Path, tables: int, steps: int, during: Callable[[], Any] | None = None
) -> dict[str, Any]:
    """Play tables to their ends, ``steps`` commands at each before the follower's turn."""
    with start(folder) as embedded:
        client = connect(embedded.url, timeout=60.0)
        client.config_set("appendfsync", "no")
        store = EventStore(client)
        door, chance, follower = Door(store), seeded(1), following(store)
        dice = seeded("ids")
        ids = [
            str(UUID(int=dice.pick(1 << 32) << 90 | dice.pick(1 << 32))) for _ in range(4 * tables)
        ]
        names = [
            opened(door, ids[4 * each], seats=3, players=ids[4 * each + 1 : 4 * each + 4])
            for each in range(tables)
        ]
        applied(follower)
        events = cpu = wall = 0.0
        playing = list(names)
        before = sum(door.load(name).version for name in names)
        while playing:
            playing = [
                name for name in playing if all(move(door, name, chance) for _ in range(steps))
            ]
            began, spent = perf_counter(), process_time()
            applied(follower)
            cpu, wall = cpu + process_time() - spent, wall + perf_counter() - began
        events = sum(door.load(name).version for name in names) - before
        follower.end()
    return {
        "tables": tables,
        "commands_a_batch": steps,
        "events": int(events),
        "events_per_cpu_second": round(events / cpu),
        "events_per_second": round(events / wall),
        "load": os.getloadavg()[0],
    }


def main() -> None:
    """Print one JSON object for each measurement."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=200)
    parser.add_argument("--steps", type=int, nargs="*", default=[1, 4])
    given = parser.parse_args()
    for steps in given.steps:
        with tempfile.TemporaryDirectory() as folder:
            print(json.dumps({"follower": measure(Path(folder), given.tables, steps)}))


if __name__ == "__main__":
    main()
