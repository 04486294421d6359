"""kill -9 of each process while commands pour in: nothing is lost, doubled or reordered."""

from functools import partial
from pathlib import Path

import pytest

from tests.chaos.kills import PARTS, pouring
from tests.e2e.server import serving, until

pytestmark = [pytest.mark.chaos, pytest.mark.timeout(1800)]


def test_commands_that_pour_in_count_once_whatever_is_killed(tmp_path: Path) -> None:
    with (
        serving(tmp_path / "var", ABRAXAS_LOG="error") as server,
        pouring(server, 5, 3, "kills", streams=1) as run,
    ):
        run.wait(100)
        for part in PARTS:
            until(partial(run.kill, part), f"there is a {part}")
            run.wait(40)
        run.check()
        assert run.torrent.seen
        assert {*run.torrent.seen} <= {
            "503 store-unavailable", "503 outcome-unknown",
            "refused connection", "closed connection", "no answer",
        }  # fmt: skip
        assert server.stop() == 0
