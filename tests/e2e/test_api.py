"""The API as other programs meet it: a real server, real sockets, inputs that nobody thought of."""

import os
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

from tests.e2e.server import Server, serving

ROOT = Path(__file__).resolve().parents[2]
SCHEMATHESIS = Path(sys.executable).with_name("schemathesis")
CHOOSE = {"type": "choose_recipe", "recipe": "waste"}

pytestmark = pytest.mark.e2e


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Run one server for this file."""
    with serving(tmp_path_factory.mktemp("data") / "var") as running:
        yield running


def guest(server: Server) -> dict[str, str]:
    """Make a player; answer the header of its token."""
    made = httpx.post(f"{server.url}/v1/players", json={})
    return {"Authorization": f"Bearer {made.json()['token']}"}


def started(server: Server) -> tuple[str, list[dict[str, str]]]:
    """Seat two guests; answer the table's address and their headers."""
    seats = [guest(server), guest(server)]
    body = {"game": "potage_sauvage", "seats": 2}
    opened = httpx.post(f"{server.url}/v1/tables", json=body, headers=seats[0])
    table = f"{server.url}/v1/tables/{opened.json()['id']}"
    assert httpx.post(f"{table}/seats", json={}, headers=seats[1]).status_code == 201
    return table, seats


def at_once(count: int, url: str, body: Any, headers: list[dict[str, str]]) -> list[httpx.Response]:
    """Send so many requests that start together, each on a connection of its own."""
    barrier = Barrier(count)

    def send(number: int) -> httpx.Response:
        with httpx.Client(timeout=30) as client:
            barrier.wait()
            return client.post(url, json=body, headers=headers[number % len(headers)])

    with ThreadPoolExecutor(count) as pool:
        return list(pool.map(send, range(count)))


def test_one_command_sent_fifty_times_at_once_counts_once(server: Server) -> None:
    table, seats = started(server)
    before = httpx.get(table).json()["version"]
    headers = seats[0] | {"Idempotency-Key": "one"}
    answers = at_once(50, f"{table}/commands", CHOOSE, [headers])
    assert {each.status_code for each in answers} == {201}
    assert len({each.content for each in answers}) == 1
    assert sum("Idempotent-Replayed" not in each.headers for each in answers) == 1
    assert httpx.get(table).json()["version"] == before + 1


def test_one_of_twenty_commands_on_one_version_wins(server: Server) -> None:
    table, seats = started(server)
    tag = httpx.get(table, headers=seats[0]).headers["ETag"]
    headers = [seats[0] | {"Idempotency-Key": f"key-{i}", "If-Match": tag} for i in range(20)]
    answers = at_once(20, f"{table}/commands", CHOOSE, headers)
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
    assert httpx.post(url, content=chunks(1), headers=kind).json()["name"] == "Ana"
    answer = httpx.post(url, content=chunks(70), headers=kind)
    assert (answer.status_code, answer.json()["code"]) == (413, "too-large")


@pytest.mark.parametrize("role", ["spectator", "player"])
def test_no_input_meets_an_undocumented_answer(server: Server, role: str, tmp_path: Path) -> None:
    arguments = {
        "spectator": ["--phases=examples,fuzzing", "--max-examples=8"],
        # Erasing the player would end its token's life.
        "player": ["--max-examples=8", "--exclude-operation-id=erase_me"],
    }[role]
    if role == "player":
        arguments += ["-H", f"Authorization: {guest(server)['Authorization']}"]
    started(server)
    ran = subprocess.run(
        [
            SCHEMATHESIS, f"--config-file={ROOT / 'schemathesis.toml'}", "run",
            str(ROOT / "openapi.yaml"), f"--url={server.url}", "--no-color", "--no-shrink",
            "--seed=1", "--generation-database=none", "--warnings=off", *arguments,
        ],
        capture_output=True,
        text=True,
        timeout=110,
        cwd=tmp_path,
        env=os.environ | {"PYTHONWARNINGS": ""},
    )  # fmt: skip
    print(ran.stdout)
    assert (ran.returncode, ran.stderr) == (0, "")
