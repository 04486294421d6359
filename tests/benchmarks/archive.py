"""How few bytes an archived table has: ``python -m tests.benchmarks.archive [--tables N]``.

Whole games of random bots go through the archive as finished tables do; what counts is the size of
the file. Times are of this process's CPU.
"""

import argparse
import json
import os
import sqlite3
import tempfile
from collections.abc import Iterator
from pathlib import Path
from random import Random
from time import process_time
from typing import Any, Final
from uuid import UUID

from domain.catalogue import games
from domain.dice import Dice, seeded
from domain.game import AnyGame
from domain.selfplay import choose
from domain.table.commands import Play, Sit
from domain.table.view import to_move
from domain.value import changed
from events.archive.file import NAME, shelf_in
from events.archive.packed import Archived, archivable
from tests.events.histories import History, opening

SEATS: Final = {"potage_sauvage": 3, "magic_cooking": 3, "spellcaster": 2}

BATCH: Final = 32
"""Tables that are put in together, as the archiver does."""


def played(game: AnyGame, seats: int, number: int, chance: Random, *, human: bool) -> Archived:
    """Play one table: ids and entropy of chance, moves of random bots.

    They follow each other as bots' do, or as slowly and unevenly as people's.
    """
    history = History(_id(chance), 1_790_000_000_000 + chance.randrange(10**10))
    players = [_id(chance) for _ in range(seats)]
    ends = []
    opened = changed(opening(game, seats, chance.random()), opener=players[0])
    commands: Iterator[Any] = iter(
        [opened, *(Sit(player, entropy=chance.randbytes(16).hex()) for player in players)]
    )
    dice = seeded(f"{game.name} {number}")
    while history.state.phase != "over":
        history.carry_out(next(commands, None) or _move(history, dice))
        ends.append(len(history.recorded))
        pause = chance.lognormvariate(8.5, 1) if human else chance.randrange(3, 60)
        history.at += int(pause) - 1_234
    return archivable(history.recorded, ends)


def _id(chance: Random) -> str:
    return str(UUID(int=chance.getrandbits(128), version=4))


def _move(history: History, dice: Dice) -> Play:
    waiting = to_move(history.state)
    seat = waiting[dice.pick(len(waiting))]
    return Play(seat, choose(history.state, seat, "random", dice))


def measure(name: str, tables: int, *, human: bool = False) -> dict[str, Any]:
    """Archive so many tables of a game, and read some of them back."""
    game, chance = games()[name], Random(name)
    events, keeping = 0, 0.0
    some: list[Archived] = []
    with tempfile.TemporaryDirectory() as folder:
        shelf = shelf_in(Path(folder))
        for first in range(0, tables, BATCH):
            some = [
                played(game, SEATS[name], first + each, chance, human=human)
                for each in range(min(BATCH, tables - first))
            ]
            events += sum(len(each.recorded) for each in some)
            began = process_time()
            shelf.keep(some)
            keeping += process_time() - began
        fresh, began = shelf_in(Path(folder)), process_time()
        fresh.read(some[0].recorded[0].table)
        first_read = process_time() - began
        began = process_time()
        for each in some[1:]:
            fresh.read(each.recorded[0].table)
        reading = (process_time() - began) / (len(some) - 1)
        file = Path(folder) / NAME
        connection = sqlite3.connect(file)
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        connection.close()
        size = file.stat().st_size
    return {
        "game": name,
        "seats": SEATS[name],
        "pace": "people" if human else "bots",
        "tables": tables,
        "events_per_table": round(events / tables),
        "bytes_per_table": round(size / tables),
        "archive_ms": round(keeping / tables * 1000, 1),
        "read_ms": round(reading * 1000, 1),
        "first_read_ms": round(first_read * 1000, 1),
        "load": round(os.getloadavg()[0], 1),
    }


def main() -> None:
    """Print one JSON object for each measurement."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=1000)
    parser.add_argument("--games", nargs="*", default=list(SEATS))
    parser.add_argument("--people", action="store_true", help="pauses as people make them")
    given = parser.parse_args()
    for name in given.games:
        print(json.dumps({"archive": measure(name, given.tables, human=given.people)}), flush=True)


if __name__ == "__main__":
    main()
