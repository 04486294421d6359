"""Primaries that die or freeze under load: what is acknowledged stays, the others go on."""

import os
from pathlib import Path

import pytest

from tests.cluster.failovers import FAULTS, run

COUNT = int(os.environ.get("CLUSTER_FAILOVERS", "2"))

pytestmark = [pytest.mark.chaos, pytest.mark.timeout(900 + 20 * COUNT)]

BEHIND = "SIGKILL with a replica behind"


def test_failovers_lose_and_double_nothing_that_was_acknowledged(tmp_path: Path) -> None:
    faults = [BEHIND, "SIGSTOP"] if len(FAULTS) > COUNT else list(FAULTS)
    found = run(tmp_path, COUNT, 1, faults)
    print(found)
    assert (found["lost"], found["doubled"]) == (0, 0), found
    assert int(str(found["acknowledged"])) > 100 * COUNT


def test_without_waiting_for_a_replica_the_same_loses_moves(tmp_path: Path) -> None:
    """Or the test above would be blind."""
    found = run(tmp_path, 1, 0, [BEHIND])
    assert int(str(found["lost"])) > 0, found
