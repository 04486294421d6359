"""A client repeats what got no answer, under the same key, and nothing else."""

import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any

import pytest

from service.simulate.client import Client, Unexpected, Unreachable

Reply = tuple[int, dict[str, str], str] | None
"""Status, headers and body; None hangs up without an answer."""


@dataclass
class Script:
    """Answer requests from a list, and keep what was asked."""

    replies: list[Reply] = field(default_factory=list)
    asked: list[tuple[str, str, str | None, str]] = field(default_factory=list)
    url: str = ""


@pytest.fixture
def script() -> Iterator[Script]:
    script = Script()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def answer(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length", 0))).decode()
            script.asked.append(
                (self.command, self.path, self.headers.get("Idempotency-Key"), body)
            )
            reply = script.replies.pop(0)
            if reply is None:
                self.close_connection = True
                return
            status, headers, text = reply
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(text)))
            self.end_headers()
            self.wfile.write(text.encode())

        do_GET = do_POST = answer  # noqa: N815 - the names that the library looks for

        def log_message(self, *_: Any) -> None:
            pass

    server = HTTPServer(("127.0.0.1", 0), Handler)
    script.url = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, args=(0.02,))
    thread.start()
    yield script
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture
def client(script: Script) -> Iterator[Client]:
    client = Client(script.url, patience=60)
    yield client
    client.close()


JSON = {"Content-Type": "application/json"}


def test_an_answer_is_read(script: Script, client: Client) -> None:
    script.replies = [(200, JSON, '{"id": 1}')]
    answer = client.get("/v1/me")
    assert (answer.status, answer.body) == (200, {"id": 1})
    assert script.asked == [("GET", "/v1/me", None, "")]


@pytest.mark.parametrize(
    "reply",
    [
        None,
        (503, {"Retry-After": "0"}, ""),
        (429, {"Retry-After": "0.01"}, ""),
        (200, JSON, '{"cut'),
    ],
)
def test_what_got_no_answer_is_sent_again_word_for_word(
    script: Script, client: Client, reply: Reply
) -> None:
    script.replies = [reply, reply, (201, JSON, '{"version": 7}')]
    assert client.post("/v1/tables", {"game": "x"}, key="k1").body == {"version": 7}
    assert script.asked == [("POST", "/v1/tables", "k1", '{"game": "x"}')] * 3


def test_a_refusal_is_told_and_not_repeated(script: Script, client: Client) -> None:
    problem = '{"code": "not-your-turn", "detail": "It is not your turn."}'
    script.replies = [(409, {"Content-Type": "application/problem+json"}, problem)]
    with pytest.raises(Unexpected) as told:
        client.post("/v1/tables/t/commands", {}, key="k")
    assert str(told.value) == (
        "POST /v1/tables/t/commands was answered 409 (not-your-turn): It is not your turn."
    )
    assert len(script.asked) == 1


def test_a_server_that_stays_away_is_told_within_the_patience(script: Script) -> None:
    script.replies = [(503, {"Retry-After": "9"}, "")]
    client = Client(script.url, patience=1)
    with pytest.raises(Unreachable, match=r"asks to come back later \(503\)\.$"):
        client.get("/v1/games")
    client.close()


def test_nobody_at_the_address_is_told() -> None:
    with pytest.raises(Unreachable, match=r"^Nothing answers at http://127\.0\.0\.1:1 \("):
        Client("http://127.0.0.1:1", patience=0).get("/livez")


@pytest.mark.parametrize("url", ["localhost:8000", "ftp://host", "http://", ""])
def test_what_is_no_address_is_told(url: str) -> None:
    with pytest.raises(Unreachable, match="no address of a server"):
        Client(url)
