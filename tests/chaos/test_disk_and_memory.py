"""A disk that fills up, a memory that ends: moves are refused, views read, nothing is lost."""

import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from time import monotonic
from uuid import NAMESPACE_OID, uuid5

import httpx
import pytest

from domain.catalogue import games
from domain.game import AnyGame
from events import keys
from events.servers.connection import connect
from events.servers.embedded import url
from tests.chaos.kills import Run, pouring
from tests.e2e.server import PATIENCE, Server, abraxas, serving, until
from tests.events.histories import History, opening, recorded_as, sitting

LONG = "it takes long: make chaos"
RECORD = {"Content-Type": "application/x-ndjson"}
DISK = 160 * 1024 * 1024
KNOWN = {
    "503 store-unavailable", "503 outcome-unknown",
    "refused connection", "closed connection", "no answer",
}  # fmt: skip

pytestmark = [pytest.mark.chaos, pytest.mark.timeout(900)]


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
    return httpx.Client(base_url=server.url, timeout=PATIENCE)


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


def stored(run: Run | None) -> int:
    """Count the commands that were acknowledged for the first time."""
    return run.torrent.ledger.count - run.torrent.repeated if run else 0


def refuses(guest: Guest, run: Run | None = None) -> None:
    """Hold what a server says that can store nothing: 503 with a time, views, first answers."""
    until(lambda: guest.sees() == 200, "a view")
    until(lambda: guest.open().status_code == 503, "moves are refused")
    if run:
        seen, before = run.torrent.seen, run.torrent.seen.total()
        until(lambda: seen.total() > before + 50, "everybody in the torrent is refused")
    counts = []
    for _ in range(10):
        counts.append(stored(run))
        refused = guest.open()
        assert (refused.status_code, refused.json()["code"]) == (503, "store-unavailable")
        assert int(refused.headers["Retry-After"]) > 0
        # A store that dies of a full disk is away for as long as it takes to start.
        until(lambda: guest.sees() == 200, "a view")
        until(lambda: guest.again().status_code == 201, "the first answer")
        assert guest.again().json()["id"] == guest.table
    # An answer may have been on its way when the first move was refused.
    assert stored(run) == counts[5]


def test_a_full_disk_refuses_moves_and_goes_on_when_there_is_room(small_disk: Path) -> None:
    with (
        serving(small_disk / "var", ABRAXAS_LOG="error") as server,
        pouring(server, 5, 1, "disk") as run,
        asking(server) as http,
    ):
        guest = Guest(http)
        run.wait(50)
        fill(small_disk / "ballast")
        refuses(guest, run)
        # Also if the store has to start on a disk without a single free byte.
        server.kill("store")
        refuses(guest, run)
        examined = abraxas("doctor", "--data", str(server.data))
        assert "takes no moves, because its disk is all but full." in examined.stdout
        (small_disk / "ballast").unlink()
        began = monotonic()
        until(lambda: guest.open().status_code == 201, "moves go on")
        print(f"{run.torrent.ledger.count} commands, moves again after {monotonic() - began:.1f} s")
        run.wait(50)
        assert guest.open().status_code == 201
        assert {*run.torrent.seen} <= KNOWN
        run.check()
        assert server.stop() == 0


HOUR = 3_600_000
AGED = """
redis.call('ZREM', KEYS[1], '')
return redis.call('ZINCRBY', KEYS[1], ARGV[2], ARGV[1])
"""
"""A full store bears it, as it bears the passing of time."""


def fill_memory(guest: Guest, game: AnyGame, seats: int) -> Iterator[str]:
    """Import whole tables until there is no room for another; answer those that were stored."""
    for seed in range(10_000):
        history = History(str(uuid5(NAMESPACE_OID, f"{seed}")))
        history.carry_out(opening(game, seats, seed), *sitting(seats, seed)).play_out()
        kept = guest.http.post("/v1/records", content=recorded_as(history), headers=RECORD)
        if kept.status_code == 503:
            assert kept.json()["code"] == "store-unavailable"
            return
        assert kept.status_code == 201, kept.text
        yield history.table


@pytest.mark.timeout(900)
@pytest.mark.parametrize(
    ("room", "game", "seats"),
    [
        (2**20, "potage_sauvage", 3),
        pytest.param(
            24 * 2**20, "magic_cooking", 6,
            marks=pytest.mark.skipif("CHAOS_TABLES" not in os.environ, reason=LONG),
        ),
    ],
)  # fmt: skip
def test_a_full_store_refuses_moves_until_tables_are_archived(
    tmp_path: Path, room: int, game: str, seats: int
) -> None:
    with (
        serving(tmp_path / "var", ABRAXAS_LOG="error") as server,
        asking(server) as http,
        connect(url(server.data), timeout=PATIENCE) as store,
    ):
        guest = Guest(http)
        start = store.info("memory")["used_memory"]
        store.config_set("maxmemory", start + room)
        tables = [*fill_memory(guest, games()[game], seats)]
        views = [f"/v1/tables/{each}" for each in tables]
        seen = [http.get(each).content for each in views]
        # There was no room for the whole request; now there is none for a small one either.
        store.config_set("maxmemory", start + room // 2)
        refuses(guest)
        told = http.get("/readyz").json()
        assert (
            "the store takes no moves: its memory or its disk is all but full" in told["degraded"]
        )
        assert "abraxas_store_takes_moves 0.0" in http.get("/metrics").text
        before, began = store.info("memory")["used_memory"], monotonic()
        for each in tables:
            finished_tables = keys.finished(keys.partition(each))
            store.eval(AGED, 1, finished_tables, each, -HOUR)
        until(lambda: not store.exists(*map(keys.events, tables)), "the tables are archived", 300)
        until(lambda: guest.open().status_code == 201, "moves go on")
        after, seconds = store.info("memory")["used_memory"], monotonic() - began
        assert after - start < (before - start) / 3
        assert store.info("stats")["evicted_keys"] == 0
        assert [http.get(each).content for each in views] == seen
        assert "abraxas_store_takes_moves 1.0" in http.get("/metrics").text
        freed = f"{before / 2**20:.1f} MB of memory, {after / 2**20:.1f} after {seconds:.0f} s"
        print(f"{len(tables)} tables, {freed}")
        assert server.stop() == 0


@pytest.mark.skipif("CHAOS_TABLES" not in os.environ, reason=LONG)
def test_a_store_that_is_full_under_load_refuses_moves_and_loses_none(tmp_path: Path) -> None:
    with (
        serving(tmp_path / "var", ABRAXAS_LOG="error") as server,
        pouring(server, 3, 4, "memory") as run,
        asking(server) as http,
        connect(url(server.data), timeout=PATIENCE) as store,
    ):
        guest = Guest(http)
        run.wait(100)
        store.config_set("maxmemory", store.info("memory")["used_memory"] // 2)
        refuses(guest, run)
        assert store.info("stats")["evicted_keys"] == 0
        store.config_set("maxmemory", 0)
        run.wait(50)
        assert guest.open().status_code == 201
        assert {*run.torrent.seen} <= KNOWN
        run.check()
        assert server.stop() == 0
