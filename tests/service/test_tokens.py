"""Tokens for programs, bots that say so, and the code that brings a player back."""

import pytest

from events import keys
from service.identity.callers import Identity
from tests.service.asking import Answer, Api, Guest
from tests.service.test_players import everything
from tests.stores import empty_store


def make(guest: Guest, *scopes: str, label: str = "laptop") -> Answer:
    body = {"label": label, "scopes": list(scopes)}
    return guest.api.post("/v1/me/tokens", guest.token, body)


def bot_of(guest: Guest, name: str = "Deep Soup") -> Answer:
    maker = make(guest, "bot").json["token"]
    return guest.api.post("/v1/me/bots", maker, {"name": name})


def test_a_token_for_a_program_does_what_its_scopes_say_and_no_more(api: Api) -> None:
    made = make(api.guest(), "read")
    assert made.status == 201
    assert api.get("/v1/me/tables", made.json["token"]).status == 200
    assert api.get("/v1/me", made.json["token"]).code == "missing-scope"


def test_tokens_are_listed_without_themselves(api: Api) -> None:
    ana = api.guest()
    made = make(ana, "read", "play", label="bot box").json
    items = api.get("/v1/me/tokens", ana.token).json["items"]
    assert [(e["kind"], e["label"], e["scopes"], e["current"]) for e in items] == [
        ("personal", "bot box", ["play", "read"], False),
        ("device", None, ["account", "play", "read"], True),
    ]
    listed = api.get("/v1/me/tokens", ana.token).data
    assert made["token"].encode() not in listed
    assert ana.token.encode() not in listed


def test_a_revoked_token_is_worthless_and_off_the_list(api: Api) -> None:
    ana = api.guest()
    made = make(ana, "read").json
    assert api.ask("DELETE", f"/v1/me/tokens/{made['id']}", ana.token).status == 204
    assert api.get("/v1/me/tables", made["token"]).code == "bad-token"
    assert len(api.get("/v1/me/tokens", ana.token).json["items"]) == 1
    assert api.ask("DELETE", f"/v1/me/tokens/{made['id']}", ana.token).code == "unknown-token"


def test_nobody_revokes_the_token_of_somebody_else(api: Api) -> None:
    made = make(api.guest(), "read").json
    answer = api.ask("DELETE", f"/v1/me/tokens/{made['id']}", api.guest().token)
    assert answer.code == "unknown-token"
    assert api.get("/v1/me/tables", made["token"]).status == 200


@pytest.mark.parametrize(
    ("body", "pointer", "code"),
    [
        ({"label": "x"}, "/scopes", "missing"),
        ({"label": "x", "scopes": []}, "/scopes", "out-of-range"),
        ({"label": "x", "scopes": ["root"]}, "/scopes/0", "not-one-of"),
        ({"label": "", "scopes": ["read"]}, "/label", "out-of-range"),
    ],
)
def test_a_token_says_what_it_is_for(api: Api, body: object, pointer: str, code: str) -> None:
    answer = api.post("/v1/me/tokens", api.guest().token, body)
    assert (pointer, code) in [(each["pointer"], each["code"]) for each in answer.json["errors"]]


def test_a_token_of_a_player_erased_meanwhile_never_comes_to_be() -> None:
    identity = Identity(empty_store())
    profile, token = identity.new_player(None, None)
    identity.erase(profile.player, token)
    assert identity.tokens.make(profile.player, frozenset({"play"})) is None


def test_a_bot_says_so_and_plays_with_a_token_of_its_own(api: Api) -> None:
    ana = api.guest("Ana")
    made = bot_of(ana).json
    assert (made["bot"], made["name"]) == (True, "Deep Soup")
    assert api.get(f"/v1/players/{made['player']}").json["bot"] is True
    table = api.table(ana, Guest(api, made["player"], made["token"]))
    assert table.view(1).json["viewer"]["seat"] == 1
    assert api.get("/v1/me", made["token"]).code == "missing-scope"


