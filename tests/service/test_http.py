"""The rules of the road: bodies, tokens, headers, other origins, and what fails unforeseen."""

import logging
from typing import Any

import pytest

from service import http
from service.headers import PARAMETERS
from service.http import MOST_BYTES
from tests.service.asking import Api, Sat


@pytest.mark.parametrize(
    "data",
    [
        b"{", b'{"name": NaN}', b"\xff", b'{"name": "\\ud800"}', b"[" * 5000, b"{} {}",
        b'{"name":' * 40 + b"1" + b"}" * 40, b'{"name": ' + b"1" * 5000 + b"}",
    ],
)  # fmt: skip
def test_what_is_no_json_object_is_malformed(api: Api, data: bytes) -> None:
    assert api.post("/v1/players", body=data).code == "malformed-json"


@pytest.mark.parametrize("data", [b"[]", b'"x"', b"null", b"1"])
def test_json_that_is_no_object_is_a_bad_field(api: Api, data: bytes) -> None:
    answer = api.post("/v1/players", body=data)
    assert (answer.code, answer.json["errors"]) == (
        "bad-field",
        [{"pointer": "", "code": "wrong-type"}],
    )


@pytest.mark.parametrize(
    "headers",
    [
        {"Content_Type": "text/plain"},
        {"Content_Type": "application/x-www-form-urlencoded"},
        {"Content_Type": ""},
        {"Content_Encoding": "gzip"},
    ],
)
def test_a_body_of_another_kind_is_refused(api: Api, headers: dict[str, str]) -> None:
    assert api.post("/v1/players", body={}, **headers).code == "wrong-media-type"


def test_a_charset_is_no_other_kind(api: Api) -> None:
    kind = "Application/JSON; charset=utf-8"
    assert api.post("/v1/players", body={}, Content_Type=kind).status == 201


def test_a_body_may_be_as_large_as_said_and_no_larger(api: Api) -> None:
    fits = b"{" + b" " * (MOST_BYTES - 2) + b"}"
    assert api.post("/v1/players", body=fits).status == 201
    answer = api.post("/v1/players", body=fits + b" ")
    assert answer.code == "too-large"
    assert str(MOST_BYTES) in answer.json["detail"]


@pytest.mark.parametrize(
    "authorization", ["Bearer abx_wrong", "Bearer", "Basic YTpi", "abx_x", "Bearer caf\xe9", ""]
)
def test_a_token_that_is_wrong_is_told_anywhere(api: Api, authorization: str) -> None:
    for method, path in (
        ("GET", "/v1/games"),
        ("GET", "/v1/tables"),
        ("POST", "/v1/players"),
        ("GET", "/v1/me"),
    ):
        answer = api.ask(method, path, Authorization=authorization)
        assert answer.code == "bad-token"
        assert answer.headers["WWW-Authenticate"].startswith("Bearer")


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("POST", "/v1/tables"),
        ("POST", "/v1/tables/{}/seats"),
        ("DELETE", "/v1/tables/{}/seats/0"),
        ("POST", "/v1/tables/{}/commands"),
        ("PATCH", "/v1/me"),
        ("DELETE", "/v1/me"),
        ("GET", "/v1/me/tables"),
    ],
)
def test_a_token_is_needed_to_change_anything(duel: Sat, method: str, path: str) -> None:
    body: Any = None if method in ("GET", "DELETE") else {}
    assert duel.api.ask(method, path.format(duel.id), body=body).code == "bad-token"


@pytest.mark.parametrize(
    ("scopes", "method", "path"),
    [
        ({"play"}, "GET", "/v1/tables"),
        ({"play"}, "GET", "/v1/tables/{}"),
        ({"play"}, "GET", "/v1/tables/{}/events"),
        ({"play"}, "GET", "/v1/me/tables"),
        ({"read"}, "POST", "/v1/tables"),
        ({"read"}, "POST", "/v1/tables/{}/seats"),
        ({"read"}, "POST", "/v1/tables/{}/commands"),
        ({"read"}, "DELETE", "/v1/tables/{}/seats/0"),
        ({"read", "play"}, "GET", "/v1/me"),
        ({"read", "play"}, "PATCH", "/v1/me"),
        ({"read", "play"}, "DELETE", "/v1/me"),
    ],
)
def test_a_token_does_what_its_scopes_say(
    duel: Sat, scopes: set[str], method: str, path: str
) -> None:
    player = duel.guests[0].player
    token = duel.api.parts.identity.tokens.make(player, frozenset(scopes))
    body: Any = None if method in ("GET", "DELETE") else {}
    assert duel.api.ask(method, path.format(duel.id), token, body).code == "missing-scope"


