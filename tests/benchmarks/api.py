"""How fast the API is beside a bare Flask route: ``python -m tests.benchmarks.api [SECONDS]``.

Both run under the same granian command line on this machine, and so does the load. Commands are
legal moves of two-seat tables, each fsynced before it is answered; a client plays one table.
"""

import json
import os
import platform
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from http.client import HTTPConnection
from itertools import count
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any, TypeAlias

from service.api_process import run_wsgi
from service.supervise.port import free_port
from tests.e2e.server import serving, until

JSON = {"Content-Type": "application/json"}
RUNS = 3
Ask: TypeAlias = Callable[[], int]
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
        return call(HTTPConnection("127.0.0.1", port), "GET", "/")[0] > 0
    except OSError:
        return False


def call(
    to: HTTPConnection, method: str, path: str, body: object = None, **headers: str
) -> tuple[int, bytes]:
    """Send one request, answer status and body."""
    sent = None if body is None else json.dumps(body)
    more = {name.replace("_", "-"): value for name, value in headers.items()}
    to.request(method, path, sent, JSON | more if sent else more)
    answer = to.getresponse()
    return answer.status, answer.read()


def client_of_bare(port: int, method: str) -> Ask:
    """Answer a client that asks the bare route."""
    to = HTTPConnection("127.0.0.1", port)
    body = {"type": "play_card", "card": "I5"} if method == "POST" else None
    return lambda: call(to, method, "/", body)[0]


def looking(port: int) -> Ask:
    """Answer a client that looks at a table of its own."""
    sitter = Sitter(port)
    headers = {"Authorization": f"Bearer {sitter.tokens[0]}"}
    return lambda: call(sitter.to, "GET", sitter.table, **headers)[0]


class Sitter:
    """Two players at a table of their own, over one connection."""

    def __init__(self, port: int) -> None:
        self.to = HTTPConnection("127.0.0.1", port)
        self.keys = count()
        self.tokens = [self._new("/v1/players")["token"] for _ in range(2)]
        self.open()

    def open(self) -> None:
        """Sit down at a new table."""
        ask = {"game": "potage_sauvage", "seats": 2}
        self.table = f"/v1/tables/{self._new('/v1/tables', self.tokens[0], ask)['id']}"
        self._new(f"{self.table}/seats", self.tokens[1], {})
        self.moves: list[tuple[int, Any]] = []

    def _new(self, path: str, token: str = "", body: object = None) -> Any:
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        key = f"k{next(self.keys)}"
        status, answer = call(
            self.to, "POST", path, {} if body is None else body, Idempotency_Key=key, **headers
        )
        assert status == 201, answer
        return json.loads(answer)

    def look(self, seat: int = 0) -> Any:
        """Answer a seat's view."""
        headers = {"Authorization": f"Bearer {self.tokens[seat]}"}
        return json.loads(call(self.to, "GET", self.table, **headers)[1])

    def next_move(self) -> tuple[int, Any]:
        """Find a legal move (this is not timed), at a new table when one is over."""
        view = self.look()
        if view["phase"] == "over":
            self.open()
            view = self.look()
        seat = view["to_move"][0]
        return seat, self.look(seat)["moves"][0]

    def play(self, move: tuple[int, Any]) -> int:
        """Send a move, answer the status."""
        seat, command = move
        return call(
            self.to,
            "POST",
            f"{self.table}/commands",
            command,
            Authorization=f"Bearer {self.tokens[seat]}",
            Idempotency_Key=f"k{next(self.keys)}",
        )[0]


def load(clients: int, make: Callable[[], Ask], seconds: float) -> Figures:
    """Let clients ask for some seconds; answer requests/s and latencies in ms."""
    times: list[float] = []
    asks = [make() for _ in range(clients)]
    start = perf_counter()

    def go(ask: Ask) -> None:
        while perf_counter() - start < seconds:
            began = perf_counter()
            assert ask() == 200
            times.append(perf_counter() - began)

    spread([partial(go, ask) for ask in asks])
    return figures(times, perf_counter() - start)


def load_of_commands(port: int, clients: int, seconds: float) -> Figures:
    """Let clients play; only the command is timed, and the rate is that of commands alone.

    All clients look for their moves first and send them together, round after round.
    """
    sitters = [Sitter(port) for _ in range(clients)]
    times: list[float] = []
    spent = 0.0
    while spent < seconds:
        moves = [sitter.next_move() for sitter in sitters]

        def send(at: int, moves: list[tuple[int, Any]] = moves) -> None:
            began = perf_counter()
            assert sitters[at].play(moves[at]) == 201
            times.append(perf_counter() - began)

        began = perf_counter()
        spread([partial(send, at) for at in range(clients)])
        spent += perf_counter() - began
    return figures(times, spent)


def spread(works: list[Callable[[], None]]) -> None:
    """Do some work side by side."""
    threads = [threading.Thread(target=work) for work in works]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def figures(times: list[float], seconds: float) -> Figures:
    """Answer rate and latencies."""
    ordered = sorted(times)
    return {
        "rate": len(times) / seconds,
        "p50": ordered[len(ordered) // 2] * 1000,
        "p99": ordered[int(len(ordered) * 0.99)] * 1000,
    }


def measure(seconds: float) -> Iterator[tuple[str, Figures, Figures]]:
    """Yield what was measured, ours beside the bare route, medians of interleaved pairs."""
    with (
        tempfile.TemporaryDirectory() as folder,
        bare_server() as plain,
        serving(Path(folder)) as server,
    ):
        for clients in (1, 32):
            commands = partial(load_of_commands, server.port, clients, seconds)
            views = partial(load, clients, partial(looking, server.port), seconds)
            echo = partial(load, clients, partial(client_of_bare, plain, "POST"), seconds)
            hello = partial(load, clients, partial(client_of_bare, plain, "GET"), seconds)
            for name, ours, other in (("commands", commands, echo), ("views", views, hello)):
                pairs = [(ours(), other()) for _ in range(RUNS)]
                yield f"{name}, {clients} clients", middle(0, pairs), middle(1, pairs)


def middle(side: int, pairs: list[tuple[Figures, Figures]]) -> Figures:
    """Answer the medians of one side of the pairs."""
    return {name: median(pair[side][name] for pair in pairs) for name in pairs[0][side]}


def main(seconds: float) -> None:
    """Print the table."""
    loads = ", ".join(f"{each:.1f}" for each in os.getloadavg())
    print(f"{os.cpu_count()} cores, Python {platform.python_version()}, load {loads}")
    print(f"{'':24}{'ours/s':>9}{'p50 ms':>9}{'p99 ms':>9}{'bare/s':>9}{'p50 ms':>9}{'ratio':>7}")
    for name, ours, plain in measure(seconds):
        print(
            f"{name:24}{ours['rate']:9.0f}{ours['p50']:9.2f}{ours['p99']:9.2f}"
            f"{plain['rate']:9.0f}{plain['p50']:9.2f}{ours['rate'] / plain['rate']:7.2f}"
        )


if __name__ == "__main__":
    if sys.argv[1:2] == ["bare"]:
        run_wsgi(bare, "127.0.0.1", int(sys.argv[2]))
    else:
        main(float(sys.argv[1]) if sys.argv[1:] else 3.0)
