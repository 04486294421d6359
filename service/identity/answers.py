"""What the server answers about players, bots, tokens and recovery."""

from typing import Any, Final

from marshmallow import fields, validate

from service.fields import Answer
from service.identity.callers import SCOPES
from service.identity.recovery import CODE

TOKEN: Final = "^abx_[A-Za-z0-9_-]{43}$"  # noqa: S105 - what tokens look like


def _text(**more: Any) -> fields.String:
    allow_none = more.pop("allow_none", False)
    return fields.String(required=True, allow_none=allow_none, metadata=more)


def secret() -> fields.String:
    """Make the field of a token that is shown."""
    return _text(description="Shown this once; keep it.", pattern=TOKEN)


def scopes() -> fields.List[Any]:
    """Make the field of what a token may do."""
    return fields.List(fields.String(validate=validate.OneOf(SCOPES)), required=True)


class Player(Answer):
    """What everybody may know of a player."""

    player = _text(format="uuid")
    name = _text(allow_none=True)
    bot = fields.Boolean(
        required=True, metadata={"description": "Whether a program plays, and says so."}
    )


class Profile(Player):
    """What a player may know of itself."""

    locale = _text(allow_none=True)
    since = _text(format="date-time")
    recoverable = fields.Boolean(
        required=True, metadata={"description": "Whether it has a recovery code."}
    )


class Guest(Profile):
    """A player and a new token of it."""

    token = secret()


class Bots(Answer):
    """The bots of a player."""

    items = fields.List(fields.Nested(Player), required=True)
    next = _text(allow_none=True)


class TokenItem(Answer):
    """A token, which itself is not shown again."""

    id = _text(description="To revoke it by.")
    kind = fields.String(
        required=True,
        validate=validate.OneOf(("device", "personal", "app")),
        metadata={"description": "device: from signing up or recovering. app: see `app`."},
    )
    label = _text(allow_none=True)
    app = _text(allow_none=True, description="The id of the app that it was given to.")
    scopes = scopes()
    made_at = _text(format="date-time")
    current = fields.Boolean(
        required=True, metadata={"description": "Whether this request came with it."}
    )


class Tokens(Answer):
    """The tokens of a player."""

    items = fields.List(fields.Nested(TokenItem), required=True)
    next = _text(allow_none=True)


class MadeToken(TokenItem):
    """A token that was just made."""

    token = secret()


class RecoveryCode(Answer):
    """The code that brings a player back."""

    code = _text(description="Shown this once; write it down.", pattern=f"^{CODE}$")
