"""What apps and their makers are answered."""

from typing import Any

from marshmallow import fields

from service.fields import Answer


def _text(**more: Any) -> fields.String:
    return fields.String(required=True, metadata=more)


class App(Answer):
    """An app: a public client, which keeps no secret."""

    client_id = _text()
    name = _text()
    redirect_uris = fields.List(fields.String(), required=True)


class Apps(Answer):
    """The apps of a player."""

    items = fields.List(fields.Nested(App), required=True)
    next = fields.String(required=True, allow_none=True)


class OAuthTokens(Answer):
    """What RFC 6749, 7009 and 8628 say, whichever was asked for."""

    access_token = fields.String()
    token_type = fields.String()
    expires_in = fields.Integer()
    refresh_token = fields.String()
    scope = fields.String()
    device_code = fields.String()
    user_code = fields.String()
    verification_uri = fields.String()
    interval = fields.Integer()


class OAuthError(Answer):
    """What was wrong (RFC 6749, 5.2)."""

    error = _text()
    error_description = fields.String()


class OAuthMetadata(Answer):
    """Metadata of the authorization server (RFC 8414)."""

    issuer = _text(format="uri")
    authorization_endpoint = _text(format="uri")
    token_endpoint = _text(format="uri")
