"""What a mutant is: one small change of the product, and how to make it in this process."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeAlias

ROOT: Final = Path(__file__).parents[2]


@dataclass(frozen=True, slots=True)
class Change:
    """What a mutant changes, for people and for the list of survivors that were explained."""

    file: str
    function: str
    line: int
    was: str
    becomes: str

    @property
    def name(self) -> tuple[str, str, str, str]:
        """Answer what it is known by, wherever in its file it stands."""
        return (self.file, self.function, self.was, self.becomes)


@dataclass(frozen=True, slots=True)
class Mutant:
    """A change, the lines of its function if tests are chosen by them, and how to make it."""

    change: Change
    lines: range | None
    apply: Callable[[], None]


Draft: TypeAlias = Callable[[], Mutant | None]
"""Makes a mutant once it is wanted: there are thousands, and each takes some milliseconds."""


def made(drafts: Iterable[tuple[str, Draft]]) -> Iterator[tuple[str, Mutant]]:
    """Make the mutants of rooms, each once."""
    known = set()
    for room, draft in drafts:
        mutant = draft()
        if mutant is not None and (name := (*mutant.change.name, mutant.change.line)) not in known:
            known.add(name)
            yield room, mutant


def difference(before: str, after: str) -> tuple[str, str]:
    """Answer the lines that differ, without what surrounds them."""
    was, becomes = before.splitlines(), after.splitlines()
    while was and becomes and was[0] == becomes[0]:
        del was[0], becomes[0]
    while was and becomes and was[-1] == becomes[-1]:
        del was[-1], becomes[-1]
    return _one_line(was), _one_line(becomes)


def _one_line(lines: list[str]) -> str:
    return " ".join(" ".join(lines).split())
