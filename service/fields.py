"""Fields of bodies and of queries: what they accept, with codes of problems.py as messages."""

import re
from typing import Any, Final

from marshmallow import INCLUDE, RAISE, Schema, ValidationError, fields, validate

from events.schema import MESSAGES, NotOneOf, pointers
from service.identity.names import NAME_CODES, NAME_LENGTH, length, tidy_name

_NUMBER: Final = re.compile(r"(0|[1-9][0-9]{0,14})")


class Request(Schema):
    """A body or a query: unknown fields are refused, messages are codes."""

    error_messages = MESSAGES

    class Meta:
        """Refuse what is not known."""

        unknown = RAISE


class Answer(Schema):
    """What the server answers: more fields may come with time."""

    class Meta:
        """Leave room for fields to come."""

        unknown = INCLUDE


def text(least: int, most: int, **more: Any) -> fields.String:
    """Make a field of a string with so many characters."""
    length = validate.Length(least, most, error="out-of-range")
    return fields.String(validate=length, error_messages=MESSAGES, **more)


def matching(pattern: str, **more: Any) -> fields.String:
    """Make a field of a string that matches a pattern as a whole."""
    whole = validate.Regexp(rf"{pattern}\Z", error="malformed")
    metadata = {"pattern": f"^{pattern}$", **more.pop("metadata", {})}
    return fields.String(validate=whole, error_messages=MESSAGES, metadata=metadata, **more)


def one_of(*values: str, **more: Any) -> fields.String:
    """Make a field of a string that is one of these."""
    return fields.String(validate=_Among(values), error_messages=MESSAGES, **more)


def whole(least: int, most: int, **more: Any) -> fields.Integer:
    """Make a field of an integer in a range; a body's, where 1.0 and true are none."""
    between = validate.Range(least, most, error="out-of-range")
    return _Whole(validate=between, error_messages=MESSAGES, **more)


class _Among(validate.OneOf):
    def __call__(self, value: Any) -> Any:
        if value not in self.choices:
            raise ValidationError(NotOneOf(self.choices))
        return value


class _Whole(fields.Integer):
    def _deserialize(self, value: Any, attr: Any, data: Any, **more: Any) -> int:  # noqa: ARG002
        if type(value) is not int:
            raise ValidationError("wrong-type")
        return value


def number(least: int, most: int, **more: Any) -> fields.Integer:
    """Make a field of an integer in a range, written in a query."""
    between = validate.Range(least, most, error="out-of-range")
    return _Number(validate=between, error_messages=MESSAGES, **more)


class _Number(fields.Integer):
    def _deserialize(self, value: Any, attr: Any, data: Any, **more: Any) -> int:  # noqa: ARG002
        return _digits(value)


def _digits(written: str) -> int:
    if not _NUMBER.fullmatch(written):
        raise ValidationError("wrong-type")
    return int(written)


class Flag(fields.Boolean):
    """true or false, written in a query."""

    def _deserialize(self, value: Any, attr: Any, data: Any, **more: Any) -> bool:  # noqa: ARG002
        if value not in ("true", "false"):
            raise ValidationError("wrong-type")
        return bool(value == "true")


class Truth(fields.Boolean):
    """true or false in a body, where 1 and "yes" are neither."""

    def _deserialize(self, value: Any, attr: Any, data: Any, **more: Any) -> bool:  # noqa: ARG002
        if not isinstance(value, bool):
            raise ValidationError("wrong-type")
        return value


class Listed(fields.List[Any]):
    """Values with commas between them, written in a query."""

    def _deserialize(self, value: Any, attr: Any, data: Any, **more: Any) -> list[Any]:
        parts = value.split(",")
        if len(set(parts)) < len(parts):
            raise ValidationError("repeated")
        try:
            return super()._deserialize(parts, attr, data, **more)
        except ValidationError as bad:
            raise ValidationError(next(pointers(bad.messages))[1]) from bad


class BySeat(fields.Dict):
    """Strings by seat number; JSON has strings for keys only."""

    def _deserialize(self, value: Any, attr: Any, data: Any, **more: Any) -> dict[str, str]:  # noqa: ARG002
        if not isinstance(value, dict):
            raise self.make_error("invalid")
        bad = {
            name: ["wrong-type" if _NUMBER.fullmatch(name) else "malformed"]
            for name, each in value.items()
            if not (_NUMBER.fullmatch(name) and isinstance(each, str))
        }
        if bad:
            raise ValidationError(bad)
        return value


class Perspective(fields.Field[Any]):
    """A seat's number, ``spectator`` or ``arbiter``, written in a query."""

    def _deserialize(self, value: Any, attr: Any, data: Any, **more: Any) -> int | str:  # noqa: ARG002
        if value in ("spectator", "arbiter"):
            return str(value)
        return _digits(value)


class Name(fields.Field[Any]):
    """A name that everybody is shown; ``needed`` says that something must be left of it."""

    def __init__(self, *, needed: bool = False, **more: Any) -> None:
        super().__init__(**more)
        self.needed = needed

    def _deserialize(self, value: Any, attr: Any, data: Any, **more: Any) -> str | None:  # noqa: ARG002
        if not isinstance(value, str):
            raise ValidationError("wrong-type")
        name = tidy_name(value[:NAME_CODES])
        if len(value) > NAME_CODES or length(name or "") > NAME_LENGTH:
            raise ValidationError("out-of-range")
        if self.needed and name is None:
            raise ValidationError("out-of-range")
        return name
