"""Mutants of Python functions: mutmut's operators and a few of our own, applied to living code."""

import re
from collections.abc import Iterator
from functools import _lru_cache_wrapper, partial
from importlib import import_module
from itertools import islice
from types import CodeType, FunctionType
from typing import Any, Final

import libcst as cst
from libcst.metadata import MetadataWrapper, PositionProvider
from mutmut.mutation.file_mutation import (
    Mutation,
    MutationVisitor,
    deep_replace,
)
from mutmut.mutation.mutators import OPERATORS_TYPE, mutation_operators, operator_string
from mutmut.mutation.pragma_handling import IgnoredCode

from tests.mutation.changes import ROOT, Change, Draft, Mutant, difference


def _condition(node: cst.If | cst.CompIf) -> Iterator[cst.CSTNode]:
    """Take a condition for given, both ways."""
    for constant in ("True", "False"):
        yield node.with_changes(test=cst.Name(constant))


def _statement(node: cst.SimpleStatementLine) -> Iterator[cst.CSTNode]:
    """Leave a statement out that is there for its effect: a call, a yield, an assertion."""
    if len(node.body) == 1 and isinstance(node.body[0], cst.Expr | cst.Raise | cst.Del):
        value = node.body[0].value if isinstance(node.body[0], cst.Expr) else None
        if not isinstance(value, cst.SimpleString | cst.ConcatenatedString):
            yield node.with_changes(body=[cst.Pass()])


def _return(node: cst.Return) -> Iterator[cst.CSTNode]:
    """Answer nothing."""
    if node.value is not None and not isinstance(node.value, cst.Name):
        yield node.with_changes(value=cst.Name("None"))


def _text(node: cst.BaseString) -> Iterator[cst.BaseString]:
    """Spoil a text; another case of its letters tells nothing more."""
    yield from islice(operator_string(node), 1)


_OPERATORS: Final[OPERATORS_TYPE] = [
    *(each for each in mutation_operators if each[1] is not operator_string),
    (cst.BaseString, _text),
    (cst.If, _condition),
    (cst.CompIf, _condition),
    (cst.SimpleStatementLine, _statement),
    (cst.Return, _return),
]

# Words of an error are for people; and what is never reached cannot be changed.
_UNTOLD: Final = ("ValueError", "assert_never")
_NOTHING: Final = "case _: pass"
"""What types ask for, and nobody can leave out."""
_READABLE: Final = ("property", "cache", "remembered", "staticmethod", "classmethod")


class _Visitor(MutationVisitor):
    """Finds mutations in properties and remembered functions, too."""

    def _skip_node_and_children(self, node: cst.CSTNode) -> bool:
        if isinstance(node, cst.FunctionDef) and node.decorators:
            names = (getattr(each.decorator, "value", "") for each in node.decorators)
            return not all(name in _READABLE for name in names)
        if isinstance(node, cst.Call) and getattr(node.func, "value", "") in _UNTOLD:
            return True
        return super()._skip_node_and_children(node)


def mutants_of(file: str) -> list[Draft]:
    """Find every mutant of the functions of a file; a draft is None if it is the same code."""
    source = (ROOT / file).read_text(encoding="utf-8")
    wrapper = MetadataWrapper(cst.parse_module(source))
    visitor = _Visitor(_OPERATORS, IgnoredCode(set(), set(), set()))
    tree = wrapper.visit(visitor)
    positions = wrapper.resolve(PositionProvider)
    owners = _owners(tree)
    return [
        partial(
            _mutant, file, owners[mutation.contained_by_top_level_function], mutation, positions
        )
        for mutation in visitor.mutations
        if mutation.contained_by_top_level_function in owners
    ]


def _owners(tree: cst.Module) -> dict[cst.CSTNode, str]:
    """Answer functions and methods with the path by which their module has them."""
    owners: dict[cst.CSTNode, str] = {}
    for node in tree.body:
        if isinstance(node, cst.FunctionDef):
            owners[node] = node.name.value
        elif isinstance(node, cst.ClassDef):
            for method in node.body.body:
                if isinstance(method, cst.FunctionDef):
                    owners[method] = f"{node.name.value}.{method.name.value}"
    return owners


def _mutant(file: str, path: str, mutation: Mutation, positions: Any) -> Mutant | None:
    function = mutation.contained_by_top_level_function
    assert function is not None
    changed = deep_replace(function, mutation.original_node, mutation.mutated_node)
    assert isinstance(changed, cst.FunctionDef)
    before, after = (_source(each) for each in (function, changed))
    place = positions[function]
    at = positions.get(mutation.original_node, place)
    try:
        was, becomes = _code(before), _code(after)
    except SyntaxError:
        return None
    change = Change(file, path, at.start.line, *difference(before, after))
    if (
        "assert_never" in change.was
        or change.was == _NOTHING
        or _same(was, becomes)
        or _same(*(_code(_unguarded(each)) for each in (before, after)))
    ):
        return None
    assert not becomes.co_freevars
    lines = range(place.start.line, place.end.line + 1)

    def apply() -> None:
        module = import_module(file.removesuffix(".py").replace("/", "."))
        _living(module, path).__code__ = becomes.replace(
            co_filename=str(ROOT / file), co_firstlineno=lines.start
        )

    return Mutant(change, lines, apply)


def _source(function: cst.FunctionDef) -> str:
    return cst.Module([function.with_changes(leading_lines=(), decorators=())]).code


def _unguarded(source: str) -> str:
    """Leave out that lists are equally long, which is never false, and what types are called."""
    return re.sub(r",\s*strict=\w+|(?<=\bcast\()(?:None|\"[^\"]+\"),", "", source)


def _code(source: str) -> CodeType:
    module = compile(source, "mutant", "exec")
    return next(each for each in module.co_consts if isinstance(each, CodeType))


def _same(one: CodeType, other: CodeType) -> bool:
    return _shape(one) == _shape(other)


def _shape(code: CodeType) -> tuple[Any, ...]:
    consts = tuple(
        _shape(each) if isinstance(each, CodeType) else (type(each), each)
        for each in code.co_consts
    )
    return code.co_code, consts, code.co_names, code.co_varnames, code.co_freevars


def _living(module: Any, path: str) -> FunctionType:
    """Find a function where its module keeps it."""
    owner, _, name = path.rpartition(".")
    found = vars(getattr(module, owner) if owner else module)[name]
    if isinstance(found, property):
        found = found.fget
    if isinstance(found, staticmethod | classmethod):
        found = found.__func__
    if isinstance(found, _lru_cache_wrapper):
        found = found.__wrapped__
    assert isinstance(found, FunctionType)
    return found
