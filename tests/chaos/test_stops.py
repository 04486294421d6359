"""SIGTERM and SIGKILL of a whole server under load: nothing is lost, and no process is left."""

import os
import signal
from pathlib import Path

import pytest

from tests.chaos.kills import pouring
from tests.e2e.server import alive, serving, until

SEEN = {
    "503 store-unavailable", "503 outcome-unknown", "refused connection", "closed connection",
    "no answer",
}  # fmt: skip

pytestmark = [pytest.mark.chaos, pytest.mark.timeout(900)]


def test_a_server_stopped_and_killed_under_load_loses_nothing_and_leaves_nobody(
    tmp_path: Path,
) -> None:
    if "CHAOS_TABLES" not in os.environ:
        pytest.skip("a stop and kills of each part are in the short form elsewhere: make chaos")
    with serving(tmp_path / "var") as first, pouring(first, 6, 2, "stops") as run:
        run.wait(100)
        everybody = first.tree()
        assert first.stop() == 0
        assert [pid for pid in everybody if alive(pid)] == []
        with serving(first.data, first.port) as second:
            run.wait(100)
            everybody = second.tree()
            assert len(everybody) > 6
            os.kill(second.process.pid, signal.SIGKILL)
            second.process.wait()
            until(lambda: not any(map(alive, everybody)), "everybody is gone")
            with serving(first.data, first.port) as third:
                run.wait(100)
                run.check(third)
                assert third.stop() == 0
    assert run.torrent.seen
    # Whatever they met was repaired by the same request with the same key.
    assert {*run.torrent.seen} <= SEEN
