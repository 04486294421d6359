"""The program behind `make bench` runs to its end and leaves every figure with its target."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.e2e.server import environment

ROOT = Path(__file__).parents[2]


@pytest.mark.e2e
@pytest.mark.timeout(900)
def test_the_benchmark_measures_everything_once_through(tmp_path: Path) -> None:
    file = tmp_path / "figures.json"
    done = subprocess.run(
        [sys.executable, "-m", "tests.benchmarks", "--quick", "--json", file],
        cwd=ROOT, env=environment(), capture_output=True, text=True, timeout=800,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-3000:]
    told = json.loads(file.read_text())
    assert told["machine"]["cores"]
    figures = told["figures"]
    assert len({each["part"] for each in figures}) == 9
    targets = {each["what"]: each["target"] for each in figures if each["target"]}
    assert targets["commands, 32 clients"] == "ratio >= 0.2"
    assert targets["p99 of commands, 32 clients"] == "<= 25"
    assert targets["views, 32 clients"] == targets["304s, 32 clients"] == "ratio >= 0.4"
    assert targets["events rebuilt by one process"] == ">= 15000"
    assert len(targets) >= 18
    for each in figures:
        assert each["ours"] >= 0, each
        assert each["what"] in done.stdout
