"""Hidden cards carry random tokens, every role reads everything, and no token is where it may not.

What a role may know is taken from the sealed faces as they were stored, so no game is named here.
"""

import json
import logging
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import count, cycle
from typing import Any

import pytest

from domain.catalogue import games
from domain.dice import seeded
from domain.game import Seat
from domain.selfplay import choose
from domain.table.view import seen_by_one, to_move
from domain.wire import plain_command
from service import wishes
from service.every_route import every_operation
from service.histories import forks
from service.pages.guides import guides
from tests.service import canaries
from tests.service.asking import Api, Guest, Sat, fresh
from tests.service.canaries import Secrets, canary

MOVES = 14
"""How many commands are sent before everybody has read everything."""

every_game = pytest.mark.parametrize("game", games())


@dataclass
class Crawl:
    """Everything that each reader was told, and what was told to nobody in particular."""

    api: Api
    secrets: Secrets = field(default_factory=Secrets)
    told: list[tuple[str | None, str, bytes]] = field(default_factory=list)

    def ask(
        self, reader: Guest | None, method: str, path: str, body: Any = None, **headers: str
    ) -> Any:
        """Ask as somebody, keep the answer whatever it is, headers too; answer its JSON."""
        if reader:
            headers["Authorization"] = f"Bearer {reader.token}"
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        client = self.api.app.test_client()
        answer = client.open(path, method=method, headers=sent, json=body)
        said = answer.data + b"\n" + json.dumps(dict(answer.headers)).encode()
        self.told.append((reader.player if reader else None, f"{method} {path}", said))
        return answer.json if answer.is_json else None

    def read_everything(self, reader: Guest | None, table: Sat, *, then: bool) -> None:
        """Read the table with every query that could show more; ``then``: and all its past."""
        path = table.path
        version = self.ask(reader, "GET", path)["version"]
        seats = range(len(table.guests))
        perspectives = [*map(str, seats), "spectator", "arbiter"]
        for query in (
            "",
            *(f"?as={each}" for each in perspectives),
            *(f"?version={each}" for each in range(1, version + 1) if then),
            *(f"?version={version}&as={each}" for each in perspectives),
        ):
            self.ask(reader, "GET", path + query)
        for after in range(0, version, 100):
            self.ask(reader, "GET", f"{path}/events?after={after}&limit=100")
            self.ask(reader, "GET", f"{path}/events?after={after}&limit=100", Accept_Language="fr")
        for query in (
            "redaction=public",
            "redaction=full",
            "redaction=seat",
            f"after={version // 2}",
            *(f"redaction=seat&as={each}" for each in perspectives),
        ):
            self.ask(reader, "GET", f"{path}/record?{query}")
        for place in places(table) if then else ():
            self.ask(reader, "GET", place)

    def spoil(self, reader: Guest, table: Sat, move: Any) -> None:
        """Ask for what is refused: answers that say no must not say why in cards."""
        for body in (move, {"type": "nothing"}, {**move, "more": 1}, {}):
            self.ask(
                reader,
                "POST",
                f"{table.path}/commands",
                body,
                Idempotency_Key=fresh(),
                If_Match='"1"',
            )
            self.ask(reader, "POST", f"{table.path}/commands", body, Idempotency_Key="of-all")
        self.ask(reader, "POST", f"{table.path}/seats", {}, Idempotency_Key=fresh())
        self.ask(reader, "DELETE", f"{table.path}/seats/0")

    def fork(self, reader: Guest, table: Sat, version: int) -> None:
        """Open what-ifs, and read all of them as their opener and as a stranger."""
        made = self.ask(
            reader, "POST", f"{table.path}/forks", {"version": version}, Idempotency_Key=fresh()
        )
        if "id" not in made:
            return
        what_if = Sat(self.api, made["id"], table.guests)
        self.learn(what_if.id)
        for each in (reader, None):
            for place in ("", "/events", "/record", "/record?redaction=seat"):
                self.ask(each, "GET", f"{what_if.path}{place}")

    def learn(self, table: str) -> None:
        """Note what a table has hidden so far: faces, and the hands of each version."""
        door = self.api.parts.door
        chairs = door.load(table).state.chairs
        players = tuple(chair.player if chair else None for chair in chairs)
        recorded = door.store.read(table)
        self.secrets.learn(recorded, players)
        for version in range(1, len(recorded) + 1):
            state = door.load(table, version).state
            if state.play is None:
                continue
            hands = state.playing.view(state.play, "arbiter")["open"]["hands"]
            for player, hand in zip(players, hands, strict=True):
                self.secrets.hold(hand, frozenset(filter(None, [player])))

    def leaks(self) -> list[tuple[str, list[str]]]:
        """Answer where something was told that must not be."""
        found = ((place, self.secrets.leaks(reader, said)) for reader, place, said in self.told)
        return [(place, words) for place, words in found if words]


