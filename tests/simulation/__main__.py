"""Runs seeds: ``python -m tests.simulation --seeds 0:2000``, or ``--seconds 600`` from a new one.

Prints each seed that failed with what did not hold, then what was done and injected; exits 1 if
any failed. ``--mutation NAME`` breaks the product first: then something must fail.
"""

import argparse
import os
import sys
from time import monotonic, time

from tests.simulation.mutations import MUTATIONS
from tests.simulation.portions import portions, total


def main() -> int:
    """Run what was asked for on as many cores as were asked for."""
    parser = argparse.ArgumentParser(prog="python -m tests.simulation", description=__doc__)
    parser.add_argument("--seeds", default="0:2000", help="first:last, the last one excluded")
    parser.add_argument("--seconds", type=float, help="run new seeds for so long instead")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--mutation", choices=sorted(MUTATIONS), help="break this first")
    asked = parser.parse_args()
    first, last = map(int, asked.seeds.split(":"))
    seeds = portions(first, last, lambda: True)
    if asked.seconds:
        end = monotonic() + asked.seconds
        seeds = portions(int(time()) * 1000, None, lambda: monotonic() < end)
    found = total(seeds, asked.jobs, asked.mutation, until_failure=asked.mutation is not None)
    for line in found.lines():
        print(line)
    return 1 if found.failed else 0


if __name__ == "__main__":
    sys.exit(main())
