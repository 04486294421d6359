"""Webhooks as their owner sees them: made, shown without secrets, changed, removed, erased."""

from typing import Any

import pytest

from events import keys
from tests.service.asking import Answer, Api, Guest, Sat, api_on
from tests.service.test_players import everything
from tests.stores import empty_store
from workers.webhooks import hooks

URL = "https://example.com/abraxas"


def token_of(guest: Guest) -> str:
    body = {"label": "hooks", "scopes": ["webhooks"]}
    token: str = guest.api.post("/v1/me/tokens", guest.token, body).json["token"]
    return token


def make(guest: Guest, **body: Any) -> Answer:
    return guest.api.post("/v1/webhooks", token_of(guest), {"url": URL, **body})


def pending(api: Api, hook: str) -> dict[bytes, bytes]:
    found: dict[bytes, bytes] = api.parts.client.hgetall(keys.webhook(hook, "pending"))
    return found


def test_a_webhook_shows_its_secret_once(api: Api) -> None:
    ana = api.guest()
    made = make(ana, label="push").json
    token = token_of(ana)
    assert made["secret"].startswith("whsec_")
    assert (made["types"], made["enabled"]) == (["table.turn", "table.over"], True)
    listed = api.get("/v1/webhooks", token)
    shown = api.get(f"/v1/webhooks/{made['id']}", token)
    assert [each["id"] for each in listed.json["items"]] == [made["id"]]
    assert shown.json == {name: value for name, value in made.items() if name != "secret"}
    assert made["secret"].encode() not in listed.data + shown.data


def test_webhooks_need_their_own_scope(api: Api) -> None:
    ana = api.guest()
    assert api.post("/v1/webhooks", ana.token, {"url": URL}).code == "missing-scope"
    assert api.get("/v1/webhooks").code == "bad-token"


def test_nobody_finds_the_webhook_of_somebody_else(api: Api) -> None:
    made = make(api.guest()).json
    ben = token_of(api.guest())
    path = f"/v1/webhooks/{made['id']}"
    asked = [
        api.get(path, ben),
        api.ask("PATCH", path, ben, {"enabled": False}),
        api.ask("DELETE", path, ben),
        api.post(f"{path}/test", ben),
        api.post(f"{path}/secret", ben),
        api.get(f"{path}/deliveries", ben),
    ]
    assert {each.code for each in asked} == {"unknown-webhook"}
    assert api.get("/v1/webhooks", ben).json["items"] == []


@pytest.mark.parametrize("word", ["due", "held", "pending"])
def test_what_the_store_keeps_beside_webhooks_is_none(api: Api, word: str) -> None:
    """Each lies in a slot that the word itself leads to."""
    ana = api.guest()
    made = make(ana).json["id"]
    api.parts.client.zadd(keys.webhook(word), {made: 1})
    asked = api.get(f"/v1/webhooks/{word}", token_of(ana))
    assert asked.data == api.get("/v1/webhooks/nobodys", token_of(ana)).data


@pytest.mark.parametrize(
    "url",
    [
        "http://example.com/", "https://127.0.0.1/", "https://[::1]/", "https://10.1.2.3/x",
        "https://169.254.169.254/latest", "https://localhost/", "https://2130706433/",
        "https://0x7f.1/", "https://a:b@example.com/", "https://example.com/#x", "ftp://a.com/",
        "https://metadata.google.internal/", "https://", "nonsense", "https://exa mple.com/",
        "https://[::ffff:10.0.0.1]/", "https://example.com:0/",
    ],
)  # fmt: skip
def test_a_webhook_goes_to_a_public_address_or_nowhere(api: Api, url: str) -> None:
    answer = make(api.guest(), url=url)
    assert answer.json["errors"] == [{"pointer": "/url", "code": "not-public"}]
    made = make(ana := api.guest()).json
    changed = api.ask("PATCH", f"/v1/webhooks/{made['id']}", token_of(ana), {"url": url})
    assert changed.json["errors"] == [{"pointer": "/url", "code": "not-public"}]


