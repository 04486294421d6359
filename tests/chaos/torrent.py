"""Many clients in one thread that send commands as fast as they count, and repeat what broke."""

import json
import random
import select
import socket
from collections import Counter
from collections.abc import Generator
from contextlib import suppress
from dataclasses import dataclass, field
from time import monotonic, process_time
from typing import Any, Final, TypeAlias

from tests.benchmarks.load import request
from tests.e2e.ledger import Ledger

PATIENCE: Final = 5.0
"""Seconds for an answer, before the request is sent again on another connection."""
PAUSE: Final = 0.1
"""Seconds before a request that came to nothing is sent again."""
MOVES: Final = 400
"""How many commands a table gets at which players only come and go."""

Walk: TypeAlias = Generator[bytes, Any, None]
"""What a client does: yields requests, is sent their bodies; the same bytes again if need be."""


@dataclass(slots=True)
class Table:
    """A table at which one client does everything: what it was told, in order."""

    path: str
    version: int
    whole: bool = False
    """Whether nothing more is asked of it."""

    @property
    def id(self) -> str:
        """Answer its name."""
        return self.path.rpartition("/")[2]


@dataclass(slots=True)
class Client:
    """A connection, and the walk that it is on."""

    walk: Walk
    to: socket.socket | None = None
    under_way: bytes = b""
    got: bytes = b""
    since: float = 0.0
    """When it was sent, or None of it yet: when it is due."""
    sent: bool = False
    tried: int = 0


