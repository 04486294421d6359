"""Every command that a game knows as a number: read off the shapes of its commands."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import product
from typing import Any, Final

from domain.catalogue import games
from domain.game import AnyGame, BadField
from domain.wire import AnyOf, Field, ListOf, Scalar, Shape, read_command, shape_of, type_name

_ABSENT: Final = object()
_NO_ANSWERS: Final = frozenset({"events", "refusals"})
"""Parts of a game's texts that name no values."""


@dataclass(frozen=True, slots=True)
class Actions:
    """Hold the commands of a game for so many seats: action ``i`` is ``commands[i]``, in JSON."""

    commands: tuple[Mapping[str, Any], ...]
    numbers: Mapping[str, int]

    def number(self, command: Mapping[str, Any]) -> int:
        """Answer the action of a command, as views list it; KeyError if it has none."""
        return self.numbers[_written(command)]


@cache
def actions_of(name: str, seats: int) -> Actions:
    """Enumerate the commands of a game, in the order of its classes and of their fields' values.

    Numbers without an upper bound are seats. Lists have no item or one. Strings that may be
    anything are the words of the game: what its texts have names for, and digits.
    """
    game = games()[name]
    commands = tuple(_commands(game, seats))
    return Actions(commands, {_written(each): i for i, each in enumerate(commands)})


def _commands(game: AnyGame, seats: int) -> Iterator[Mapping[str, Any]]:
    words = _words(game)
    for kind in game.commands:
        fields = shape_of(kind)
        for values in product(*(_values_of(field, seats, words) for field in fields)):
            body: dict[str, Any] = {"type": type_name(kind)}
            for field, value in zip(fields, values, strict=True):
                if value is not _ABSENT:
                    body[field.name] = value
            try:
                read_command(game, body)
            except BadField:
                continue
            yield body


def _values_of(field: Field, seats: int, words: tuple[str, ...]) -> list[Any]:
    values = list(_values(field.shape, seats, words))
    return values if field.required else [_ABSENT, *values]


def _values(shape: Shape, seats: int, words: tuple[str, ...]) -> Iterator[Any]:
    match shape:
        case AnyOf(shapes):
            for each in shapes:
                yield from _values(each, seats, words)
        case ListOf(item):
            yield []
            yield from ([value] for value in _values(item, seats, words))
        case Scalar():
            yield from _scalars(shape, seats, words)


def _scalars(shape: Scalar, seats: int, words: tuple[str, ...]) -> tuple[Any, ...]:
    if shape.choices:
        return shape.choices
    if shape.kind is bool:
        return (False, True)
    if shape.kind is int:
        most = seats - 1 if shape.most is None else shape.most
        return tuple(range(shape.least or 0, most + 1))
    return words if shape.kind is str else (None,)


def _words(game: AnyGame) -> tuple[str, ...]:
    named = (
        word
        for part, words in game.texts.words["en"].items()
        if part not in _NO_ANSWERS and isinstance(words, Mapping)
        for word in words
        if "." not in word
    )
    return tuple(dict.fromkeys((*map(str, range(10)), *named)))


def _written(command: Mapping[str, Any]) -> str:
    return json.dumps(command, sort_keys=True)
