"""OAuth 2.1 for apps: the consent page, tokens, devices, revocation, and where all of it is."""

from collections.abc import Callable
from typing import Any
from urllib.parse import urlencode

from authlib.oauth2 import OAuth2Error
from flask import Response

from service.http import NEVER, Call
from service.oauth import answers as answers
from service.oauth import apps
from service.oauth import schemas as asked
from service.oauth.consent import consenting, page, safe
from service.oauth.server import Server, answer_device, device_by_user_code, written_code
from service.operation import Returns, Routes
from service.problems import Problem
from service.request_log import CODE

ROUTES = Routes("oauth", "OAuth 2.1: how apps of other people act for players.")
HTML = "text/html; charset=utf-8"
_PAGE = Returns("A page.", None, media="text/html")
_WRONG = {
    400: Returns("What was wrong (RFC 6749, 5.2).", answers.OAuthError),
    401: Returns("The app is unknown.", answers.OAuthError, ("WWW-Authenticate",)),
}
_WRITES = ("too-large", "store-unavailable", "outcome-unknown")
_METADATA = "/.well-known/oauth-authorization-server"


@ROUTES(
    "GET",
    _METADATA,
    answers={200: Returns("Metadata (RFC 8414).", answers.OAuthMetadata)},
    problems=("bad-request",),
)
def get_oauth_metadata(call: Call) -> Response:
    """Tell where apps ask for what."""
    here = call.root
    return call.reply(
        {
            "issuer": here,
            "authorization_endpoint": f"{here}/oauth/authorize",
            "token_endpoint": f"{here}/oauth/token",
            "device_authorization_endpoint": f"{here}/oauth/device-authorization",
            "revocation_endpoint": f"{here}/oauth/revoke",
            "scopes_supported": list(apps.APP_SCOPES),
            "response_types_supported": ["code"],
            "grant_types_supported": list(apps.GRANTS),
            "token_endpoint_auth_methods_supported": ["none"],
            "revocation_endpoint_auth_methods_supported": ["none"],
            "code_challenge_methods_supported": ["S256"],
            "authorization_response_iss_parameter_supported": True,
            "service_documentation": f"{here}/docs",
        },
        cache="public, max-age=3600",
    )


@ROUTES(
    "GET", "/oauth/authorize", asks=asked.ConsentAsked(), answers={200: _PAGE, 400: _PAGE},
    problems=("store-unavailable",),
)  # fmt: skip
def ask_consent(call: Call) -> Response:
    """Show a player what an app asks for (with PKCE, S256)."""
    return _consent(call)


@ROUTES(
    "POST", "/oauth/authorize", form=asked.ConsentGiven(), bucket="sign-ups",
    answers={200: _PAGE, 303: Returns("Back to the app.", None, ("Location",)), 400: _PAGE},
    problems=_WRITES,
)  # fmt: skip
def give_consent(call: Call) -> Response:
    """Allow or deny an app, with one's own token or recovery code."""
    form = call.request.form
    if form.get("answer") == "allow":
        player = consenting(call.parts.identity, form.get("credential", ""))
        if player is None:
            return _consent(call, problem="wrong")
        return _consent(call, player=player)
    return _consent(call, denied=True)


def _consent(
    call: Call, *, problem: str | None = None, player: str | None = None, denied: bool = False
) -> Response:
    try:
        server = _server(call)
        grant = server.get_consent_grant(end_user=player)
        if not grant.request.payload.data.get("code_challenge"):
            return _bad(call)
        if player is not None or denied:
            done = server.create_authorization_response(grant_user=player, grant=grant)
            back = done.headers.get("Location", "")
            mark = "&" if "?" in back else "?"
            where = ("Location", f"{back}{mark}{urlencode({'iss': call.root})}")
            return call.reply_empty(303, where, cache=NEVER) if back else _bad(call)
    except OAuth2Error as bad:
        return _bad(call, bad.error)
    except Problem:
        return _bad(call)
    wish = grant.request
    hidden = [(n, v) for n, v in wish.payload.data.items() if n not in ("credential", "answer")]
    told = page(
        call.language, problem=problem, app=wish.client, hidden=hidden,
        scopes=(wish.payload.scope or "").split(),
    )  # fmt: skip
    return call.reply(told, 200, *safe(grant.redirect_uri), cache=NEVER, media=HTML)


def _bad(call: Call, code: str | None = "invalid_request") -> Response:
    call.request.environ[CODE] = code
    told = page(call.language, problem="bad_request")
    return call.reply(told, 400, *safe(), cache=NEVER, media=HTML)


