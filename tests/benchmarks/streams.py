"""What open streams cost: the moves beside them, the way of a notice, memory of each.

``python -m tests.benchmarks.streams`` prints figures as JSON. Everything is measured in turn, again
and again, so that whatever else the machine does falls on all alike. Whoever listens and whoever
moves sits in processes of its own.
"""

import argparse
import http.client
import json
import os
import re
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from http import HTTPStatus
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, TypeAlias
from urllib.parse import urlsplit
from uuid import uuid4

from tests.e2e.server import Server, serving

ROOT: Final = Path(__file__).parents[2]
Moved: TypeAlias = tuple[float, float, int]
"""When a move was sent, when it was answered, and the version that it led to."""
WATCHED: Final = 20
"""Tables that the streams are spread over."""


class Player:
    """A guest on one connection that stays open."""

    def __init__(self, url: str) -> None:
        place = urlsplit(url)
        self._http = http.client.HTTPConnection(place.hostname or "", place.port, timeout=60)
        self.token = ""
        self.token = self.ask("POST", "/v1/players", {})["token"]

    def ask(self, method: str, path: str, body: Any = None) -> Any:
        """Ask and answer the JSON of what went well."""
        status, told = self.answered(method, path, body)
        assert status < HTTPStatus.MULTIPLE_CHOICES, told
        return told

    def answered(self, method: str, path: str, body: Any = None) -> tuple[int, Any]:
        """Ask and answer the status and the JSON."""
        headers = {"Content-Type": "application/json", "Idempotency-Key": uuid4().hex}
        if self.token:
            headers["Authorization"] = f"Bearer {self.token}"
        said = None if body is None else json.dumps(body)
        while True:
            self._http.request(method, path, said, headers)
            answer = self._http.getresponse()
            told = json.loads(answer.read())
            if answer.status != 503:
                break
            # A busy machine made the store too slow: the same may be asked again.
            time.sleep(0.1)
        return answer.status, told

    def close(self) -> None:
        """Let go of the connection."""
        self._http.close()

    def open(self) -> str:
        """Open a long table with a bot."""
        body = {"game": "magic_cooking", "seats": 2, "bots": {"1": "random"}}
        return str(self.ask("POST", "/v1/tables", body)["id"])

    def move(self, table: str) -> Moved | None:
        """Make one move; answer when it was sent, when it was answered, and its version.

        None if there is none to make, or if the bot was faster and it is none any more.
        """
        view = self.ask("GET", f"/v1/tables/{table}")
        if not view["moves"]:
            return None
        begun = time.time()
        status, told = self.answered("POST", f"/v1/tables/{table}/commands", view["moves"][0])
        if status == HTTPStatus.CONFLICT:
            assert self.ask("GET", f"/v1/tables/{table}")["version"] > view["version"], told
            return None
        assert status == HTTPStatus.CREATED, told
        return begun, time.time(), told["version"]


class Listeners:
    """The process that holds the streams."""

    def __init__(self, root: str) -> None:
        self._place = urlsplit(root)
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.benchmarks.listeners"],
            cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )  # fmt: skip

    def tell(self, **told: Any) -> Any:
        """Tell it what to do; answer what it says."""
        assert self._process.stdin
        assert self._process.stdout
        self._process.stdin.write(json.dumps(told) + "\n")
        self._process.stdin.flush()
        return json.loads(self._process.stdout.readline())

    def open(self, streams: int, paths: Sequence[str]) -> None:
        """Open so many streams, and wait until each has begun."""
        self.tell(open=streams, paths=paths, host=self._place.hostname, port=self._place.port)

    def stop(self) -> None:
        """End it."""
        with self._process as process:
            assert process.stdin
            process.stdin.close()
            process.wait(60)


def spread(seconds: Sequence[float]) -> dict[str, float]:
    """Answer median and p99 in ms."""
    cuts = statistics.quantiles(seconds, n=100)
    return {"p50": round(cuts[49] * 1000, 2), "p99": round(cuts[98] * 1000, 2)}


def resident(pid: int) -> int:
    """Answer the bytes that a process holds in memory."""
    found = re.search(r"VmRSS:\s+(\d+)", Path(f"/proc/{pid}/status").read_text())
    assert found
    return int(found[1]) * 1024


