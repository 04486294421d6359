"""How fast the API is beside a bare Flask route: ``python -m tests.benchmarks.api [SECONDS]``.

Both run under the same granian command line on this machine, and so does the load. Commands are
legal moves of many two-seat tables, each fsynced before it is answered: they are looked for
beforehand and sent as prepared bytes. CLIENTS=1,32 in the environment measures those only.
"""

import json
import os
import platform
import random
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from http.client import HTTPConnection
from itertools import count, cycle
from pathlib import Path
from statistics import median
from typing import Any, TypeAlias

from service.processes.api import run_wsgi
from service.supervise.port import free_port
from tests.benchmarks.load import Load, ceiling, request, send
from tests.e2e.server import serving, until

PAIRS = 5
TABLES = 2_000
Figures: TypeAlias = dict[str, float]


def bare() -> Any:
    """Make the app to compare with: one route to read, one to echo."""
    from flask import Flask, request

    app = Flask("bare")
    app.get("/", endpoint="hello")(lambda: {"hello": "world"})
    app.post("/", endpoint="echo")(lambda: request.get_json())
    return app


@contextmanager
def bare_server() -> Iterator[int]:
    """Serve the bare app in a process of its own."""
    port = free_port("127.0.0.1", 0)
    words = [sys.executable, "-m", "tests.benchmarks.api", "bare", str(port)]
    process = subprocess.Popen(words)
    try:
        until(lambda: answers(port), "the bare server answers")
        yield port
    finally:
        process.terminate()
        process.wait()


def answers(port: int) -> bool:
    """Say whether somebody answers on a port."""
    try:
        to = HTTPConnection("127.0.0.1", port)
        to.request("GET", "/")
        return to.getresponse().status > 0
    except OSError:
        return False


HELLO = request("GET", "/")
ECHO = request("POST", "/", {"type": "play_card", "card": "I5"}, Idempotency_Key="k1")


class Hall:
    """Players who sit at many tables of one server, and the requests they send."""

    def __init__(self, port: int, tables: int = TABLES, seats: int = 2) -> None:
        self.port = port
        self.seats = seats
        self.keys = count()
        self.random = random.Random(7)
        signing_up = [request("POST", "/v1/players", {})] * seats
        self.tokens = [each["token"] for each in self.done(signing_up, 201)]
        self.tables = self.opened(tables)

    def done(self, requests: Sequence[bytes], status: int) -> list[Any]:
        """Send requests whose time does not count; answer the bodies in their order.

        Those that a busy machine was too slow for are sent again.
        """
        found: dict[int, Any] = {}
        while late := [at for at in range(len(requests)) if at not in found]:
            load = send(self.port, 32, [requests[at] for at in late], keep=True)
            assert {*load.statuses} <= {str(status).encode(), b"503"}, load.statuses
            bodies = {at: json.loads(load.bodies[number]) for number, at in enumerate(late)}
            found |= {at: body for at, body in bodies.items() if body.get("status") != 503}
        return [found[at] for at in range(len(requests))]

    def post(self, path: str, body: object, seat: int = 0) -> bytes:
        """Write a request that has an effect."""
        key = f"k{next(self.keys)}"
        return request("POST", path, body, self.tokens[seat], Idempotency_Key=key)

    def opened(self, tables: int, game: str = "potage_sauvage") -> list[str]:
        """Open tables and sit down at them; answer their paths."""
        ask = {"game": game, "seats": self.seats}
        views = self.done([self.post("/v1/tables", ask) for _ in range(tables)], 201)
        paths = [f"/v1/tables/{view['id']}" for view in views]
        for seat in range(1, self.seats):
            self.done([self.post(f"{path}/seats", {}, seat=seat) for path in paths], 201)
        return paths

    def moves(self, most: int) -> list[bytes]:
        """Find a legal move at each of so many tables; new tables take the place of finished."""
        paths = self.tables[:most]
        views = self.views(paths, [0] * len(paths))
        over = [at for at, view in enumerate(views) if view["phase"] == "over"]
        for at, path in zip(over, self.opened(len(over)) if over else (), strict=True):
            paths[at] = path
            views[at] = self.views([path], [0])[0]
        self.tables[:most] = paths
        seats = [view["to_move"][0] for view in views]
        views = self.views(paths, seats)
        return [
            self.post(f"{path}/commands", self.random.choice(view["moves"]), seat)
            for path, view, seat in zip(paths, views, seats, strict=True)
        ]

    def views(self, paths: Sequence[str], seats: Sequence[int]) -> list[Any]:
        """Answer a seat's view of each table."""
        return self.done(
            [
                request("GET", path, token=self.tokens[seat])
                for path, seat in zip(paths, seats, strict=True)
            ],
            200,
        )

    def looks(self) -> list[bytes]:
        """Answer requests for views."""
        return [request("GET", path, token=self.tokens[0]) for path in self.tables]

    def repeated_looks(self) -> list[bytes]:
        """Answer requests for views that the caller has."""
        views = self.views(self.tables, [0] * len(self.tables))
        return [
            request("GET", path, token=self.tokens[0], If_None_Match=f'"{view["version"]}.0.1"')
            for path, view in zip(self.tables, views, strict=True)
        ]


