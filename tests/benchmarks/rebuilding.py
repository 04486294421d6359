"""How fast projections are rebuilt: ``python -m tests.benchmarks.rebuilding [--tables N]``.

One process and two, in turns; the store works on the same cores.
"""

import argparse
import json
import os
import statistics
import tempfile
from functools import partial
from pathlib import Path
from random import Random
from time import perf_counter, process_time
from typing import Any

from domain.catalogue import games
from events.loaded import fold, unopened
from events.servers.connection import connect
from events.servers.embedded import start
from events.store import EventStore, command_key
from tests.benchmarks.archive import played
from tests.workers.sittings import catch_up, following
from workers.projections.tables import TABLES
from workers.rebuild import rebuild


def _opened(url: str) -> EventStore:
    return EventStore(connect(url, timeout=30.0))


def _filled(store: EventStore, tables: int) -> int:
    """Store finished Potage tables for three; answer how many events."""
    game, chance, events = games()["potage_sauvage"], Random(1), 0
    for number in range(tables):
        recorded = played(game, 3, number, chance, human=False).recorded
        loaded = fold(unopened(recorded[0].table), recorded)
        store.append(
            loaded.table,
            after=0,
            after_hash="",
            recorded=recorded,
            head=loaded.hash.hex(),
            phase=loaded.state.phase,
            command=command_key("nobody", loaded.table, {}),
        )
        events += len(recorded)
    follower = following(store)
    catch_up(follower)
    follower.end()
    return events


def measure(folder: Path, tables: int, rounds: int = 5) -> dict[str, Any]:
    """Rebuild the views of tables again and again; answer medians."""
    with start(folder) as embedded:
        store = _opened(embedded.url)
        store.client.config_set("appendfsync", "no")
        events = _filled(store, tables)
        cpu, alone, together = [], [], []
        for _ in range(rounds):
            spent, began = process_time(), perf_counter()
            rebuild(store, TABLES, sample=1)
            cpu.append(process_time() - spent)
            alone.append(perf_counter() - began)
            began = perf_counter()
            rebuild(store, TABLES, sample=1, processes=2, reopened=partial(_opened, embedded.url))
            together.append(perf_counter() - began)
    return {
        "events": events,
        "events_per_cpu_second": round(events / statistics.median(cpu)),
        "events_per_second": round(events / statistics.median(alone)),
        "events_per_second_of_two": round(events / statistics.median(together)),
        "two_to_one": round(
            statistics.median([one / two for one, two in zip(alone, together, strict=True)]), 2
        ),
        "load": round(os.getloadavg()[0], 1),
    }


def main() -> None:
    """Print one JSON object."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=400)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        print(json.dumps({"rebuild": measure(Path(folder), given.tables)}))


if __name__ == "__main__":
    main()
