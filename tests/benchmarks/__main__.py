"""Measure everything that is promised: ``python -m tests.benchmarks [--quick] [--json FILE]``.

Prints a table as it grows; the same goes into a file as JSON. Every rate stands beside that of
something bare, measured in turn with it; figures are medians of five such pairs. Without --quick
it takes some ten minutes on two cores that have nothing else to do.
"""

import argparse
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path

from tests.benchmarks.figures import Figure, machine, publish
from tests.benchmarks.parts.histories import histories
from tests.benchmarks.parts.requests import generator, requests
from tests.benchmarks.parts.scale import QUICK, WHOLE, Scale
from tests.benchmarks.parts.stored import appends, followed, room, visible
from tests.benchmarks.parts.whole import growing, starting

PARTS: dict[str, Callable[[Scale], Iterable[Figure]]] = {
    "The load generator by itself": generator,
    "Requests, beside bare routes": requests,
    "Appends, beside raw XADD": appends,
    "From append to visible view": visible,
    "Histories, beside a raw fold": histories,
    "Followers and rebuilding": followed,
    "Room of a table": room,
    "Start and idle": starting,
    "Whether anything grows": growing,
}


def main() -> None:
    """Read the command line and measure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="only see that it all works")
    parser.add_argument("--json", type=Path, help="where the figures go as well")
    parser.add_argument("--only", nargs="*", default=[], help="parts whose titles begin so")
    given = parser.parse_args()
    scale = QUICK if given.quick else WHOLE
    wanted = tuple(given.only) or ("",)
    publish(
        [
            (title, partial(part, scale))
            for title, part in PARTS.items()
            if title.startswith(wanted)
        ],
        machine(),
        given.json,
    )


if __name__ == "__main__":
    main()
