"""Somebody who plays on a real server, and what can be seen of its process of live updates."""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import uuid4

import httpx

from tests.e2e.server import PATIENCE, Server


class _Patient(httpx.HTTPTransport):
    """Asks again where a busy machine made the store too slow: 503 says that one may."""

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        deadline = time.monotonic() + PATIENCE
        while (answer := super().handle_request(request)).status_code == 503:
            if time.monotonic() > deadline:
                break
            answer.close()
            time.sleep(0.1)
        return answer


def asking(url: str, **headers: str) -> httpx.Client:
    """Make a client with the patience that the API asks of its clients."""
    return httpx.Client(base_url=url, headers=headers, timeout=PATIENCE, transport=_Patient())


@dataclass(frozen=True)
class Seat:
    """A guest, and what it asks of the API."""

    http: httpx.Client
    token: str

    def headers(self, **more: str) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.token}", **more}

    def get(self, path: str) -> Any:
        answer = self.http.get(path, headers=self.headers())
        assert answer.status_code == 200, answer.text
        return answer.json()

    def post(self, path: str, body: Any = None, key: str | None = None) -> Any:
        headers = self.headers(**{"Idempotency-Key": key or uuid4().hex})
        answer = self.http.post(path, json=body or {}, headers=headers)
        assert answer.status_code in (200, 201), answer.text
        return answer.json()

    def open(self, **body: Any) -> Any:
        return self.post("/v1/tables", {"game": "potage_sauvage", "seats": 2, **body})

    def play_out(self, table: str, between: Callable[[], object] = lambda: None) -> None:
        """Play against the bot to the end."""
        while (view := self.get(f"/v1/tables/{table}"))["phase"] != "over":
            if 0 in view["to_move"]:
                self.post(f"/v1/tables/{table}/commands", view["moves"][0])
                between()
            else:
                time.sleep(0.005)

    def told(self, table: str) -> list[Any]:
        """Answer what GET /events tells, page after page."""
        items: list[Any] = []
        while True:
            after = items[-1]["version"] if items else 0
            page = self.get(f"/v1/tables/{table}/events?after={after}")
            items += page["items"]
            if len(items) >= page["version"]:
                return items


def in_background(work: Callable[[], object]) -> threading.Thread:
    """Start work in a thread of its own."""
    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    return thread


def open_streams(server: Server) -> int:
    """Answer how many streams are open."""
    link = f"http://127.0.0.1:{live_port(server)}/livez"
    streams: int = httpx.get(link, timeout=PATIENCE).json()["streams"]
    return streams


def live_port(server: Server) -> int:
    """Answer where the process of live updates listens."""
    words = Path(f"/proc/{server.pid('live')}/cmdline").read_bytes().split(b"\0")
    return int(words[-2])


def descriptors(server: Server) -> int:
    """Answer how many descriptors that process holds."""
    return len(list(Path(f"/proc/{server.pid('live')}/fd").iterdir()))
