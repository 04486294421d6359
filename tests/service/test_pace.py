"""Who sends or reads slowly keeps nobody else waiting, and bodies are bounded while they come."""

import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack
from functools import partial
from io import BytesIO
from threading import Barrier, Event, Thread
from typing import Any

import pytest

from service import http
from service.histories import incoming
from service.processes.pace import PROVED_AT_ONCE, RECORDS, RECORDS_AT_ONCE, Paced, Turns
from service.supervise.port import free_port
from tests.e2e.server import until
from tests.service.asking import Api

PATIENCE = 30.0
SLOW = 60
"""More clients than requests are worked on at once."""


class Body:
    """A body that says how much of it was wanted."""

    def __init__(self) -> None:
        self.wanted: list[int] = []

    def read(self, size: int) -> bytes:
        self.wanted.append(size)
        return b"x" * size


def asked(path: str, body: Any, **more: str) -> dict[str, Any]:
    return {"PATH_INFO": path, "wsgi.input": body, **more}


def told(environ: dict[str, Any], start: Any) -> list[bytes]:
    return [environ["wsgi.input"].read(1_000_000_000)]


@pytest.mark.parametrize(
    ("path", "most"), [("/v1/tables", http.MOST_BYTES), (RECORDS, incoming.MOST_BYTES)]
)
def test_a_body_is_taken_in_up_to_what_it_may_have(path: str, most: int) -> None:
    paced = Paced(told, 1)
    body = Body()
    assert paced(asked(path, body, CONTENT_LENGTH="5"), None) == [b"xxxxx"]  # type: ignore[arg-type]
    (cut,) = paced(asked(path, body, HTTP_TRANSFER_ENCODING="chunked"), None)  # type: ignore[arg-type]
    assert (len(cut), body.wanted) == (most + 1, [5, most + 1])


def test_a_body_that_says_it_is_too_large_is_not_waited_for() -> None:
    seen: list[Any] = []

    def look(environ: dict[str, Any], start: Any) -> list[bytes]:
        seen.append(environ["wsgi.input"])
        return []

    body = Body()
    for path in ("/v1/tables", RECORDS):
        Paced(look, 1)(asked(path, body, CONTENT_LENGTH=str(2**40)), None)  # type: ignore[arg-type]
    assert (seen, body.wanted) == ([body, body], [])


def test_a_body_of_unknown_length_is_refused_where_it_is_too_large(api: Api) -> None:
    api.app.wsgi_app = Paced(api.app.wsgi_app, 1)  # type: ignore[method-assign]
    token = {"Authorization": f"Bearer {api.guest().token}"}
    for path, media, most in (
        ("/v1/players", "application/json", http.MOST_BYTES),
        (RECORDS, "application/x-ndjson", incoming.MOST_BYTES),
    ):
        answer = api.app.test_client().post(
            path, input_stream=BytesIO(b" " * (most + 2)), content_type=media, headers=token,
            environ_overrides={"wsgi.input_terminated": True, "HTTP_TRANSFER_ENCODING": "chunked"},
        )  # fmt: skip
        assert (answer.status_code, answer.get_json()["code"]) == (413, "too-large")


def test_so_many_requests_are_worked_on_at_once_and_no_more() -> None:
    at_once = 3
    meet = Barrier(at_once)
    working: set[int] = set()
    most = []

    def work(environ: dict[str, Any], start: Any) -> list[bytes]:
        working.add(environ["number"])
        most.append(len(working))
        meet.wait(PATIENCE)
        working.discard(environ["number"])
        meet.wait(PATIENCE)
        return []

    paced = Paced(work, at_once)
    threads = [Thread(target=paced, args=({"number": each}, None)) for each in range(4 * at_once)]
    for each in threads:
        each.start()
    for each in threads:
        each.join(PATIENCE)
    assert not any(each.is_alive() for each in threads)
    assert (len(most), max(most)) == (4 * at_once, at_once)


def test_a_turn_comes_back_from_whatever_fails_or_is_left() -> None:
    closed = []

    class Chunks:
        def __iter__(self) -> Iterator[bytes]:
            yield from (b"a", b"b")

        def close(self) -> None:
            closed.append(True)

    def fail(environ: dict[str, Any], start: Any) -> Any:
        if environ["PATH_INFO"] == "/fails":
            raise LookupError
        return Chunks()

    paced = Paced(fail, 1)
    with pytest.raises(LookupError):
        paced(asked("/fails", None), None)  # type: ignore[arg-type]
    left = iter(paced(asked("/", None), None))  # type: ignore[arg-type]
    assert next(left) == b"a"
    assert list(paced(asked("/", None), None)) == [b"a", b"b"]  # type: ignore[arg-type]
    left.close()  # type: ignore[attr-defined]
    assert closed == [True, True]


