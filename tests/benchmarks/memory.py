"""How much memory a table takes in the store: ``python -m tests.benchmarks.memory [--games N]``.

A Potage table for three people is played at random; after every command MEMORY USAGE counts all of
its own keys, and at the end the store says what its place in the lists takes.
"""

import argparse
import json
import statistics
import tempfile
from pathlib import Path
from typing import Any
from uuid import UUID

from domain.dice import seeded
from events import keys
from events.archive.file import shelf_in
from events.keyframes import document as keyframes
from events.servers.connection import call, connect
from events.servers.embedded import start
from events.store import EventStore
from events.transact import Door
from tests.workers.sittings import catch_up, following, move, opened
from workers.archive import Archiver
from workers.projections.tables import document


def usage(store: EventStore, table: str) -> dict[str, int]:
    """Answer the bytes of every key that is a table's own."""
    named = {
        "events": keys.events(table),
        "head": keys.meta(table),
        "commands": keys.commands(table),
        "views": document(table),
        "keyframes": keyframes(table),
    }
    asked = [("MEMORY", "USAGE", key, "SAMPLES", 0) for key in named.values()]
    replies = zip(named, call(store.client, *asked), strict=True)
    return {name: int(size or 0) for name, size in replies}


def measure(folder: Path, games: int) -> dict[str, Any]:
    """Play some tables and answer means over them."""
    averages, ends, archived, events = [], [], [], 0
    with start(folder) as embedded:
        store = EventStore(connect(embedded.url, timeout=60.0), shelf=shelf_in(folder))
        store.client.config_set("appendfsync", "no")
        door, follower = Door(store), following(store)
        for number in range(games):
            dice = seeded(f"table {number}")
            names = [str(UUID(int=dice.pick(1 << 32) << 64 | dice.pick(1 << 32))) for _ in range(4)]
            table = opened(door, names[0], seats=3, players=names[1:])
            weighed = version = 0
            found: dict[str, int] = {}
            playing = True
            while playing:
                catch_up(follower)
                found, reached = usage(store, table), door.load(table).version
                weighed += sum(found.values()) * (reached - version)
                version = reached
                playing = move(door, table, dice)
            averages.append(weighed / version)
            ends.append(found)
            events += version
            follower.sweep()
            Archiver(store, 0, clock=lambda: 1 << 50).archive([table])
            archived.append(sum(usage(store, table).values()))
        follower.end()
    return {
        "tables": games,
        "events_per_table": round(events / games),
        "average_over_versions": round(statistics.mean(averages)),
        "at_the_end": round(statistics.mean(sum(each.values()) for each in ends)),
        "of_which": {name: round(statistics.mean(each[name] for each in ends)) for name in ends[0]},
        "archived_in_the_store": round(statistics.mean(archived)),
    }


def main() -> None:
    """Print one JSON object."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=5)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        print(json.dumps({"memory": measure(Path(folder), given.games)}))


if __name__ == "__main__":
    main()
