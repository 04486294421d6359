"""A server with something of everything, and everybody who may come to it."""

from base64 import urlsafe_b64encode
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Any
from urllib.parse import parse_qs, urlsplit

from service.identity.callers import SCOPES
from service.limits import QUOTAS, Quota
from tests.service.asking import GAME, Api, Guest, Sat, api_on, fresh
from tests.stores import empty_store

BACK = "https://app.example/back"
_VERIFIER = "v" * 43
_CHALLENGE = urlsafe_b64encode(sha256(_VERIFIER.encode()).digest()).rstrip(b"=").decode()

ROLES = (
    "anonymous", "guest", "seat", "other seat", "stranger", "a bot", *SCOPES, "all scopes", "app",
    "revoked",
)  # fmt: skip
"""Who asks. A scope is a token of the seat's player with this scope alone."""

MINE = ("seat", *SCOPES, "all scopes", "app")
"""Who is the player that sits on seat 0 everywhere and owns everything."""


@dataclass(frozen=True)
class World:
    """Who is there, what tables there are, and the ids of everything else."""

    api: Api
    ana: Guest
    ben: Guest
    zoe: Guest
    guest: Guest
    tokens: Mapping[str, str | None]
    tables: Mapping[str, Sat]
    known: Mapping[str, tuple[str, ...]]
    """Name of a path's parameter -> ids of what Ana has, or of what everybody knows."""
    client: str
    """An app that nobody removes."""
    record: bytes
    """A full record of a finished table that this server does not know."""

    def token(self, role: str) -> str | None:
        """Answer what a role shows."""
        return self.tokens[role]


def populated(api: Api) -> World:
    """Let players do everything once."""
    # So many that nobody is refused for asking often, and that headers tell of limits.
    api.parts.limits._quotas = {name: Quota(name, 10**6, 60) for name in QUOTAS}
    ana, ben, zoe, guest = (api.guest(name) for name in ("Ana", "Ben", "Zoe", "Guest"))
    tables = {
        "open": api.table(ana, seats=3),
        "playing": api.table(ana, ben),
        "unlisted": api.table(ana, ben, visibility="unlisted"),
        "private": api.table(ana, ben, visibility="private"),
        "private open": api.table(ana, seats=3, visibility="private"),
        "over": api.table(ana, ben),
    }
    tables["over"].play_out()
    fork = api.post(f"{tables['playing'].path}/forks", ana.token, {"version": 5}, key=fresh())
    assert fork.status == 201, fork.json
    tables["fork"] = Sat(api, fork.json["id"], (ana,))
    tables["imported"] = Sat(api, _imported(api, ana, a_record()), ())
    tokens = _tokens(api, ana)
    known = _known(api, ana, tokens["all scopes"] or "")
    client = registered(api, ana)
    return World(
        api, ana, ben, zoe, guest,
        tokens | {"guest": guest.token, "other seat": ben.token, "stranger": zoe.token},
        tables, known, client, a_record(),
    )  # fmt: skip


def _tokens(api: Api, ana: Guest) -> dict[str, str | None]:
    made = {name: api.parts.identity.tokens.make(ana.player, frozenset({name})) for name in SCOPES}
    everything = api.parts.identity.tokens.make(ana.player, frozenset(SCOPES))
    bot = api.post("/v1/me/bots", everything, {"name": "Deep Soup"}).json["token"]
    revoked = api.parts.identity.tokens.make(ana.player, frozenset(SCOPES)) or ""
    api.parts.identity.revoke(ana.player, revoked)
    return {
        **made, "anonymous": None, "seat": ana.token, "a bot": bot, "all scopes": everything,
        "app": granted(api, ana), "revoked": revoked,
    }  # fmt: skip


def registered(api: Api, maker: Guest) -> str:
    """Register an app."""
    body = {"name": "Soup", "redirect_uris": [BACK]}
    return str(api.post("/v1/me/apps", maker.token, body).json["client_id"])


def granted(api: Api, player: Guest, scope: str = "play read") -> str:
    """Answer the access token of an app that a player has allowed."""
    app = registered(api, player)
    asked = {
        "response_type": "code", "client_id": app, "redirect_uri": BACK, "scope": scope,
        "code_challenge": _CHALLENGE, "code_challenge_method": "S256",
        "answer": "allow", "credential": player.token,
    }  # fmt: skip
    client = api.app.test_client()
    back = client.post("/oauth/authorize", data=asked).headers["Location"]
    told = client.post(
        "/oauth/token",
        data={
            "grant_type": "authorization_code", "client_id": app, "redirect_uri": BACK,
            "code": parse_qs(urlsplit(back).query)["code"][0], "code_verifier": _VERIFIER,
        },
    )  # fmt: skip
    tokens: Any = told.json
    return str(tokens["access_token"])


def _known(api: Api, ana: Guest, token: str) -> dict[str, tuple[str, ...]]:
    """Make one of everything that has an id."""

    def made(path: str, field: str, **body: Any) -> str:
        answer = api.post(path, token, body)
        assert answer.status == 201, answer.json
        return str(answer.json[field])

    app = made("/v1/me/apps", "client_id", name="Stew", redirect_uris=[BACK])
    bot = made("/v1/me/bots", "player", name="Shallow Soup")
    return {
        "player": (ana.player, bot),
        "token": tuple(made("/v1/me/tokens", "id", label="one", scopes=["read"]) for _ in range(3)),
        "webhook": tuple(
            made("/v1/webhooks", "id", url="https://example.com/hook") for _ in range(3)
        ),
        "app": (app,),
        "game": (GAME, "magic_cooking"),
        "file": ("verify.js", "page.js", "table.js", "en.json"),
        "guide": ("live", "limits"),
        "tutorial": ("first-game",),
        "seat": ("0", "1", "2", "7"),
    }


_RECORDS: list[bytes] = []


def a_record() -> bytes:
    """Answer the full record of a table that was finished elsewhere; always the same one."""
    if not _RECORDS:
        elsewhere = api_on(empty_store(), empty_store(), DURABILITY="relaxed")
        table = elsewhere.table(elsewhere.guest(), elsewhere.guest())
        table.play_out()
        _RECORDS.append(elsewhere.get(f"{table.path}/record?redaction=full").data)
    return _RECORDS[0]


def _imported(api: Api, player: Guest, record: bytes) -> str:
    kind = "application/x-ndjson"
    answer = api.post("/v1/records", player.token, record, Content_Type=kind)
    assert answer.status in (200, 201), answer.json
    return str(answer.json["id"])
