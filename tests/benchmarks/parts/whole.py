"""What a whole server costs: its start, its idling, and whether anything grows with use."""

import json
import subprocess
import sys
from collections.abc import Iterator
from unittest.mock import patch

from tests.benchmarks import flat
from tests.benchmarks.figures import Figure
from tests.benchmarks.parts.scale import Scale
from tests.e2e.server import environment


def starting(scale: Scale) -> Iterator[Figure]:
    """Measure a start with many tables in the data folder, and an idle server."""
    asked = {
        "TABLES": str(scale.started), "STARTS": str(scale.starts), "IDLE": str(scale.idle),
    }  # fmt: skip
    done = subprocess.run(
        [sys.executable, "-m", "tests.benchmarks.start"], env=environment() | asked, check=True,
        stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    told = json.loads(done.stdout)
    tables = told["tables"]
    yield Figure(
        what=f"ready with {tables} tables", ours=told["ready_s"], unit="s", bound="value", most=3.0
    )
    yield Figure(what="all processes until then", ours=told["cpu_s"], unit="s of CPU")
    yield Figure(
        what="an idle server", ours=100 * told["idle_core"], unit="% of a core", bound="value",
        most=2.0,
    )  # fmt: skip


def growing(scale: Scale) -> Iterator[Figure]:
    """Compare a small server with a large one, and short tables with long ones."""
    with patch.object(flat, "FEW", scale.few), patch.object(flat, "ROUNDS", scale.rounds):
        for name, small, large, ratio in flat.measure(scale.many, scale.long):
            yield Figure(
                what=f"p50 of {name}", ours=large, unit="ms", beside="ms the small side",
                other=small, paired=ratio, bound="ratio", most=1.2,
            )  # fmt: skip
