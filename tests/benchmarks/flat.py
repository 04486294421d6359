"""Whether anything grows with use: ``python -m tests.benchmarks.flat [TABLES] [EVENTS]``.

One client moves and looks, in turn at a server with 100 tables and at one with 100,000; then at
tables of 20 events and at tables of 2,000. Prints the medians of both sides and their ratio.
"""

import json
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from functools import partial
from itertools import cycle, islice
from pathlib import Path
from statistics import median
from typing import Any, TypeAlias
from uuid import uuid4

from events import keys
from events.servers.connection import call, connect
from events.servers.embedded import url
from tests.benchmarks.api import Hall, counted
from tests.benchmarks.load import request, send
from tests.e2e.server import serving, until
from workers.projections import tables as views

FEW, MANY = 100, 100_000
SHORT, LONG = 20, 2_000
ROUNDS = 15
Sides: TypeAlias = list[tuple[Hall, Callable[[], list[bytes]]]]


def copies(data: Path, table: str, wanted: int) -> None:
    """Copy a table of a running server under so many new ids, its document with it."""
    with closing(connect(url(data), timeout=60.0)) as client:
        for start in range(0, wanted, 500):
            commands: list[tuple[Any, ...]] = []
            for number in range(start, min(wanted, start + 500)):
                new = str(uuid4())
                partition = keys.partition(new)
                copied = (keys.events, keys.meta, keys.commands, views.document)
                commands += [("COPY", key(table), key(new)) for key in copied]
                commands.append(("ZADD", keys.tables(partition), number + 1, new))
            call(client, *commands)
        # So much was written that the store writes its log anew; that is no part of a move.
        until(lambda: b"aof_rewrite_in_progress:0" in call(client, ("INFO",))[0], "written", 120)


@contextmanager
def halls(many: int) -> Iterator[tuple[Hall, Hall]]:
    """Serve few tables, and as many as are asked for."""
    with (
        tempfile.TemporaryDirectory() as one,
        tempfile.TemporaryDirectory() as other,
        serving(Path(one), ABRAXAS_LOG="warning") as small,
        serving(Path(other), ABRAXAS_LOG="warning") as large,
    ):
        few, much = (Hall(server.port, FEW) for server in (small, large))
        copies(large.data, much.tables[0].rpartition("/")[2], many - FEW)
        yield few, much


def toggling(hall: Hall, tables: list[str]) -> Callable[[int], list[bytes]]:
    """Answer how to ask for more moves that leave everything as it was, at tables in turn."""
    turns, wishes = cycle(tables), cycle([True] * len(tables) + [False] * len(tables))

    def more(number: int) -> list[bytes]:
        return [
            hall.post(f"{path}/commands", {"type": "auto_pass", "enabled": next(wishes)})
            for path in islice(turns, number)
        ]

    return more


def cooks(hall: Hall, tables: int, events: int) -> list[str]:
    """Open tables of Magic Cooking and make so many events at each."""
    paths = hall.opened(tables, "magic_cooking")
    toggle = toggling(hall, paths)
    versions = [view["version"] for view in hall.views(paths, [0] * tables)]
    hall.done(toggle(tables * (events - max(versions))), 201)
    return paths


def compare(sides: Sides, status: int) -> tuple[float, float, float]:
    """Let one client ask in turn on both sides; answer the p50 of both in ms, and their ratio.

    The ratio is the median of those of the turns, in which both met the same machine.
    """
    turns = []
    for _ in range(ROUNDS):
        loads = [send(hall.port, 1, asked()) for hall, asked in sides]
        turns.append([median(counted(load, status).times) for load in loads])
    small, large = (median(times) * 1000 for times in zip(*turns, strict=True))
    return small, large, median(after / before for before, after in turns)


def looking(hall: Hall, tables: list[str]) -> list[bytes]:
    """Answer requests for the views of some tables."""
    return [request("GET", path, token=hall.tokens[0]) for path in tables]


def measure(many: int, long: int) -> Iterator[tuple[str, float, float, float]]:
    """Yield what was asked, its p50 in ms on the small and on the large side, and their ratio."""
    with halls(many) as (few, much):
        moving: Sides = [(few, lambda: few.moves(FEW)), (much, lambda: much.moves(FEW))]
        yield f"commands, {FEW} / {many} tables", *compare(moving, 201)
        yield f"views, {FEW} / {many} tables", *compare([(few, few.looks), (much, much.looks)], 200)
        tables = [cooks(few, FEW, SHORT), cooks(few, 4, long)]
        moving = [(few, partial(toggling(few, each), FEW)) for each in tables]
        yield f"commands, {SHORT} / {long} events", *compare(moving, 201)
        seeing: Sides = [
            (few, partial(looking, few, list(islice(cycle(each), 100)))) for each in tables
        ]
        yield f"views, {SHORT} / {long} events", *compare(seeing, 200)


def main(many: int, long: int) -> None:
    """Print the table, and the same as JSON."""
    found = []
    for name, small, large, ratio in measure(many, long):
        print(f"{name:34}{small:8.2f} ms{large:8.2f} ms  ratio {ratio:.2f}", flush=True)
        found.append({"what": name, "small": small, "large": large, "ratio": ratio})
    print(json.dumps(found))


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]), *(MANY, LONG)[len(sys.argv) - 1 :])