@dataclass(slots=True)
class Torrent:
    """Send without pause until told to stop, each command until it counts.

    ``seen`` counts what clients met that is no success; anything but 503 and connections that
    break ends it.
    """

    port: int
    ledger: Ledger
    dice: random.Random
    seen: Counter[str] = field(default_factory=Counter)
    tables: list[Table] = field(default_factory=list)
    repeated: int = 0
    """How many commands were told that they counted before."""
    reads: int = 0
    cpu: float = 0.0
    stopping: bool = False
    abandoned: bool = False
    """Whether nobody waits any more for what is under way."""
    longest: float = 0.0
    """Seconds without an acknowledgement, at most."""
    _poll: Any = field(default_factory=select.epoll)
    _open: dict[int, Client] = field(default_factory=dict)
    _names: int = 0
    _last: float = 0.0

    def run(self, comers: int, players: int) -> None:
        """Be so many clients who come and go, and who play, until ``stopping``; then finish."""
        begun = process_time()
        clients = [Client(self.come_and_go()) for _ in range(comers)]
        clients += [Client(self.play()) for _ in range(players)]
        self._last = monotonic()
        for client in clients:
            client.under_way = next(client.walk)
        try:
            while clients and not self.abandoned:
                self._turn(clients)
                clients = [each for each in clients if each.under_way]
        finally:
            for client in self._open.values():
                if client.to:
                    client.to.close()
            self._poll.close()
            self.cpu = process_time() - begun

    # What clients do

    def come_and_go(self) -> Walk:
        """Sit down and stand up, at one table after another."""
        token = (yield request("POST", "/v1/players", {}))["token"]
        while not self.stopping:
            table = yield from self._opened(token, "potage_sauvage", seat=False)
            for number in range(MOVES):
                yield from self._sat_or_left(table, token, sits=number % 2 == 0)
                if self.is_stopping():
                    break
            table.whole = True

    def _sat_or_left(self, table: Table, token: str, *, sits: bool) -> Walk:
        seats = f"{table.path}/seats"
        sitting = self._named(token, "POST", seats, {})
        leaving = self._named(token, "DELETE", f"{seats}/0")
        self._heard(table, (yield sitting if sits else leaving))

    def is_stopping(self) -> bool:
        """Say whether it was told to stop, by another thread."""
        return self.stopping

    def play(self) -> Walk:
        """Play whole tables, both seats of each."""
        first = yield request("POST", "/v1/players", {})
        second = yield request("POST", "/v1/players", {})
        tokens = [first["token"], second["token"]]
        while not self.stopping:
            game = self.dice.choice(("potage_sauvage", "magic_cooking", "spellcaster"))
            table = yield from self._opened(tokens[0], game, seat=True)
            self._heard(table, (yield self._named(tokens[1], "POST", f"{table.path}/seats", {})))
            yield from self._played(table, tokens)
            table.whole = True

    def _played(self, table: Table, tokens: list[str]) -> Walk:
        seat = 0
        while not self.stopping:
            view = yield request("GET", table.path, token=tokens[seat])
            self.reads += 1
            assert view["version"] == table.version, (view["version"], table)
            if view["phase"] == "over":
                return
            if seat not in view["to_move"]:
                seat = view["to_move"][0]
                continue
            quiet = [each for each in view["moves"] if each["type"] != "concede"]
            move = self.dice.choice(quiet or view["moves"])
            told = yield self._named(tokens[seat], "POST", f"{table.path}/commands", move)
            self._heard(table, told)

    def _opened(self, token: str, game: str, *, seat: bool) -> Generator[bytes, Any, Table]:
        body = {"game": game, "seats": 2} | ({} if seat else {"seat": None})
        view = yield self._named(token, "POST", "/v1/tables", body)
        table = Table(f"/v1/tables/{view['id']}", 0)
        self.tables.append(table)
        self._heard(table, view)
        return table

    def _named(self, token: str, method: str, path: str, body: object = None) -> bytes:
        self._names += 1
        return request(method, path, body, token, Idempotency_Key=f"wish-{self._names}")

    def _heard(self, table: Table, told: Any) -> None:
        assert told["version"] > table.version, f"{table}: {told['version']} came after it"
        table.version = told["version"]
        self.ledger.heard(table.id, told["version"], told["hash"])
        now = monotonic()
        self.longest, self._last = max(self.longest, now - self._last), now

    # How it is sent

    def _turn(self, clients: list[Client]) -> None:
        now = monotonic()
        for client in clients:
            if not client.sent and client.since <= now:
                self._send(client, now)
            elif client.sent and now - client.since > PATIENCE:
                self._again(client, "no answer")
        for number, _ in self._poll.poll(0.05):
            if number in self._open:
                self._read(self._open[number])

    def _send(self, client: Client, now: float) -> None:
        client.sent, client.since, client.got = True, now, b""
        try:
            if client.to is None:
                client.to = socket.create_connection(("127.0.0.1", self.port), timeout=PATIENCE)
                client.to.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                self._open[client.to.fileno()] = client
                self._poll.register(client.to, select.EPOLLIN)
            client.to.sendall(client.under_way)
        except ConnectionRefusedError:
            self._again(client, "refused connection")
        except OSError:
            self._again(client, "closed connection")

    def _again(self, client: Client, why: str) -> None:
        self.seen[why] += 1
        if client.to is not None:
            with suppress(OSError):
                self._poll.unregister(client.to)
            self._open.pop(client.to.fileno(), None)
            client.to.close()
            client.to = None
        client.sent, client.since = False, monotonic() + PAUSE
        client.tried += 1

    def _read(self, client: Client) -> None:
        assert client.to
        try:
            data = client.to.recv(262144)
        except OSError:
            data = b""
        if not data:
            self._again(client, "closed connection")
            return
        client.got += data
        head, mark, body = client.got.partition(b"\r\n\r\n")
        if not mark:
            return
        head = head.lower()
        at = head.find(b"\r\ncontent-length:")
        assert at >= 0, head
        if len(body) >= int(head[at + 17 :].split(b"\r", 1)[0]):
            self._answered(client, head, body)

    def _answered(self, client: Client, head: bytes, body: bytes) -> None:
        status = head[9:12]
        if status == b"503":
            self.seen[f"503 {json.loads(body)['code']}"] += 1
            client.sent, client.since = False, monotonic() + PAUSE
            client.tried += 1
            return
        assert status in (b"200", b"201"), (client.under_way, head, body)
        self.repeated += b"idempotent-replayed: true" in head
        try:
            client.under_way = client.walk.send(json.loads(body))
        except StopIteration:
            client.under_way = b""
            self._part(client)
        else:
            client.sent, client.since, client.tried = False, 0.0, 0

    def _part(self, client: Client) -> None:
        assert client.to
        self._poll.unregister(client.to)
        del self._open[client.to.fileno()]
        client.to.close()
