"""Marshmallow schemas of commands and options, derived from their dataclasses.

Whatever a schema refuses, it names the field and gives a code: ``missing``, ``unknown``,
``wrong-type``, ``not-one-of``, ``out-of-range`` or ``malformed``.
"""

from collections.abc import Iterable, Iterator, Mapping
from types import NoneType
from typing import Any, Final, Self

import msgspec
from marshmallow import RAISE, Schema, ValidationError, fields, post_load

from domain.game import AnyGame, BadField
from domain.wire import AnyOf, ListOf, Scalar, Shape, shape_of, type_name
from events.per_game import per_game

MESSAGES: Final[dict[str, Any]] = {
    "required": "missing",
    "null": "wrong-type",
    "invalid": "wrong-type",
    "type": "wrong-type",
    "unknown": "unknown",
}
_NULL: Final = Scalar(NoneType)

_BODY: Final = msgspec.json.Encoder(order="sorted")
_SHORT: Final = 200
_MOST_MET: Final = 4_096
_JSON_TYPES: Final = {str: "string", int: "integer", bool: "boolean", NoneType: "null"}


class NotOneOf(str):
    """The code ``not-one-of``, and the values that would have been taken."""

    __slots__ = ("allowed",)
    allowed: tuple[Any, ...]

    def __new__(cls, allowed: Iterable[Any]) -> Self:
        """Take the values."""
        code = super().__new__(cls, "not-one-of")
        code.allowed = tuple(allowed)
        return code


class _Strict(fields.Field[Any]):
    """Take a string, an integer or a boolean as it is: "1", 1.0 and true are no integers."""

    def __init__(self, shape: Scalar, **more: Any) -> None:
        told = json_schema(shape)
        if "enum" in told and more.get("allow_none"):
            told["enum"].append(None)
        super().__init__(error_messages=MESSAGES, metadata=told, **more)
        self.shape = shape

    def _deserialize(self, value: Any, *_: Any, **__: Any) -> Any:
        shape, number = self.shape, value
        if type(value) is not shape.kind:
            raise self.make_error("invalid")
        if shape.choices and value not in shape.choices:
            raise ValidationError(NotOneOf(shape.choices))
        below = shape.least is not None and number < shape.least
        if below or (shape.most is not None and number > shape.most):
            raise ValidationError("out-of-range")
        return value


class _Listed(fields.List[Any]):
    """Take a list, as a tuple."""

    def __init__(self, shape: ListOf, **more: Any) -> None:
        super().__init__(field_of(shape.item), error_messages=MESSAGES, **more)

    def _deserialize(self, value: Any, attr: str | None, data: Any, **more: Any) -> Any:
        return tuple(super()._deserialize(value, attr, data, **more))


class _Either(fields.Field[Any]):
    """Take what one of several fields takes."""

    def __init__(self, shape: AnyOf, among: list[fields.Field[Any]], **more: Any) -> None:
        super().__init__(error_messages=MESSAGES, metadata=json_schema(shape), **more)
        self.among = among

    def _deserialize(self, value: Any, attr: str | None, data: Any, **more: Any) -> Any:
        refusals = []
        for field in self.among:
            try:
                return field.deserialize(value, attr, data, **more)
            except ValidationError as refusal:
                refusals.append(refusal.messages)
        # What has the right type and another fault is told best.
        raise ValidationError(
            next((each for each in refusals if each != ["wrong-type"]), refusals[0])
        )


def field_of(shape: Shape, **more: Any) -> fields.Field[Any]:
    """Make the field that takes exactly what ``domain.wire.read`` reads."""
    match shape:
        case Scalar():
            return _Strict(shape, **more)
        case ListOf():
            return _Listed(shape, **more)
        case AnyOf(shapes):
            kept = tuple(each for each in shapes if each != _NULL)
            nullable: dict[str, Any] = {} if len(kept) == len(shapes) else {"allow_none": True}
            if len(kept) == 1:
                return field_of(kept[0], **more, **nullable)
            return _Either(shape, [field_of(each) for each in kept], **more, **nullable)


