"""The stream of all my tables from outside, and connections to it that break at every point."""

import json
import random
import socket
import struct
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import httpx
import pytest

from tests.e2e.ledger import all_delivered
from tests.e2e.live_client import LINES, SSE, unchunked
from tests.e2e.playing import Seat, asking, in_background, live_port
from tests.e2e.server import PATIENCE, Server, serving, until

pytestmark = pytest.mark.e2e
POLL = "application/json"
FORMS = (SSE, LINES, POLL)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(tmp_path_factory.mktemp("mine")) as running:
        yield running


@pytest.fixture
def ana(server: Server) -> Iterator[Seat]:
    with asking(server.url) as http:
        yield Seat(http, http.post("/v1/players", json={}).json()["token"])


@dataclass
class Mine:
    """Whoever hears of its tables in one of three forms, over connections that may be cut."""

    port: int
    token: str
    form: str
    place: str | None = None
    told: list[Any] = field(default_factory=list)
    cut: int = 0
    size: int = 0

    def connect(self, most: int, last: list[str]) -> None:
        """Take at most so many bytes of a connection, or all until the last table was told.

        Which one that is may become known meanwhile.
        """
        query = [] if self.place is None else [f"after={self.place}"]
        query += ["wait=1"] if self.form == POLL else []
        request = (
            f"GET /v1/me/events?{'&'.join(query)} HTTP/1.1\r\nHost: a\r\nAccept: {self.form}\r\n"
            f"Authorization: Bearer {self.token}\r\nConnection: close\r\n\r\n"
        )
        data = b""
        with socket.create_connection(("127.0.0.1", self.port), timeout=60) as to:
            to.sendall(request.encode())
            while len(data) < most:
                if last and last[0].encode() in data and data.endswith(b"\r\n"):
                    break
                got = to.recv(most - len(data))
                if not got:
                    break
                data += got
            # Gone without a farewell: the server gets a reset.
            to.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.cut += len(data) == most
        self.size = len(data)
        self.take(data)

    def read_to(self, last: str) -> None:
        """Read until a table was told."""
        while last not in self.newest():
            self.connect(100_000, [last])

    def take(self, data: bytes) -> None:
        """Keep what came complete."""
        head, _, body = data.partition(b"\r\n\r\n")
        assert not data or head.startswith(b"HTTP/1.1 200"[: len(head)]), head
        if self.form == POLL:
            self.take_page(head, body)
            return
        text = unchunked(body)
        if self.form == LINES:
            for line in text.split(b"\n")[:-1]:
                if line:
                    told = json.loads(line)
                    self.hear(told["after"], told if "id" in told else None)
            return
        for block in text.split(b"\n\n")[:-1]:
            fields = dict(
                line.split(b": ", 1) for line in block.split(b"\n") if not line.startswith(b":")
            )
            if b"id" in fields:
                told = json.loads(fields[b"data"]) if b"data" in fields else None
                self.hear(fields[b"id"].decode(), told)

    def take_page(self, head: bytes, body: bytes) -> None:
        """Keep a page if it came whole."""
        length = [
            line for line in head.lower().split(b"\r\n") if line.startswith(b"content-length")
        ]
        if body and length and len(body) == int(length[0].split(b":")[1]):
            page = json.loads(body)
            for each in page["items"]:
                self.hear(each["after"], each)
            self.place = page["after"]

    def hear(self, place: str, told: Any) -> None:
        """Keep one item; what came may not come again."""
        self.place = place
        if told is not None:
            assert told.pop("after") == place
            self.told.append(told)

    def newest(self) -> dict[str, Any]:
        """Answer the last that was said of every table."""
        return {told["id"]: told for told in self.told}

    def check_course(self) -> None:
        """Check that nothing came twice, or after something newer."""
        seen: dict[str, int] = {}
        for told in self.told:
            assert told["version"] > seen.get(told["id"], 0), (told, seen)
            seen[told["id"]] = told["version"]


def root_of(view: Any) -> str:
    return str(view["links"]["stream"].partition("/v1/")[0])


def listed(ana: Seat) -> dict[str, Any]:
    """Answer all of somebody's tables as the list has them."""
    return {item["id"]: item for item in ana.get("/v1/me/tables")["items"]}


def without_version(told: dict[str, Any]) -> dict[str, Any]:
    return {
        table: {k: v for k, v in item.items() if k != "version"} for table, item in told.items()
    }


