"""How commands and options look as JSON: shapes read off their classes, and both ways across."""

import re
from collections.abc import Mapping
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, TypeAlias, Union, get_args, get_origin, get_type_hints

from domain.game import AnyGame, BadField
from domain.remember import remembered
from domain.value import Value, fields


class OneOf(Value):
    """Say which values a field may have: ``Annotated[Card, OneOf(CARDS)]``."""

    values: tuple[str, ...]


class Between(Value):
    """Say how small and how large a number may be: ``Annotated[int, Between(0, 100)]``."""

    least: int
    most: int | None = None


class Scalar(Value):
    """The shape of a string, an integer or a boolean, or of null (``kind`` is ``NoneType``)."""

    kind: type
    choices: tuple[Any, ...] = ()
    least: int | None = None
    most: int | None = None


class ListOf(Value):
    """The shape of a list."""

    item: "Shape"


class AnyOf(Value):
    """The shape of a value that may have several."""

    shapes: tuple["Shape", ...]


Shape: TypeAlias = Scalar | ListOf | AnyOf


class Field(Value):
    """One field of a command or of options, as it is written in JSON."""

    attribute: str
    name: str
    shape: Shape
    required: bool


@remembered
def type_name(kind: type) -> str:
    """Answer the wire name of a command class: ``ChooseRecipe`` is ``choose_recipe``."""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", kind.__name__).lower()


@remembered
def shape_of(kind: type, *, optional_is_absent: bool = True) -> tuple[Field, ...]:
    """Answer the fields of a value.

    A field with the default None is one that may be absent; its None has no form in JSON unless
    ``optional_is_absent`` is false (options, where null is a value).
    """
    hints = get_type_hints(kind, include_extras=True)
    return tuple(
        Field(
            field.name,
            field.name.removesuffix("_"),
            _shape(hints[field.name], drop_none=optional_is_absent and field.default is None),
            required=field.required,
        )
        for field in fields(kind)
    )


def _shape(hint: Any, *, drop_none: bool = False) -> Shape:
    if get_origin(hint) is Annotated:
        bare, *marks = get_args(hint)
        shape = _shape(bare, drop_none=drop_none)
        for mark in marks:
            if isinstance(mark, OneOf):
                shape = Scalar(str, choices=mark.values)
            elif isinstance(mark, Between):
                shape = Scalar(int, least=mark.least, most=mark.most)
        return shape
    if hasattr(hint, "__supertype__"):
        supertype = _shape(hint.__supertype__)
        return Scalar(int, least=0) if hint.__name__ == "Seat" else supertype
    if get_origin(hint) is Literal:
        choices = get_args(hint)
        return Scalar(type(choices[0]), choices=choices)
    if get_origin(hint) is tuple:
        return ListOf(_shape(get_args(hint)[0]))
    if get_origin(hint) in (Union, UnionType):
        kinds = [each for each in get_args(hint) if not (drop_none and each is NoneType)]
        shapes = tuple(_shape(each) for each in kinds)
        return shapes[0] if len(shapes) == 1 else AnyOf(shapes)
    if hint in (str, int, bool, NoneType):
        return Scalar(hint)
    raise TypeError(f"no JSON shape for {hint!r}")


def read(shape: Shape, value: Any, at: str) -> Any:
    """Answer the Python value of a JSON value, or raise BadField naming ``at``."""
    match shape:
        case Scalar():
            return _read_scalar(shape, value, at)
        case ListOf(item):
            if not isinstance(value, (list, tuple)):
                raise BadField(at, "must be a list")
            return tuple(read(item, each, f"{at}/{i}") for i, each in enumerate(value))
        case AnyOf(shapes):
            refusals = []
            for each in shapes:
                try:
                    return read(each, value, at)
                except BadField as refusal:
                    refusals.append(refusal.reason)
            raise BadField(at, " or ".join(dict.fromkeys(refusals)))


def _read_scalar(shape: Scalar, value: Any, at: str) -> Any:
    number: Any = value
    names = {str: "a string", int: "an integer", bool: "true or false", NoneType: "null"}
    if type(value) is not shape.kind:  # no bool for an integer
        raise BadField(at, f"must be {names[shape.kind]}")
    if shape.choices and value not in shape.choices:
        allowed = ", ".join(str(each) for each in shape.choices[:12])
        raise BadField(at, f"must be one of {allowed}{', ...' if len(shape.choices) > 12 else ''}")
    if shape.least is not None and number < shape.least:
        raise BadField(at, f"must be at least {shape.least}")
    if shape.most is not None and number > shape.most:
        raise BadField(at, f"must be at most {shape.most}")
    return value


def read_fields(kind: type[object], body: object, *, optional_is_absent: bool = True) -> Any:
    """Make a value from a JSON object, or raise BadField naming the first bad field."""
    if not isinstance(body, Mapping):
        raise BadField("", "must be an object")
    shape = shape_of(kind, optional_is_absent=optional_is_absent)
    known = {field.name for field in shape}
    for name in body:
        if name not in known:
            raise BadField(str(name), "is not a field of this")
    for field in shape:
        if field.required and field.name not in body:
            raise BadField(field.name, "is missing")
    return kind(
        **{
            field.attribute: read(field.shape, body[field.name], field.name)
            for field in shape
            if field.name in body
        }
    )


def read_command(game: AnyGame, body: object) -> Any:
    """Make a command of a game from ``{"type": ..., fields}``, or raise BadField."""
    if not isinstance(body, Mapping):
        raise BadField("", "must be an object")
    kinds = {type_name(kind): kind for kind in game.commands}
    name = body.get("type")
    if not isinstance(name, str) or name not in kinds:
        raise BadField("type", f"must be one of {', '.join(kinds)}")
    return read_fields(kinds[name], {k: v for k, v in body.items() if k != "type"})


def read_options(game: AnyGame, body: object, seats: int) -> Any:
    """Make complete options of a game for so many seats, or raise BadField."""
    return read_fields(game.options, body, optional_is_absent=False).settled(seats)


def plain_command(command: object) -> dict[str, Any]:
    """Answer the JSON form of a command; a field that is None is absent."""
    return {"type": type_name(type(command))} | {
        field.name: value
        for field in shape_of(type(command))
        if (value := getattr(command, field.attribute)) is not None
    }


def plain_options(options: object) -> dict[str, Any]:
    """Answer the JSON form of options."""
    return {field.name: getattr(options, field.attribute) for field in fields_of_options(options)}


def fields_of_options(options: object) -> tuple[Field, ...]:
    """Answer the fields of options, null being a value."""
    return shape_of(type(options), optional_is_absent=False)