def test_bots_are_made_with_the_scope_for_it_alone(api: Api) -> None:
    ana = api.guest()
    assert api.post("/v1/me/bots", ana.token, {"name": "B"}).code == "missing-scope"
    maker = make(ana, "bot").json["token"]
    made = api.post("/v1/me/bots", maker, {"name": "B"}).json
    assert [e["player"] for e in api.get("/v1/me/bots", maker).json["items"]] == [made["player"]]
    nobody = api.post("/v1/me/bots", maker, {"name": "\u200b"})
    assert nobody.json["errors"] == [{"pointer": "/name", "code": "out-of-range"}]


def test_a_bots_token_is_replaced_by_its_owner_and_nobody_else(api: Api) -> None:
    ana, ben = api.guest(), api.guest()
    made = bot_of(ana).json
    path = f"/v1/me/bots/{made['player']}/token"
    assert api.post(path, make(ben, "bot").json["token"]).code == "unknown-player"
    fresh = api.post(path, make(ana, "bot").json["token"]).json["token"]
    assert api.get("/v1/me/tables", made["token"]).code == "bad-token"
    assert api.get("/v1/me/tables", fresh).status == 200


def test_a_bot_is_erased_alone_or_with_its_owner(api: Api) -> None:
    ana = api.guest()
    first, second = bot_of(ana).json, bot_of(ana).json
    maker = make(ana, "bot").json["token"]
    path = f"/v1/me/bots/{first['player']}"
    assert api.ask("DELETE", path, maker).status == 204
    assert api.ask("DELETE", path, maker).code == "unknown-player"
    assert api.get(f"/v1/players/{first['player']}").code == "unknown-player"
    assert api.ask("DELETE", "/v1/me", ana.token).status == 204
    assert api.get(f"/v1/players/{second['player']}").code == "unknown-player"
    assert api.get("/v1/me/tables", second["token"]).code == "bad-token"


def test_there_are_only_so_many_bots(api: Api) -> None:
    maker = make(api.guest(), "bot").json["token"]
    answers = [api.post("/v1/me/bots", maker, {"name": "B"}) for _ in range(21)]
    assert answers[19].status == 201
    assert answers[20].code == "too-many"


def test_a_recovery_code_brings_a_player_back(api: Api) -> None:
    ana = api.guest("Ana")
    code = api.post("/v1/me/recovery-code", ana.token).json["code"]
    assert api.get("/v1/me", ana.token).json["recoverable"] is True
    assert code.encode() not in everything(api)
    written = code.replace("-", " ").lower().replace("0", "o").replace("1", "l")
    back = api.post("/v1/players/recover", body={"code": written})
    assert (back.status, back.json["player"], back.json["name"]) == (201, ana.player, "Ana")
    assert api.get("/v1/me", back.json["token"]).status == 200


def test_a_new_recovery_code_takes_the_place_of_the_one_before(api: Api) -> None:
    ana = api.guest()
    first, second = (api.post("/v1/me/recovery-code", ana.token).json["code"] for _ in range(2))
    assert api.post("/v1/players/recover", body={"code": first}).code == "wrong-recovery-code"
    assert api.post("/v1/players/recover", body={"code": second}).status == 201


def test_a_replaced_code_that_is_still_there_is_no_good(api: Api) -> None:
    ana = api.guest()
    code = api.post("/v1/me/recovery-code", ana.token).json["code"]
    api.parts.client.hset(keys.player(ana.player), "recovery", "0" * 64)
    assert api.post("/v1/players/recover", body={"code": code}).code == "wrong-recovery-code"


def test_an_erased_player_does_not_come_back(api: Api) -> None:
    ana = api.guest()
    code = api.post("/v1/me/recovery-code", ana.token).json["code"]
    api.ask("DELETE", "/v1/me", ana.token)
    assert api.post("/v1/players/recover", body={"code": code}).code == "wrong-recovery-code"


def test_erasure_leaves_nothing_of_a_player_in_the_store(api: Api) -> None:
    ana = api.guest("Ana Conda")
    api.post("/v1/me/recovery-code", ana.token)
    bot_of(ana, "Conda Bot")
    make(ana, "play", label="Conda box")
    api.ask("DELETE", "/v1/me", ana.token)
    left = [key for key in api.parts.client.scan_iter() if not key.startswith(b"limit:")]
    assert left == []
