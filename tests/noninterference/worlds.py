"""Two whole servers, each with its store, at which the same things happen: byte by byte."""

import logging
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any, Final, TypeVar
from uuid import UUID

from fakeredis import FakeRedis, FakeServer
from werkzeug.test import TestResponse

from domain.game import Seat
from domain.table.events import GameStarted, PositionSet, SeatTaken, TableOpened
from domain.wire import plain_options
from events import chain, codec
from events.loaded import follow, unopened
from events.store import EventStore, command_key
from events.transact import Door
from tests.noninterference import masks
from tests.noninterference.fate import Fate
from tests.noninterference.positions import Chance, Pair, Went
from tests.service.asking import Api, api_on

T = TypeVar("T")

PAGE: Final = 300
"""How many bytes around the first difference are shown."""


class Different(AssertionError):  # noqa: N818 - what went wrong is that they differ
    """Say where two tables that look alike were told apart."""


@dataclass
class Tally:
    """How much was compared, by channel."""

    asked: Counter[str] = field(default_factory=Counter)
    bytes: int = 0

    @property
    def summary(self) -> str:
        """Tell it in a few words."""
        count = sum(self.asked.values())
        return f"{count:,} comparisons of {self.bytes:,} bytes, 0 differences"

    def __str__(self) -> str:
        """Tell it, with a line for each channel."""
        lines = [f"  {count:9,} {channel}" for channel, count in sorted(self.asked.items())]
        return "\n".join([self.summary, *lines])

    def same(self, channel: str, what: object, left: Any, right: Any) -> None:
        """Compare what both worlds told; raise Different."""
        self.asked[channel] += 1
        one, two = (
            each if isinstance(each, bytes) else repr(each).encode() for each in (left, right)
        )
        self.bytes += len(one)
        if one != two:
            raise Different(f"{channel}: {what}\n{_around(one, two)}")


