"""Live updates from outside: real processes, real connections, and connections that break."""

import os
import random
import signal
import socket
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.e2e.live_client import LINES, SSE, Torn, follow, notices
from tests.e2e.playing import Seat, asking, descriptors, in_background, live_port, open_streams
from tests.e2e.server import PATIENCE, Server, serving, until

pytestmark = pytest.mark.e2e
CUTS = int(os.environ.get("CHAOS_CUTS", "50"))


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(tmp_path_factory.mktemp("live"), ABRAXAS_LIMITS="off") as running:
        yield running


@pytest.fixture
def ana(server: Server) -> Iterator[Seat]:
    with asking(server.url) as http:
        yield Seat(http, http.post("/v1/players", json={}).json()["token"])


def test_every_form_tells_what_the_events_tell(ana: Seat) -> None:
    view = ana.open(bots={"1": "greedy"})
    table, link = view["id"], view["links"]["stream"]
    streams: dict[str, list[Any]] = {}
    lines: list[str] = []

    def read_lines() -> None:
        headers = ana.headers(Accept=LINES)
        with httpx.stream("GET", link, headers=headers, timeout=PATIENCE) as answer:
            lines.extend(line for line in answer.iter_lines() if line)

    polled: list[Any] = []

    def poll() -> None:
        while not polled or polled[-1]["type"] != "KeyRevealed":
            after = polled[-1]["version"] if polled else 0
            query = f"?after={after}&wait=25"
            polled.extend(
                httpx.get(link + query, headers=ana.headers(), timeout=PATIENCE).json()["items"]
            )

    threads = [
        in_background(lambda: streams.update(mine=follow(link, ana.token))),
        in_background(lambda: streams.update(theirs=follow(link, None))),
        in_background(read_lines),
        in_background(poll),
    ]
    ana.play_out(table)
    for thread in threads:
        thread.join(PATIENCE)
    told = ana.told(table)
    last = told[-1]["version"]
    assert streams["mine"] == [*told, {"version": last}]
    assert polled == told
    assert [httpx.Response(200, text=line).json() for line in lines] == [
        *told, {"type": "end", "version": last},
    ]  # fmt: skip
    spectator = ana.http.get(f"/v1/tables/{table}/events?limit=100").json()["items"]
    assert streams["theirs"][: len(spectator)] == spectator
    assert streams["theirs"] != streams["mine"]


def test_the_api_sends_streams_and_waiting_to_the_live_process(ana: Seat) -> None:
    view = ana.open(bots={"1": "random"})
    path, link = f"/v1/tables/{view['id']}/events", view["links"]["stream"]
    for query, accept in (("?after=2", SSE), ("?after=2", LINES), ("?after=2&wait=1", "*/*")):
        answer = ana.http.get(path + query, headers=ana.headers(Accept=accept))
        assert (answer.status_code, answer.headers["Location"]) == (307, link + query)
    plain = ana.http.get(path, headers=ana.headers(Accept="*/*"))
    assert plain.status_code == 200


def test_a_wait_without_news_ends_in_time(ana: Seat) -> None:
    view = ana.open()
    begun = time.monotonic()
    link = f"{view['links']['stream']}?after={view['version']}&wait=1"
    answer = httpx.get(link, headers=ana.headers(), timeout=PATIENCE)
    assert answer.json() == {"items": [], "version": view["version"]}
    # That it comes at all is the end in time: nothing else ever would end it.
    assert time.monotonic() - begun > 0.9


def test_who_sits_down_while_streaming_is_told_as_that_seat(server: Server, ana: Seat) -> None:
    view = ana.open(seat=1)
    token = ana.http.post("/v1/players", json={}).json()["token"]
    ben = Seat(ana.http, token)
    told: list[Any] = []
    thread = in_background(lambda: told.extend(follow(view["links"]["stream"], token)))
    until(lambda: open_streams(server), "the stream is open")
    ben.post(f"/v1/tables/{view['id']}/seats")
    views = {0: ben, 1: ana}
    while (seen := ana.get(f"/v1/tables/{view['id']}"))["phase"] != "over":
        mover = views[seen["to_move"][0]]
        mine = mover.get(f"/v1/tables/{view['id']}")
        mover.post(f"/v1/tables/{view['id']}/commands", mine["moves"][0])
    thread.join(PATIENCE)
    assert told[:-1] == ben.told(view["id"])


def test_a_private_table_is_streamed_to_its_seats_and_guests_only(ana: Seat) -> None:
    view = ana.open(visibility="private")
    link = view["links"]["stream"]
    for query, status in (
        ("", 404),
        (f"?invite={'0' * 32}", 404),
        (f"?invite={view['invite']}", 200),
    ):
        with httpx.stream("GET", link + query, headers={"Accept": SSE}, timeout=PATIENCE) as answer:
            assert answer.status_code == status
    asked = httpx.get(link + "?as=1", headers=ana.headers(Accept=SSE), timeout=PATIENCE)
    assert (asked.status_code, asked.json()["code"]) == (403, "not-your-seat")


