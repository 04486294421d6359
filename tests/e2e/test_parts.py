"""The parts of a server, each started by itself on a store that runs elsewhere."""

import re
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from domain.catalogue import games
from events.servers.connection import connect
from events.servers.embedded import start, url
from service.simulate.client import Client
from service.simulate.play import sign_up, watch
from tests.e2e.server import (
    ABRAXAS,
    PATIENCE,
    abraxas,
    alive,
    children,
    environment,
    serving,
    until,
)

pytestmark = pytest.mark.e2e


@contextmanager
def part(name: str, store: str, *words: str) -> Iterator["subprocess.Popen[str]"]:
    """Start a part; it is gone afterwards."""
    process = subprocess.Popen(
        [*ABRAXAS, name, *words],
        env=environment() | {"REDIS_URL": store},
        stdout=subprocess.PIPE,
        text=True,
    )
    with process:
        try:
            yield process
        finally:
            process.terminate()


def test_api_and_worker_play_together_on_a_store_of_their_own(tmp_path: Path) -> None:
    with (
        start(tmp_path) as store,
        part("api", store.url, "--port=0") as api,
        part("worker", store.url) as worker,
    ):
        assert api.stdout
        port = re.fullmatch(
            r"Abraxas starts its API on 127\.0\.0\.1, port (\d+)\.\n", api.stdout.readline()
        )
        assert port
        client = Client(f"http://127.0.0.1:{port[1]}")
        (token,) = sign_up(client, ["Ana"])
        game = games()["potage_sauvage"]
        assert watch(client, game, ("random", "random"), token).result["winners"]
        client.close()

        taken = abraxas("api", "--port", port[1], REDIS_URL=store.url)
        assert taken.returncode == 2
        assert taken.stderr.startswith(f"abraxas: Port {port[1]} is taken: ")

        below = [*children(api.pid), *children(worker.pid)]
        assert len(below) == 3
        for process in (api, worker):
            process.send_signal(signal.SIGTERM)
        assert [process.wait(timeout=PATIENCE) for process in (api, worker)] == [0, 0]
        assert [pid for pid in below if alive(pid)] == []


def test_serve_uses_the_store_that_redis_url_names(tmp_path: Path) -> None:
    with (
        start(tmp_path / "elsewhere") as store,
        serving(tmp_path / "var", REDIS_URL=store.url) as server,
    ):
        assert server.pid("store") == 0
        assert server.pid("api")
        client = Client(server.url)
        assert len(sign_up(client, ["Ana"])) == 1
        client.close()
        assert server.stop() == 0
        with connect(store.url, timeout=PATIENCE) as left_alone:
            assert list(left_alone.scan_iter("token:*"))


def test_an_api_starts_before_its_store_and_finds_it_later(tmp_path: Path) -> None:
    with part("api", url(tmp_path), "--port=0") as api:
        assert api.stdout
        port = re.search(r"port (\d+)", api.stdout.readline())
        assert port
        readyz = f"http://127.0.0.1:{port[1]}/readyz"
        until(lambda: answer(readyz) == 503, "the API is there, and red")
        with start(tmp_path):
            until(lambda: answer(readyz) == 200, "the API has found its store")
        assert answer(readyz) == 503


def answer(address: str) -> int | None:
    try:
        return httpx.get(address, timeout=PATIENCE).status_code
    except httpx.TransportError:
        return None
