"""Apps of other people: public clients, which keep no secret, with the addresses they come from."""

import re
from dataclasses import dataclass
from secrets import token_hex
from typing import Any, Final
from urllib.parse import urlsplit

import msgspec
from authlib.oauth2.rfc6749 import ClientMixin

from events import keys
from service.identity.tokens import flat, read, texts, write

APP_SCOPES: Final = ("play", "read", "webhooks", "bot")
"""What an app may ask for; `account` stays with the player."""

GRANTS: Final = (
    "authorization_code", "refresh_token", "urn:ietf:params:oauth:grant-type:device_code",
)  # fmt: skip
_LOOPBACK: Final = ("127.0.0.1", "::1", "localhost")
_WRITTEN: Final = re.compile(r"[!-~]+")
# What the page's policy repeats: nothing in it may end a directive or stand for other hosts.
_PLACE: Final = re.compile(r"([A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(:[0-9]*)?")


@dataclass(frozen=True, slots=True)
class App(ClientMixin):
    """A public client as its owner registered it."""

    id: str
    owner: str
    name: str
    redirects: tuple[str, ...]

    def get_client_id(self) -> str:
        """Answer the id."""
        return self.id

    def get_default_redirect_uri(self) -> Any:
        """Answer the only address; with several the request has to say which."""
        return self.redirects[0] if len(self.redirects) == 1 else None

    def get_allowed_scope(self, scope: Any) -> str:
        """Answer what of a scope an app may have."""
        return " ".join(each for each in (scope or "").split() if each in APP_SCOPES)

    def check_redirect_uri(self, redirect_uri: str) -> bool:
        """Compare exactly; only a loopback address may choose its port (RFC 8252, 7.3)."""
        return any(_same(redirect_uri, each) for each in self.redirects)

    def check_client_secret(self, client_secret: str) -> bool:  # noqa: ARG002
        """Answer that there is no secret."""
        return False

    def check_endpoint_auth_method(self, method: str, endpoint: str) -> bool:  # noqa: ARG002
        """Answer whether an app may identify itself so: by its id alone."""
        return method == "none"

    def check_response_type(self, response_type: str) -> bool:
        """Answer whether an app may ask for this."""
        return response_type == "code"

    def check_grant_type(self, grant_type: str) -> bool:
        """Answer whether an app may get tokens so."""
        return grant_type in GRANTS


def _same(asked: str, registered: str) -> bool:
    if asked == registered:
        return True
    if not fit_to_return(asked):
        return False
    there, here = urlsplit(registered), urlsplit(asked)
    # Only addresses of this machine may begin with http.
    return there.scheme == here.scheme == "http" and (there.hostname, there.path, there.query) == (
        here.hostname,
        here.path,
        here.query,
    )


def fit_to_return(address: str) -> bool:
    """Answer whether an app may be returned to: https, this machine, or a scheme of its own."""
    try:
        parts = urlsplit(address)
        parts.port  # noqa: B018 - raises if it is none
    except ValueError:
        return False
    if not _WRITTEN.fullmatch(address) or "#" in address:
        return False
    if parts.scheme in ("http", "https"):
        local = parts.scheme == "https" or parts.hostname in _LOOPBACK
        return local and _PLACE.fullmatch(parts.netloc) is not None
    # RFC 8252, 7.1: the scheme of an app is a domain name of its maker, the other way round.
    return "." in parts.scheme


def register(client: Any, owner: str, name: str, redirects: list[str]) -> App | None:
    """Register an app of a player; None if the player was erased meanwhile."""
    app = App(token_hex(12), owner, name, tuple(redirects))
    write(client, "SADD", keys.player_apps(owner), app.id)
    told = {"owner": owner, "name": name, "redirects": msgspec.json.encode(redirects).decode()}
    write(client, "HSET", keys.oauth("app", app.id), *flat(told))
    if not read(client, "EXISTS", keys.player(owner)):
        remove(client, app)
        return None
    return app


def find(client: Any, app_id: str) -> App | None:
    """Answer an app by its id."""
    found = texts(read(client, "HGETALL", keys.oauth("app", app_id)))
    if not found:
        return None
    redirects = tuple(msgspec.json.decode(found["redirects"]))
    return App(app_id, found["owner"], found["name"], redirects)


def of(client: Any, owner: str) -> tuple[App, ...]:
    """Answer the apps of a player."""
    ids = sorted(each.decode() for each in read(client, "SMEMBERS", keys.player_apps(owner)))
    return tuple(app for app in (find(client, each) for each in ids) if app)


def remove(client: Any, app: App) -> None:
    """Forget an app; its tokens end within the hour, and cannot be renewed."""
    write(client, "DEL", keys.oauth("app", app.id))
    write(client, "SREM", keys.player_apps(app.owner), app.id)