def test_a_ticket_opens_one_stream(ana: Seat) -> None:
    view = ana.open(visibility="private")
    ticket = ana.post("/v1/me/stream-tickets")["ticket"]
    link = f"{view['links']['stream']}?ticket={ticket}"
    with httpx.stream("GET", link, headers={"Accept": SSE}, timeout=PATIENCE) as answer:
        assert answer.status_code == 200
    again = httpx.get(link, headers={"Accept": SSE}, timeout=PATIENCE)
    assert (again.status_code, again.json()["code"]) == (401, "bad-token")


def test_a_stream_ends_when_its_token_is_revoked(ana: Seat) -> None:
    view = ana.open(visibility="private")
    with httpx.stream(
        "GET", view["links"]["stream"], headers=ana.headers(Accept=SSE), timeout=PATIENCE
    ) as answer:
        chunks = answer.iter_raw()
        assert next(chunks)
        assert ana.http.delete("/v1/me", headers=ana.headers()).status_code == 204
        assert b"event: end" not in b"".join(chunks)


def read_whole(to: list[Any], link: str, token: str) -> None:
    to.extend(follow(link, token))


def test_a_torn_connection_brings_exactly_what_an_unbroken_one_brings(ana: Seat) -> None:
    dice = random.Random(CUTS)
    cuts = 0
    while cuts < CUTS:
        view = ana.open(bots={"1": "greedy"})
        link = view["links"]["stream"]
        unbroken: list[Any] = []
        torn = [Torn(link, ana.token, random.Random(dice.random())) for _ in range(4)]
        threads = [
            in_background(partial(read_whole, unbroken, link, ana.token)),
            *(in_background(partial(each.run, 13)) for each in torn),
        ]
        ana.play_out(view["id"])
        for thread in threads:
            thread.join(PATIENCE)
        assert unbroken[:-1] == ana.told(view["id"])
        for each in torn:
            assert each.over
            assert each.told == unbroken[:-1]
            cuts += each.cuts - 1


def test_descriptors_come_back_when_clients_go(server: Server, ana: Seat) -> None:
    view = ana.open()
    until(lambda: open_streams(server) == 0, "all streams are closed")
    before = descriptors(server)
    path = view["links"]["stream"].partition(f":{live_port(server)}")[2]
    request = f"GET {path} HTTP/1.1\r\nHost: a\r\nAccept: {SSE}\r\n\r\n".encode()
    clients = [socket.create_connection(("127.0.0.1", live_port(server))) for _ in range(100)]
    for client in clients:
        client.sendall(request)
    until(lambda: open_streams(server) == 100, "all streams are open")
    for client in clients:
        client.close()
    # Beside the streams the process keeps some connections to its store.
    until(lambda: descriptors(server) <= before + 8, "all descriptors are back")


def heard_by(server: Server) -> int:
    """Answer how many streams are open at a process that may only be starting."""
    try:
        return open_streams(server)
    except (httpx.TransportError, FileNotFoundError):
        return 0


def test_a_process_that_is_asked_to_stop_lets_its_clients_go_on_at_the_next(
    server: Server, ana: Seat
) -> None:
    view = ana.open(bots={"1": "greedy"})
    torn = [Torn(view["links"]["stream"], ana.token, random.Random(seed)) for seed in range(3)]
    threads = [in_background(partial(each.run, 0)) for each in torn]
    stopped: list[int] = []

    def stop() -> None:
        if len(stopped) < 2:
            until(lambda: heard_by(server) == len(torn), "everybody listens")
            stopped.append(server.pid("live"))
            os.kill(stopped[-1], signal.SIGTERM)
            until(lambda: server.pid("live") not in (0, stopped[-1]), "another one runs")

    ana.play_out(view["id"], stop)
    for thread in threads:
        thread.join(PATIENCE)
        assert not thread.is_alive()
    for each in torn:
        assert each.told == ana.told(view["id"])
        assert each.cuts >= 3, "streams were closed twice, and none of them said that it was over"


def test_streams_survive_their_store_and_end_with_their_server(tmp_path: Path) -> None:
    with serving(tmp_path, ABRAXAS_LIMITS="off") as server:
        with asking(server.url) as http:
            ana = Seat(http, http.post("/v1/players", json={}).json()["token"])
            view = ana.open(bots={"1": "random"})
            text: list[str] = []

            def read() -> None:
                headers = ana.headers(Accept=SSE)
                link = view["links"]["stream"]
                with httpx.stream("GET", link, headers=headers, timeout=PATIENCE) as answer:
                    text.extend(answer.iter_text())

            thread = in_background(read)
            until(lambda: "data:" in "".join(text), "the stream speaks")
            server.kill("store")
            until(lambda: http.get("/readyz").status_code == 200, "the store is back")
            seen = ana.get(f"/v1/tables/{view['id']}")
            ana.post(f"/v1/tables/{view['id']}/commands", seen["moves"][0])
            version = ana.get(f"/v1/tables/{view['id']}")["version"]
            until(lambda: f"id: {version}\n" in "".join(text), "the move is streamed")
        assert server.stop() == 0
        thread.join(PATIENCE)
        assert not thread.is_alive()
        versions = [at for at, _ in notices("".join(text))]
        assert versions == list(range(1, len(versions) + 1))
