"""Streams, webhooks and what processes print, while games are played: no secret is in any of it."""

import json
import os
import threading
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any
from uuid import uuid4

import httpx
import pytest

from domain.catalogue import games
from events.recorded import Recorded
from tests.e2e.live_client import LINES, SSE
from tests.e2e.playing import asking
from tests.e2e.server import PATIENCE, Server, serving, until
from tests.service.canaries import Secrets
from tests.workers.webhooks.receiver import Receiver, receiving

pytestmark = pytest.mark.e2e


@pytest.fixture(scope="module")
def printed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Name the file to which every process of the server logs."""
    return tmp_path_factory.mktemp("printed") / "stderr"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory, printed: Path) -> Iterator[Server]:
    own = os.dup(2)
    with ExitStack() as stack, printed.open("wb") as file:
        # What is started now keeps the file; this process gets its own back.
        os.dup2(file.fileno(), 2)
        try:
            data = tmp_path_factory.mktemp("var")
            running = stack.enter_context(serving(data, ABRAXAS_LOCAL_WEBHOOKS="on"))
        finally:
            os.dup2(own, 2)
            os.close(own)
        yield running


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with receiving() as running:
        yield running


class Reader:
    """Somebody who listens to everything; ``token`` is None of somebody who came by."""

    def __init__(self, http: httpx.Client, *, known: bool = True) -> None:
        self.http = http
        guest = http.post("/v1/players", json={}).json() if known else {}
        self.player: str | None = guest.get("player")
        self.headers = {"Authorization": f"Bearer {guest['token']}"} if known else {}
        self.heard: list[bytes] = []
        self.threads: list[threading.Thread] = []

    def ask(self, method: str, path: str, body: Any = None) -> Any:
        headers = self.headers | {"Idempotency-Key": uuid4().hex}
        answer = self.http.request(method, path, json=body, headers=headers)
        assert answer.status_code < 300, answer.text
        return answer.json()

    def listen(self, link: str, accept: str) -> None:
        """Keep what a stream tells until it ends."""

        def read() -> None:
            headers = self.headers | {"Accept": accept}
            # Whoever hears of all its tables does so until the server stops.
            with (
                suppress(httpx.TransportError),
                httpx.stream("GET", link, headers=headers, timeout=PATIENCE) as answer,
            ):
                for line in answer.iter_lines():
                    self.heard.append(line.encode())

        self.threads.append(threading.Thread(target=read, daemon=True))
        self.threads[-1].start()


def recorded(record: str) -> tuple[Recorded, ...]:
    """Make the stored events of a full record."""
    lines = [json.loads(line) for line in record.splitlines()[1:-1]]
    return tuple(
        Recorded(
            table="",
            version=each["version"],
            kind=each["kind"],
            schema=each["schema"],
            at=each["at"],
            seat=each.get("seat"),
            audience=tuple(each["audience"]) if "audience" in each else None,
            public=json.dumps(each["public"]).encode(),
            sealed=json.dumps(each["sealed"]).encode() if "sealed" in each else b"",
        )
        for each in lines
    )


@pytest.mark.parametrize("game", games())
def test_no_secret_is_heard_before_the_end(
    server: Server, receiver: Receiver, printed: Path, game: str
) -> None:
    with asking(server.url) as http:
        ana, ben, zoe, nobody = (Reader(http, known=known) for known in (True, True, True, False))
        readers = (ana, ben, zoe, nobody)
        view = ana.ask("POST", "/v1/tables", {"game": game, "seats": 2})
        path, link = f"/v1/tables/{view['id']}", view["links"]["stream"]
        for reader in (ana, ben, zoe):
            scopes = {"label": "hooks", "scopes": ["webhooks"]}
            token = reader.ask("POST", "/v1/me/tokens", scopes)["token"]
            body = {
                "url": receiver.url,
                "types": ["table.turn", "table.changed", "table.over"],
                "table": view["id"],
            }
            bearer = {"Authorization": f"Bearer {token}"}
            assert http.post("/v1/webhooks", json=body, headers=bearer).status_code == 201
        ben.ask("POST", f"{path}/seats", {})
        for reader in readers:
            reader.listen(link, SSE)
            reader.listen(link, LINES)
        for reader in (ana, ben, zoe):
            reader.listen(link.replace(f"/tables/{view['id']}", "/me"), SSE)
        awaited = 0
        while (view := ana.ask("GET", path))["phase"] != "over":
            mover, awaited = (ana, ben)[view["to_move"][0]], awaited + 3
            mover.ask("POST", f"{path}/commands", mover.ask("GET", path)["moves"][0])
            if awaited <= 12:
                # Of messages that wait only the newest are sent: a slow machine sends few.
                until(lambda: len(receiver.received) >= awaited, "everybody is told")  # noqa: B023
        for reader in readers:
            for thread in reader.threads[:2]:
                thread.join(PATIENCE)
                assert not thread.is_alive()
        # Once each at least: what was answered too late is sent again.
        until(
            lambda: (
                len({each.id for each in receiver.received if b'"table.over"' in each.body}) == 3
            ),
            "everybody is told that it is over",
        )
        record = http.get(f"{path}/record?redaction=full").text

    secrets = Secrets()
    secrets.learn(recorded(record), (ana.player, ben.player))
    revealed = json.loads(record.splitlines()[-2])["public"]["key"].encode()
    for reader in readers:
        # The last notice reveals the key to everybody.
        before = [line for line in reader.heard if revealed not in line]
        assert len(reader.heard) - len(before) >= 2
        assert secrets.leaks(reader.player, b"\n".join(before)) == []
        assert bool(secrets.leaks(None, b"\n".join(before))) == (reader in (ana, ben))
    assert secrets.leaks(None, printed.read_bytes()) == []
    assert len(receiver.received) > 10
    for message in receiver.received:
        assert secrets.leaks(None, message.body + json.dumps(message.headers).encode()) == []
