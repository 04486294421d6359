"""Mutants of the Lua scripts: each operator, condition, constant and line, changed as text."""

import re
from collections.abc import Callable, Iterator
from hashlib import sha1
from importlib import import_module
from typing import Any, Final

import events.store
from tests.mutation.changes import ROOT, Change, Mutant, difference
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


def mutants_of(file: str) -> list[Mutant]:
    """Find every mutant of a script that still is one."""
    source = (ROOT / file).read_text(encoding="utf-8")
    lines = source.splitlines()
    found: dict[tuple[int, str], Mutant] = {}
    for number, line in enumerate(lines):
        for becomes in _changed(line):
            body = "\n".join([*lines[:number], becomes, *lines[number + 1 :], ""])
            if becomes != line and _is_a_script(body):
                change = Change(file, "", number + 1, *difference(line, becomes))
                found.setdefault((number, becomes), Mutant(change, None, _becoming(file, body)))
    return list(found.values())


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
