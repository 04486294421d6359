"""A seed decides everything: the same seed is the same run, in whatever process."""

import os
import subprocess
import sys

from tests.simulation.world import run

SEEDS = (3, 11, 60)

SCRIPT = """
from tests.simulation.world import run, simulated
with simulated():
    for seed in {seeds}:
        print(run(seed, traced=True).trace)
"""


def test_the_same_seed_leaves_the_same_trace(simulation: None) -> None:
    first = [run(seed, traced=True) for seed in SEEDS]
    again = [run(seed, traced=True) for seed in reversed(SEEDS)]
    assert [each.trace for each in first] == [each.trace for each in reversed(again)]
    assert [each.injected for each in first] == [each.injected for each in reversed(again)]


def test_other_seeds_leave_other_traces(simulation: None) -> None:
    assert len({run(seed, traced=True).trace for seed in range(5)}) == 5


def test_a_process_with_other_hashes_leaves_the_same_trace(simulation: None) -> None:
    here = [run(seed, traced=True).trace for seed in SEEDS]
    for hashes in ("1", "2"):
        there = subprocess.run(
            [sys.executable, "-c", SCRIPT.format(seeds=SEEDS)],
            env=os.environ | {"PYTHONHASHSEED": hashes, "PYTHONPATH": "."},
            capture_output=True, text=True, check=True,
        )  # fmt: skip
        assert there.stdout.split() == here
