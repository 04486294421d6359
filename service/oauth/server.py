"""The authorization server: Authlib checks requests, the store keeps what was asked and granted."""

import re
from dataclasses import dataclass
from typing import Any, Final

import msgspec
from authlib.integrations.flask_oauth2 import AuthorizationServer
from authlib.integrations.flask_oauth2.requests import FlaskOAuth2Payload, FlaskOAuth2Request
from authlib.oauth2.rfc6749 import (
    AuthorizationCodeMixin,
    InvalidGrantError,
    InvalidRequestError,
    InvalidScopeError,
    OAuth2Request,
)
from authlib.oauth2.rfc6749 import grants as flows
from authlib.oauth2.rfc7009 import RevocationEndpoint
from authlib.oauth2.rfc7636 import CodeChallenge
from authlib.oauth2.rfc8628 import (
    DeviceAuthorizationEndpoint,
    DeviceCodeGrant,
    DeviceCredentialDict,
    ExpiredTokenError,
)

from events import keys
from service.identity.tokens import Tokens, digest_of, read, write
from service.oauth import apps, grants

CODE_SECONDS: Final = 60
DEVICE_SECONDS: Final = 900
_PUBLIC: Final = ["none"]
_PLAIN: Final = ("response_type", "grant_type", "client_id", "redirect_uri", "scope")
_ODD: Final = re.compile(r"[^\x20-\x21\x23-\x5b\x5d-\x7e]")


@dataclass(frozen=True, slots=True)
class Asked(AuthorizationCodeMixin):
    """What a code stands for."""

    player: str
    scope: str
    redirect_uri: str | None
    code_challenge: str
    code_challenge_method: str

    def get_redirect_uri(self) -> Any:
        """Answer the address that the request named."""
        return self.redirect_uri

    def get_scope(self) -> str:
        """Answer what was granted."""
        return self.scope


class S256(CodeChallenge):
    """Proof Key for Code Exchange, S256 only, always required."""

    SUPPORTED_CODE_CHALLENGE_METHOD = ["S256"]  # noqa: RUF012
    DEFAULT_CODE_CHALLENGE_METHOD = "S256"


class Server(AuthorizationServer):
    """An authorization server on a store."""

    def __init__(self, store: Any, tokens: Tokens, plain: Any, root: str) -> None:
        super().__init__()
        self.store = store
        self.tokens = tokens
        self.plain = plain
        self.root = root
        self.scopes_supported = list(apps.APP_SCOPES)
        self.register_grant(Codes, [S256(required=True)])
        self.register_grant(Refreshes)
        self.register_grant(Devices)
        devices: Any = DeviceRequests(self)
        self.register_endpoint(devices)
        self.register_endpoint(Revocations(self))

    def create_oauth2_request(self, request: Any) -> Any:  # noqa: ARG002
        """Read the request as one to where clients find the server; raise if that lacks TLS.

        Raise too if a value has what no value may have (RFC 6749, appendix A): Authlib would
        stumble over saying so.
        """
        found = _Request(self.plain, self.root)
        if any(_ODD.search(text) for name, text in found.payload.data.items() if name in _PLAIN):
            raise InvalidRequestError
        if self.plain.method == "POST" and not found.payload.data.get("client_id"):
            raise InvalidRequestError("client_id is missing: send it in a form, not in JSON.")
        return found

    def validate_requested_scope(self, scope: Any) -> None:
        """Refuse what no app may ask for, and to ask for nothing (RFC 6749, 3.3)."""
        wanted = (scope or "").split()
        if not wanted or not set(wanted) <= set(apps.APP_SCOPES):
            says = f"Name what the app needs, of: {' '.join(apps.APP_SCOPES)}."
            raise InvalidScopeError(says)

    def query_client(self, client_id: str) -> Any:
        """Answer an app by its id."""
        return apps.find(self.store, client_id)

    def save_token(self, token: Any, request: Any) -> None:
        """Do nothing: whoever made the tokens has kept them."""


class _Payload(FlaskOAuth2Payload):
    """What was asked: the form of a POST, the query of a GET, never both mixed."""

    def __init__(self, plain: Any) -> None:
        super().__init__(plain)
        self._asked = plain.form if plain.method == "POST" else plain.args

    @property
    def data(self) -> Any:
        """Answer each name with its values."""
        return self._asked


class _Request(FlaskOAuth2Request):
    """The request at hand; which address it came to, the server knows better than its headers."""

    def __init__(self, plain: Any, root: str) -> None:
        OAuth2Request.__init__(self, plain.method, root + plain.path, headers=plain.headers)
        self._request = plain
        self.payload = _Payload(plain)


class Codes(flows.AuthorizationCodeGrant):
    """Give codes, each good once and for a minute."""

    TOKEN_ENDPOINT_AUTH_METHODS = _PUBLIC

    def save_authorization_code(self, code: str, asked: Any) -> None:
        """Keep what a code stands for."""
        data = asked.payload.data
        kept = {
            "app": asked.client.id,
            "player": asked.user,
            "scope": asked.payload.scope or "",
            "redirect_uri": asked.payload.redirect_uri,
            "code_challenge": data["code_challenge"],
            "code_challenge_method": data.get("code_challenge_method") or "S256",
        }
        key = keys.oauth("code", digest_of(code))
        write(self.server.store, "SET", key, msgspec.json.encode(kept), "EX", CODE_SECONDS)

    def query_authorization_code(self, code: str, app: Any) -> Asked | None:
        """Take what a code stands for."""
        # Taken at once: nobody uses a code twice.
        kept = write(self.server.store, "GETDEL", keys.oauth("code", digest_of(code)))
        told = msgspec.json.decode(kept) if kept else {"app": None}
        return Asked(**told) if told.pop("app") == app.id else None

    def delete_authorization_code(self, code: Asked) -> None:
        """Do nothing: it is gone already."""

    def authenticate_user(self, code: Asked) -> str:
        """Answer the player."""
        return code.player

    def generate_token(
        self,
        user: Any = None,
        scope: str | None = None,
        *args: Any,  # noqa: ARG002
        **more: Any,  # noqa: ARG002
    ) -> Any:
        """Make a grant."""
        return _given(
            grants.new(
                self.server.tokens, self.server.store, user, self.request.client, scope or ""
            )
        )


