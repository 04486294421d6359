"""What stands beside a table while it runs: no secret in tools, metrics, lists, logs or reports."""

import asyncio
import json
import re
import subprocess
from collections.abc import Iterator
from itertools import cycle

import httpx
import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from domain.catalogue import games
from tests.e2e.playing import asking
from tests.e2e.server import ABRAXAS, PATIENCE, Server, abraxas, environment, serving, until
from tests.e2e.test_canaries import Reader, recorded
from tests.service.canaries import Secrets
from tests.workers.webhooks.receiver import Receiver, receiving

pytestmark = pytest.mark.e2e
TOOLS_READY = re.compile(r"on (http://127\.0\.0\.1:\d+/mcp)\.")
MOVES = 12


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    data = tmp_path_factory.mktemp("elsewhere")
    with serving(data, ABRAXAS_LOCAL_WEBHOOKS="on") as running:
        yield running


@pytest.fixture(scope="module")
def tools(server: Server) -> Iterator[str]:
    command = [*ABRAXAS, "mcp", "--http", "--port", "0", "--url", server.url]
    with subprocess.Popen(command, env=environment(), stdout=subprocess.PIPE, text=True) as running:
        try:
            assert running.stdout
            ready = TOOLS_READY.search(running.stdout.readline())
            assert ready
            yield ready[1]
        finally:
            running.terminate()
            running.wait(timeout=PATIENCE)


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with receiving() as running:
        yield running


async def told_by_tools(tools: str, reader: Reader, table: str) -> bytes:
    """Ask every tool that reads as somebody; answer everything that was said."""
    said: list[str] = []
    async with (
        httpx2.AsyncClient(headers=reader.headers, timeout=PATIENCE) as http,
        Client(streamable_http_client(tools, http_client=http)) as client,
    ):
        for name, given in (
            ("list_my_turns", {}),
            ("get_view", {"table": table}),
            ("legal_moves", {"table": table}),
            ("wait", {"table": table, "after": 0, "seconds": 0}),
            ("wait", {"table": table, "after": 5, "seconds": 1}),
            ("play", {"table": table, "move": {"type": "nothing"}, "version": 5}),
        ):
            answer = await client.call_tool(name, given)
            said.append(answer.model_dump_json())
            said += [each.text for each in answer.content if each.type == "text"]
    return "\n".join(said).encode()


def asked(http: httpx.Client, reader: Reader, *places: str) -> bytes:
    """Read some places as somebody; answer bodies and headers, whatever they are."""
    told = b""
    for place in places:
        answer = http.get(place, headers=reader.headers)
        told += answer.content + b"\n" + json.dumps(dict(answer.headers)).encode() + b"\n"
    return told


@pytest.mark.parametrize(
    ("game", "visibility"), [*zip(games(), cycle(("private", "public")), strict=False)]
)
def test_nothing_beside_a_running_table_tells_what_it_hides(
    server: Server, tools: str, receiver: Receiver, game: str, visibility: str
) -> None:
    with asking(server.url) as http:
        ana, ben, zoe = (Reader(http) for _ in range(3))
        nobody = Reader(http, known=False)
        view = ana.ask("POST", "/v1/tables", {"game": game, "seats": 2, "visibility": visibility})
        path, live = f"/v1/tables/{view['id']}", view["links"]["stream"].partition("/v1/")[0]
        token = ana.ask("POST", "/v1/me/tokens", {"label": "x", "scopes": ["webhooks"]})["token"]
        hooked = http.post(
            "/v1/webhooks",
            json={"url": receiver.url, "types": ["table.changed"]},
            headers={"Authorization": f"Bearer {token}"},
        ).json()
        ben.ask("POST", f"{path}/seats", {"invite": view["invite"]} if "invite" in view else {})
        for _ in range(MOVES):
            view = ana.ask("GET", path)
            mover = (ana, ben)[view["to_move"][0]]
            mover.ask("POST", f"{path}/commands", mover.ask("GET", path)["moves"][0])
        version = ana.ask("GET", path)["version"]
        told: list[tuple[str, Reader, bytes]] = []
        for name, reader in {"ana": ana, "ben": ben, "zoe": zoe, "nobody": nobody}.items():
            places = [
                f"{live}{path}/events?wait=1&after={after}" for after in (0, version - 1, version)
            ]
            places += ["/v1/tables", "/v1/me/tables", "/metrics", "/readyz", f"{live}/livez", path]
            told.append((name, reader, asked(http, reader, *places)))
            if reader.player:
                said = asyncio.run(told_by_tools(tools, reader, view["id"]))
                told.append((name, reader, said))
        for reader in (zoe, ana):
            # What-ifs of a running table, by who came by and by a seat, read by others.
            headers = reader.headers | {"Idempotency-Key": reader.player or ""}
            made = http.post(f"{path}/forks", json={"version": version}, headers=headers)
            assert made.status_code == (404 if (reader, visibility) == (zoe, "private") else 201)
            told.append(("fork", reader, made.content))
            if made.status_code == 201:
                fork, invite = made.json()["id"], made.json()["invite"]
                for other in (reader, ben, nobody):
                    ends = ("", "/events", "/record")
                    places = [f"/v1/tables/{fork}{end}?invite={invite}" for end in ends]
                    told.append(("fork", other, asked(http, other, *places)))
        log = f"/v1/webhooks/{hooked['id']}/deliveries"
        until(
            lambda: http.get(log, headers={"Authorization": f"Bearer {token}"}).json()["items"],
            "something was sent",
        )
        nobodys = http.get(log, headers={"Authorization": f"Bearer {token}"}).content
        nobodys += b"".join(each.body for each in receiver.received)
        reports = [
            abraxas("doctor", "--all", "--data", str(server.data)),
            abraxas("simulate", game, "--seats", "2", "--tables", "1", "--url", server.url),
        ]
        assert reports[1].returncode == 0, reports[1].stderr
        assert "compared with their histories" in reports[0].stdout
        for each in reports:
            nobodys += (each.stdout + each.stderr).encode()

        while (view := ana.ask("GET", path))["phase"] != "over":
            mover = (ana, ben)[view["to_move"][0]]
            mover.ask("POST", f"{path}/commands", mover.ask("GET", path)["moves"][0])
        record = http.get(f"{path}/record?redaction=full", headers=ana.headers).text

    secrets = Secrets()
    secrets.learn(recorded(record), (ana.player, ben.player))
    for name, reader, said in told:
        assert secrets.leaks(reader.player, said) == [], name
        # The search finds what a seat is told.
        if name in ("ana", "ben") and said.count(b"\n") > 8:
            assert secrets.leaks(None, said)
    assert secrets.leaks(None, nobodys) == []
