"""What apps and their makers are answered."""

from typing import Any

from marshmallow import fields

from service.fields import Answer


def _text(**more: Any) -> fields.String:
    return fields.String(required=True, metadata=more)


def _seconds(**more: Any) -> fields.Integer:
    return fields.Integer(required=True, metadata=more)


def _names() -> Any:
    return fields.List(fields.String(), required=True)


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
    """Tokens (RFC 6749, 5.1)."""

    access_token = _text(description="A bearer token for this API.")
    token_type = _text()
    expires_in = _seconds()
    refresh_token = _text(description="Good once.")
    scope = _text()


class DeviceCodes(Answer):
    """What a device waits with (RFC 8628, 3.2)."""

    device_code = _text(description="For the device alone.")
    user_code = _text(
        description="To be shown; a player may type it in small letters, or without the dash."
    )
    verification_uri = _text(format="uri", description="Where the player types it.")
    verification_uri_complete = _text(format="uri", description="The same with the code in it.")
    expires_in = _seconds()
    interval = _seconds(description="Seconds to wait between two questions.")


class OAuthError(Answer):
    """What was wrong (RFC 6749, 5.2)."""

    error = _text(
        description="While a device waits: `authorization_pending`, `slow_down`, `access_denied`, "
        "`expired_token` (RFC 8628, 3.5); else by RFC 6749, 5.2."
    )
    error_description = fields.String()


class OAuthMetadata(Answer):
    """Metadata of the authorization server (RFC 8414)."""

    issuer = _text(format="uri")
    authorization_endpoint = _text(format="uri")
    token_endpoint = _text(format="uri")
    device_authorization_endpoint = _text(format="uri")
    revocation_endpoint = _text(format="uri")
    service_documentation = _text(format="uri")
    scopes_supported = _names()
    response_types_supported = _names()
    grant_types_supported = _names()
    token_endpoint_auth_methods_supported = _names()
    revocation_endpoint_auth_methods_supported = _names()
    code_challenge_methods_supported = _names()
    authorization_response_iss_parameter_supported = fields.Boolean(required=True)
