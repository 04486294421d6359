"""OAuth for apps: codes with PKCE, devices, refresh tokens that are good once, revocation."""

from base64 import urlsafe_b64encode
from hashlib import sha256
from html.parser import HTMLParser
from typing import Any
from urllib.parse import parse_qs, urlencode, urljoin, urlsplit

import pytest

from events import keys
from service.identity.tokens import digest_of
from tests.service.asking import Api, Guest, api_on

BACK = "https://app.example/back"
VERIFIER = "v" * 43
CHALLENGE = urlsafe_b64encode(sha256(VERIFIER.encode()).digest()).rstrip(b"=").decode()
DEVICE = "urn:ietf:params:oauth:grant-type:device_code"


def register(guest: Guest, *redirects: str) -> str:
    body = {"name": "Soup <app>", "redirect_uris": list(redirects)}
    made = guest.api.post("/v1/me/apps", guest.token, body)
    assert made.status == 201, made.json
    return str(made.json["client_id"])


def form(api: Api, path: str, **fields: str) -> Any:
    """Send a form, and hold the answer against openapi.yaml."""
    answer = api.app.test_client().post(path, data=fields)
    api.checked("POST", path, answer)
    return answer


def question(app: str, **more: str) -> dict[str, str]:
    return {
        "response_type": "code", "client_id": app, "redirect_uri": BACK, "scope": "play read",
        "state": "xyz", "code_challenge": CHALLENGE, "code_challenge_method": "S256", **more,
    }  # fmt: skip


def allow(api: Api, asked: dict[str, str], credential: str, answer: str = "allow") -> Any:
    return form(api, "/oauth/authorize", **asked, credential=credential, answer=answer)


def code_for(api: Api, app: str, guest: Guest) -> str:
    back = allow(api, question(app), guest.token)
    assert back.status_code == 303, back.data
    return str(parse_qs(urlsplit(back.headers["Location"]).query)["code"][0])


def exchange(api: Api, app: str, code: str, verifier: str = VERIFIER) -> Any:
    return form(
        api, "/oauth/token", grant_type="authorization_code", client_id=app, code=code,
        redirect_uri=BACK, code_verifier=verifier,
    )  # fmt: skip


def granted(api: Api) -> tuple[Guest, str, Any]:
    ana = api.guest("Ana")
    app = register(api.guest(), BACK)
    told = exchange(api, app, code_for(api, app, ana))
    assert told.status_code == 200, told.data
    return ana, app, told.json


def refresh(api: Api, app: str, token: str) -> Any:
    return form(api, "/oauth/token", grant_type="refresh_token", client_id=app, refresh_token=token)


def test_the_page_names_the_app_and_runs_no_script(api: Api) -> None:
    app = register(api.guest(), BACK)
    shown = api.app.test_client().get("/oauth/authorize", query_string=question(app))
    assert shown.status_code == 200
    assert b"Soup &lt;app&gt;" in shown.data
    assert b"<script" not in shown.data
    policy = shown.headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "frame-ancestors 'none'" in policy
    assert "form-action 'self' https://app.example" in policy


