"""Between the store and everybody who asks it the network breaks: nothing is lost or doubled."""

import os
from pathlib import Path

import pytest

from events.servers.embedded import start
from tests.chaos.kills import pouring
from tests.chaos.storm import FAULTS, storming
from tests.e2e.server import serving, until

COMMANDS = int(os.environ.get("CHAOS_COMMANDS", "300"))

pytestmark = [pytest.mark.chaos, pytest.mark.timeout(1800 + COMMANDS // 5)]


def test_commands_count_once_whatever_becomes_of_requests_and_replies(tmp_path: Path) -> None:
    with (
        start(tmp_path / "store") as store,
        storming(store.url.removeprefix("unix://"), "torn") as storm,
        serving(
            tmp_path / "var", REDIS_URL=f"redis://127.0.0.1:{storm.port}", ABRAXAS_LOG="error"
        ) as server,
        pouring(server, 6, 3, "torn", streams=1) as run,
    ):
        run.wait(50)
        storm.every = 60
        for _ in range(0, COMMANDS, 100):
            run.wait(100)
        until(
            lambda: all(storm.met[each] for each in FAULTS) and run.torrent.repeated,
            "each fault, and a command that was told that it counted before",
            300,
        )
        storm.every = 0
        run.check_at(store.url)
        print(f"{dict(storm.met)}\n{run.told()}")
        assert server.stop() == 0
