"""Runs simulations in the test's own process."""

from collections.abc import Iterator

import pytest

from tests.simulation.world import simulated


@pytest.fixture(scope="module")
def simulation() -> Iterator[None]:
    """Let runs happen in this process, as long as the tests of a file run."""
    with simulated():
        yield
