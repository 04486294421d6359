"""What a request costs the API's process: ``python -m tests.benchmarks.cost [PROFILE]``.

CPU in µs beside bare Flask routes, everything in this one process but the store: no server, no
wait for a disk. The least of several rounds counts, so it hardly depends on who else is busy.
With ``command``, ``view`` or ``unchanged`` it prints the profile of that instead.
"""

import json
import sys
import tempfile
from collections.abc import Callable, Iterable
from contextlib import closing
from cProfile import Profile
from io import BytesIO
from itertools import count
from pathlib import Path
from pstats import Stats
from time import process_time
from typing import Any

from events.servers.connection import connect
from events.servers.embedded import start
from events.store import EventStore
from service.app import create_app
from service.settings import settings_from_env
from tests.benchmarks.api import bare
from tests.workers.sittings import catch_up, following

TABLES, ROUNDS = 150, 8
KEYS = count()
Environ = dict[str, Any]


def environ(method: str, path: str, body: object = None, **more: str) -> Environ:
    """Make a request as a WSGI server hands it over."""
    sent = b"" if body is None else json.dumps(body).encode()
    return {
        "REQUEST_METHOD": method, "PATH_INFO": path, "SCRIPT_NAME": "", "QUERY_STRING": "",
        "SERVER_NAME": "127.0.0.1", "SERVER_PORT": "80", "SERVER_PROTOCOL": "HTTP/1.1",
        "HTTP_HOST": "127.0.0.1", "REMOTE_ADDR": "127.0.0.1", "wsgi.url_scheme": "http",
        "wsgi.input": BytesIO(sent), "wsgi.errors": sys.stderr, "wsgi.version": (1, 0),
        "CONTENT_TYPE": "application/json" if sent else "", "CONTENT_LENGTH": str(len(sent)),
        **more,
    }  # fmt: skip


def answer(app: Any, asked: Environ) -> tuple[str, bytes]:
    """Send a request; answer status and body."""
    told: list[str] = []
    body = b"".join(app(asked, lambda status, headers, failed=None: told.append(status)))
    return told[0][:3], body


class Room:
    """Two players at many tables of an application in this process."""

    def __init__(self, app: Any) -> None:
        self.app = app
        signing_up = [environ("POST", "/v1/players", {}) for _ in range(2)]
        self.tokens = [json.loads(answer(app, each)[1])["token"] for each in signing_up]
        self.paths = [self.opened() for _ in range(TABLES)]

    def asks(self, method: str, path: str, seat: int, body: object = None, **more: str) -> Environ:
        """Make a request of a player."""
        more["HTTP_IDEMPOTENCY_KEY"] = f"k{next(KEYS)}"
        return environ(method, path, body, HTTP_AUTHORIZATION=f"Bearer {self.tokens[seat]}", **more)

    def opened(self) -> str:
        """Open a table and sit down."""
        ask = self.asks("POST", "/v1/tables", 0, {"game": "potage_sauvage", "seats": 2})
        path = f"/v1/tables/{json.loads(answer(self.app, ask)[1])['id']}"
        answer(self.app, self.asks("POST", f"{path}/seats", 1, {}))
        return path

    def view(self, path: str, seat: int = 0) -> Any:
        """Look at a table."""
        return json.loads(answer(self.app, self.asks("GET", path, seat))[1])

    def commands(self) -> list[Environ]:
        """Find a move at each table."""
        found = []
        for path in self.paths:
            seat = self.view(path)["to_move"][0]
            move = self.view(path, seat)["moves"][0]
            found.append(self.asks("POST", f"{path}/commands", seat, move))
        return found

    def views(self) -> list[Environ]:
        """Ask for each table."""
        return [self.asks("GET", path, 0) for path in self.paths]

    def unchanged(self) -> list[Environ]:
        """Ask for each table, knowing it."""
        tags = [f'"{self.view(path)["version"]}.0.1"' for path in self.paths]
        return [
            self.asks("GET", path, 0, HTTP_IF_NONE_MATCH=tag)
            for path, tag in zip(self.paths, tags, strict=True)
        ]


def cost(app: Any, asked: Iterable[Environ], status: str) -> float:
    """Answer the CPU in µs of one of these requests."""
    asked = list(asked)
    begun = process_time()
    statuses = {answer(app, each)[0] for each in asked}
    spent = process_time() - begun
    assert statuses == {status}, statuses
    return spent / len(asked) * 1e6


def main(profiled: str | None) -> None:
    """Print the figures as JSON, or a profile."""
    with tempfile.TemporaryDirectory() as folder, start(Path(folder)) as store:
        settings = {"REDIS_URL": store.url, "ABRAXAS_LIMITS": "off", "DURABILITY": "relaxed"}
        app, plain = create_app(settings_from_env(settings)), bare()
        room = Room(app)
        with closing(connect(store.url, timeout=60.0)) as client:
            client.config_set("appendfsync", "no")
            follower = following(EventStore(client))
            echo = {"type": "play_card", "card": "I5"}
            works: dict[str, tuple[Any, Callable[[], list[Environ]], str]] = {
                "command": (app, room.commands, "201"),
                "view": (app, room.views, "200"),
                "unchanged": (app, room.unchanged, "304"),
                "bare echo": (plain, lambda: echoes(echo), "200"),
                "bare get": (plain, lambda: [environ("GET", "/") for _ in range(300)], "200"),
            }
            least = dict.fromkeys(works, float("inf"))
            profile = Profile()
            for _ in range(ROUNDS):
                for name, (to, prepare, status) in works.items():
                    asked = prepare()
                    catch_up(follower)
                    if name == profiled:
                        profile.enable()
                    least[name] = min(least[name], cost(to, asked, status))
                    profile.disable()
    if profiled:
        Stats(profile).sort_stats("cumulative").print_stats(60)
    else:
        print(json.dumps({name: round(each) for name, each in least.items()}))


def echoes(body: object) -> list[Environ]:
    """Ask for what was sent."""
    return [environ("POST", "/", body) for _ in range(300)]


if __name__ == "__main__":
    main(sys.argv[1] if sys.argv[1:] else None)
