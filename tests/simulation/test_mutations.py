"""The simulation is not blind: the product broken on purpose is found, one break at a time."""

import os
from typing import Final

import pytest

from tests.simulation.mutations import MUTATIONS
from tests.simulation.portions import portions, total

SEEDS: Final = 2_000

QUICKLY_FOUND: Final = (
    "a lost reply is taken for success",
    "answer before the append",
    "append.lua knows no duplicates",
    "memory is believed",
    "nothing is swept",
    "outboxes are forgotten",
)
"""Found within some tens of seeds; the rest, which may take hundreds, is for ``make chaos``."""


@pytest.mark.timeout(3600)
@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=() if name in QUICKLY_FOUND else pytest.mark.chaos)
        for name in sorted(MUTATIONS)
    ],
)
def test_a_broken_product_is_found(name: str) -> None:
    if name not in QUICKLY_FOUND and "CHAOS_TABLES" not in os.environ:
        pytest.skip("may take hundreds of seeds: make chaos")
    found = total(portions(0, SEEDS, lambda: True), jobs=2, mutation=name, until_failure=True)
    assert found.failed
