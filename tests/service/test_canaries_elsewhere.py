"""Canaries where nobody may look at all, in what-ifs of what-ifs, and in spoilt records."""

import json
from typing import Any

import pytest

from domain.catalogue import games
from domain.dice import seeded
from domain.selfplay import choose
from domain.table.view import to_move
from domain.wire import plain_command
from service.every_route import every_operation
from tests.service.asking import Api, Guest, Sat, api_on, fresh
from tests.service.canaries import Secrets
from tests.service.test_canaries import Crawl, places
from tests.service.test_canaries import test_build as test_build
from tests.stores import empty_store

MOVES = 10
every_game = pytest.mark.parametrize("game", games())
pytestmark = pytest.mark.usefixtures("test_build")


def begun(api: Api, game: str, visibility: str) -> Sat:
    """Play the beginning of a table."""
    seats = max(2, min(games()[game].seats))
    table = api.table(*(api.guest() for _ in range(seats)), game=game, visibility=visibility)
    dice = seeded(game)
    for _ in range(MOVES):
        state = api.parts.door.load(table.id).state
        seat = to_move(state)[0]
        sent = table.send(seat, plain_command(choose(state, seat, "random", dice)))
        assert sent.status == 201
    return table


def ask_everything(crawl: Crawl, reader: Guest | None, table: Sat, version: int) -> list[int]:
    """Ask about a table whatever can be asked; answer how often anything was answered."""
    path = table.path
    for place in (
        *places(table), f"{path}?as=0", f"{path}?as=arbiter", f"{path}?version=3",
        f"{path}?invite={'0' * 32}", f"{path}/record?redaction=full",
        f"{path}/record?redaction=seat&as=0",
    ):  # fmt: skip
        crawl.ask(reader, "GET", place)
    for operation in every_operation():
        if operation.method == "POST" and "<table>" in operation.path:
            where = operation.path.replace("<table>", table.id)
            body: Any = {"version": version} if where.endswith("/forks") else {"type": "nothing"}
            crawl.ask(reader, "POST", where, body, Idempotency_Key=fresh())
    return [len(said) for _, _, said in crawl.told]


def heads_told(crawl: Crawl, table: Sat) -> list[str]:
    """Answer where somebody was told how far the chain of a table has got, as every seat is."""
    head = crawl.api.parts.door.load(table.id).hash.hex().encode()
    return [place for _, place, said in crawl.told if head in said]


@every_game
def test_whoever_comes_by_a_private_table_is_told_nothing_of_it(api: Api, game: str) -> None:
    table = begun(api, game, "private")
    version = api.parts.door.load(table.id).version
    for drawn in (False, True):
        if drawn:
            api.draw(table.id)
        for reader in (None, api.guest()):
            crawl = Crawl(api)
            assert len(ask_everything(crawl, reader, table, version)) > 30
            crawl.learn(table.id)
            assert crawl.leaks() == []
            # Not even what every seat knows: who sits there, and where the chain has got to.
            assert heads_told(crawl, table) == []
            for _, place, said in crawl.told:
                if "/v1/players/" not in place:
                    assert table.guests[0].player.encode() not in said, place


@pytest.mark.parametrize("game", ["potage_sauvage"])
def test_a_server_that_lets_anybody_in_is_found_out(
    api: Api, game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = begun(api, game, "private")
    monkeypatch.setattr("service.views.invited", lambda *_: True)
    crawl = Crawl(api)
    ask_everything(crawl, None, table, 5)
    assert heads_told(crawl, table)


@every_game
def test_a_what_if_of_a_what_if_tells_no_more_than_its_makers_knew(api: Api, game: str) -> None:
    table = begun(api, game, "public")
    version = api.parts.door.load(table.id).version
    crawl, invites = Crawl(api), set()
    crawl.learn(table.id)
    for maker, other in ((api.guest(), table.guests[0]), (table.guests[0], api.guest())):
        bots = {str(seat): "random" for seat in range(1, len(table.guests))}
        body = {"version": version, "seat": 0, "bots": bots}
        first = api.post(f"{table.path}/forks", maker.token, body, key=fresh()).json
        crawl.learn(first["id"])
        inner = {"version": first["version"], "invite": first["invite"]}
        path = f"/v1/tables/{first['id']}"
        second = api.post(f"{path}/forks", other.token, inner, key=fresh()).json
        crawl.learn(second["id"])
        invites |= {first["invite"], second["invite"]}
        for reader in (maker, other, None, *table.guests):
            for made in (first, second):
                for end in ("", "/events", "/record", "/record?redaction=seat"):
                    mark = "&" if "?" in end else "?"
                    where = f"/v1/tables/{made['id']}{end}{mark}invite={made['invite']}"
                    crawl.ask(reader, "GET", where)
    # Its maker hands on the invite: whoever has it may know it.
    found = [(place, {*words} - invites) for place, words in crawl.leaks()]
    assert [each for each in found if each[1]] == []
    assert len(crawl.told) == 2 * (3 + len(table.guests)) * 8


@every_game
def test_a_record_that_does_not_hold_is_refused_without_a_word_of_what_it_hides(
    api: Api, game: str
) -> None:
    elsewhere = api_on(empty_store(), empty_store(), DURABILITY="relaxed")
    table = elsewhere.table(elsewhere.guest(), elsewhere.guest(), game=game)
    table.play_out()
    secrets = Secrets()
    secrets.learn(elsewhere.parts.door.store.read(table.id), (None, None))
    lines = elsewhere.get(f"{table.path}/record?redaction=full").data.splitlines()
    sealed = [at for at, line in enumerate(lines[1:-1], 1) if b'"sealed"' in line]
    guest, kind = api.guest(), "application/x-ndjson"
    for at in sealed[:: max(1, len(sealed) // 12)]:
        told = json.loads(lines[at])
        told["sealed"] = {**told["sealed"], "more": 1}
        spoilt = [*lines[:at], json.dumps(told).encode(), *lines[at + 1 :]]
        answer = api.post("/v1/records", guest.token, b"\n".join(spoilt) + b"\n", Content_Type=kind)
        assert answer.code == "bad-record"
        said = answer.data + json.dumps(dict(answer.headers)).encode()
        assert secrets.leaks(None, said) == []
