"""Examples of bodies and answers: a real table is opened and played to make them."""

from collections.abc import Callable
from functools import cache
from typing import Any, Final

import msgspec
from marshmallow import Schema

from domain.catalogue import games
from domain.game import Seat
from domain.table import TABLE
from domain.table.commands import Open, Play, Sit
from domain.table.state import NOWHERE
from domain.table.view import moves, to_move
from domain.wire import plain_command, read_options
from events import codec
from events.loaded import Loaded, dice, follow, unopened
from events.notices import notices, timestamp
from events.recorded import Recorded
from service import answers, schemas
from service.identity import answers as identity_answers
from service.identity import schemas as identity_schemas
from service.oauth import answers as oauth_answers
from service.oauth import schemas as oauth_schemas
from service.oauth.apps import GRANTS
from service.webhooks import answers as webhook_answers
from service.webhooks import schemas as webhook_schemas
from workers.projections.tables import render

_TABLE: Final = "3f0c7a52-8d1e-4b6a-9c55-0e2a6d9b7f10"
_ANA: Final = "b6a1d2c4-5e0f-4a3b-8c7d-1f2e3d4c5b6a"
_BEN: Final = "c7b2e3d5-6f10-4b4c-9d8e-203f4e5d6c7b"
_AT: Final = 1_800_000_000_000
_TOKEN: Final = f"abx_{'Zk3_' * 10}Zk3"
_CODE: Final = "7K3QX-9M2PA-VTB84-H6CWZ-0RNDE"
_HOST: Final = "http://127.0.0.1:8000"


@cache
def _played() -> tuple[Loaded, tuple[Recorded, ...], Loaded, Seat, dict[str, Any]]:
    """Open a table and play its first move: the table before, the records, the table after."""
    game = next(iter(games().values()))
    seats = game.seats[0]
    sitting = [Sit(_ANA, Seat(0)), Sit(_BEN, Seat(1))]
    sitting += [Sit(None, Seat(i), bot=min(game.bots)) for i in range(2, seats)]
    opened = Open(
        game, seats, read_options(game, {}, seats), "public", _ANA, "07" * 32,
        tuple(sitting[:seats]),
    )  # fmt: skip
    events = TABLE.decide(NOWHERE, opened, dice)
    before = follow(unopened(_TABLE), codec.record(game, _TABLE, 0, _AT, events), events)
    seat = to_move(before.state)[0]
    command = moves(before.state, seat)[0]
    events = TABLE.decide(before.state, Play(seat, command), dice)
    recorded = codec.record(game, _TABLE, before.version, _AT + 4_200, events)
    return before, recorded, follow(before, recorded, events), seat, plain_command(command)


def _view() -> Any:
    _, _, after, seat, _ = _played()
    links = {"events": "/events", "stream": "/events", "record": "/record"}
    here = f"{_HOST}/v1/tables/{_TABLE}"
    told = {name: f"{here}{end}" for name, end in links.items()}
    told["stream"] = told["stream"].replace(":8000", ":8001")
    return msgspec.json.decode(render(after, seat)) | {"links": told}


def _notices() -> Any:
    _, recorded, after, seat, _ = _played()
    return msgspec.json.decode(notices(recorded, seat, "en", after.state))


def _outcome() -> Any:
    _, _, after, _, _ = _played()
    return {"version": after.version, "hash": after.hash.hex(), "notices": _notices()}


def _item() -> Any:
    view = _view()
    names = ("id", "game", "rules", "phase", "options", "visibility", "seats")
    return {name: view[name] for name in names} | {"opened_at": timestamp(_AT)}


_AFTER: Final = str(_AT)


def _mine() -> Any:
    return _item() | {"seat": 0, "waiting": True}


def _page(items: list[Any]) -> Any:
    return {"items": items, "next": None, "position": 6}


def _profile() -> Any:
    told = {"locale": "fr", "since": timestamp(_AT), "recoverable": False}
    return _player() | told


def _player(**more: Any) -> Any:
    return {"player": _ANA, "name": "Ana", "bot": False} | more


def _app() -> Any:
    return {"client_id": "5a" * 12, "name": "Soup", "redirect_uris": ["https://soup.example/back"]}


def _tokens() -> Any:
    refresh = f"abr_{'5b' * 12}.{'Zk3_' * 10}Zk3"
    told = {"token_type": "Bearer", "expires_in": 3600, "scope": "play read"}
    return told | {"access_token": _TOKEN, "refresh_token": refresh}


def _metadata() -> Any:
    names = {
        "authorization": "authorize", "token": "token", "revocation": "revoke",
        "device_authorization": "device-authorization",
    }  # fmt: skip
    ends = {f"{name}_endpoint": f"{_HOST}/oauth/{end}" for name, end in names.items()}
    return ends | {
        "issuer": _HOST,
        "service_documentation": f"{_HOST}/docs",
        "scopes_supported": ["play", "read", "webhooks", "bot"],
        "response_types_supported": ["code"],
        "grant_types_supported": list(GRANTS),
        "token_endpoint_auth_methods_supported": ["none"],
        "revocation_endpoint_auth_methods_supported": ["none"],
        "code_challenge_methods_supported": ["S256"],
        "authorization_response_iss_parameter_supported": True,
    }


_APP: Final = {"client_id": "5a" * 12}


def _consent() -> Any:
    return _APP | {
        "response_type": "code", "redirect_uri": "https://soup.example/back", "scope": "play read",
        "state": "xyz", "code_challenge": "Zk3_" * 10 + "Zk3", "code_challenge_method": "S256",
        "answer": "allow", "credential": _TOKEN,
    }  # fmt: skip


