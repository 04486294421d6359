"""What the tutorial promises to phones: double taps, old queues, revoked tokens, restarts."""

import os
import random
import signal
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from dataclasses import dataclass, field
from pathlib import Path
from threading import Barrier
from typing import Any
from uuid import uuid4

import pytest

from abraxas_client import Client, ProblemError
from service.supervise.port import free_port
from tests.chaos.raw import Raw, Reply, Told
from tests.chaos.tables import as_told, chosen
from tests.e2e.server import PATIENCE, Server, alive, serving, until

TAPS = 12

pytestmark = pytest.mark.e2e


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(tmp_path_factory.mktemp("phone") / "var") as running:
        yield running


@dataclass
class Wish:
    """A move in the queue, with its key and what its player saw."""

    move: Any
    key: str
    seen: str


@dataclass
class Phone:
    """The app of the tutorial: a view and a queue on disk."""

    client: Raw
    path: str
    view: Any = None
    queue: list[Wish] = field(default_factory=list)
    counted: dict[str, Reply] = field(default_factory=dict)

    def look(self) -> Any:
        self.view = self.client.get(self.path).json
        return self.view

    def tap(self, move: Any) -> None:
        self.queue.append(Wish(move, uuid4().hex, f'"{self.view["version"]}"'))

    def send_queue(self) -> str:
        """Send what waits in order; a refusal empties the queue, a wrong token does not."""
        seen = ""
        while self.queue:
            wish = self.queue[0]
            answer = self.client.ask(
                "POST", f"{self.path}/commands", wish.move,
                Idempotency_Key=wish.key, If_Match=seen or wish.seen,
            )  # fmt: skip
            if answer.status == 401:
                return str(answer.json["code"])
            if answer.status != 201:
                self.queue.clear()
                return str(answer.json["code"])
            first = self.counted.setdefault(wish.key, answer)
            assert answer.body == first.body
            # The first, too, is a repeat where it was told before that nobody knows.
            assert "idempotent-replayed" in answer.headers or answer is first
            seen = f'"{answer.json["version"]}"'
            del self.queue[0]
        return "sent"


@dataclass
class Shop:
    """Where phones come from; it closes all of them."""

    server: Server
    sold: list[Raw] = field(default_factory=list)

    def raw(self) -> Raw:
        """Answer a client of a new player."""
        port = self.server.port
        client = Raw(port, port, f"127.0.0.1:{port}", timeout=PATIENCE)
        self.sold.append(client)
        client.token = client.ask("POST", "/v1/players", {}).json["token"]
        return client

    def at_table(self, game: str) -> tuple[Phone, Phone]:
        """Seat two phones at a table of their own."""
        ana, ben = self.raw(), self.raw()
        opened = ana.ask("POST", "/v1/tables", {"game": game, "seats": 2}, Idempotency_Key="open")
        path = f"/v1/tables/{opened.json['id']}"
        assert ben.ask("POST", f"{path}/seats", {}, Idempotency_Key="sit").status == 201
        return Phone(ana, path), Phone(ben, path)

    def close(self) -> None:
        """Let go of all connections."""
        for client in self.sold:
            client.close()


@pytest.fixture
def shop(server: Server) -> Iterator[Shop]:
    with closing(Shop(server)) as opened:
        yield opened


def mover(phones: tuple[Phone, Phone]) -> Phone:
    """Answer the phone that is waited for, its view up to date."""
    return next(each for n, each in enumerate(phones) if n in each.look()["to_move"])


def twice(phone: Phone, path: str, body: Any, **headers: str) -> tuple[Reply, Reply]:
    """Send the same at the same time over two connections."""
    barrier = Barrier(2)
    other = Raw(phone.client.api, phone.client.live, phone.client.host, phone.client.token)
    other.timeout = PATIENCE

    def send(client: Raw) -> Reply:
        barrier.wait(PATIENCE)
        return client.ask("POST", path, body, **headers)

    with ThreadPoolExecutor(2) as pool:
        first, second = pool.map(send, (phone.client, other))
    other.close()
    return first, second


