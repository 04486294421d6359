"""What came of trying mutants, in figures and for people."""

from collections.abc import Sequence
from math import sqrt
from typing import Any, Final

from tests.mutation.changes import Change
from tests.mutation.explained import Explanations
from tests.mutation.forks import Verdict

_SIGMAS: Final = 1.96


def share(verdicts: Sequence[Verdict]) -> str:
    """Answer how many were killed; a sample's share lies within the range in 19 of 20 cases."""
    killed, tried = _killed(verdicts), len(verdicts)
    low, high = interval(killed, tried)
    return f"{killed} of {tried} killed, {killed / tried:.1%} ({low:.1%} to {high:.1%})"


def interval(part: int, whole: int) -> tuple[float, float]:
    """Answer Wilson's interval of 95% for a share."""
    found, spread = part / whole, _SIGMAS**2 / whole
    middle = (found + spread / 2) / (1 + spread)
    half = _SIGMAS * sqrt(found * (1 - found) / whole + spread / 4 / whole) / (1 + spread)
    return max(0.0, middle - half), min(1.0, middle + half)


def table(verdicts: Sequence[Verdict], explained: Explanations) -> str:
    """Draw a table of files in Markdown."""
    files = dict.fromkeys(each.mutant.change.file for each in verdicts)
    rows = [
        _row(f"`{file}`", [each for each in verdicts if each.mutant.change.file == file], explained)
        for file in files
    ]
    head = ["| file | mutants | killed | survived | of these equivalent |", "|---|---|---|---|---|"]
    return "\n".join([*head, *rows, _row("all", verdicts, explained)])


def _row(name: str, verdicts: Sequence[Verdict], explained: Explanations) -> str:
    killed = _killed(verdicts)
    equivalent = sum(not each.killed and each.mutant.change.name in explained for each in verdicts)
    share = f"{killed} ({killed / len(verdicts):.1%})"
    return f"| {name} | {len(verdicts)} | {share} | {len(verdicts) - killed} | {equivalent} |"


def unexplained(verdicts: Sequence[Verdict], explained: Explanations) -> list[str]:
    """Answer the survivors that somebody has to look at: is a test missing, or is it equal?"""
    return [
        told(each.mutant.change)
        for each in verdicts
        if not each.killed and each.mutant.change.name not in explained
    ]


def wrong(verdicts: Sequence[Verdict], explained: Explanations) -> list[str]:
    """Answer what a run must not end with, in sentences."""
    found = [
        f"{each.by} kills what is called equivalent: {told(each.mutant.change)}"
        for each in verdicts
        if each.killed and each.mutant.change.name in explained
    ]
    if survivors := unexplained(verdicts, explained):
        found.append(f"{len(survivors)} survivors are to be looked at.")
    if not verdicts:
        found.append("Nothing was tried.")
    return found


def told(change: Change) -> str:
    """Show a change."""
    return f"{change.file}:{change.line} {change.function}\n  - {change.was}\n  + {change.becomes}"


def plain(verdict: Verdict) -> dict[str, Any]:
    """Answer a verdict as JSON has it."""
    change = verdict.mutant.change
    return {
        "file": change.file,
        "function": change.function,
        "line": change.line,
        "was": change.was,
        "becomes": change.becomes,
        "killed": verdict.killed,
        "by": verdict.by,
        "cpu": round(verdict.cost, 3),
    }


def _killed(verdicts: Sequence[Verdict]) -> int:
    return sum(each.killed for each in verdicts)