def test_this_machine_is_allowed_where_it_is_asked_for() -> None:
    api = api_on(empty_store(), empty_store(), DURABILITY="relaxed", ABRAXAS_LOCAL_WEBHOOKS="on")
    assert make(api.guest(), url="http://127.0.0.1:8080/x").status == 201
    assert make(api.guest(), url="http://10.0.0.1/x").status == 422


def test_a_change_changes_what_it_names_and_no_more(api: Api) -> None:
    ana = api.guest()
    made = make(ana, label="push").json
    path, token = f"/v1/webhooks/{made['id']}", token_of(ana)
    change = {"types": ["table.over", "table.over"], "label": None}
    changed = api.ask("PATCH", path, token, change).json
    assert (changed["types"], changed["label"], changed["url"]) == (["table.over"], None, URL)
    off = api.ask("PATCH", path, token, {"enabled": False}).json
    assert (off["enabled"], off["disabled"]) == (False, "owner")
    on = api.ask("PATCH", path, token, {"enabled": True}).json
    assert (on["enabled"], on["disabled"]) == (True, None)
    assert api.ask("PATCH", path, token, {"enabled": 1}).json["errors"] == [
        {"pointer": "/enabled", "code": "wrong-type"}
    ]


def test_a_test_call_waits_to_be_sent(api: Api) -> None:
    ana = api.guest()
    made = make(ana).json
    answer = api.post(f"/v1/webhooks/{made['id']}/test", token_of(ana))
    assert answer.status == 202
    assert list(pending(api, made["id"])) == [b"webhook.test"]


def test_a_new_secret_leaves_the_old_one_signing_for_a_day(api: Api) -> None:
    ana = api.guest()
    made = make(ana).json
    fresh = api.post(f"/v1/webhooks/{made['id']}/secret", token_of(ana)).json["secret"]
    now = hooks.find(api.parts.client, made["id"], 0)
    assert now is not None
    assert now.secrets == (fresh, made["secret"])
    later = hooks.find(api.parts.client, made["id"], now.made + 25 * 3600 * 1000)
    assert later is not None
    assert later.secrets == (fresh,)


def test_a_table_is_watched_by_whoever_may_look_at_it(api: Api, duel: Sat) -> None:
    assert make(api.guest(), table=duel.id).json["table"] == duel.id
    hidden = api.table(api.guest(), api.guest(), visibility="private")
    stranger = api.guest()
    assert make(stranger, table=hidden.id).code == "unknown-table"
    assert make(stranger, table=hidden.id, invite=hidden.invite).status == 201
    assert make(hidden.guests[1], table=hidden.id).status == 201
    assert make(stranger, table="3f0c7a52-8d1e-4b6a-9c55-0e2a6d9b7f10").code == "unknown-table"


def test_what_is_removed_is_forgotten(api: Api) -> None:
    ana = api.guest()
    made = make(ana).json
    path, token = f"/v1/webhooks/{made['id']}", token_of(ana)
    api.post(f"{path}/test", token)
    assert api.ask("DELETE", path, token).status == 204
    assert api.get(path, token).code == "unknown-webhook"
    assert made["id"].encode() not in everything(api)


def test_erasure_takes_webhooks_along(api: Api) -> None:
    ana = api.guest()
    made = make(ana, label="a label of mine").json
    assert api.ask("DELETE", "/v1/me", ana.token).status == 204
    left = everything(api)
    gone = (made["id"], URL, "a label of mine", made["secret"])
    assert not any(each.encode() in left for each in gone)


def test_a_player_has_so_many_and_no_more(api: Api) -> None:
    ana = api.guest()
    token = token_of(ana)
    made = [api.post("/v1/webhooks", token, {"url": URL}).status for _ in range(51)]
    assert made == [201] * 50 + [409]