@ROUTES(
    "POST", "/oauth/token", form=asked.TokenAsked(), bucket="sign-ups",
    answers={
        200: Returns(
            "Tokens.",
            answers.OAuthTokens,
            links={"revoke_oauth_token": {}},
            bodies={
                "revoke_oauth_token": {
                    "token": "$response.body#/refresh_token",
                    "client_id": "$request.body#/client_id",
                }
            },
        ),
        **_WRONG,
    },
    problems=_WRITES,
)  # fmt: skip
def create_oauth_token(call: Call) -> Response:
    """Change a code, a device's code or a refresh token for tokens.

    A refresh token is good once. One that comes a second time ends the grant.
    """
    return _told(call, lambda: _server(call).create_token_response())


@ROUTES(
    "POST", "/oauth/device-authorization", form=asked.DeviceAsked(), bucket="sign-ups",
    answers={200: Returns("Codes.", answers.DeviceCodes), **_WRONG}, problems=_WRITES,
)  # fmt: skip
def authorize_device(call: Call) -> Response:
    """Ask for a code that a player types on another device (RFC 8628)."""
    return _told(call, lambda: _server(call).create_endpoint_response("device_authorization"))


@ROUTES(
    "POST", "/oauth/revoke", form=asked.TokenEnded(), bucket="sign-ups",
    answers={200: Returns("The grant is no more, if there was one."), **_WRONG}, problems=_WRITES,
)  # fmt: skip
def revoke_oauth_token(call: Call) -> Response:
    """End a grant by one of its tokens (RFC 7009)."""
    return _told(call, lambda: _server(call).create_endpoint_response("revocation"))


@ROUTES(
    "GET", "/oauth/device", asks=asked.DeviceCodeTyped(), answers={200: _PAGE},
    problems=("store-unavailable",),
)  # fmt: skip
def ask_device_consent(call: Call) -> Response:
    """Show a player what a device asks for."""
    return _device(call, call.request.args.get("user_code"))


@ROUTES(
    "POST", "/oauth/device", form=asked.DeviceAnswered(), bucket="sign-ups",
    answers={200: _PAGE}, problems=_WRITES,
)  # fmt: skip
def give_device_consent(call: Call) -> Response:
    """Allow or deny a device."""
    form = call.request.form
    code = written_code(form.get("user_code", ""))
    if device_by_user_code(call.parts.client, code) is None:
        return _device(call, code)
    allowed = form.get("answer") == "allow"
    player = consenting(call.parts.identity, form.get("credential", "")) if allowed else ""
    if player is None:
        return _device(call, code, problem="wrong")
    answer_device(call.parts.client, code, player, allowed=allowed)
    return call.reply(page(call.language, problem="done"), 200, *safe(), cache=NEVER, media=HTML)


def _device(call: Call, written: str | None, *, problem: str | None = None) -> Response:
    code = written_code(written) if written else ""
    waits = device_by_user_code(call.parts.client, code) if code else None
    app = apps.find(call.parts.client, waits.get_client_id()) if waits else None
    if app is None or waits is None:
        told = page(call.language, problem="unknown_code" if code else None, ask_code=True)
    else:
        told = page(
            call.language, problem=problem, app=app, scopes=waits.get_scope().split(),
            hidden=[("user_code", code)],
        )  # fmt: skip
    return call.reply(told, 200, *safe(), cache=NEVER, media=HTML)


def _server(call: Call) -> Any:
    # Made for each of these rare requests: it holds nothing but functions.
    return Server(call.parts.client, call.parts.identity.tokens, call.request, call.root)


def _told(call: Call, answer: Callable[[], Response]) -> Response:
    try:
        response = answer()
    except OAuth2Error as bad:
        call.request.environ[CODE] = bad.error
        return call.reply({"error": bad.error, "error_description": bad.description}, 400)
    except Problem:
        # The address that it was asked at is none.
        call.request.environ[CODE] = "invalid_request"
        return call.reply({"error": "invalid_request"}, 400)
    if response.status_code >= 400:
        # Of what went wrong the log has the code alone: what is said of it may quote the form.
        call.request.environ[CODE] = response.get_json()["error"]
    own = [each for each in response.headers if each[0] == "WWW-Authenticate"]
    if response.status_code == 401 and not own:
        own = [("WWW-Authenticate", 'Bearer realm="abraxas", error="invalid_client"')]
    data = response.get_data()
    if data in (b"", b"{}"):
        return call.reply_empty(response.status_code, *own, cache=NEVER)
    return call.reply(data, response.status_code, *own, cache=NEVER)