def test_my_tables_are_told_at_first_and_when_they_change(ana: Seat) -> None:
    first = ana.open(bots={"1": "greedy"})
    root = root_of(first)
    until(lambda: listed(ana), "the list knows the table")
    with httpx.stream(
        "GET", f"{root}/v1/me/events", headers=ana.headers(Accept=LINES), timeout=PATIENCE
    ) as answer:
        items = (json.loads(line) for line in answer.iter_lines() if line)
        assert next(items).keys() == {"after"}
        assert next(items)["id"] == first["id"]
        second = ana.open()
        told = next(item for item in items if item.get("id") == second["id"])
        assert (told["phase"], told["seat"], told["version"]) == ("open", 0, second["version"])
    nobody = httpx.get(f"{root}/v1/me/events", headers={"Accept": SSE}, timeout=PATIENCE)
    assert (nobody.status_code, nobody.json()["code"]) == (401, "bad-token")


@pytest.mark.parametrize("form", FORMS)
def test_a_stream_goes_on_where_a_page_of_my_tables_was(
    server: Server, ana: Seat, form: str
) -> None:
    _, left = ana.open(), ana.open(seats=3)
    until(lambda: all_delivered(server.data), "the list knows both tables")
    page = ana.get("/v1/me/tables")
    away = f"/v1/tables/{left['id']}/seats/0"
    assert ana.http.delete(away, headers=ana.headers()).status_code == 200
    opened = ana.open()
    until(lambda: all_delivered(server.data), "the list has changed")
    mine = Mine(live_port(server), ana.token, form, page["after"])
    mine.read_to(left["id"])
    mine.read_to(opened["id"])
    last = ana.open()
    mine.read_to(last["id"])
    assert sorted(told["id"] for told in mine.told[:-1]) == sorted([left["id"], opened["id"]])
    gone = mine.newest()[left["id"]]
    assert gone == {"id": left["id"], "version": gone["version"], "left": True}


@pytest.mark.parametrize("form", [SSE, LINES])
def test_a_first_sight_that_is_cut_at_any_byte_is_whole_and_told_once(
    server: Server, ana: Seat, form: str
) -> None:
    tables = [ana.open()["id"] for _ in range(3)]
    over = ana.open(bots={"1": "greedy"})["id"]
    ana.play_out(over)
    left = ana.open(seats=3)["id"]
    assert ana.http.delete(f"/v1/tables/{left}/seats/0", headers=ana.headers()).status_code == 200
    until(lambda: all_delivered(server.data), "the list has all that went before")
    # Tables are told in the order in which followers came to them; only the last one's is known.
    last = ana.open()["id"]
    whole = Mine(live_port(server), ana.token, form)
    whole.read_to(last)
    assert {told["id"] for told in whole.told[:-1]} == {*tables}
    assert len(whole.told) == len(tables) + 1
    assert without_version(whole.newest()) == {each: listed(ana)[each] for each in (*tables, last)}
    for cut in range(300, whole.size, 41):
        torn = Mine(live_port(server), ana.token, form)
        torn.connect(cut, [last])
        torn.read_to(last)
        assert torn.told == whole.told, cut


@pytest.mark.parametrize("seed", range(2))
def test_torn_connections_end_with_what_an_unbroken_one_ends_with(
    server: Server, ana: Seat, seed: int
) -> None:
    dice = random.Random(seed)
    until(lambda: not listed(ana), "nothing was played yet")
    last: list[str] = []
    everyone = [Mine(live_port(server), ana.token, form) for form in (*FORMS, *FORMS)]

    def listen(mine: Mine, chance: random.Random) -> None:
        while not last:
            mine.connect(chance.choice((10, 300, 500, 700, 1500)), last)
        mine.read_to(last[0])

    threads = [
        in_background(partial(listen, mine, random.Random(dice.random()))) for mine in everyone
    ]
    over, left = set(), set()
    for number in range(6):
        table = ana.open(bots={"1": "greedy"})["id"]
        if number % 3 == 2:
            opened = ana.open(seats=3)["id"]
            left.add(opened)
            away = f"/v1/tables/{opened}/seats/0"
            assert ana.http.delete(away, headers=ana.headers()).status_code == 200
        if number % 2 == 0:
            ana.play_out(table)
            over.add(table)

    def settled() -> bool:
        tables = listed(ana)
        finished = {table for table, item in tables.items() if item["phase"] == "over"}
        waiting = {table for table, item in tables.items() if item["waiting"]}
        return finished == over and len(finished | waiting) == len(tables) == 6

    until(lambda: settled() and all_delivered(server.data), "the list is up with the tables")
    last.append(ana.open()["id"])
    for thread in threads:
        thread.join(90)
        assert not thread.is_alive()
    expected = listed(ana)
    for mine in everyone:
        mine.check_course()
        there = {table: told for table, told in mine.newest().items() if "left" not in told}
        assert without_version(there) == expected, mine.form
        assert {table for table in mine.newest() if table not in there} <= left
    assert sum(mine.cut for mine in everyone) > 20