def _device() -> Any:
    told = {"device_code": "Zk3_" * 10, "user_code": "BCDF-GHJK", "expires_in": 900, "interval": 5}
    where = f"{_HOST}/oauth/device"
    whole = f"{where}?user_code=BCDF-GHJK"
    return told | {"verification_uri": where, "verification_uri_complete": whole}


def _token() -> Any:
    return {
        "id": "1f" * 12, "kind": "personal", "label": "My laptop", "app": None,
        "scopes": ["play", "read"], "made_at": timestamp(_AT), "current": False,
    }  # fmt: skip


_HOOK: Final[dict[str, Any]] = {
    "id": "0f" * 12, "url": "https://example.com/abraxas", "table": None,
    "types": ["table.turn", "table.over"], "label": "Push", "enabled": True, "disabled": None,
    "failing_since": None, "made_at": timestamp(_AT),
}  # fmt: skip
_SECRET: Final = f"whsec_{'Ab1+' * 10}Ab0="


def _delivery() -> Any:
    return {
        "id": "msg_" + "0f" * 16, "type": "table.turn", "table": _TABLE, "version": 12,
        "at": timestamp(_AT), "attempt": 1, "status": 204, "error": None, "took": 35,
        "outcome": "delivered",
    }  # fmt: skip


def _new_table() -> Any:
    game = next(iter(games().values()))
    return {"game": game.name, "seats": game.seats[0], "bots": {"1": "greedy"}}


def _sat() -> Any:
    before = _played()[0]
    return {"seat": 0, "version": before.version, "hash": before.hash.hex(), "notices": []}


_EXAMPLES: Final[dict[type[Schema] | str, Callable[[], Any]]] = {
    "Command": lambda: _played()[4],
    identity_schemas.NewApp: lambda: {
        "name": "Soup",
        "redirect_uris": ["https://soup.example/back"],
    },
    identity_schemas.NewPlayer: lambda: {"name": "Ana", "locale": "fr"},
    identity_schemas.ProfileChange: lambda: {"name": "Anaïs"},
    identity_schemas.NewBot: lambda: {"name": "Deep Soup"},
    identity_schemas.NewToken: lambda: {"label": "My laptop", "scopes": ["play", "read"]},
    identity_schemas.Recovery: lambda: {"code": _CODE},
    schemas.NewTable: _new_table,
    answers.StreamTicket: lambda: {"ticket": f"abxs_{_TOKEN[4:]}", "expires_in": 60_000},
    schemas.Fork: lambda: {"version": 6, "bots": {"1": "greedy"}},
    schemas.Sitting: lambda: {"entropy": "5eed"},
    identity_answers.Guest: lambda: _profile() | {"token": _TOKEN},
    identity_answers.Profile: _profile,
    identity_answers.Player: _player,
    identity_answers.Bots: lambda: {"items": [_player(name="Deep Soup", bot=True)], "next": None},
    identity_answers.MadeToken: lambda: _token() | {"token": _TOKEN},
    identity_answers.Tokens: lambda: {"items": [_token()], "next": None},
    oauth_answers.App: _app,
    oauth_answers.Apps: lambda: {"items": [_app()], "next": None},
    oauth_answers.OAuthError: lambda: {"error": "invalid_client"},
    oauth_answers.OAuthTokens: _tokens,
    oauth_answers.DeviceCodes: _device,
    oauth_schemas.ConsentGiven: _consent,
    oauth_schemas.TokenAsked: lambda: (
        _APP
        | {
            "grant_type": "refresh_token",
            "refresh_token": _tokens()["refresh_token"],
        }
    ),
    oauth_schemas.DeviceAsked: lambda: _APP | {"scope": "read"},
    oauth_schemas.DeviceAnswered: lambda: {
        "user_code": "BCDF-GHJK",
        "answer": "allow",
        "credential": _TOKEN,
    },
    oauth_schemas.TokenEnded: lambda: _APP | {"token": _TOKEN},
    oauth_answers.OAuthMetadata: _metadata,
    identity_answers.RecoveryCode: lambda: {"code": _CODE},
    answers.View: _view,
    answers.OpenedView: _view,
    answers.Outcome: _outcome,
    answers.SeatOutcome: _sat,
    answers.Notices: lambda: {"items": _notices(), "version": _played()[2].version},
    answers.Tables: lambda: _page([_item() | {"version": _played()[2].version}]),
    answers.MyTables: lambda: _page([_mine()]) | {"waiting": 1, "after": _AFTER},
    answers.MyEvents: lambda: {
        "items": [_mine() | {"version": 4, "after": _AFTER}],
        "after": _AFTER,
    },
    webhook_schemas.NewWebhook: lambda: {"url": _HOOK["url"]},
    webhook_schemas.WebhookChange: lambda: {"enabled": True},
    webhook_answers.Webhook: lambda: _HOOK,
    webhook_answers.Webhooks: lambda: {"items": [_HOOK], "next": None},
    webhook_answers.MadeWebhook: lambda: _HOOK | {"secret": _SECRET},
    webhook_answers.WebhookSecret: lambda: {"secret": _SECRET, "old_signs_for": 86_400_000},
    webhook_answers.WebhookTest: lambda: {"id": "msg_" + "0f" * 16},
    webhook_answers.Deliveries: lambda: {"items": [_delivery()], "next": None},
    answers.Alive: lambda: {"status": "ok"},
    answers.Readiness: lambda: {"status": "ok", "degraded": []},
}


def example_of(shown: Schema | type[Schema] | str) -> Any:
    """Answer an example of a body or of an answer, or None where one would say nothing."""
    kind = type(shown) if isinstance(shown, Schema) else shown
    make = _EXAMPLES.get(kind)
    return None if make is None else make()