class Form(HTMLParser):
    """The form of a page, as a browser reads it."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.action: str | None = None
        self.fields: dict[str, str] = {}
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        told = dict(attrs)
        if tag == "form":
            self.action = told.get("action") or ""
        if tag == "input" and told.get("type") == "hidden":
            self.fields[told["name"] or ""] = told["value"] or ""


def test_what_a_browser_sends_from_the_page_is_what_was_asked(api: Api) -> None:
    ana, app = api.guest(), register(api.guest(), BACK)
    at = f"/oauth/authorize?{urlencode(question(app))}"
    page, back = api.get(at).data.decode(), ""
    for credential, status in (("abx_wrong", 200), (ana.token, 303)):
        found = Form(page)
        assert found.action is not None
        at = urljoin(at, found.action) if found.action else at
        sent = found.fields | {"credential": credential, "answer": "allow"}
        answer = api.app.test_client().post(at, data=sent)
        assert answer.status_code == status, answer.text
        page, back = answer.text, answer.headers.get("Location", "")
    assert parse_qs(urlsplit(back).query)["state"] == ["xyz"]


def test_apps_are_served_by_https_or_on_this_machine_alone(api: Api) -> None:
    client, fields = api.app.test_client(), {"grant_type": "refresh_token", "client_id": "x"}
    lan = {"Host": "192.168.1.5:8000"}
    for path in ("token", "revoke", "device-authorization"):
        answer = client.post(f"/oauth/{path}", data=fields, headers=lan)
        assert api.checked("POST", f"/oauth/{path}", answer).json["error"] == "insecure_transport"
    assert api.get("/oauth/authorize", Host="192.168.1.5:8000").status == 400
    proxied = api_on(
        api.parts.client, api.parts.client, DURABILITY="relaxed", ABRAXAS_URL="https://x.example"
    )
    answer = proxied.app.test_client().post("/oauth/token", data=fields, headers=lan)
    assert proxied.checked("POST", "/oauth/token", answer).json["error"] == "invalid_client"
    told = proxied.get("/.well-known/oauth-authorization-server", **lan).json
    assert told["token_endpoint"] == "https://x.example/oauth/token"


def test_an_app_acts_for_a_player_who_allowed_it_and_only_so_far(api: Api) -> None:
    ana, _, told = granted(api)
    assert told["token_type"] == "Bearer"
    opened = api.post("/v1/tables", told["access_token"], {"game": "potage_sauvage", "seats": 2})
    assert opened.json["seats"][0]["player"] == ana.player
    assert api.get("/v1/me", told["access_token"]).code == "missing-scope"


def test_the_answer_goes_back_with_state_and_issuer(api: Api) -> None:
    app = register(api.guest(), BACK)
    back = allow(api, question(app), api.guest().token)
    told = parse_qs(urlsplit(back.headers["Location"]).query)
    assert back.headers["Location"].startswith(BACK)
    assert (told["state"], told["iss"]) == (["xyz"], ["http://localhost"])
    denied = allow(api, question(app), "", "deny").headers["Location"]
    assert parse_qs(urlsplit(denied).query)["error"] == ["access_denied"]


def test_a_recovery_code_consents_too_and_a_weaker_token_does_not(api: Api) -> None:
    ana = api.guest()
    app = register(api.guest(), BACK)
    code = api.post("/v1/me/recovery-code", ana.token).json["code"]
    assert allow(api, question(app), code).status_code == 303
    weak = api.parts.identity.tokens.make(ana.player, frozenset({"play", "read"})) or ""
    for credential in (weak, "abx_wrong", ""):
        assert allow(api, question(app), credential).status_code == 200


@pytest.mark.parametrize(
    "more",
    [
        {"redirect_uri": "https://evil.example/"}, {"client_id": "none"}, {"scope": "account"},
        {"code_challenge": ""}, {"code_challenge_method": "plain"}, {"response_type": "token"},
        {"response_type": 'co"de'}, {"response_type": "é"}, {"scope": "play\n"},
    ],
)  # fmt: skip
def test_what_an_app_may_not_ask_is_not_answered(api: Api, more: dict[str, str]) -> None:
    app = register(api.guest(), BACK)
    assert allow(api, question(app) | more, api.guest().token).status_code == 400


@pytest.mark.parametrize(
    ("registered", "asked", "status"),
    [
        ("http://127.0.0.1/back", "http://127.0.0.1:51004/back", 303),
        ("http://127.0.0.1:1/back", "http://127.0.0.1/back", 303),
        ("http://[::1]/back", "http://[::1]:51004/back", 303),
        ("http://127.0.0.1/back", "http://127.0.0.1:51004/", 400),
        ("http://127.0.0.1/back", "http://127.0.0.1:51004/back?x", 400),
        ("http://127.0.0.1/back", "http://127.0.0.1:51004/back#x", 400),
        ("http://127.0.0.1/back", "https://127.0.0.1:51004/back", 400),
        ("http://127.0.0.1/back", "http://localhost:51004/back", 400),
        ("http://127.0.0.1/back", "http://a@127.0.0.1:51004/back", 400),
        ("http://127.0.0.1/back", "http://127.0.0.1:1; script-src */back", 400),
        ("http://127.0.0.1/back", "http://[", 400),
        ("https://app.example/back", "https://app.example:8443/back", 400),
        ("https://app.example/back", "https://app.example/back/", 400),
        ("https://app.example/back", "http://[", 400),
    ],
)
def test_an_app_is_returned_to_where_it_said_and_chooses_its_port_on_this_machine_alone(
    api: Api, registered: str, asked: str, status: int
) -> None:
    app = register(api.guest(), registered)
    answer = allow(api, question(app, redirect_uri=asked), api.guest().token)
    assert answer.status_code == status
    if status == 303:
        assert answer.headers["Location"].startswith(f"{asked}?")


def test_a_code_is_good_once_and_with_its_verifier_only(api: Api) -> None:
    ana = api.guest()
    app = register(api.guest(), BACK)
    code = code_for(api, app, ana)
    assert exchange(api, app, code, "w" * 43).status_code == 400
    code = code_for(api, app, ana)
    assert exchange(api, app, code).status_code == 200
    assert exchange(api, app, code).json["error"] == "invalid_grant"


def test_a_refresh_token_changes_at_each_use(api: Api) -> None:
    _, app, told = granted(api)
    fresh = refresh(api, app, told["refresh_token"]).json
    assert fresh["refresh_token"] != told["refresh_token"]
    assert api.get("/v1/me/tables", fresh["access_token"]).status == 200
    assert api.get("/v1/me/tables", told["access_token"]).code == "bad-token"


def test_a_refresh_token_that_comes_again_ends_the_grant(api: Api) -> None:
    _, app, told = granted(api)
    fresh = refresh(api, app, told["refresh_token"]).json
    assert refresh(api, app, told["refresh_token"]).json["error"] == "invalid_grant"
    assert refresh(api, app, fresh["refresh_token"]).status_code == 400
    assert api.get("/v1/me/tables", fresh["access_token"]).code == "bad-token"


@pytest.mark.parametrize("which", ["access_token", "refresh_token"])
def test_a_revoked_token_ends_the_grant(api: Api, which: str) -> None:
    _, app, told = granted(api)
    assert form(api, "/oauth/revoke", client_id=app, token=told[which]).status_code == 200
    assert api.get("/v1/me/tables", told["access_token"]).code == "bad-token"
    assert refresh(api, app, told["refresh_token"]).status_code == 400


def test_a_player_revokes_an_app_on_the_list_of_tokens(api: Api) -> None:
    ana, app, told = granted(api)
    item = next(e for e in api.get("/v1/me/tokens", ana.token).json["items"] if e["kind"] == "app")
    assert (item["app"], item["label"]) == (app, "Soup <app>")
    api.ask("DELETE", f"/v1/me/tokens/{item['id']}", ana.token)
    assert api.get("/v1/me/tables", told["access_token"]).code == "bad-token"
    assert refresh(api, app, told["refresh_token"]).status_code == 400


def test_a_grant_is_listed_and_ended_after_its_access_token_has_expired(api: Api) -> None:
    ana, app, told = granted(api)
    api.parts.client.delete(keys.token(digest_of(told["access_token"])))
    item = next(e for e in api.get("/v1/me/tokens", ana.token).json["items"] if e["kind"] == "app")
    assert (item["app"], item["scopes"]) == (app, ["play", "read"])
    assert api.ask("DELETE", f"/v1/me/tokens/{item['id']}", api.guest().token).status == 404
    assert api.ask("DELETE", f"/v1/me/tokens/{item['id']}", ana.token).status == 204
    assert refresh(api, app, told["refresh_token"]).status_code == 400
    assert all(e["kind"] != "app" for e in api.get("/v1/me/tokens", ana.token).json["items"])


def test_a_grant_is_listed_once_however_often_its_tokens_change(api: Api) -> None:
    ana, app, told = granted(api)

    def grants() -> list[Any]:
        items = api.get("/v1/me/tokens", ana.token).json["items"]
        return [each for each in items if each["kind"] == "app"]

    before = grants()
    refresh(api, app, told["refresh_token"])
    assert len(before) == 1
    assert grants() == before


def test_a_grant_that_was_forgotten_is_not_listed(api: Api) -> None:
    ana, _, told = granted(api)
    grant = told["refresh_token"].removeprefix("abr_").partition(".")[0]
    api.parts.client.delete(keys.oauth("grant", grant))
    assert all(e["kind"] != "app" for e in api.get("/v1/me/tokens", ana.token).json["items"])
    assert not api.parts.client.smembers(keys.player_grants(ana.player))


def test_a_device_gets_tokens_once_its_player_allows_it(api: Api) -> None:
    ana, app = api.guest(), register(api.guest())
    asked = form(api, "/oauth/device-authorization", client_id=app, scope="read").json
    poll = {"grant_type": DEVICE, "client_id": app, "device_code": asked["device_code"]}
    assert form(api, "/oauth/token", **poll).json["error"] == "authorization_pending"
    assert form(api, "/oauth/token", **poll).json["error"] == "slow_down"
    shown = api.app.test_client().get("/oauth/device", query_string=asked["user_code"])
    assert shown.status_code == 200
    said = {"user_code": asked["user_code"].lower(), "answer": "allow", "credential": ana.token}
    assert form(api, "/oauth/device", **said).status_code == 200
    told = form(api, "/oauth/token", **poll)
    assert told.status_code == 200
    assert api.get("/v1/me/tables", told.json["access_token"]).status == 200
    again = form(api, "/oauth/token", **poll)
    assert (again.status_code, again.json["error"]) == (400, "expired_token")


@pytest.mark.parametrize("typed", ["{0}{1}", "{0} {1}", " {0}–{1} ", "{0}.{1}"])
def test_a_players_way_of_typing_a_code_does_not_matter(api: Api, typed: str) -> None:
    ana, app = api.guest(), register(api.guest())
    asked = form(api, "/oauth/device-authorization", client_id=app, scope="read").json
    written = typed.format(*asked["user_code"].lower().split("-"))
    shown = api.app.test_client().get("/oauth/device", query_string={"user_code": written})
    assert b"Soup &lt;app&gt;" in shown.data
    form(api, "/oauth/device", user_code=written, answer="allow", credential=ana.token)
    poll = {"grant_type": DEVICE, "client_id": app, "device_code": asked["device_code"]}
    assert form(api, "/oauth/token", **poll).status_code == 200


@pytest.mark.parametrize("scope", [{}, {"scope": ""}, {"scope": "read account"}])
def test_an_app_that_names_no_fitting_scope_is_told_which_there_are(
    api: Api, scope: dict[str, str]
) -> None:
    app = register(api.guest(), BACK)
    told = form(api, "/oauth/device-authorization", client_id=app, **scope)
    assert (told.status_code, told.json["error"]) == (400, "invalid_scope")
    assert "play read webhooks bot" in told.json["error_description"]
    asked = {name: value for name, value in question(app).items() if name != "scope"}
    page = api.app.test_client().get("/oauth/authorize", query_string=asked | scope)
    assert page.status_code == 400


def test_an_app_that_sends_no_form_is_told_what_is_missing(api: Api) -> None:
    told = api.app.test_client().post("/oauth/device-authorization", json={"client_id": "x"})
    assert told.json is not None
    assert told.json["error"] == "invalid_request"
    assert "client_id" in told.json["error_description"]


def test_a_device_is_told_that_it_was_denied(api: Api) -> None:
    app = register(api.guest())
    asked = form(api, "/oauth/device-authorization", client_id=app, scope="read").json
    form(api, "/oauth/device", user_code=asked["user_code"], answer="deny")
    poll = {"grant_type": DEVICE, "client_id": app, "device_code": asked["device_code"]}
    assert form(api, "/oauth/token", **poll).json["error"] == "access_denied"
    assert form(api, "/oauth/token", **poll).json["error"] == "expired_token"


def test_the_metadata_says_what_there_is(api: Api) -> None:
    told = api.get("/.well-known/oauth-authorization-server").json
    assert told["code_challenge_methods_supported"] == ["S256"]
    assert told["token_endpoint"] == "http://localhost/oauth/token"


def test_apps_are_listed_and_removed_by_their_maker_alone(api: Api) -> None:
    ana = api.guest()
    app = register(ana, BACK)
    assert [e["client_id"] for e in api.get("/v1/me/apps", ana.token).json["items"]] == [app]
    assert api.ask("DELETE", f"/v1/me/apps/{app}", api.guest().token).code == "unknown-app"
    assert api.ask("DELETE", f"/v1/me/apps/{app}", ana.token).status == 204
    assert api.get("/v1/me/apps", ana.token).json["items"] == []


@pytest.mark.parametrize(
    "address",
    [
        "http://app.example/", "javascript:alert(1)", "https://x/#f", "data:x", "https://",
        "https://x/#", "https://a:b@x/", "https://*/", "https://'self'/", "https://x;sandbox/",
        "https://x,y/", "https://x\t/", "com.example.app:\n/", "https://x/\x00", "https://é.example/",
        "http://localhost.example/", "http://127.0.0.1@x/", "https://[x]/",
    ],
)  # fmt: skip
def test_an_app_is_returned_to_safely_or_not_at_all(api: Api, address: str) -> None:
    body = {"name": "App", "redirect_uris": [address]}
    answer = api.post("/v1/me/apps", api.guest().token, body)
    assert answer.json["errors"] == [{"pointer": "/redirect_uris/0", "code": "malformed"}]


def test_an_app_of_a_player_erased_meanwhile_never_comes_to_be(api: Api) -> None:
    ana = api.guest()
    api.parts.identity.tokens.caller(ana.token)
    api.parts.client.delete(keys.player(ana.player))
    body = {"name": "Left over", "redirect_uris": [BACK]}
    assert api.post("/v1/me/apps", ana.token, body).code == "bad-token"
    assert not [each for each in api.parts.client.scan_iter() if b"app" in each]


def test_erasure_ends_grants_and_apps(api: Api) -> None:
    ana, app, told = granted(api)
    register(ana, BACK)
    api.ask("DELETE", "/v1/me", ana.token)
    assert refresh(api, app, told["refresh_token"]).status_code == 400
    assert api.get("/v1/me/tables", told["access_token"]).code == "bad-token"
    kept = b" ".join(api.parts.client.scan_iter())
    assert b"oauth:grant" not in kept