def test_reading_needs_no_token(duel: Sat) -> None:
    for path in ("/v1/games", "/v1/tables", duel.path, f"{duel.path}/events"):
        assert duel.api.get(path).status == 200


@pytest.mark.parametrize("path", ["/v", "/v1", "/v1/tables/", "/v1//games", "/v1/game", "/docs/x"])
def test_a_wrong_path_is_a_problem(api: Api, path: str) -> None:
    assert api.get(path).code == "unknown-path"


def test_a_wrong_method_is_a_problem_that_names_the_right_ones(api: Api) -> None:
    answer = api.ask("PUT", "/v1/tables")
    assert answer.code == "method-not-allowed"
    assert set(answer.headers["Allow"].split(", ")) == {"GET", "HEAD", "OPTIONS", "POST"}


def test_a_host_that_is_none_is_no_request(api: Api) -> None:
    token = api.guest().token
    body = {"game": "potage_sauvage", "seats": 2}
    assert api.post("/v1/tables", token, body, Host="a b/<c>").code == "bad-request"


def test_pages_of_any_origin_may_ask(api: Api) -> None:
    asked = {"Origin": "https://example.org", "Access_Control_Request_Method": "POST"}
    answer = api.ask("OPTIONS", "/v1/tables", **asked)
    assert (answer.status, answer.headers["Access-Control-Allow-Origin"]) == (204, "*")
    assert "POST" in answer.headers["Access-Control-Allow-Methods"]
    allowed = answer.headers["Access-Control-Allow-Headers"].split(", ")
    sent = {each.removeprefix("Needed-") for each in PARAMETERS} - {"Accept-Encoding"}
    assert sent | {"Authorization", "Content-Type", "Accept-Language"} == set(allowed)
    for answer in (api.get("/v1/games"), api.get("/v1/me"), api.get("/nowhere")):
        assert answer.headers["Access-Control-Allow-Origin"] == "*"
        shown = answer.headers["Access-Control-Expose-Headers"].split(", ")
        assert {"ETag", "Link", "Location", "Retry-After"} <= set(shown)
        assert "Access-Control-Allow-Credentials" not in answer.headers


def test_what_changes_something_is_never_kept_by_a_cache(duel: Sat) -> None:
    for answer in (duel.step(), duel.send(0, {}), duel.api.post("/v1/players")):
        assert answer.headers["Cache-Control"] == "no-store"


@pytest.mark.parametrize(
    ("asked", "spoken"),
    [
        ("fr", "fr"), ("en", "en"), ("de", "en"), ("", "en"), ("fr-FR,fr;q=0.9,en;q=0.8", "fr"),
        ("en;q=0.1, fr;q=0.2", "fr"), ("fr;q=0", "en"), ("*", "en"), (";;;", "en"),
    ],
)  # fmt: skip
def test_problems_speak_the_asked_language(api: Api, asked: str, spoken: str) -> None:
    answer = api.get("/nowhere", Accept_Language=asked)
    titles = {"en": "There is nothing here", "fr": "Il n’y a rien ici"}
    assert answer.json["title"] == titles[spoken]
    assert answer.headers["Content-Language"] == spoken


def test_every_answer_has_an_id_of_its_own(api: Api) -> None:
    ids = {api.get("/livez").headers["X-Request-Id"] for _ in range(3)}
    assert len(ids) == 3
    assert api.get("/livez", traceparent="nonsense").headers["X-Request-Id"] != "nonsense"


def test_what_fails_unforeseen_is_logged_without_what_it_was_about(
    duel: Sat, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(*given: Any, **more: Any) -> None:
        raise KeyError("the hidden card W5")

    monkeypatch.setattr(duel.api.parts.door, "load", fail)
    with caplog.at_level(logging.DEBUG):
        answer = duel.view(0)
    assert answer.code == "internal"
    assert "W5" not in answer.data.decode() + caplog.text
    assert "KeyError" in caplog.text
    assert answer.headers["X-Request-Id"] in caplog.text
    assert duel.guests[0].token not in caplog.text


def test_head_is_get_without_a_body(duel: Sat) -> None:
    answer = duel.api.app.test_client().head(duel.path)
    assert (answer.status_code, answer.data) == (200, b"")
    assert answer.headers["ETag"] == duel.view().headers["ETag"]


def test_the_nesting_allowed_is_as_said() -> None:
    def nested(levels: int) -> Any:
        return {} if levels == 1 else {"x": nested(levels - 1)}

    assert not http._too_deep(nested(http.MOST_NESTED))
    assert http._too_deep(nested(http.MOST_NESTED + 1))
