"""A real server, with its limits on: the one at ABRAXAS_URL, or one started here."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator

import httpx
import pytest

COMMAND = [sys.executable, "-m", "service", "serve", "--port", "0", "--data"]


@pytest.fixture(scope="session")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    if running := os.environ.get("ABRAXAS_URL"):
        yield running
        return
    data = str(tmp_path_factory.mktemp("server"))
    with subprocess.Popen([*COMMAND, data], stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout
            line = server.stdout.readline()
            ready = re.search(r"http://\S+", line)
            assert ready, f"it said {line!r}"
            yield ready[0]
        finally:
            server.terminate()
            server.wait(timeout=60)


@pytest.fixture(scope="session")
def two_seats(url: str) -> str:
    """Answer a game for two that a bot can play."""
    for item in httpx.get(f"{url}/v1/games", timeout=60).raise_for_status().json()["items"]:
        if 2 in item["seats"] and item["bots"]:
            return str(item["game"])
    raise AssertionError("there is no game for two")
