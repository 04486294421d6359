"""Prints how fast and how cheap following is."""

from pathlib import Path

import pytest

from tests.benchmarks.follow import measure


@pytest.mark.bench
def test_following_is_measured(tmp_path: Path) -> None:
    measure(tmp_path, rate=500.0, seconds=10.0)
