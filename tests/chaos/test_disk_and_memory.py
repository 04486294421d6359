"""A disk that fills up, a memory that ends: moves are refused, views read, nothing is lost."""

import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from events.connection import connect
from events.embedded import url
from tests.chaos.kills import Run, pouring
from tests.e2e.server import Server, abraxas, serving, until

DISK = 160 * 1024 * 1024
KNOWN = {
    "503 store-unavailable", "503 outcome-unknown",
    "refused connection", "closed connection", "no answer",
}  # fmt: skip

pytestmark = [pytest.mark.chaos, pytest.mark.timeout(180)]


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """Give a folder that is a disk of its own."""
    disk = tmp_path / "disk"
    disk.mkdir()
    mounting = ["mount", "-t", "tmpfs", "-o", f"size={DISK}", "none", str(disk)]
    if not shutil.which("mount") or subprocess.run(mounting, capture_output=True).returncode:
        pytest.skip("this user may mount no disk")
    try:
        yield disk
    finally:
        subprocess.run(["umount", "-l", str(disk)], check=True)


def fill(file: Path) -> None:
    """Write until the disk is full to the last byte."""
    with file.open("wb", buffering=0) as growing:
        for size in (2**20, 2**12, 1):
            try:
                while True:
                    growing.write(bytes(size))
            except OSError:
                continue


def asking(server: Server) -> httpx.Client:
    """Make a client that has more patience than the server."""
    return httpx.Client(base_url=server.url, timeout=20)


class Guest:
    """Somebody who asks now and then beside the torrent."""

    def __init__(self, http: httpx.Client) -> None:
        self.http = http
        token = self.http.post("/v1/players", json={}).json()["token"]
        self.http.headers["Authorization"] = f"Bearer {token}"
        self.made = 0
        self.table = self.open().json()["id"]

    def open(self) -> httpx.Response:
        """Open a table, with a key of its own."""
        self.made += 1
        return self.http.post(
            "/v1/tables",
            json={"game": "potage_sauvage", "seats": 2},
            headers={"Idempotency-Key": f"guest-{self.made}"},
        )

    def again(self) -> httpx.Response:
        """Open the first table once more, with its own key."""
        return self.http.post(
            "/v1/tables",
            json={"game": "potage_sauvage", "seats": 2},
            headers={"Idempotency-Key": "guest-1"},
        )

    def sees(self) -> int:
        """Look at the table; answer the status."""
        return self.http.get(f"/v1/tables/{self.table}").status_code


def refuses(run: Run, guest: Guest) -> None:
    """Hold what a server says that can store nothing: 503 with a time, views, first answers."""
    until(lambda: guest.sees() == 200, "a view")
    until(lambda: guest.open().status_code == 503, "moves are refused")
    before = run.torrent.ledger.count
    for _ in range(10):
        refused = guest.open()
        assert (refused.status_code, refused.json()["code"]) == (503, "store-unavailable")
        assert int(refused.headers["Retry-After"]) > 0
        assert guest.sees() == 200
        known = guest.again()
        assert (known.status_code, known.json()["id"]) == (201, guest.table)
    assert run.torrent.ledger.count == before


def test_a_full_disk_refuses_moves_and_goes_on_when_there_is_room(small_disk: Path) -> None:
    with (
        serving(small_disk / "var", ABRAXAS_LOG="error") as server,
        pouring(server, 5, 1, "disk") as run,
        asking(server) as http,
    ):
        guest = Guest(http)
        run.wait(50)
        fill(small_disk / "ballast")
        refuses(run, guest)
        # Also if the store has to start on a disk without a single free byte.
        server.kill("store")
        refuses(run, guest)
        examined = abraxas("doctor", "--data", str(server.data))
        assert "takes no moves, because its disk is all but full." in examined.stdout
        (small_disk / "ballast").unlink()
        run.wait(50)
        assert guest.open().status_code == 201
        assert {*run.torrent.seen} <= KNOWN
        run.check()
        assert server.stop() == 0


@pytest.mark.skipif("CHAOS_TABLES" not in os.environ, reason="it takes long: make chaos")
def test_a_store_at_its_memory_limit_refuses_moves_until_tables_are_archived(
    tmp_path: Path,
) -> None:
    with (
        serving(tmp_path / "var", ABRAXAS_LOG="error", ABRAXAS_ARCHIVE_AFTER="3") as server,
        pouring(server, 3, 4, "memory") as run,
        asking(server) as http,
        connect(url(server.data), timeout=10) as store,
    ):
        guest = Guest(http)
        run.wait(100)
        store.config_set("maxmemory", store.info("memory")["used_memory"] // 2)
        refuses(run, guest)
        assert store.info("stats")["evicted_keys"] == 0
        store.config_set("maxmemory", 0)
        run.wait(50)
        assert guest.open().status_code == 201
        assert {*run.torrent.seen} <= KNOWN
        run.check()
        assert server.stop() == 0
