"""Try mutants of the product and say which survive: python -m tests.mutation [ROOM ...]."""

import argparse
import json
import random
import sys
from collections.abc import Callable
from itertools import islice
from pathlib import Path

from tests.mutation.changes import Mutant, made
from tests.mutation.explained import Explanations, read_explanations
from tests.mutation.forks import Verdict, try_all
from tests.mutation.report import plain, share, table, told, wrong
from tests.mutation.rooms import QUICK, ROOMS


def main() -> int:
    """Try mutants room by room; fail if one survives unexplained, or an explanation is wrong."""
    asked = _asked()
    explained = read_explanations()
    verdicts: list[Verdict] = []
    for name, mutants in _chosen(asked).items():
        room = ROOMS[name]
        found = try_all(mutants, room.asked, room.budget, _telling(explained))
        print(f"{name}: {share(found)}", flush=True)
        verdicts += found
    print(table(verdicts, explained))
    if asked.json:
        asked.json.write_text(json.dumps([plain(each) for each in verdicts], indent=1))
    problems = wrong(verdicts, explained)
    print(*problems, sep="\n")
    return bool(problems)


def _asked() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.mutation", description=__doc__)
    parser.add_argument("rooms", nargs="*", metavar="ROOM", help=f"of {', '.join(ROOMS)}")
    parser.add_argument("--only", default="", metavar="TEXT", help="mutants of files named so")
    parser.add_argument("--sample", type=int, metavar="N", help="try so many, drawn by the seed")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", type=Path, metavar="FILE", help="write every verdict here")
    return parser.parse_args()


def _chosen(asked: argparse.Namespace) -> dict[str, list[Mutant]]:
    """Answer the mutants to try, by room."""
    drafts = [
        (name, draft)
        for name in asked.rooms or [each for each in ROOMS if each != QUICK]
        for draft in ROOMS[name].drafts(asked.only)
    ]
    sampled = asked.sample is not None and asked.sample < len(drafts)
    if sampled:
        print(f"{asked.sample} of about {len(drafts)} mutants, drawn by seed {asked.seed}")
        random.Random(asked.seed).shuffle(drafts)
    chosen: dict[str, list[Mutant]] = {}
    for name, mutant in islice(made(drafts), asked.sample if sampled else None):
        chosen.setdefault(name, []).append(mutant)
    return chosen


def _telling(explained: Explanations) -> Callable[[Verdict], None]:
    def tell(verdict: Verdict) -> None:
        change = verdict.mutant.change
        if not verdict.killed and change.name not in explained:
            print(f"survived {verdict.by}: {told(change)}", flush=True)

    return tell


if __name__ == "__main__":
    sys.exit(main())