def counted(load: Load, status: int) -> Load:
    """Answer a load in which everything went well, or was too slow on a busy machine for some."""
    asked, well = load.statuses.total(), load.statuses[str(status).encode()]
    assert asked == well + load.statuses[b"503"], load.statuses
    assert well > 0.9 * asked, load.statuses
    return load


def of_bare(port: int, sent: bytes, clients: int, seconds: float) -> Figures:
    """Measure a bare route."""
    return counted(send(port, clients, cycle([sent]), seconds), 200).figures()


def of_commands(hall: Hall, clients: int, seconds: float) -> Figures:
    """Measure commands; at most one for each table, and none waits for another one's table."""
    moves = hall.moves(min(len(hall.tables), max(20, int(seconds * 150 * min(clients, 16)))))
    return counted(send(hall.port, clients, moves, seconds), 201).figures()


def of_looks(
    hall: Hall, prepared: Callable[[], list[bytes]], status: int, clients: int, seconds: float
) -> Figures:
    """Measure views, or how often it is told that there is none newer."""
    asked = prepared()
    return counted(send(hall.port, clients, cycle(asked), seconds), status).figures()


def measure(
    hall: Hall, plain: int, clients: int, seconds: float
) -> Iterator[tuple[str, Figures, Figures]]:
    """Yield what was measured, ours beside the bare route, medians of interleaved pairs."""
    echo = partial(of_bare, plain, ECHO, clients, seconds)
    hello = partial(of_bare, plain, HELLO, clients, seconds)
    for name, ours, other in (
        ("commands", partial(of_commands, hall), echo),
        ("views", partial(of_looks, hall, hall.looks, 200), hello),
        ("304s", partial(of_looks, hall, hall.repeated_looks, 304), hello),
    ):
        pairs = [(ours(clients, seconds), other()) for _ in range(PAIRS)]
        yield f"{name}, {clients} clients", middle(0, pairs), middle(1, pairs)


def middle(side: int, pairs: list[tuple[Figures, Figures]]) -> Figures:
    """Answer the medians of one side of the pairs."""
    return {name: median(pair[side][name] for pair in pairs) for name in pairs[0][side]}


def main(seconds: float) -> None:
    """Print the table."""
    loads = ", ".join(f"{each:.1f}" for each in os.getloadavg())
    print(f"{os.cpu_count()} cores, Python {platform.python_version()}, load {loads}")
    print(f"the generator alone, 32 clients: {ceiling(32, seconds)['rate']:.0f}/s")
    names = ("ours/s", "p50 ms", "p99 ms", "bare/s", "p50 ms", "ratio", "gen.")
    print(f"{'':24}" + "".join(f"{each:>9}" for each in names))
    with (
        tempfile.TemporaryDirectory() as folder,
        bare_server() as plain,
        serving(Path(folder)) as server,
    ):
        hall = Hall(server.port)
        for clients in map(int, os.environ.get("CLIENTS", "1,8,32,128").split(",")):
            for name, ours, other in measure(hall, plain, clients, seconds):
                print(
                    f"{name:24}{ours['rate']:9.0f}{ours['p50']:9.2f}{ours['p99']:9.2f}"
                    f"{other['rate']:9.0f}{other['p50']:9.2f}{ours['rate'] / other['rate']:9.2f}"
                    f"{ours['generator']:9.2f}",
                    flush=True,
                )


if __name__ == "__main__":
    if sys.argv[1:2] == ["bare"]:
        run_wsgi(bare, "127.0.0.1", int(sys.argv[2]))
    else:
        main(float(sys.argv[1]) if sys.argv[1:] else 2.0)
