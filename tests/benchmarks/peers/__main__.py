"""Beside the nearest peers, in one run on one machine: ``python -m tests.benchmarks.peers``.

`make bench-peers` installs them first, pinned, into folders of their own. What differs is said in
docs/performance.md.
"""

import argparse
import json
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import groupby
from pathlib import Path
from sysconfig import get_path
from time import perf_counter, process_time
from typing import Any

from domain.catalogue import games
from domain.dice import seeded
from domain.game import AnyGame
from domain.selfplay import choose
from domain.table import TABLE
from domain.table.commands import Play
from domain.table.view import to_move
from domain.wire import plain_command
from events import codec
from events.loaded import fold, unopened
from events.recorded import Recorded
from events.servers.connection import connect
from events.servers.embedded import start
from events.store import EventStore, command_key
from events.transact import Door
from tests.benchmarks.api import Figures, Hall, of_commands
from tests.benchmarks.figures import Figure, machine, middle, publish
from tests.e2e.server import serving
from tests.events.histories import finished
from tests.workers.sittings import opened

HERE = Path(__file__).parent
BOARDGAME = HERE / "boardgame"
LIBRARY = HERE / ".venv"
SEATS = 3
MOVES_OF_A_MATCH = 108
ROUNDS = 9


def installed(*of: str) -> str:
    """Answer the version of an installed package of Node."""
    told = json.loads((BOARDGAME / "node_modules" / Path(*of) / "package.json").read_text())
    return str(told["version"])


@contextmanager
def boardgame() -> Iterator[int]:
    """Serve boardgame.io in a process of its own; enter with its port."""
    process = subprocess.Popen(
        ["node", "server.js"], cwd=BOARDGAME, stdout=subprocess.PIPE, text=True,
        env={"PATH": "/usr/local/bin:/usr/bin:/bin", "NODE_ENV": "production"},
    )  # fmt: skip
    assert process.stdout is not None
    try:
        yield int(json.loads(process.stdout.readline())["port"])
    finally:
        process.terminate()
        process.wait()


def their_moves(port: int, clients: int, seconds: float) -> Figures:
    """Measure moves at so many matches at once."""
    # Enough matches that none has to be opened while it counts.
    spare = int(seconds * 5000 / MOVES_OF_A_MATCH)
    words = [port, clients, seconds, clients + spare]
    done = subprocess.run(
        ["node", "load.js", *map(str, words)], cwd=BOARDGAME, check=True, capture_output=True,
        text=True, timeout=300,
    )  # fmt: skip
    told = json.loads(done.stdout)
    assert not told.pop("short"), "too few matches were prepared"
    figures: Figures = told
    return figures


def moves(clients: Sequence[int], seconds: float, pairs: int) -> Iterator[Figure]:
    """Compare commands that are on disk with moves that are in memory."""
    with (
        tempfile.TemporaryDirectory() as folder,
        serving(Path(folder), ABRAXAS_LOG="warning") as server,
        boardgame() as port,
    ):
        hall = Hall(server.port, max(64, min(2_000, int(seconds * 2_000))), SEATS)
        for many in clients:
            both = [
                (of_commands(hall, many, seconds), their_moves(port, many, seconds))
                for _ in range(pairs)
            ]
            ours, theirs = ([pair[side] for pair in both] for side in (0, 1))
            of_many = f"{many} client" + "s" * (many > 1)
            yield Figure(
                what=f"moves, {of_many}", ours=middle(ours, "rate"), unit="/s",
                beside="/s boardgame.io", other=middle(theirs, "rate"),
                bound="ratio" if many == 32 else "", least=2.0,
            )  # fmt: skip
            for name in ("p50", "p99"):
                yield Figure(
                    what=f"{name} of a move, {of_many}", ours=middle(ours, name), unit="ms",
                    beside="ms boardgame.io", other=middle(theirs, name),
                )  # fmt: skip


def their_events(game: AnyGame, seeds: int, decisions: int) -> Figures:
    """Keep and replay the events of whole tables with the library."""
    told = [plain(finished(game, SEATS, seed).recorded)[:decisions] for seed in range(seeds)]
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(
            [LIBRARY / "bin/python", HERE / "eventsourced.py"],
            input=json.dumps({"histories": told, "folder": folder, "game": game.name}), check=True,
            capture_output=True, text=True, timeout=300,
            # Our rules and what they need.
            env={"PYTHONPATH": f"{HERE.parents[2]}:{get_path('purelib')}"},
        )  # fmt: skip
    figures: Figures = json.loads(done.stdout)
    return figures


