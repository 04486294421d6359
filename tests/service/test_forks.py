"""What-ifs: private tables that go on from a position, and know nothing that was hidden."""

import re
from typing import Any

import pytest

from domain.catalogue import games
from domain.table.view import to_move
from events import keys
from events.records.record import import_record
from tests.service.asking import Answer, Api, Guest, Sat, fresh
from tests.service.test_lists import follow
from tests.service.test_records import taken


def fork(sat: Sat, by: Guest, version: int, **body: Any) -> Answer:
    """Open a what-if."""
    key = body.pop("key", None) or fresh()
    return sat.api.post(f"{sat.path}/forks", by.token, {"version": version, **body}, key=key)


def running(api: Api, game: str = "potage_sauvage", steps: int = 12) -> Sat:
    seats = games()[game].seats[0]
    table = api.table(*(api.guest() for _ in range(seats)), game=game)
    for _ in range(steps):
        table.step()
    return table


@pytest.mark.parametrize("game", games())
def test_a_fork_starts_from_what_its_seat_saw(api: Api, game: str) -> None:
    table = running(api, game)
    version = table.view().json["version"]
    forked = fork(table, table.guests[0], version, bots={"1": "greedy"})
    assert forked.status == 201
    view, parent = forked.json, table.view(0).json
    assert view["id"] != table.id
    assert view["forked_from"] == {"table": table.id, "version": version}
    assert (view["visibility"], view["phase"]) == ("private", "playing")
    assert [each["bot"] for each in view["seats"]][:2] == [None, "greedy"]
    assert view["viewer"] == {"seat": 0}
    assert view["play"] == parent["play"]
    assert view["commitment"] != parent["commitment"]
    assert re.fullmatch(r"[0-9a-f]{32}", view["invite"])


def test_the_parent_is_untouched(api: Api) -> None:
    table = running(api)
    stored = api.parts.client.xrange(api_events(table))
    for guest in (*table.guests, api.guest()):
        assert fork(table, guest, 20).status == 201
    assert api.parts.client.xrange(api_events(table)) == stored


def api_events(table: Sat) -> str:
    return keys.events(table.id)


def test_while_it_runs_hidden_cards_are_dealt_again(api: Api) -> None:
    table = running(api, steps=4)
    door = api.parts.door
    state = door.load(table.id).state
    version = door.load(table.id).version
    hands = set()
    for _ in range(6):
        view = fork(table, table.guests[0], version).json
        play = door.load(view["id"]).state
        position = play.play or play.position
        assert position.hands[0] == state.play.hands[0]
        hands.add(position.hands[1])
    assert len(hands) > 1


def test_nothing_of_the_parents_hidden_past_is_in_a_forks_stream(api: Api) -> None:
    table = running(api)
    door = api.parts.door
    parent = door.store.read(table.id)
    secrets = [each.sealed for each in parent if each.audience == ()]
    assert secrets
    view = fork(table, table.guests[0], len(parent), bots={"1": "greedy"}).json
    child = b"".join(each.joined for each in door.store.read(view["id"]))
    assert door.load(table.id).state.key.encode() not in child
    assert all(each[1:-1] not in child for each in secrets)
    record = api.get(f"/v1/tables/{view['id']}/record?redaction=seat", table.guests[0].token)
    assert b"PositionSet" in record.data
    assert record.data.count(b'"kind":"TableForked"') == 1


def test_once_over_a_fork_starts_from_the_true_state(finished: Sat) -> None:
    door = finished.api.parts.door
    for guest in (finished.guests[1], finished.api.guest()):
        view = fork(finished, guest, 40, bots={"0": "random"}).json
        assert view["viewer"] == {"seat": 1}
        version = view["forked_from"]["version"]
        assert version >= 40
        assert door.load(view["id"]).state.play == door.load(finished.id, version).state.play


def test_a_fork_is_played_to_its_end_and_its_record_proves_itself(finished: Sat) -> None:
    view = fork(finished, finished.guests[0], 40, bots={"1": "greedy"}).json
    table = Sat(finished.api, view["id"], finished.guests, view["invite"])
    table.play_out()
    full = taken(table, "?redaction=full", 0)
    imported = import_record(full.data)
    assert imported.facts["forked_from"] == view["forked_from"]


