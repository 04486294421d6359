"""What the hot paths cost when somebody last agreed to it, and what is too much beside that."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from tests.benchmarks.gate.counting import Cost

FILE: Final = Path(__file__).with_name("baselines.json")
DEARER: Final = 1.3


def baselines() -> Mapping[str, Cost]:
    """Answer the cost of every path as agreed."""
    found: Mapping[str, Cost] = json.loads(FILE.read_text())["paths"]
    return found


def too_dear(agreed: Cost, counted: Cost) -> list[str]:
    """Say of everything that has become too dear by how much."""
    return [
        f"{what}: {value:.2f} where {agreed[what]:.2f} was agreed"
        for what, value in counted.items()
        if value >= agreed[what] * DEARER
    ]