def places(table: Sat) -> Iterator[str]:
    """Answer every path that can be read, whatever it is of."""
    known = {
        "table": table.id,
        "player": table.guests[0].player,
        "game": "unheard-of",
        "guide": next(name for name in guides() if "/" not in name),
        "tutorial": next(name for name in guides() if "/" in name).partition("/")[2],
        "webhook": "none",
        "file": "none",
    }
    for operation in every_operation():
        if operation.method == "GET":
            yield re.sub("<(?:int:)?([a-z]+)>", lambda found: known[found[1]], operation.path)
    yield from ("/v1/me/tables?waiting=true", "/v1/tables?phase=playing", "/v1/tables?phase=over")


@pytest.fixture
def test_build(monkeypatch: pytest.MonkeyPatch) -> None:
    """Put a token into every sealed face; keys are drawn the same in every run."""
    canaries.install(monkeypatch.setattr)
    drawn = count()
    for room in (wishes, forks):
        name = room.__name__.encode()

        def key(_: int, name: bytes = name) -> str:
            return sha256(b"%s %d" % (name, next(drawn))).hexdigest()

        monkeypatch.setattr(room, "token_hex", key)


def crawled(api: Api, game: str) -> tuple[Crawl, Sat]:
    """Play the beginning of a table, and let every role read everything in its middle."""
    crawl = Crawl(api)
    seats = max(2, min(games()[game].seats))
    table = api.table(*(api.guest(f"Ana {seat}") for seat in range(seats)), game=game)
    stranger = api.guest("Zoe")
    door = api.parts.door
    dice, move = seeded(game), {}
    for number in range(MOVES):
        state = door.load(table.id).state
        seat = to_move(state)[0]
        # A bot does not give up.
        move = plain_command(choose(state, seat, "random", dice))
        path, key = f"{table.path}/commands", f"move-{number}"
        for guest in (table.guests[seat], *table.guests, stranger):
            crawl.ask(
                guest, "POST", path, move, Idempotency_Key=key, Prefer="return=representation"
            )
    for drawn in (False, True):
        if drawn:
            api.draw(table.id)
        for reader in (None, stranger, *table.guests):
            crawl.read_everything(reader, table, then=not drawn)
    version = door.load(table.id).version
    for reader in (stranger, *table.guests):
        crawl.spoil(reader, table, move)
        crawl.fork(reader, table, version)
        crawl.fork(reader, table, version // 2)
    crawl.learn(table.id)
    return crawl, table


@every_game
@pytest.mark.usefixtures("test_build")
def test_no_hidden_card_is_told_to_whom_it_must_not_be(
    api: Api, game: str, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.DEBUG):
        crawl, table = crawled(api, game)
    assert crawl.leaks() == []
    assert crawl.secrets.leaks(None, caplog.text.encode()) == []

    # The search finds what is there: each seat was told its own, and its own alone.
    secrets = crawl.secrets
    for guest in table.guests:
        own = b"".join(said for reader, _, said in crawl.told if reader == guest.player)
        mine = {word for word, may in secrets.words.items() if guest.player in may}
        assert len(mine) > 2
        assert sum(word in own for word in mine) > 2
        assert secrets.leaks(None, own)
    statuses = {place.split("?")[0] for _, place, _ in crawl.told}
    assert len(statuses) > 30


@every_game
@pytest.mark.usefixtures("test_build")
def test_once_it_is_over_everybody_may_know(api: Api, game: str) -> None:
    table = api.table(api.guest(), api.guest(), game=game)
    table.play_out()
    hidden = [each for each in api.parts.door.store.read(table.id) if each.sealed]
    full = api.get(f"{table.path}/record?redaction=full").data
    assert len(hidden) > 4
    assert all(canary(each.sealed).encode() in full for each in hidden)


def tell_everything(patch: Callable[[str, Any], None]) -> None:
    patch("events.notices.may_read", lambda recorded, reader: recorded.audience is not None)


def show_the_first_seat(patch: Callable[[str, Any], None]) -> None:
    patch("service.views.perspective", lambda *given, **more: Seat(0))


def open_every_record(patch: Callable[[str, Any], None]) -> None:
    patch("events.records.lines.Header.opens", lambda self, audience: True)


def draw_one_view_for_all(patch: Callable[[str, Any], None]) -> None:
    patch(
        "workers.projections.tables.seen_by_one",
        lambda table, viewer: seen_by_one(table, Seat(1)),
    )


SPOILS = (tell_everything, show_the_first_seat, open_every_record, draw_one_view_for_all)


@pytest.mark.parametrize(("spoil", "game"), [*zip(SPOILS, cycle(games()), strict=False)])
@pytest.mark.usefixtures("test_build")
def test_a_server_that_hides_too_little_is_found_out(
    api: Api, game: str, spoil: Callable[[Any], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    spoil(monkeypatch.setattr)
    crawl, _ = crawled(api, game)
    assert crawl.leaks()