@pytest.mark.parametrize("game", games())
def test_every_version_can_be_gone_on_from(api: Api, game: str) -> None:
    table = running(api, game, steps=20)
    ends = {
        int(each.rpartition(b"|")[2]) for each in api.parts.client.hvals(keys.commands(table.id))
    }
    last = table.view().json["version"]
    started = next(
        each.version for each in api.parts.door.store.read(table.id) if each.kind == "GameStarted"
    )
    for version in range(started, last + 1):
        forked = fork(table, table.guests[0], version)
        assert forked.json["forked_from"]["version"] == min(e for e in ends if e >= version)
    api.parts.client.delete(keys.commands(table.id))
    for version in range(started, last + 1):
        assert fork(table, table.guests[0], version).json["forked_from"]["version"] in ends


def test_a_repeat_meets_its_own_fork(api: Api) -> None:
    table = running(api)
    first, second = (fork(table, table.guests[0], 20, key="again") for _ in range(2))
    assert first.json == second.json
    assert second.headers["Idempotent-Replayed"] == "true"
    assert fork(table, table.guests[1], 20, key="again").json["id"] != first.json["id"]
    assert fork(table, table.guests[0], 21, key="again").code == "key-reused"


def test_what_cannot_be_forked_says_why(api: Api, finished: Sat) -> None:
    table = running(api)
    ana = table.guests[0]
    last = table.view().json["version"]
    assert fork(table, ana, 1).code == "not-started"
    assert fork(table, ana, last + 1).code == "unknown-version"
    assert fork(table, ana, 0).code == "bad-field"
    assert fork(table, ana, 20, seat=2).json["errors"][0]["pointer"] == "/seat"
    assert fork(table, ana, 20, bots={"0": "greedy"}).code == "seat-taken"
    assert fork(table, ana, 20, bots={"7": "greedy"}).json["errors"][0]["pointer"] == "/bots/7"
    end = finished.view().json["version"]
    assert fork(finished, finished.guests[0], end).code == "game-over"
    nowhere = "/v1/tables/3f0c7a52-8d1e-4b6a-9c55-0e2a6d9b7f10/forks"
    assert api.post(nowhere, ana.token, {"version": 1}, key=fresh()).code == "unknown-table"
    assert api.post(f"{table.path}/forks", None, {"version": 20}).code == "bad-token"


def test_a_private_table_is_forked_by_who_may_look(api: Api) -> None:
    table = api.table(api.guest(), api.guest(), visibility="private")
    eve = api.guest()
    version = table.view(0).json["version"]
    assert fork(table, eve, version).code == "unknown-table"
    assert fork(table, eve, version, invite=table.invite).status == 201
    assert fork(table, table.guests[1], version).json["viewer"] == {"seat": 1}


def test_who_watches_forks_from_what_everybody_knows(api: Api) -> None:
    table = running(api)
    eve = api.guest()
    watching = fork(table, eve, 20, seat=None, bots={"0": "random", "1": "greedy"}).json
    assert (watching["viewer"], watching["phase"]) == ({"seat": None}, "playing")
    assert fork(table, eve, 20, bots={"0": "random"}).json["viewer"] == {"seat": 1}
    waiting = fork(table, eve, 20, entropy="5eed").json
    assert (waiting["viewer"], waiting["phase"]) == ({"seat": 0}, "open")
    sat = api.post(
        f"/v1/tables/{waiting['id']}/seats", api.guest().token, {"invite": waiting["invite"]},
        key=fresh(),
    )  # fmt: skip
    assert sat.status == 201
    assert to_move(api.parts.door.load(waiting["id"]).state)


def test_a_fork_is_in_no_list(api: Api) -> None:
    table = running(api)
    view = fork(table, table.guests[0], 20, bots={"1": "greedy"}).json
    follow(api)
    listed = (
        api.get("/v1/tables").json["items"]
        + api.get("/v1/me/tables", table.guests[0].token).json["items"]
    )
    assert {each["id"] for each in listed} == {table.id}
    assert view["id"] != table.id
