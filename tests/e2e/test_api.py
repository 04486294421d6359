"""The API as other programs meet it: a real server, real sockets, inputs that nobody thought of."""

import os
import re
import socket
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier
from typing import Any

import httpx
import pytest

from tests.e2e.playing import asking
from tests.e2e.server import PATIENCE, Server, serving, until

ROOT = Path(__file__).resolve().parents[2]
SCHEMATHESIS = Path(sys.executable).with_name("schemathesis")
EXAMPLES = int(os.environ.get("FUZZ_EXAMPLES", "2"))
PHASES = "examples,coverage,fuzzing" + ",stateful" * (EXAMPLES > 2)
CHOOSE = {"type": "choose_recipe", "recipe": "waste"}

pytestmark = pytest.mark.e2e


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Run one server for this file."""
    with serving(tmp_path_factory.mktemp("data") / "var") as running:
        yield running


def guest(server: Server) -> dict[str, str]:
    """Make a player; answer the header of its token."""
    with asking(server.url) as http:
        made = http.post("/v1/players", json={})
    return {"Authorization": f"Bearer {made.json()['token']}"}


def started(server: Server) -> tuple[str, list[dict[str, str]]]:
    """Seat two guests; answer the table's address and their headers."""
    seats = [guest(server), guest(server)]
    body = {"game": "potage_sauvage", "seats": 2}
    keys = [each | {"Idempotency-Key": "started"} for each in seats]
    with asking(server.url) as http:
        opened = http.post("/v1/tables", json=body, headers=keys[0])
        table = f"{server.url}/v1/tables/{opened.json()['id']}"
        assert http.post(f"{table}/seats", json={}, headers=keys[1]).status_code == 201
    return table, seats


def at_once(
    server: Server, count: int, url: str, body: Any, headers: list[dict[str, str]]
) -> list[httpx.Response]:
    """Send so many requests that start together, each on a connection of its own."""
    barrier = Barrier(count)

    def send(number: int) -> httpx.Response:
        with asking(server.url) as client:
            barrier.wait()
            return client.post(url, json=body, headers=headers[number % len(headers)])

    with ThreadPoolExecutor(count) as pool:
        return list(pool.map(send, range(count)))


def test_one_command_sent_fifty_times_at_once_counts_once(server: Server) -> None:
    table, seats = started(server)
    before = version_of(server, table)
    headers = seats[0] | {"Idempotency-Key": "one"}
    answers = at_once(server, 50, f"{table}/commands", CHOOSE, [headers])
    assert {each.status_code for each in answers} == {201}
    assert len({each.content for each in answers}) == 1
    # The first may have been told that nobody knows, and be a repeat itself.
    assert sum("Idempotent-Replayed" not in each.headers for each in answers) <= 1
    assert version_of(server, table) == before + 1


def version_of(server: Server, table: str) -> int:
    """Answer the version that anybody sees."""
    with asking(server.url) as http:
        return int(http.get(table).json()["version"])


def bytes_of_304(server: Server, path: str, headers: dict[str, str]) -> int:
    """Answer how many bytes a not-modified answer has on the wire, its status line included."""
    with asking(server.url) as http:
        tag = http.get(path, headers=headers).headers["ETag"]
    lines = [f"{name}: {value}" for name, value in (headers | {"If-None-Match": tag}).items()]
    request = "\r\n".join([f"GET {path} HTTP/1.1", "Host: localhost", "Connection: close", *lines])
    with socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE) as wire:
        wire.sendall(f"{request}\r\n\r\n".encode())
        answer = b"".join(iter(lambda: wire.recv(4096), b""))
    assert answer.startswith(b"HTTP/1.1 304 "), answer
    return len(answer)


def test_a_phone_that_polls_is_sent_less_than_300_bytes_while_nothing_changes(
    tmp_path: Path,
) -> None:
    with serving(tmp_path / "var", ABRAXAS_LIMITS="on") as limited:
        table, seats = started(limited)
        path = table.removeprefix(limited.url)
        assert bytes_of_304(limited, path, seats[0]) < 300
        inbox = "/v1/me/tables?waiting=true"
        waiting = asking(limited.url, **seats[0])
        until(lambda: waiting.get(inbox).json().get("waiting") == 1, "the table waits for its seat")
        until(lambda: bytes_of_304(limited, inbox, seats[0]) < 300, "the list is unchanged")
        waiting.close()


def test_servers_of_tests_and_benchmarks_limit_nobody(server: Server) -> None:
    """Figures would say how fast one is allowed to ask; who wants limits here asks for them."""
    with asking(server.url) as http:
        assert "RateLimit" not in http.get("/v1/games").headers
    for path in sorted((ROOT / "tests" / "benchmarks").glob("*.py")):
        text = path.read_text(encoding="utf-8")
        assert {*re.findall(r"ABRAXAS_LIMITS\W+(\w+)", text)} <= {"off"}, path.name
        assert "abraxas serve" not in text, f"{path.name} starts a server of its own"


def test_one_of_twenty_commands_on_one_version_wins(server: Server) -> None:
    table, seats = started(server)
    with asking(server.url) as http:
        tag = http.get(table, headers=seats[0]).headers["ETag"]
    headers = [seats[0] | {"Idempotency-Key": f"key-{i}", "If-Match": tag} for i in range(20)]
    answers = at_once(server, 20, f"{table}/commands", CHOOSE, headers)
    counted = Counter(each.status_code for each in answers)
    assert counted[201] == 1
    assert set(counted) <= {201, 409, 412}


def test_a_body_of_unknown_length_is_measured_all_the_same(server: Server) -> None:
    def chunks(count: int) -> Iterator[bytes]:
        yield b'{"name": "Ana"'
        yield from (b" " * 1000 for _ in range(count))
        yield b"}"

    kind = {"Content-Type": "application/json"}
    url = f"{server.url}/v1/players"
    with httpx.Client(timeout=PATIENCE, headers=kind) as http:
        assert http.post(url, content=chunks(1)).json()["name"] == "Ana"
        answer = http.post(url, content=chunks(70))
    assert (answer.status_code, answer.json()["code"]) == (413, "too-large")


@pytest.mark.timeout(600 * EXAMPLES)
@pytest.mark.parametrize("role", ["spectator", "player"])
def test_no_input_meets_an_undocumented_answer(server: Server, role: str, tmp_path: Path) -> None:
    arguments = {
        "spectator": ["--phases=examples,fuzzing"],
        # Erasing the player would end its token's life.
        "player": [f"--phases={PHASES}", "--exclude-operation-id=erase_me"],
    }[role]
    arguments += [f"--max-examples={EXAMPLES}"]
    if role == "player":
        arguments += ["-H", f"Authorization: {guest(server)['Authorization']}"]
    started(server)
    ran = subprocess.run(
        [
            SCHEMATHESIS, f"--config-file={ROOT / 'schemathesis.toml'}", "run",
            str(ROOT / "openapi.yaml"), f"--url={server.url}", "--no-color", "--no-shrink",
            "--seed=1", "--request-timeout=60", "--generation-database=none", "--warnings=off",
            *arguments,
        ],
        capture_output=True,
        text=True,
        timeout=590 * EXAMPLES,
        cwd=tmp_path,
        env=os.environ | {"PYTHONWARNINGS": ""},
    )  # fmt: skip
    print(ran.stdout)
    assert (ran.returncode, ran.stderr) == (0, "")
