"""Guests, their profiles, and what is left when they are erased."""

import pytest

from service.identity.callers import CACHE_SECONDS, Identity
from tests.service.asking import Api, Sat
from tests.stores import empty_store


def everything(api: Api) -> bytes:
    """Answer all that is in the store."""
    client = api.parts.client
    return b"".join(key + (client.dump(key) or b"") for key in client.scan_iter())


def test_a_guest_is_made_from_nothing_and_knows_itself(api: Api) -> None:
    made = api.ask("POST", "/v1/players")
    assert made.status == 201
    assert made.json["token"].startswith("abx_")
    me = api.get("/v1/me", made.json["token"]).json
    assert me == {name: told for name, told in made.json.items() if name != "token"}
    assert (me["bot"], me["recoverable"]) == (False, False)


def test_a_token_is_kept_as_a_digest_only(api: Api) -> None:
    token = api.guest("Ana").token
    assert token.encode() not in everything(api)


def test_a_repeat_makes_another_guest(api: Api) -> None:
    first, second = (api.post("/v1/players", key="same").json for _ in range(2))
    assert first["player"] != second["player"]


def test_a_profile_is_changed_field_by_field(api: Api) -> None:
    ana = api.guest("Ana")
    assert api.ask("PATCH", "/v1/me", ana.token, {"locale": "fr"}).json["name"] == "Ana"
    changed = api.ask("PATCH", "/v1/me", ana.token, {"name": None}).json
    assert (changed["name"], changed["locale"]) == (None, "fr")


def test_others_see_the_name_and_nothing_else(api: Api) -> None:
    ana = api.guest("Ana")
    assert api.get(f"/v1/players/{ana.player}").json == {
        "player": ana.player,
        "name": "Ana",
        "bot": False,
    }


def test_erasure_takes_the_name_and_the_tokens(api: Api) -> None:
    ana = api.guest("Ana Conda")
    assert b"Ana Conda" in everything(api)
    other = api.parts.identity.tokens.make(ana.player, frozenset({"read"}))
    assert api.ask("DELETE", "/v1/me", ana.token).status == 204
    assert api.get(f"/v1/players/{ana.player}").code == "unknown-player"
    assert [api.get("/v1/me", each).code for each in (ana.token, other)] == ["bad-token"] * 2
    assert b"Ana Conda" not in everything(api)


def test_erasure_leaves_games_valid(duel: Sat) -> None:
    before = duel.view().json
    duel.api.ask("DELETE", "/v1/me", duel.guests[0].token)
    assert duel.view().json == before
    seat = duel.view(1).json["to_move"][-1]
    assert seat == 1
    assert duel.send(1, duel.view(1).json["moves"][0]).status == 201


def test_a_late_change_does_not_bring_an_erased_player_back() -> None:
    identity = Identity(empty_store())
    profile, token = identity.new_player("Ana", None)
    identity.erase(profile.player, token)
    assert identity.change(profile.player, name="Ana") is None
    assert identity.profile(profile.player) is None


def test_a_revocation_takes_a_few_seconds_elsewhere() -> None:
    now = [0.0]
    store = empty_store()
    here, there = Identity(store), Identity(store, lambda: now[0])
    profile, token = here.new_player(None, None)
    assert there.caller(token) is not None
    here.revoke(profile.player, token)
    assert here.caller(token) is None
    now[0] = CACHE_SECONDS - 0.1
    assert there.caller(token) is not None
    now[0] = CACHE_SECONDS + 0.1
    assert there.caller(token) is None


@pytest.mark.parametrize(
    ("body", "error"),
    [
        ({"name": 3}, {"pointer": "/name", "code": "wrong-type"}),
        ({"name": "x" * 41}, {"pointer": "/name", "code": "out-of-range"}),
        ({"name": " " * 161}, {"pointer": "/name", "code": "out-of-range"}),
        ({"locale": "french!"}, {"pointer": "/locale", "code": "malformed"}),
        ({"mail": "a@example.org"}, {"pointer": "/mail", "code": "unknown"}),
    ],
)
def test_a_bad_field_is_named(api: Api, body: object, error: object) -> None:
    answer = api.post("/v1/players", body=body)
    assert (answer.code, answer.json["errors"]) == ("bad-field", [error])


def test_a_scope_that_is_missing_is_named(api: Api) -> None:
    token = api.parts.identity.tokens.make(api.guest().player, frozenset({"play"}))
    answer = api.get("/v1/me", token)
    assert answer.code == "missing-scope"
    assert "account" in answer.json["detail"]