class Refreshes(flows.RefreshTokenGrant):
    """Change refresh tokens."""

    TOKEN_ENDPOINT_AUTH_METHODS = _PUBLIC

    def authenticate_refresh_token(self, refresh: str) -> Any:
        """Find the grant of a refresh token."""
        return grants.by_refresh(self.server.store, refresh)

    def authenticate_user(self, grant: grants.Grant) -> str:
        """Answer the player."""
        return grant.player

    def issue_token(self, user: str, grant: Any) -> Any:  # noqa: ARG002
        """Change the tokens of a grant."""
        refresh = self.request.form["refresh_token"]
        scope = self.request.form.get("scope") or grant.scope
        return _given(
            grants.renew(
                self.server.tokens, self.server.store, grant, self.request.client, refresh, scope
            )
        )

    def revoke_old_credential(self, grant: Any) -> None:
        """Do nothing: the change of tokens did."""


class Devices(DeviceCodeGrant):
    """Give devices their tokens once their player has answered."""

    TOKEN_ENDPOINT_AUTH_METHODS = _PUBLIC

    def query_device_credential(self, code: str) -> Any:
        """Find what a device asked for, until it was told what its player said."""
        found = device_of(self.server.store, digest_of(code))
        if found is None:
            # A device that asks on has to begin anew, not to wait.
            raise ExpiredTokenError
        return found

    def query_user_grant(self, user_code: str) -> tuple[str, bool] | None:
        """Take what the player answered."""
        # Taken at once: nobody gets tokens twice.
        told = write(self.server.store, "GETDEL", keys.oauth("answer", digest_of(user_code)))
        if told is None:
            return None
        code = digest_of(self.request.form["device_code"])
        write(self.server.store, "DEL", keys.oauth("device", code))
        return told[1:].decode(), told[:1] == b"+"

    def should_slow_down(self, credential: Any) -> bool:
        """Answer whether a device asks too often."""
        key = keys.oauth("poll", digest_of(credential["device_code"]))
        return not write(self.server.store, "SET", key, 1, "EX", 4, "NX")

    def generate_token(
        self,
        user: Any = None,
        scope: str | None = None,
        *args: Any,  # noqa: ARG002
        **more: Any,  # noqa: ARG002
    ) -> Any:
        """Make a grant."""
        return _given(
            grants.new(
                self.server.tokens, self.server.store, user, self.request.client, scope or ""
            )
        )


class DeviceRequests(DeviceAuthorizationEndpoint):
    """Give devices codes."""

    CLIENT_AUTH_METHODS = _PUBLIC
    EXPIRES_IN = DEVICE_SECONDS

    def get_verification_uri(self) -> str:
        """Answer where players type the code."""
        return f"{self.server.root}/oauth/device"

    def save_device_credential(self, app: str, scope: str, data: dict[str, Any]) -> None:
        """Keep what a device asks for."""
        kept = {"client_id": app, "scope": scope or "", **data}
        code = digest_of(data["device_code"])
        value = msgspec.json.encode(kept)
        write(self.server.store, "SET", keys.oauth("device", code), value, "EX", DEVICE_SECONDS)
        user = keys.oauth("user", digest_of(data["user_code"]))
        write(self.server.store, "SET", user, code, "EX", DEVICE_SECONDS)


class Revocations(RevocationEndpoint):
    """End grants."""

    CLIENT_AUTH_METHODS = _PUBLIC

    def query_token(self, token: str, hint: str | None) -> grants.Grant | None:  # noqa: ARG002
        """Find the grant of a token."""
        return grants.by_refresh(self.server.store, token) or grants.by_access(
            self.server.store, token
        )

    def revoke_token(self, grant: grants.Grant, asked: Any) -> None:  # noqa: ARG002
        """End a grant."""
        grants.revoke(self.server.tokens, self.server.store, grant)


def _given(token: dict[str, Any] | None) -> dict[str, Any]:
    if token is None:
        raise InvalidGrantError
    return token


def written_code(typed: str) -> str:
    """Answer a user code as it is kept, however a player has typed it (RFC 8628, 6.1)."""
    letters = "".join(each for each in typed.upper() if "A" <= each <= "Z")
    return f"{letters[:4]}-{letters[4:]}"


def device_of(client: Any, digest: str) -> Any:
    """Answer what a device asked for, by the digest of its code."""
    kept = read(client, "GET", keys.oauth("device", digest))
    if kept is None:
        return None
    told = msgspec.json.decode(kept)
    return DeviceCredentialDict(told | {"expires_at": 2**40})


def device_by_user_code(client: Any, user_code: str) -> Any:
    """Answer what a device asked for, by the code that it shows."""
    code = read(client, "GET", keys.oauth("user", digest_of(user_code)))
    return device_of(client, code.decode()) if code else None


def answer_device(client: Any, user_code: str, player: str, *, allowed: bool) -> None:
    """Tell a device what its player said, once."""
    write(client, "DEL", keys.oauth("user", digest_of(user_code)))
    told = f"{'+' if allowed else '-'}{player}"
    key = keys.oauth("answer", digest_of(user_code))
    write(client, "SET", key, told, "EX", DEVICE_SECONDS)
