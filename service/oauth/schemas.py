"""What apps ask of OAuth, in queries and forms: openapi.yaml shows it, Authlib checks it.

Fields that nobody knows are ignored, as RFC 6749 wants it (3.1, 3.2).
"""

from typing import Any, Final

from marshmallow import EXCLUDE, Schema, fields, validate

from service.oauth.apps import APP_SCOPES, GRANTS

_ASKED: Final = " ".join(APP_SCOPES)


def _text(says: str, **more: Any) -> fields.String:
    needed = more.pop("required", False)
    return fields.String(required=needed, metadata={"description": says, **more})


def _among(says: str, *values: str, required: bool = True) -> fields.String:
    metadata = {"description": says}
    return fields.String(required=required, validate=validate.OneOf(values), metadata=metadata)


def _client() -> fields.String:
    return _text("The app, as it was registered.", required=True)


def _scope() -> fields.String:
    return _text(
        f"Of `{_ASKED}`, what the app needs, with blanks between.", required=True,
        examples=["play read"],
    )  # fmt: skip


class _Asked(Schema):
    class Meta:
        unknown = EXCLUDE


class ConsentAsked(_Asked):
    """What an app asks a player for (RFC 6749, 4.1.1; RFC 7636, 4.3)."""

    response_type = _among("What is asked for.", "code")
    client_id = _client()
    redirect_uri = _text("Where to return to; needed if the app has registered several.")
    scope = _scope()
    state = _text("Comes back as it is.")
    code_challenge = _text(
        "The SHA-256 of the `code_verifier`, in base64url.", required=True,
        pattern="^[A-Za-z0-9_-]{43}$",
    )  # fmt: skip
    code_challenge_method = _among("How the challenge was made.", "S256")


class ConsentGiven(ConsentAsked):
    """What the page sends: what was asked, and the player's answer."""

    answer = _among("What the player says.", "allow", "deny")
    credential = _text(
        "To allow: a token with the scope `account`, or the recovery code.", format="password"
    )


class TokenAsked(_Asked):
    """What is changed for tokens (RFC 6749, 4.1.3 and 6; RFC 8628, 3.4)."""

    grant_type = _among("What is brought.", *GRANTS)
    client_id = _client()
    code = _text("With `authorization_code`: the code.")
    redirect_uri = _text("With `authorization_code`: the address that the code came to.")
    code_verifier = _text(
        "With `authorization_code`: what the challenge was made of.",
        pattern="^[A-Za-z0-9._~-]{43,128}$",
    )
    refresh_token = _text("With `refresh_token`: the newest one.")
    scope = _text("With `refresh_token`: less than was granted.")
    device_code = _text("With the grant of devices: the device's code.")


class DeviceAsked(_Asked):
    """What a device asks for (RFC 8628, 3.1)."""

    client_id = _client()
    scope = _scope()


class DeviceCodeTyped(_Asked):
    """The code that a device shows."""

    user_code = _text("The code; without it, the page asks for it.")


class DeviceAnswered(_Asked):
    """What the page for devices sends."""

    user_code = _text("The code that the device shows.", required=True)
    answer = _among("What the player says.", "allow", "deny")
    credential = _text(
        "To allow: a token with the scope `account`, or the recovery code.", format="password"
    )


class TokenEnded(_Asked):
    """A token whose grant is to end (RFC 7009, 2.1)."""

    token = _text("The access token or the refresh token.", required=True)
    token_type_hint = _among(
        "Which of them it is.", "access_token", "refresh_token", required=False
    )
    client_id = _client()