def plain(recorded: Sequence[Recorded]) -> list[list[Any]]:
    """Write a history as JSON, decision by decision."""
    return [
        [
            [each.kind, each.seat, json.loads(each.public), json.loads(each.sealed or b"null")]
            for each in decision
        ]
        for _, decision in groupby(recorded, lambda each: each.at)
    ]


def best(count: int, work: Any, clock: Any = process_time) -> float:
    """Do work a few times; answer how many a second the best time had, of CPU by itself."""
    spent = float("inf")
    for _ in range(ROUNDS):
        began = clock()
        work()
        spent = min(spent, clock() - began)
    return count / spent


def our_events(game: AnyGame, seeds: int, decisions: int) -> Figures:
    """Decide, store and replay as many whole tables of bots."""
    with tempfile.TemporaryDirectory() as folder, start(Path(folder)) as embedded:
        client = connect(embedded.url)
        store = EventStore(client)
        door, chance = Door(store), seeded("peers")
        stored, spent = 0, 0.0
        names = [opened(door, f"table-{seed}", game=game, seats=SEATS,
                        players=["ann", "bob", "eve"]) for seed in range(seeds)]  # fmt: skip
        for name in names:
            for number in range(decisions):
                before = door.load(name)
                if before.state.phase == "over":
                    break
                seat = to_move(before.state)[0]
                play = Play(seat, choose(before.state, seat, "random", chance))
                key = command_key("ann", f"{name} {number}", plain_command(play.command))
                began = perf_counter()
                outcome = door.transact(name, partial(_wished, play), key)
                spent += perf_counter() - began
                stored += outcome.last - outcome.first + 1
        histories = [store.read(name) for name in names]
        count = sum(map(len, histories))

        def replayed() -> None:
            for name in names:
                fold(unopened(name), store.read(name))

        def folded() -> None:
            for history in histories:
                TABLE.fold(
                    codec.decode(each, game if each.version > 1 else None) for each in history
                )

        def checked() -> None:
            for name, history in zip(names, histories, strict=True):
                fold(unopened(name), history)

        figures = {
            "saved": stored / spent,
            "replayed": best(count, replayed, perf_counter),
            "folded": best(count, folded),
            "checked": best(count, checked),
        }
        client.close()
    return figures


def _wished(play: Play, table: Any) -> Play:
    return play


def events(pairs: int, seeds: int, decisions: int) -> Iterator[Figure]:
    """Compare what is kept and replayed of each game."""
    for name, game in games().items():
        both = [
            (our_events(game, seeds, decisions), their_events(game, seeds, decisions))
            for _ in range(pairs)
        ]
        ours, theirs = ([pair[side] for pair in both] for side in (0, 1))
        for says, what, other in (
            ("events decided and saved", "saved", "saved"),
            ("events decoded and folded, beside its replay", "folded", "read"),
            ("the same, and the chain checked", "checked", "read"),
            ("events replayed, store and all", "replayed", "replayed"),
            ("events decoded and folded, beside that", "folded", "folded"),
            ("the same, theirs in a bare loop", "folded", "mutated"),
            ("the same, theirs with our rules", "folded", "ruled"),
        ):
            yield Figure(
                what=f"{says}, {name}", ours=middle(ours, what), unit="/s",
                beside="/s eventsourcing", other=middle(theirs, other),
                bound="ratio" if (what, other) == ("folded", "read") else "", least=5.0,
            )  # fmt: skip


def main() -> None:
    """Read the command line and measure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=3.0, help="of each run of moves")
    parser.add_argument("--pairs", type=int, default=5)
    parser.add_argument("--clients", type=int, nargs="+", default=[1, 8, 32])
    parser.add_argument("--tables", type=int, default=4, help="whose events are kept and replayed")
    parser.add_argument("--decisions", type=int, default=150, help="at each of them")
    parser.add_argument("--json", type=Path, help="where the figures go as well")
    given = parser.parse_args()
    node = subprocess.run(["node", "--version"], check=True, capture_output=True, text=True).stdout
    publish(
        (
            ("Moves, beside boardgame.io",
             partial(moves, given.clients, given.seconds, given.pairs)),
            ("Events, beside eventsourcing",
             partial(events, given.pairs, given.tables, given.decisions)),
        ),
        machine(
            node=node.strip().lstrip("v"), boardgame=installed("boardgame.io"),
            eventsourcing=library(),
        ),
        given.json,
    )  # fmt: skip


def library() -> str:
    """Answer the version of the library as it was installed."""
    (found,) = LIBRARY.glob("lib/python*/site-packages/eventsourcing-*.dist-info")
    return found.name.removeprefix("eventsourcing-").removesuffix(".dist-info")


if __name__ == "__main__":
    main()