def json_schema(shape: Shape) -> dict[str, Any]:
    """Answer the JSON Schema of a shape."""
    match shape:
        case Scalar():
            told = {
                "type": _JSON_TYPES[shape.kind],
                "enum": list(shape.choices),
                "minimum": shape.least,
                "maximum": shape.most,
            }
            return {name: value for name, value in told.items() if value not in (None, [])}
        case ListOf(item):
            return {"type": "array", "items": json_schema(item)}
        case AnyOf(shapes):
            return {"anyOf": [json_schema(each) for each in shapes]}


def schema_of(
    kind: type[Any], name: str, *, typed: str | None = None, null_is_a_value: bool = False
) -> Schema:
    """Make the schema of a dataclass; ``load`` makes the dataclass or raises ValidationError.

    ``typed`` is the value that the body's ``type`` must have, if it has one. Null stands for the
    None of an optional field only where ``null_is_a_value``.
    """
    declared = {
        field.name: field_of(field.shape, required=field.required, attribute=field.attribute)
        for field in shape_of(kind, optional_is_absent=not null_is_a_value)
    }
    if typed is not None:
        declared = {"type": field_of(Scalar(str, choices=(typed,)), required=True)} | declared

    class Meta:
        unknown = RAISE

    def make(schema: Schema, loaded: dict[str, Any], **more: Any) -> Any:  # noqa: ARG001
        loaded.pop("type", None)
        try:
            return kind(**loaded)
        except BadField as bad:
            raise ValidationError({bad.field or "_schema": ["malformed"]}) from bad

    body = {
        **declared,
        "Meta": Meta,
        "error_messages": MESSAGES,
        "_make": post_load(make),
        "__doc__": kind.__doc__,
    }
    return type(name, (Schema,), body)()  # type: ignore[no-any-return]


@per_game
def command_schemas(game: AnyGame) -> Mapping[str, Schema]:
    """Answer the schema of each command of a game by its type; ``load`` makes the command.

    The body of a command is ``{"type": ..., fields}``.
    """
    return {
        name: schema_of(kind, f"{_title(game)}{kind.__name__}", typed=name)
        for kind in game.commands
        for name in (type_name(kind),)
    }


@per_game
def options_schema(game: AnyGame) -> Schema:
    """Answer the schema of a game's options; ``load`` makes them, not yet settled."""
    return schema_of(game.options, f"{_title(game)}Options", null_is_a_value=True)


def _title(game: AnyGame) -> str:
    return "".join(word.capitalize() for word in game.name.split("_"))


@per_game
def _met(game: AnyGame) -> dict[bytes, Any]:  # noqa: ARG001 - one for each game
    return {}


def load_command(game: AnyGame, body: object) -> Any:
    """Make a command of a JSON body, or raise ValidationError.

    Most are short and come again and again, and nothing in them changes: those met are kept.
    """
    met, written = _met(game), _BODY.encode(body)
    command = met.get(written)
    if command is None:
        command = _load_command(game, body)
        if len(written) <= _SHORT:
            if len(met) >= _MOST_MET:
                met.clear()
            met[written] = command
    return command


def _load_command(game: AnyGame, body: object) -> Any:
    if not isinstance(body, Mapping):
        raise ValidationError({"_schema": ["wrong-type"]})
    if "type" not in body:
        raise ValidationError({"type": ["missing"]})
    if not isinstance(body["type"], str):
        raise ValidationError({"type": ["wrong-type"]})
    schema = command_schemas(game).get(body["type"])
    if schema is None:
        raise ValidationError({"type": [NotOneOf(command_schemas(game))]})
    return schema.load(body)


def load_options(game: AnyGame, body: object, seats: int) -> Any:
    """Make complete options for so many seats of a JSON body, or raise ValidationError."""
    if not isinstance(body, Mapping):
        raise ValidationError({"_schema": ["wrong-type"]})
    try:
        return options_schema(game).load(body).settled(seats)
    except BadField as bad:
        raise ValidationError({bad.field or "_schema": ["out-of-range"]}) from bad


def pointers(messages: Any, at: str = "") -> Iterator[tuple[str, str]]:
    """Walk the messages of a ValidationError: (JSON pointer, code) of each fault."""
    if isinstance(messages, Mapping):
        for name, below in messages.items():
            escaped = str(name).replace("~", "~0").replace("/", "~1")
            yield from pointers(below, at if name == "_schema" else f"{at}/{escaped}")
    else:
        for code in messages:
            yield at, code