def test_so_many_records_come_in_at_once_and_nobody_else_waits_for_them() -> None:
    arrive, come = Barrier(RECORDS_AT_ONCE + 1), Event()

    class Slow:
        def read(self, size: int) -> bytes:
            arrive.wait(PATIENCE)
            come.wait(PATIENCE)
            return b"x" * size

    paced = Paced(told, 1)
    records = [
        Thread(target=paced, args=(asked(RECORDS, Slow(), CONTENT_LENGTH="5"), None))
        for _ in range(RECORDS_AT_ONCE)
    ]
    for each in records:
        each.start()
    arrive.wait(PATIENCE)
    body = Body()
    late = Thread(target=paced, args=(asked(RECORDS, body, CONTENT_LENGTH="5"), None))
    late.start()
    assert paced(asked("/v1/tables", BytesIO(b"x"), CONTENT_LENGTH="1"), None) == [b"x"]  # type: ignore[arg-type]
    assert body.wanted == []
    come.set()
    for each in (*records, late):
        each.join(PATIENCE)
    assert body.wanted == [5]


def test_so_many_records_are_proved_at_once_and_leave_turns_to_others() -> None:
    proving, proved = Barrier(PROVED_AT_ONCE + 1), Event()
    most: list[int] = []

    def prove(environ: dict[str, Any], start: Any) -> list[bytes]:
        if environ["PATH_INFO"] == RECORDS:
            most.append(1)
            if len(most) <= PROVED_AT_ONCE:
                proving.wait(PATIENCE)
            proved.wait(PATIENCE)
        return []

    paced = Paced(prove, PROVED_AT_ONCE + 1)
    records = [
        Thread(target=paced, args=(asked(RECORDS, Body(), CONTENT_LENGTH="5"), None))
        for _ in range(3 * PROVED_AT_ONCE)
    ]
    for each in records:
        each.start()
    proving.wait(PATIENCE)
    assert paced(asked("/v1/tables", Body()), None) == []  # type: ignore[arg-type]
    assert len(most) == PROVED_AT_ONCE
    proved.set()
    for each in records:
        each.join(PATIENCE)
    assert len(most) == len(records)


APPLICATION = """
import sys

from service.processes.api import run_wsgi


def answer(environ, start):
    environ["wsgi.input"].read(int(environ.get("CONTENT_LENGTH", 0)))
    start("200 OK", [("Content-Type", "text/plain")])
    return (b"x" * 65536 for _ in range(400)) if environ["PATH_INFO"] == "/large" else [b"ok"]


run_wsgi(lambda: answer, "127.0.0.1", int(sys.argv[1]))
"""


@pytest.fixture(scope="module")
def port(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    """Serve an application as the API is served."""
    file, port = tmp_path_factory.mktemp("served") / "served.py", free_port("127.0.0.1", 0)
    file.write_text(APPLICATION)
    server = subprocess.Popen([sys.executable, str(file), str(port)])
    try:
        wait_for(port, server)
        yield port
        server.terminate()
        assert server.wait(PATIENCE) == 0
    finally:
        server.kill()
        server.wait()


def wait_for(port: int, server: "subprocess.Popen[bytes]") -> None:
    """Wait until somebody listens."""
    while server.poll() is None:
        try:
            socket.create_connection(("127.0.0.1", port)).close()
        except ConnectionRefusedError:
            time.sleep(0.02)
        else:
            return


@pytest.mark.parametrize(
    "half",
    [
        b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{",
        b"POST /v1/records HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{",
        b"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n{\r\n",
        b"GET /large HTTP/1.1\r\nHost: x\r\n\r\n",
    ],
    ids=["body", "record", "chunks", "answer"],
)
def test_clients_that_stop_halfway_hold_up_nobody(port: int, half: bytes) -> None:
    with ExitStack() as clients:
        for _ in range(SLOW):
            slow = clients.enter_context(socket.socket())
            slow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            slow.connect(("127.0.0.1", port))
            slow.sendall(half)
        for _ in range(SLOW):
            quick = clients.enter_context(
                socket.create_connection(("127.0.0.1", port), timeout=PATIENCE)
            )
            quick.sendall(b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\n\r\n1")
            assert quick.recv(100).startswith(b"HTTP/1.1 200")


def waits(turns: Turns, wanted: int) -> bool:
    return turns.waiting == wanted


def test_turns_are_given_in_the_order_in_which_requests_came() -> None:
    turns, order = Turns(1), list[int]()
    held, go = Event(), Event()

    def hold() -> None:
        held.set()
        assert go.wait(PATIENCE)

    threads = [Thread(target=turns.take, args=(hold,))]
    threads[0].start()
    assert held.wait(PATIENCE)
    for number in range(5):
        threads.append(Thread(target=turns.take, args=(order.append, number)))
        threads[-1].start()
        until(partial(waits, turns, number + 1), "it waits for its turn")
    go.set()
    for thread in threads:
        thread.join(PATIENCE)
    assert order == [0, 1, 2, 3, 4]
    assert turns.take(lambda: turns.waiting) == 0
