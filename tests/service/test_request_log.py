"""What the log tells of requests: which they were and how they ended, and nothing in them."""

import json
import logging
from typing import Any

import pytest
from redis import Redis

from tests.service.asking import Api, Sat, api_on, fresh
from workers.logs import Lines


def told(caplog: pytest.LogCaptureFixture) -> list[dict[str, Any]]:
    """Answer the lines about requests as they would be written."""
    form = Lines("api")
    return [
        json.loads(form.format(record))
        for record in caplog.records
        if record.name == "abraxas.request"
    ]


def test_a_move_is_told_with_its_table_and_version(
    duel: Sat, caplog: pytest.LogCaptureFixture
) -> None:
    trace = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
    with caplog.at_level(logging.INFO):
        answer = duel.send(0, duel.view(0).json["moves"][0], traceparent=trace)
    (line,) = told(caplog)
    assert answer.status == 201
    assert line["ms"] >= 0
    assert line["request"] == "0af7651916cd43dd8448eb211c80319c"
    assert (line["operation"], line["status"]) == ("send_command", 201)
    assert (line["table"], line["version"]) == (duel.id, answer.json["version"])
    assert "code" not in line


def test_a_refused_move_is_told_with_its_code(duel: Sat, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO):
        refused = duel.send(0, {"type": "play_card", "card": "I3"})
    (line,) = told(caplog)
    assert (line["status"], line["code"]) == (409, refused.code)


@pytest.mark.parametrize(("level", "lines"), [(logging.INFO, 0), (logging.DEBUG, 1)])
def test_reads_are_told_at_debug_alone(
    level: int, lines: int, duel: Sat, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(level):
        duel.view(0)
    assert len(told(caplog)) == lines


def test_a_failure_is_an_error_even_of_a_read(caplog: pytest.LogCaptureFixture) -> None:
    elsewhere = api_on(Redis(port=1), Redis(port=1))
    with caplog.at_level(logging.INFO):
        assert elsewhere.get("/v1/tables").status == 503
    (line,) = told(caplog)
    assert (line["level"], line["code"]) == ("ERROR", "store-unavailable")


def test_nothing_that_was_sent_is_told(api: Api, caplog: pytest.LogCaptureFixture) -> None:
    secret = "canary-7f3a9"
    with caplog.at_level(logging.DEBUG):
        ana = api.guest(secret)
        table = api.table(ana, api.guest(), visibility="private", entropy=b"canary".hex())
        hand = table.view(0).json["play"]["hand"]
        api.get(f"{table.path}?invite={secret}")
        api.get(f"/v1/tables/{secret}")
        api.post(f"{table.path}/seats", ana.token, {"invite": secret}, key=secret)
        api.get("/v1/me", f"abx_{secret}")
        api.post(f"{table.path}/commands", ana.token, {"type": secret, secret: hand}, key=fresh())
        api.post(f"{table.path}/commands", ana.token, f'{{"{secret}'.encode(), key=fresh())
    lines = json.dumps([{**line, "table": None} for line in told(caplog)])
    assert len(told(caplog)) >= 7
    for hidden in (secret, ana.token, table.invite, b"canary".hex(), json.dumps(hand)):
        assert hidden is not None
        assert hidden not in lines


@pytest.mark.parametrize(
    ("path", "form", "code"),
    [
        ("/oauth/token", {"grant_type": "authorization_code"}, "invalid_request"),
        ("/oauth/token", {"grant_type": "refresh_token", "client_id": "canary"}, "invalid_client"),
        ("/oauth/revoke", {"token": "canary"}, "invalid_request"),
        ("/oauth/device-authorization", {"client_id": "canary"}, "invalid_client"),
        ("/oauth/authorize", {"client_id": "canary"}, "unsupported_response_type"),
    ],
)
def test_what_stopped_an_app_is_told_by_its_code_alone(
    path: str, form: dict[str, str], code: str, api: Api, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.INFO):
        answer = api.app.test_client().post(path, data=form)
    (line,) = told(caplog)
    assert (line["status"], line["code"]) == (answer.status_code, code)
    assert "canary" not in json.dumps(line)