def assert_once(answers: tuple[Reply, Reply]) -> Reply:
    """Hold two answers to one wish: alike, and at most one of them says that it is no repeat."""
    assert [each.status for each in answers] == [201, 201], answers
    assert answers[0].body == answers[1].body
    assert sum("idempotent-replayed" in each.headers for each in answers) >= 1
    return answers[0]


@pytest.mark.parametrize("game", ["potage_sauvage", "magic_cooking", "spellcaster"])
def test_a_double_tap_counts_once(shop: Shop, game: str) -> None:
    dice = random.Random(game)
    phones = shop.at_table(game)
    for number in range(TAPS):
        phone = mover(phones)
        tag = {"If_Match": f'"{phone.view["version"]}"'} if number % 2 else {}
        more = {"Prefer": "return=representation"} if number % 3 else {}
        answer = assert_once(
            twice(
                phone, f"{phone.path}/commands", chosen(phone.view["moves"], dice),
                Idempotency_Key=f"tap-{number}", **tag, **more,
            )
        ).json  # fmt: skip
        versions = [each["version"] for each in answer["notices"]]
        assert versions == [*range(phone.view["version"] + 1, answer["version"] + 1)]
        assert phone.look()["version"] == answer["version"]


def test_a_double_tap_opens_one_table_and_takes_one_seat(shop: Shop) -> None:
    ana, ben = Phone(shop.raw(), ""), Phone(shop.raw(), "")
    body = {"game": "potage_sauvage", "seats": 3}
    opened = assert_once(twice(ana, "/v1/tables", body, Idempotency_Key="tap")).json
    path = f"/v1/tables/{opened['id']}"
    sat = assert_once(twice(ben, f"{path}/seats", {}, Idempotency_Key="tap")).json
    ana.path = path
    assert [each["player"] is None for each in ana.look()["seats"]] == [False, False, True]
    assert ana.view["version"] == sat["version"]
    until(lambda: ana.client.get("/v1/me/tables").json["items"], "the table is listed")
    assert len(ana.client.get("/v1/me/tables").json["items"]) == 1


def test_a_queue_that_is_sent_twice_counts_once(shop: Shop) -> None:
    dice = random.Random(3)
    phones = shop.at_table("spellcaster")
    counted = 0
    for _ in range(TAPS):
        phone = mover(phones)
        offered = [each for each in phone.view["moves"] if each["type"] != "concede"]
        for move in dice.sample(offered, min(3, len(offered))):
            phone.tap(move)
        disk = [*phone.queue]
        said = phone.send_queue()
        version = phone.look()["version"]
        # The app died before it wrote down that the queue was sent, or a second device has it too.
        phone.queue = disk
        assert phone.send_queue() == said
        assert phone.look()["version"] == version
        counted += len(phone.counted)
    assert counted > TAPS


def test_a_queue_outlives_a_token_that_is_revoked(shop: Shop) -> None:
    dice = random.Random(4)
    phones = shop.at_table("potage_sauvage")
    for phone in phones:
        phone.look()
        phone.tap(chosen(phone.view["moves"], dice))
        assert phone.send_queue() == "sent"
    phone = mover(phones)
    code = phone.client.ask("POST", "/v1/me/recovery-code", {}).json["code"]
    tokens = phone.client.get("/v1/me/tokens").json["items"]
    sent = phone.queue = [Wish(phone.view["moves"][0], "queued", f'"{phone.view["version"]}"')]
    disk = [*sent]
    assert phone.send_queue() == "sent"
    with Client(shop.server.url, phone.client.token) as follower:
        follow = follower.follow(phone.path.rpartition("/")[2])
        assert next(follow)["version"] == 1
        assert phone.client.ask("DELETE", f"/v1/me/tokens/{tokens[0]['id']}").status == 204
        phone.queue = [*disk, Wish(phone.view["moves"][-1], "never", '"1"')]
        until(lambda: phone.client.ask("GET", "/v1/me").status == 401, "the token is worthless")
        assert phone.send_queue() == "bad-token"
        assert len(phone.queue) == 2
        # Whoever listens with it is cut off, and told why.
        with pytest.raises(ProblemError) as caught:
            assert [*follow] == []
        assert (caught.value.status, caught.value.code) == (401, "bad-token")
    phone.client.token = None
    again = phone.client.ask("POST", "/v1/players/recover", {"code": code})
    phone.client.token = again.json["token"]
    version = phone.look()["version"]
    assert phone.send_queue() in ("stale-version", "not-your-turn", "sent")
    assert phone.counted["queued"].json["version"] == version


