"""One attempt: signed for whoever has the secret, bounded, and never further than its address."""

import json
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Thread
from time import monotonic, time

import pytest
from standardwebhooks.webhooks import WebhookVerificationError

from tests.e2e.server import PATIENCE
from tests.workers.webhooks.receiver import Receiver, receiving
from workers.webhooks.delivery import Reply, headers, send
from workers.webhooks.hooks import new_secret

BODY = b'{"type":"webhook.test"}'


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with receiving() as running:
        yield running


def attempt(url: str, *secrets: str, loopback: bool = True, seconds: float = PATIENCE) -> Reply:
    sent = headers(secrets or (new_secret(),), "msg_1", int(time() * 1000), BODY)
    return send(url, sent, BODY, loopback=loopback, seconds=seconds)


def test_a_message_is_verified_by_the_library_of_the_standard(receiver: Receiver) -> None:
    secret = new_secret()
    assert attempt(receiver.url, secret).accepted
    came = receiver.received[0]
    assert came.verified(secret) == json.loads(BODY)
    with pytest.raises(WebhookVerificationError):
        came.verified(new_secret())


def test_two_secrets_sign_while_one_takes_the_others_place(receiver: Receiver) -> None:
    fresh, old = new_secret(), new_secret()
    attempt(receiver.url, fresh, old)
    assert receiver.received[0].verified(fresh) == receiver.received[0].verified(old)


def test_this_machine_is_not_reached_unless_it_is_allowed(receiver: Receiver) -> None:
    assert attempt(receiver.url, loopback=False).error == "forbidden-address"
    assert receiver.received == []


def test_a_name_that_leads_inside_is_not_reached(
    receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    port = int(receiver.url.split(":")[2].split("/")[0])
    inside = [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("127.0.0.1", port))]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *given, **more: inside)
    answer = attempt(f"https://rebound.example:{port}/", loopback=False)
    assert (answer.error, receiver.received) == ("forbidden-address", [])


def test_a_redirect_is_not_followed(receiver: Receiver) -> None:
    receiver.answer = lambda _: (307, {"Location": receiver.url})
    answer = attempt(receiver.url)
    assert (answer.status, answer.accepted, len(receiver.received)) == (307, False, 1)


def test_what_a_busy_receiver_asks_for_is_heard(receiver: Receiver) -> None:
    receiver.answer = lambda _: (503, {"Retry-After": "120"})
    assert attempt(receiver.url).retry_after == 120
    receiver.answer = lambda _: (503, {"Retry-After": "soon"})
    assert attempt(receiver.url).retry_after is None


@contextmanager
def saying(*chunks: bytes, every: float = 0.05) -> Iterator[str]:
    """Listen, and answer with chunks for ever, whatever is asked."""
    server = socket.create_server(("127.0.0.1", 0))

    def serve() -> None:
        wire, _ = server.accept()
        with wire:
            try:
                while True:
                    for each in chunks:
                        wire.sendall(each)
                    wire.settimeout(every)
                    try:
                        if not wire.recv(65536):
                            return
                    except TimeoutError:
                        continue
            except OSError:
                return

    thread = Thread(target=serve, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.getsockname()[1]}/"
    finally:
        server.close()
        thread.join(PATIENCE)


def test_a_receiver_that_dawdles_is_left_in_time() -> None:
    with saying(b"H") as url:
        # He would go on for ever.
        answer = attempt(url, seconds=0.5)
        assert (answer.status, answer.accepted) == (None, False)


def test_a_receiver_that_never_ends_its_headers_is_left() -> None:
    with saying(b"HTTP/1.1 200 OK\r\n", b"X: " + b"y" * 60000 + b"\r\n", every=0.001) as url:
        answer = attempt(url, seconds=2)
        assert answer.status is None


def test_a_body_is_never_read() -> None:
    with saying(b"HTTP/1.1 200 OK\r\nContent-Length: 99999999999\r\n\r\n" + b"z" * 4000) as url:
        started = monotonic()
        assert attempt(url, seconds=2 * PATIENCE).status == 200
        # Whoever reads a body that never ends reads until the time is up.
        assert monotonic() - started < PATIENCE


def test_nobody_there_is_told_without_words_of_the_network() -> None:
    # Whoever has a port and does not listen keeps it from everybody else.
    with socket.socket() as deaf:
        deaf.bind(("127.0.0.1", 0))
        port = deaf.getsockname()[1]
        assert attempt(f"http://127.0.0.1:{port}/").error == "unreachable"
    with saying(b"SSH-2.0-x\r\n") as url:
        assert attempt(url).error == "no-http"
    with saying(b"no TLS\r\n") as url:
        assert attempt(url.replace("http:", "https:")).error == "tls"


def test_the_host_is_named_as_it_was_written(receiver: Receiver) -> None:
    attempt(receiver.url.replace("127.0.0.1", "localhost"))
    assert receiver.received[0].headers["host"] == receiver.url.split("/")[2].replace(
        "127.0.0.1", "localhost"
    )