def burnt(pid: int) -> float:
    """Answer the seconds of CPU that a process has used."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def keep_moving(url: str, tables: Sequence[str], token: str, each: float) -> None:
    """Move at tables in turn, until killed."""
    player = Player(url)
    player.token = token
    while True:
        for table in tables:
            player.move(table)
            time.sleep(each)


@contextmanager
def moving(url: str, tables: Sequence[str], token: str, each: float) -> Iterator[None]:
    """Have somebody move at tables in a process of its own."""
    words = ("--move", url, token, str(each), *tables)
    process = subprocess.Popen([sys.executable, "-m", __spec__.name, *words], cwd=ROOT)
    try:
        yield
    finally:
        process.kill()
        process.wait()


class Bench:
    """The tables, who listens, and what was measured so far."""

    def __init__(self, server: Server, moves: int) -> None:
        self.server = server
        self.live = server.pid("live")
        self.parts = {part: server.pid(part) for part in ("api worker", "store", "live")}
        self.moves = moves
        self.ana = Player(server.url)
        self.watched: list[str] = []
        self.others: list[str] = []
        self.lay_tables()
        view = self.ana.ask("GET", f"/v1/tables/{self.watched[0]}")
        self.listeners = Listeners(view["links"]["stream"].partition("/v1/")[0])
        self.took: dict[str, list[float]] = {}
        self.late: dict[str, list[float]] = {}
        self.cost: dict[str, list[dict[str, float]]] = {}
        self.kib_each = 0.0

    def lay_tables(self) -> None:
        """Open tables of which none will be over soon."""
        self.watched = [self.ana.open() for _ in range(WATCHED)]
        self.others = [self.ana.open() for _ in range(WATCHED)]

    def measure(self, name: str, tables: Sequence[str]) -> list[tuple[int, Moved]]:
        """Move at tables for a while; answer the moves, each with its table's number."""
        before = {part: burnt(pid) for part, pid in self.parts.items()}
        made: list[tuple[int, Moved]] = []
        while len(made) < self.moves:
            table = len(made) % len(tables)
            moved = self.ana.move(tables[table])
            if moved:
                made.append((table, moved))
            time.sleep(0.01)
        cost = {part: burnt(pid) - before[part] for part, pid in self.parts.items()}
        self.cost.setdefault(name, []).append(cost)
        self.took.setdefault(name, []).extend(moved[1] - moved[0] for _, moved in made)
        return made

    def arrivals(self, name: str, made: Sequence[tuple[int, Moved]]) -> None:
        """Take note of when the last notice of each move came, at everybody who listens."""
        time.sleep(0.5)
        moves = {(table, moved[2]): moved for table, moved in made}
        for table, version, when in self.listeners.tell():
            if (table, version) in moves:
                sent, answered, _ = moves[table, version]
                self.late.setdefault(f"{name}, from the answer", []).append(when - answered)
                self.late.setdefault(f"{name}, from the command", []).append(when - sent)

    def paths(self) -> list[str]:
        """Answer where the watched tables are streamed, from now on."""
        versions = [self.ana.ask("GET", f"/v1/tables/{each}")["version"] for each in self.watched]
        return [
            f"/v1/tables/{table}/events?after={version}"
            for table, version in zip(self.watched, versions, strict=True)
        ]

    def weigh(self, streams: int) -> None:
        """Measure the memory of a stream, in a process that has had some."""
        self.listeners.open(20, self.paths())
        held = resident(self.live)
        self.listeners.open(streams, self.paths())
        self.kib_each = (resident(self.live) - held) / streams / 1024
        self.listeners.tell(close=True)

    def beside(self, streams: int) -> None:
        """Measure without streams, beside idle ones, at watched tables, and beside busy ones."""
        self.lay_tables()
        self.measure("without streams", self.others)
        self.listeners.open(streams, self.paths())
        self.measure(f"{streams} idle streams", self.others)
        watched = f"{streams} streams, at watched tables"
        self.arrivals(watched, self.measure(watched, self.watched))
        with moving(self.server.url, self.watched, self.ana.token, 0.05):
            self.measure(f"{streams} busy streams", self.others)
            self.listeners.tell(close=True)
            self.measure("others move, without streams", self.others)

    def figures(self) -> dict[str, Any]:
        """Answer what was found."""
        return {
            "moves, ms": {name: spread(each) for name, each in self.took.items()},
            "notices, ms": {name: spread(each) for name, each in self.late.items()},
            "CPU of each part, ms a move": {
                name: {
                    part: round(statistics.mean(one[part] for one in each) / self.moves * 1000, 2)
                    for part in self.parts
                }
                for name, each in self.cost.items()
            },
            "KiB a stream": round(self.kib_each, 1),
            "load of the machine": round(os.getloadavg()[0], 1),
        }


def measured(rounds: int = 3, moves: int = 100, streams: Sequence[int] = (100, 2000)) -> Any:
    """Measure everything in turn, so many rounds; answer the figures."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    with TemporaryDirectory() as data, serving(Path(data)) as server:
        bench = Bench(server, moves)
        try:
            bench.weigh(max(streams))
            for _ in range(rounds):
                for each in streams:
                    bench.beside(each)
            return bench.figures()
        finally:
            bench.listeners.stop()
            bench.ana.close()


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--move", nargs="+", help=argparse.SUPPRESS)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--moves", type=int, default=100)
    parser.add_argument("--streams", type=int, nargs="+", default=[100, 2000])
    asked = parser.parse_args()
    if asked.move:
        url, token, each, *tables = asked.move
        keep_moving(url, tables, token, float(each))
    print(json.dumps(measured(asked.rounds, asked.moves, asked.streams), indent=1))


if __name__ == "__main__":
    main()