def kill_all(server: Server) -> None:
    """Kill every process at once, as a power cut does."""
    pids = server.tree()
    for pid in pids:
        # Whoever started it may be gone, and it with it.
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    server.process.wait(PATIENCE)
    until(lambda: not any(alive(pid) for pid in pids), "all are gone")


class Journey:
    """Two phones at a table, a player and a listener at another, while servers come and go."""

    def __init__(self, server: Server, pool: ThreadPoolExecutor) -> None:
        self.shop = Shop(server)
        self.phones = self.shop.at_table("spellcaster")
        self.sent: dict[int, list[Wish]] = {0: [], 1: []}
        self.player = Client(server.url, patience=100)
        token = self.player.sign_up()["token"]
        opened = self.player.open_table("potage_sauvage", seats=2, bots={"1": "greedy"})
        self.table, self.version = opened["id"], 0
        self.listener = Client(server.url, token, patience=100)
        self.told = pool.submit(self._listen)
        self.moves = pool.submit(self._play)

    def _listen(self) -> list[Told]:
        return [as_told(each) for each in self.listener.follow(self.table)]

    def _play(self) -> int:
        moves = 0
        for view in self.player.watch(self.table):
            if 0 in view["to_move"]:
                self.version = self.player.send(self.table, view["moves"][0])["version"]
                moves += 1
        return moves

    def go_on(self) -> None:
        """Send all that was ever sent again, and a move more; wait until the player moves on."""
        for phone, wishes in zip(self.phones, self.sent.values(), strict=True):
            phone.queue = [*wishes]
            assert phone.send_queue() == "sent"
        phone = mover(self.phones)
        phone.tap(phone.view["moves"][0])
        self.sent[self.phones.index(phone)].append(phone.queue[0])
        assert phone.send_queue() == "sent"
        wanted = self.version + 10
        until(lambda: self.moves.done() or self.version > wanted, "the player moves on", 60)

    def arrive(self) -> None:
        """Wait for the end; hold what was told against what is there."""
        assert self.moves.result(90) > 10
        told = self.told.result(90)
        pages: list[Told] = []
        while len(pages) < told[-1][0]:
            items = self.player.events(self.table, after=len(pages))["items"]
            pages += [as_told(each) for each in items]
        assert told == pages
        counted = {
            answer.json["version"] for each in self.phones for answer in each.counted.values()
        }
        assert self.phones[0].look()["version"] == max(counted)

    def close(self) -> None:
        """Let go of all connections."""
        self.player.close()
        self.listener.close()
        self.shop.close()


@pytest.mark.chaos
@pytest.mark.timeout(300)
def test_restarts_in_the_middle_lose_and_double_nothing(tmp_path: Path) -> None:
    if "CHAOS_TABLES" not in os.environ:
        pytest.skip("three servers one after another: make chaos")
    data = tmp_path / "var"
    live = str(free_port("127.0.0.1", 0))
    with ThreadPoolExecutor(2) as pool:
        with serving(data, ABRAXAS_LIVE_PORT=live) as server:
            journey = Journey(server, pool)
            journey.go_on()
            assert server.stop() == 0
        with serving(data, server.port, ABRAXAS_LIVE_PORT=live) as server:
            journey.go_on()
            kill_all(server)
        with serving(data, server.port, ABRAXAS_LIVE_PORT=live):
            journey.go_on()
            journey.arrive()
            journey.close()
