"""JSON Schemas of the games' commands and options, read off the shapes that check them."""

from collections.abc import Iterable
from typing import Any, TypeAlias

import msgspec

from domain.game import AnyGame
from domain.value import fields as fields_of
from domain.wire import Field, shape_of, type_name
from events.schema import json_schema

Json: TypeAlias = dict[str, Any]


def options_schema(game: AnyGame) -> Json:
    """Answer the JSON Schema of a game's options, with what is taken for those left out."""
    fields = shape_of(game.options, optional_is_absent=False)
    taken = {
        each.name: {"default": msgspec.to_builtins(each.default)}
        for each in fields_of(game.options)
        if each.default is not msgspec.NODEFAULT
    }
    return {
        "type": "object",
        "properties": {
            field.name: json_schema(field.shape) | taken.get(field.attribute, {})
            for field in fields
        },
        "required": [field.name for field in fields if field.required],
        "additionalProperties": False,
    }


def commands_schema(game: AnyGame) -> Json:
    """Answer the JSON Schema of a game's commands."""
    return {"anyOf": list(command_schemas([game]).values())}


def command_schemas(games: Iterable[AnyGame]) -> dict[str, Json]:
    """Answer one JSON Schema for each command type; games that share a type share its schema."""
    shapes: dict[str, list[tuple[Field, ...]]] = {}
    for game in games:
        for kind in game.commands:
            shapes.setdefault(type_name(kind), []).append(shape_of(kind))
    return {name: _command(name, found) for name, found in sorted(shapes.items())}


def _command(name: str, kinds: list[tuple[Field, ...]]) -> Json:
    properties: dict[str, list[Json]] = {}
    for field in (field for fields in kinds for field in fields):
        schemas = properties.setdefault(field.name, [])
        if (schema := json_schema(field.shape)) not in schemas:
            schemas.append(schema)
    required = [{field.name for field in fields if field.required} for fields in kinds]
    everywhere = [field for field in properties if all(field in names for names in required)]
    return {
        "type": "object",
        "properties": {"type": {"const": name}}
        | {field: _either(schemas) for field, schemas in properties.items()},
        "required": ["type", *everywhere],
        "additionalProperties": False,
    }


def _either(schemas: list[Json]) -> Json:
    return schemas[0] if len(schemas) == 1 else {"anyOf": schemas}