def _around(one: bytes, two: bytes) -> str:
    at = next((i for i, (a, b) in enumerate(zip(one, two, strict=False)) if a != b), len(one))
    start = max(0, at - PAGE // 2)
    return f"at byte {at}:\n{one[start : start + PAGE]!r}\n{two[start : start + PAGE]!r}"


@dataclass(frozen=True)
class Reader:
    """Somebody who looks: a player with a token, or whoever comes by without one."""

    name: str
    player: str | None = None
    token: str | None = None


_USUAL: Final = frozenset({*vars(logging.makeLogRecord({})), "message", "asctime"})


class Heard(logging.Handler):
    """Keeps what one world logs, whatever its level."""

    def __init__(self) -> None:
        super().__init__(logging.DEBUG)
        self.said: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        """Keep a line and whatever was noted with it."""
        if record.name.startswith("httpcore"):
            # No part of a server: a client of another test that still asks for one that is gone.
            return
        more = {name: value for name, value in vars(record).items() if name not in _USUAL}
        line = f"{record.name} {record.levelname} {record.getMessage()} {more}"
        self.said.append(masks.logged(line))


def fake_store() -> FakeRedis:
    """Make an empty store in this process: scripts read fate's time there, and not the day's."""
    return FakeRedis(server=FakeServer(server_type="valkey", version=(8,)), protocol=2)


class Worlds:
    """Two servers with the same players, and a table in each that differs in hidden cards only."""

    def __init__(self, fate: Fate, tally: Tally, *, store: Callable[[], Any] = fake_store) -> None:
        self.fate = fate
        self.tally = tally
        self.apis = tuple(self._server(store()) for _ in range(2))
        self.logs: tuple[Heard, ...] = tuple(Heard() for _ in range(2))
        self.players: list[Reader] = []

    def _server(self, client: Any) -> Api:
        api = api_on(client, client, DURABILITY="relaxed", ABRAXAS_LIMITS="off")
        return Api(replace(api.parts, door=Door(EventStore(client), clock=self.fate.clock)))

    def both(
        self,
        what: str,
        do: Callable[[Api], T],
        chances: tuple[Chance, Chance] | None = None,
        compared: Callable[[T, T], None] = lambda _left, _right: None,
    ) -> tuple[T, T]:
        """Let the same thing happen in both worlds; compare what it tells and what they log."""
        self.fate.number += 1
        self.fate.chances = chances
        root, found = logging.getLogger(), []
        before = root.level
        root.setLevel(logging.DEBUG)
        for side, (api, heard) in enumerate(zip(self.apis, self.logs, strict=True)):
            self.fate.begin(what, side)
            root.addHandler(heard)
            try:
                found.append(do(api))
            finally:
                root.removeHandler(heard)
        root.setLevel(before)
        self.fate.chances = None
        said = [each.said for each in self.logs]
        for heard in self.logs:
            heard.said = []
        compared(found[0], found[1])
        self.tally.same("log", what, *said)
        return found[0], found[1]

    def ask(
        self,
        reader: Reader,
        method: str,
        path: str,
        body: Any = None,
        *,
        blot: bool = True,
        chances: tuple[Chance, Chance] | None = None,
        **more: Any,
    ) -> Any:
        """Ask both worlds, compare every byte of the answers; answer the JSON, if it is some."""
        send = self._sending(reader, method, path, lambda: body, more)
        what = f"{reader.name}: {method} {path} {body or ''} {more or ''}"

        def same(*told: TestResponse) -> None:
            left, right = (_seen(each, blot=blot) for each in told)
            self.tally.same(f"{method} {_place(path)}", what, left, right)

        answers = self.both(what, send, chances, same)
        return answers[0].json if answers[0].is_json else None

    def tell(
        self,
        sender: Reader,
        path: str,
        *bodies: Any,
        chances: tuple[Chance, Chance] | None = None,
        **more: Any,
    ) -> Any:
        """Post a body to each world as somebody else, whose answers are not compared."""
        given = iter(bodies)
        send = self._sending(sender, "POST", path, lambda: next(given), more)
        answers = self.both(f"{sender.name}: {path}", send, chances)
        assert {each.status_code for each in answers} == {201}, [each.data for each in answers]
        return answers[0].json

    def silently(self, reader: Reader, path: str) -> None:
        """Read in both worlds as somebody whose answers are not compared."""
        answers = self.both(path, self._sending(reader, "GET", path, lambda: None, {}))
        assert {each.status_code for each in answers} == {200}

    def _sending(
        self,
        reader: Reader,
        method: str,
        path: str,
        body: Callable[[], Any],
        more: Mapping[str, str],
    ) -> Callable[[Api], TestResponse]:
        sent = {name.replace("_", "-"): value for name, value in more.items()}
        if reader.token is not None:
            sent["Authorization"] = f"Bearer {reader.token}"
        # A request that brings a number keeps it.
        sent["traceparent"] = f"00-{self.fate.number + 1:032x}-{1:016x}-00"

        def send(api: Api) -> TestResponse:
            client = api.app.test_client()
            return client.open(path, method=method, headers=sent, json=body())

        return send

    def guest(self, name: str) -> Reader:
        """Make a player in both worlds."""
        nobody = Reader("nobody")
        made = self.ask(nobody, "POST", "/v1/players", {"name": name})
        return Reader(name, made["player"], made["token"])

    def enough(self, seats: int) -> list[Reader]:
        """Answer so many players."""
        while len(self.players) < seats:
            self.players.append(self.guest(f"Seat-{len(self.players)}"))
        return self.players[:seats]

    def seat(self, pair: Pair) -> str:
        """Open a table in each world at a side of the pair, players on every seat; answer its id.

        It is a table like any other, and no what-if: its position takes the place of a first deal.
        """
        self.enough(pair.seats)
        made = Random(f"table {self.fate.number}").randbytes(16)
        table = str(UUID(bytes=made, version=4))
        sides = iter((pair.left, pair.right))
        self.both(f"open {table}", lambda api: self._opened(api, table, pair, next(sides)))
        return table

    def deal(self, went: Went) -> str:
        """Open a table in each world where others are dealt other cards; answer its id."""
        pair = went.after
        first, *others = self.enough(pair.seats)
        options = plain_options(pair.options)
        body = {"game": pair.game.name, "seats": pair.seats, "options": options}
        key = f"deal-{self.fate.number}"
        table: str = self.tell(first, "/v1/tables", body, body, Idempotency_Key=key)["id"]
        for number, player in enumerate(others, 2):
            chances = went.chances if number == pair.seats else None
            path = f"/v1/tables/{table}/seats"
            self.tell(player, path, {}, {}, chances=chances, Idempotency_Key=f"{key}-{number}")
        self.reached(table, pair)
        return table

    def _opened(self, api: Api, table: str, pair: Pair, state: Any) -> None:
        key = self.fate.key()
        players = [each.player for each in self.players[: pair.seats]]
        opened = TableOpened(
            game=pair.game.name,
            rules=pair.game.rules,
            seats=pair.seats,
            options=plain_options(pair.options),
            visibility="public",
            opener=str(players[0]),
            commitment=chain.commitment(bytes.fromhex(key)),
            key=key,
        )
        taken = (SeatTaken(Seat(i), player, None, "") for i, player in enumerate(players))
        events = (opened, PositionSet(state), *taken, GameStarted())
        recorded = codec.record(pair.game, table, 0, self.fate.clock(), events)
        after = follow(unopened(table), recorded, events)
        api.parts.door.store.append(
            table,
            after=0,
            after_hash="",
            recorded=recorded,
            head=after.hash.hex(),
            phase="playing",
            command=command_key("opener", table, {}),
        )

    def reached(self, table: str, pair: Pair) -> None:
        """Check that both tables are where the pair is."""
        plays = [api.parts.door.load(table).state.play for api in self.apis]
        assert plays == [pair.left, pair.right]


def _seen(answer: TestResponse, *, blot: bool) -> bytes:
    media = answer.headers.get("Content-Type", "").partition(";")[0]
    data: bytes = answer.data
    told = [*answer.headers]
    if blot and answer.status_code < 300 and data:
        data, told = masks.body(data, media), masks.headers(told, media)
    return repr((answer.status_code, told)).encode() + b"\n" + data


def _place(path: str) -> str:
    """Answer a path without ids and without its query."""
    words = path.partition("?")[0].split("/")
    return "/".join("{id}" if len(word) > 20 else word for word in words)
