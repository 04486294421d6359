"""Every code is catalogued, documented, and raised by asking for it."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from redis import Redis

from domain.catalogue import games
from events import keys
from events.servers.connection import OutcomeUnknown
from service.http import MOST_BYTES
from service.pages.documentation import errors_text
from service.problems import FIELD_CODES, KINDS, Problem, example, refusals
from tests.service.asking import GAME, Answer, Api, Sat, api_on, fresh
from tests.stores import empty_store

ROOT = Path(__file__).resolve().parents[2]
PLAY = {"type": "play_card", "card": "W1"}
OPEN: dict[str, Any] = {"game": "potage_sauvage", "seats": 2}


def sit(table: Sat, seat_of: int | None = None, **body: Any) -> Answer:
    guest = table.api.guest() if seat_of is None else table.guests[seat_of]
    return table.api.post(f"{table.path}/seats", guest.token, body, key=fresh())


def half_open(api: Api) -> Sat:
    return api.table(api.guest(), seats=2)


def started(api: Api) -> Sat:
    return api.table(api.guest(), api.guest())


def reuse_a_key(api: Api) -> Answer:
    token = api.guest().token
    api.post("/v1/tables", token, OPEN, key="same")
    return api.post("/v1/tables", token, OPEN | {"seats": 3}, key="same")


def forget_a_key(api: Api) -> Answer:
    """Repeat an opening whose key is no longer remembered, as that of an archived table."""
    token = api.guest().token
    opened = api.post("/v1/tables", token, OPEN, key="same")
    api.parts.client.delete(keys.commands(opened.json["id"]))
    return api.post("/v1/tables", token, OPEN, key="same")


def few_rights(api: Api) -> Answer:
    token = api.parts.identity.tokens.make(api.guest().player, frozenset())
    return api.get("/v1/me", token)


def make_too_many(api: Api) -> Answer:
    token, body = api.guest().token, {"label": "one more", "scopes": ["read"]}
    made = [api.post("/v1/me/tokens", token, body) for _ in range(51)]
    assert {each.status for each in made[:50]} == {201}
    return made[50]


def act_on_old_news(api: Api) -> Answer:
    table = started(api)
    for seat in (0, 1):
        table.send(seat, {"type": "choose_recipe", "recipe": "waste"})
    return table.send(1, {"type": "choose_recipe", "recipe": "waste"}, If_Match='"3"')


def lose_a_reply(api: Api) -> Answer:
    table = started(api)

    def lost(*given: Any, **more: Any) -> None:
        raise OutcomeUnknown("the reply was lost")

    api.parts.door.store.append = lost  # type: ignore[method-assign, assignment]
    return table.send(0, {"type": "choose_recipe", "recipe": "waste"})


def break_something(api: Api) -> Answer:
    api.parts.health.check = None  # type: ignore[method-assign, assignment]
    return api.get("/readyz")


def elsewhere(**environ: str) -> Api:
    """Make an application on a store that is not there."""
    return api_on(Redis(port=1), Redis(port=1), **environ)


def with_webhooks(api: Api) -> str:
    """Make a guest with a token for webhooks."""
    body = {"label": "hooks", "scopes": ["webhooks"]}
    token: str = api.post("/v1/me/tokens", api.guest().token, body).json["token"]
    return token


def call_what_is_disabled(api: Api) -> Answer:
    token = with_webhooks(api)
    made = api.post("/v1/webhooks", token, {"url": "https://example.com/"})
    path = f"/v1/webhooks/{made.json['id']}"
    assert api.ask("PATCH", path, token, {"enabled": False}).status == 200
    return api.post(f"{path}/test", token)


def ask_too_often(api: Api) -> Answer:
    """Sign up until it is too much, faster than the bucket fills."""
    asked = (api.post("/v1/players") for _ in range(1000))
    return next(each for each in asked if each.status == 429)


RAISED: dict[str, Callable[[Api], Answer]] = {
    "malformed-json": lambda api: api.post("/v1/players", body=b"{"),
    "bad-request": lambda api: api.post("/v1/tables", api.guest().token, OPEN, Host="a b"),
    "idempotency-key-missing": lambda api: started(api).send(0, PLAY, key=None),
    "bad-token": lambda api: api.get("/v1/me"),
    "not-seated": lambda api: api.post(
        f"{started(api).path}/commands", api.guest().token, PLAY, key=fresh()
    ),
    "missing-scope": few_rights,
    "wrong-recovery-code": lambda api: api.post("/v1/players/recover", body={"code": "x"}),
    "unknown-app": lambda api: api.ask("DELETE", "/v1/me/apps/none", api.guest().token),
    "unknown-webhook": lambda api: api.get("/v1/webhooks/none", with_webhooks(api)),
    "webhook-disabled": call_what_is_disabled,
    "unknown-token": lambda api: api.ask("DELETE", "/v1/me/tokens/none", api.guest().token),
    "too-many": make_too_many,
    "not-your-seat": lambda api: started(api).view(0, "?as=1"),
    "unknown-table": lambda api: api.get("/v1/tables/3f0c7a52-8d1e-4b6a-9c55-0e2a6d9b7f10"),
    "unknown-game": lambda api: api.get("/v1/games/chess"),
    "unknown-version": lambda api: half_open(api).view(0, "?version=3"),
    "unknown-player": lambda api: api.get("/v1/players/nobody"),
    "unknown-path": lambda api: api.get("/v2"),
    "method-not-allowed": lambda api: api.ask("PUT", "/v1/me"),
    "not-started": lambda api: half_open(api).send(0, PLAY),
    "already-started": lambda api: sit(started(api)),
    "seat-taken": lambda api: sit(half_open(api), seat=0),
    "already-seated": lambda api: sit(half_open(api), 0),
    "table-full": lambda api: api.post(
        "/v1/tables", api.guest().token, OPEN | {"bots": {"0": "random", "1": "random"}}
    ),
    "commitment-differs": lambda api: sit(half_open(api), commitment="0" * 64),
    "version-not-reached": lambda api: half_open(api).view(0, "?min_version=9"),
    "table-exists": forget_a_key,
    "stale-version": act_on_old_news,
    "too-large": lambda api: api.post("/v1/players", body=b" " * (MOST_BYTES + 1)),
    "wrong-media-type": lambda api: api.post("/v1/players", Content_Type="text/xml"),
    "bad-field": lambda api: api.get("/v1/tables?limit=0"),
    "bad-record": lambda api: api.post(
        "/v1/records", api.guest().token, b"{}\n", Content_Type="application/x-ndjson"
    ),
    "key-reused": reuse_a_key,
    "slow-down": ask_too_often,
    "internal": break_something,
    "store-unavailable": lambda _: elsewhere().get("/readyz"),
    "store-misconfigured": lambda _: api_on(empty_store(), empty_store()).get("/readyz"),
    "outcome-unknown": lose_a_reply,
}


def test_every_code_of_the_catalogue_has_its_way_to_be_raised() -> None:
    assert RAISED.keys() == KINDS.keys()


@pytest.mark.parametrize("code", KINDS)
def test_a_code_is_raised_with_its_status_and_words(api: Api, code: str) -> None:
    answer = RAISED[code](api)
    assert (answer.code, answer.status) == (code, KINDS[code].status)
    assert answer.json["type"] == f"/docs/errors#{code}"
    assert answer.json["title"] == KINDS[code].title["en"]
    assert answer.json["detail"]
    assert f'id="{code}"'.encode() in api.get("/docs/errors").data
    if answer.status in (429, 503):
        assert int(answer.headers["Retry-After"]) >= 1


@pytest.mark.parametrize("code", KINDS)
def test_a_code_has_words_in_both_languages(code: str) -> None:
    english, french = (example(code).body(each) for each in ("en", "fr"))
    for field in ("title", "detail"):
        assert "{" not in english[field] + french[field]
        assert english[field] != french[field]


def test_the_page_of_the_docs_is_written_from_the_catalogue() -> None:
    assert (ROOT / "docs" / "errors.md").read_text(encoding="utf-8") == errors_text()


def test_every_refusal_of_a_game_is_on_the_page_that_its_type_names(api: Api) -> None:
    page = api.get("/docs/errors").data.decode()
    assert "must-follow-suit" in refusals()
    for code in refusals():
        assert Problem(code).body("en")["type"] == f"/docs/errors#{code}"
        assert f'id="{code}"' in page


def test_every_code_of_a_field_has_words_in_both_languages() -> None:
    for words in FIELD_CODES.values():
        assert words["en"] != words["fr"]


def test_where_a_value_is_none_of_several_all_of_them_are_told(api: Api) -> None:
    guest = api.guest()
    body = {"game": GAME, "seats": 2, "visibility": "hidden"}
    opened = api.post("/v1/tables", guest.token, body)
    assert opened.json["errors"] == [
        {
            "pointer": "/visibility", "code": "not-one-of",
            "allowed": ["public", "unlisted", "private"],
        },
    ]  # fmt: skip
    levels = api.post("/v1/tables", guest.token, {"game": GAME, "seats": 2, "bots": {"1": "wise"}})
    assert levels.json["errors"][0]["allowed"] == sorted(games()[GAME].bots)
    listed = api.get("/v1/tables?phase=open,asleep")
    assert listed.json["errors"] == [
        {"pointer": "?phase", "code": "not-one-of", "allowed": ["open", "playing", "over"]},
    ]
    table = api.table(guest, api.guest())
    sent = table.send(0, {"type": "choose_recipe", "recipe": "soup"})
    assert {*sent.json["errors"][0]["allowed"]} >= {"waste", "fruits"}
    assert "allowed" not in api.get("/v1/tables?limit=0").json["errors"][0]
