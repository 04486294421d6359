"""Mutants of the Lua scripts: each operator, condition, constant and line, changed as text."""

import re
from collections.abc import Callable, Iterator
from functools import partial
from hashlib import sha1
from importlib import import_module
from typing import Any, Final

import events.store
from tests.mutation.changes import ROOT, Change, Draft, Mutant, difference
from workers import scripts, share
from workers.scripts import Script

APPEND: Final = "events/append.lua"
COMMIT: Final = "workers/scripts/commit.lua"

_SWAPS: Final = (
    (r"~=", "=="),
    (r"==", "~="),
    (r"<=", "<"),
    (r"(?<![<>=~])<(?!=)", "<="),
    (r"(?<![<>=~])>(?!=)", ">="),
    (r"\band\b", "or"),
    (r"\bor\b", "and"),
    (r"\bnot ", ""),
    (r" \+ ", " - "),
    (r" - ", " + "),
    (r" \* ", " + "),
    (r" / ", " * "),
    (r"redis\.call", "redis.pcall"),
    (r"redis\.pcall", "redis.call"),
    (r"'\+'", "'-'"),
    (r"(?<=\bif )[^;]+?(?= then)", "true"),
    (r"(?<=\bif )[^;]+?(?= then)", "false"),
    (r"(?<=\bwhile )[^;]+?(?= do)", "false"),
    (r"(?<=return ).+", "nil"),
)
_NUMBER: Final = re.compile(r"(?<![\w.%'-])\d+(?![\w.'-])")
_TEXT: Final = re.compile(r"'([^']*)'")
_LUA: Final[Any] = import_module("lupa.lua51").LuaRuntime()


def mutants_of(file: str) -> list[Draft]:
    """Find every mutant of a script; a draft is None if it is no script."""
    lines = (ROOT / file).read_text(encoding="utf-8").splitlines()
    return [
        partial(_mutant, file, lines, number, becomes)
        for number, line in enumerate(lines)
        for becomes in dict.fromkeys(_changed(line))
        if becomes != line
    ]


def _mutant(file: str, lines: list[str], number: int, becomes: str) -> Mutant | None:
    body = "\n".join([*lines[:number], becomes, *lines[number + 1 :], ""])
    if not _is_a_script(body):
        return None
    change = Change(file, "", number + 1, *difference(lines[number], becomes))
    return Mutant(change, None, _becoming(file, body))


def _changed(line: str) -> Iterator[str]:
    if line.lstrip().startswith("--"):
        return
    for pattern, instead in _SWAPS:
        for each in re.finditer(pattern, line):
            yield line[: each.start()] + instead + line[each.end() :]
    for each in _NUMBER.finditer(line):
        for other in (int(each[0]) + 1, int(each[0]) - 1):
            yield f"{line[: each.start()]}{other}{line[each.end() :]}"
    for each in _TEXT.finditer(line):
        yield f"{line[: each.start()]}'{each[1]}x'{line[each.end() :]}"
    if not line.lstrip().startswith("return"):
        yield ""


def _is_a_script(body: str) -> bool:
    compiled = _LUA.globals().loadstring(body)
    return not isinstance(compiled, tuple)


def _becoming(file: str, body: str) -> Callable[[], None]:
    script = Script(body.encode(), sha1(body.encode(), usedforsecurity=False).hexdigest())

    def append() -> None:
        vars(events.store).update(_SCRIPT=script.body, _SHA=script.digest)

    def commit() -> None:
        vars(scripts).update(COMMIT=script)
        vars(share).update(COMMIT=script)

    return append if file == APPEND else commit
