"""The simulation is not blind: the product broken on purpose is found, one break at a time."""

import os
from typing import Final

import pytest

from tests.simulation.mutations import MUTATIONS
from tests.simulation.portions import portions, total
from tests.simulation.world import run

SEEDS: Final = 2_000

QUICKLY_FOUND: Final = (
    "a lost reply is taken for success",
    "answer before the append",
    "append.lua knows no duplicates",
    "memory is believed",
    "nothing is swept",
    "outboxes are forgotten",
)
"""Found within some tens of seeds."""


@pytest.mark.parametrize("name", QUICKLY_FOUND)
def test_a_broken_product_is_found_at_once(simulation: None, name: str) -> None:
    with MUTATIONS[name]():
        assert any(run(seed).wrong for seed in range(100))


@pytest.mark.chaos
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("name", sorted(MUTATIONS.keys() - set(QUICKLY_FOUND)))
def test_a_broken_product_is_found_in_the_end(name: str) -> None:
    if "CHAOS_TABLES" not in os.environ:
        pytest.skip("takes hundreds of seeds: make chaos")
    found = total(portions(0, SEEDS, lambda: True), jobs=2, mutation=name, until_failure=True)
    assert found.failed
