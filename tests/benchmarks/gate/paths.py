"""The hot paths, each made to run on the same tables, moves and dice every time."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from importlib.resources import files
from io import BytesIO
from itertools import count
from pathlib import Path
from typing import Any, Final
from uuid import UUID

import msgspec
from redis import Redis

from domain.catalogue import games
from domain.dice import Dice, seeded
from domain.game import AnyGame, Seat
from domain.selfplay import choose
from domain.table.commands import Play
from domain.table.state import Table
from domain.table.view import to_move
from domain.wire import plain_command
from events import codec
from events.loaded import fold, unopened
from events.servers.connection import connect
from events.servers.embedded import start
from events.store import EventStore, command_key
from events.transact import Door
from service.app import make_parts, wire
from service.identity.callers import GUEST_SCOPES
from service.settings import settings_from_env
from tests.benchmarks.gate import lua
from tests.benchmarks.gate.counting import Cost, cost, mean
from tests.events.histories import finished
from tests.workers.sittings import following, opened
from workers.follow import Follower

MOVES: Final = 20
"""Moves at each of the tables of a path."""


def uuid(number: int) -> str:
    """Answer an id that is the same every time."""
    return str(UUID(int=(number + 1) << 64))


def applied(follower: Follower) -> None:
    """Apply everything that a sweep has found, in the batches that come of it."""
    while follower.busy():
        follower.drain()
        follower.deliver()


@contextmanager
def ending(follower: Follower) -> Iterator[None]:
    """Let no follower be left that hears of what is counted later, in bytes on that account."""
    try:
        yield
    finally:
        follower.end()


class Requests:
    """The whole API in this process, with a store beside it, and three players at a table."""

    def __init__(self, client: Redis) -> None:
        self.client = client
        settings = settings_from_env({"REDIS_URL": "unix:///nowhere", "DURABILITY": "relaxed"})
        self.parts = make_parts(settings, client=client, rq_client=client)
        self.app = wire(self.parts)
        self.players = [self.parts.identity.new_player(None, None)[0].player for _ in range(3)]
        self.tokens = [self.parts.identity.tokens.make(each, GUEST_SCOPES) for each in self.players]
        self.keys = count()
        self.statuses: list[str] = []
        self.chance = seeded("moves")
        # Who hears of moves: otherwise a job would be put into a queue.
        self.follower = following(self.parts.door.store)

    def open(self, number: int, *, drawn: bool) -> str:
        """Open a table for three, and draw it for everybody who may look if that is wanted."""
        table = opened(self.parts.door, uuid(number), seats=3, players=self.players)
        if drawn:
            self.follower.sweep()
            applied(self.follower)
        return table

    def environ(self, method: str, path: str, seat: int, body: bytes = b"", **more: str) -> Any:
        """Write a request as the server hands it over."""
        path, _, query = path.partition("?")
        return {
            "REQUEST_METHOD": method, "SCRIPT_NAME": "", "PATH_INFO": path, "QUERY_STRING": query,
            "SERVER_NAME": "127.0.0.1", "SERVER_PORT": "8000", "SERVER_PROTOCOL": "HTTP/1.1",
            "REMOTE_ADDR": "127.0.0.1", "HTTP_HOST": "127.0.0.1:8000", "wsgi.version": (1, 0),
            "wsgi.url_scheme": "http", "wsgi.input": BytesIO(body), "wsgi.errors": BytesIO(),
            "wsgi.multithread": True, "wsgi.multiprocess": False, "wsgi.run_once": False,
            "HTTP_AUTHORIZATION": f"Bearer {self.tokens[seat]}",
            "CONTENT_LENGTH": str(len(body)), "CONTENT_TYPE": "application/json" if body else "",
            **more,
        }  # fmt: skip

    def carry_out(self, environ: Any) -> bytes:
        """Have a request answered."""

        def started(status: str, headers: Any, exc_info: Any = None) -> Any:
            self.statuses.append(status[:3])

        answer = self.app.wsgi_app(environ, started)
        body = b"".join(answer)
        if hasattr(answer, "close"):
            answer.close()
        return body

    def move(self, table: str) -> Any:
        """Write the request for the next move at a table."""
        seat, made = next_move(self.parts.door, table, self.chance)
        body = msgspec.json.encode(plain_command(made))
        key = f"key-{next(self.keys)}"
        return self.environ(
            "POST", f"/v1/tables/{table}/commands", seat, body, HTTP_IDEMPOTENCY_KEY=key
        )

    def commands(self) -> Cost:
        """Count a move through HTTP."""
        table = self.open(0, drawn=False)
        # The first request of a process makes things that all later ones have.
        self.carry_out(self.move(table))
        self.statuses.clear()
        found = []
        for _ in range(MOVES):
            asked = self.move(table)
            found.append(cost(lambda: bool(self.carry_out(asked)), self.client))  # noqa: B023
        assert set(self.statuses) == {"201"}
        return mean(found)

    def looks(self, path: str = "", status: str = "200", **headers: str) -> Cost:
        """Count a read of a table whose bytes are ready."""
        table = self.open(1, drawn=True)

        def asked() -> Any:
            return self.environ("GET", f"/v1/tables/{table}{path}", 0, b"", **headers)

        self.carry_out(asked())
        self.statuses.clear()

        def look() -> int:
            for _ in range(MOVES):
                self.carry_out(asked())
            return MOVES

        found = cost(look, self.client)
        assert set(self.statuses) == {status}, self.statuses
        return found


def requested(counted: Callable[[Requests], Cost], client: Redis) -> Cost:
    """Count something that is asked through HTTP."""
    requests = Requests(client)
    with ending(requests.follower):
        return counted(requests)


def next_move(door: Door, table: str, chance: Dice) -> tuple[Seat, Any]:
    """Choose a move at a table as a bot does that plays by chance, and never concedes."""
    state = door.load(table).state
    seat = to_move(state)[0]
    return seat, choose(state, seat, "random", chance)


def decisions(game: AnyGame, client: Redis) -> Cost:
    """Count a command from the door on: decided, encoded, chained, appended."""
    door, chance = Door(EventStore(client), clock=lambda: 1_760_000_000_000), seeded("moves")
    seats = max(2, min(game.seats))
    table = opened(door, uuid(len(game.name)), game=game, seats=seats, players=["ann", "bob"])
    found = []
    # The first move is not counted: it makes things that all later ones have.
    for number in range(MOVES + 1):
        seat, made = next_move(door, table, chance)
        key = command_key("ann", str(number), plain_command(made))

        carry_out = partial(door.transact, table, partial(_wished, Play(seat, made)), key)
        if number:
            found.append(cost(lambda: len([carry_out()]), client))  # noqa: B023
        else:
            carry_out()
    return mean(found)


def _wished(play: Play, table: Table) -> Play:
    return play


def folding(game: AnyGame, client: Redis) -> Cost:
    """Count what an event costs that is decoded, chained and applied."""
    history = finished(game, max(2, min(game.seats)), "gate")
    fold(unopened(history.table), history.recorded)
    return cost(lambda: fold(unopened(history.table), history.recorded).version)


def decoding(game: AnyGame, client: Redis) -> Cost:
    """Count what an event costs that is decoded only."""
    history = finished(game, max(2, min(game.seats)), "gate")

    def decode() -> int:
        for each in history.recorded:
            codec.decode(each, game)
        return len(history.recorded)

    decode()
    return cost(decode)


def batches(client: Redis) -> Cost:
    """Count what an event costs a follower, with all views of its table drawn."""
    door, chance = Door(EventStore(client)), seeded("moves")
    tables = [
        opened(door, uuid(number), seats=3, players=["ann", "bob", "eve"]) for number in range(8)
    ]
    follower = following(door.store)
    with ending(follower):
        follower.sweep()
        applied(follower)
        before = sum(door.load(table).version for table in tables)
        for number in range(4):
            for table in tables:
                seat, made = next_move(door, table, chance)
                key = command_key("ann", f"{table} {number}", plain_command(made))
                door.transact(table, partial(_wished, Play(seat, made)), key)
        events = sum(door.load(table).version for table in tables) - before
        follower.sweep()

        def apply() -> int:
            applied(follower)
            return events

        return cost(apply, client)


def paths() -> Mapping[str, Callable[[Redis], Cost]]:
    """Answer the hot paths by name; each counts itself on an empty store."""
    script = files("events") / "append.lua"
    found: dict[str, Callable[[Redis], Cost]] = {
        "a command through HTTP": partial(requested, Requests.commands),
        "a view through HTTP": partial(requested, Requests.looks),
        "a 304 through HTTP": partial(
            requested, partial(Requests.looks, status="304", HTTP_IF_NONE_MATCH="*")
        ),
        "a page of events through HTTP": partial(
            requested, partial(Requests.looks, path="/events?after=4")
        ),
        "an event in a follower's batch": batches,
        "append.lua with three events": lambda _: lua.cost(script.read_text()),
    }
    for name, game in games().items():
        found[f"a command of {name} through the door"] = partial(decisions, game)
        found[f"an event of {name} folded"] = partial(folding, game)
        found[f"an event of {name} decoded"] = partial(decoding, game)
    return found


@contextmanager
def store(folder: Path) -> Iterator[Redis]:
    """Run a store that need not wait for a disk."""
    with start(folder) as embedded:
        client = connect(embedded.url, timeout=60.0)
        client.config_set("appendfsync", "no")
        yield client
        client.close()
