"""Whoever asks for a table over HTTP is not told that it was archived."""

from pathlib import Path
from typing import Any

import pytest

from events import keys
from tests.service.asking import Answer, Api, Sat, api_on
from tests.stores import empty_store
from tests.workers.sittings import catch_up, following
from workers.archive import Archiver


@pytest.fixture
def api(tmp_path: Path) -> Api:
    """Make an application whose data folder holds an archive."""
    return api_on(empty_store(), empty_store(), DURABILITY="relaxed", ABRAXAS_DATA=str(tmp_path))


@pytest.fixture
def over(api: Api) -> Sat:
    """Play a private table to its end."""
    table = api.table(api.guest(), api.guest(), visibility="private")
    table.play_out()
    follow(api)
    return table


def follow(api: Api) -> None:
    follower = following(api.parts.door.store)
    catch_up(follower)
    follower.end()


def let_go(api: Api, table: str) -> None:
    """Archive a table, as an hour after its end."""
    store = api.parts.door.store
    assert Archiver(store, 0, clock=lambda: 1 << 50).archive([table]) == 1
    assert not store.client.exists(keys.events(table))


def elsewhere(api: Api, tmp_path: Path) -> Api:
    """Make another process on the same store, which remembers nothing."""
    client = api.parts.client
    return api_on(client, client, DURABILITY="relaxed", ABRAXAS_DATA=str(tmp_path))


def told(answer: Answer) -> tuple[Any, ...]:
    kept = ("ETag", "Cache-Control", "Content-Type", "Link", "Content-Disposition")
    return (answer.status, answer.data, [answer.headers.get(each) for each in kept])


def everything(api: Api, table: Sat) -> list[tuple[Any, ...]]:
    """Ask for all there is to a table, as a seat and as a stranger."""
    questions = [
        "", "?as=1", "?as=spectator", "?as=arbiter", "?version=1", "?version=30&as=arbiter",
        "?version=9999", "/events", "/events?after=30&limit=7", "/events?after=9999",
        "/record?redaction=full", "/record?redaction=seat", "/record?after=100",
        "/record?after=9999",
    ]  # fmt: skip
    asked = [api.get(f"{table.path}{each}", table.guests[0].token) for each in questions]
    asked += [api.get(table.path), api.get(f"{table.path}?invite={table.invite}")]
    asked += [api.get("/v1/me/tables", table.guests[0].token), api.get("/v1/tables")]
    return [told(each) for each in asked]


def test_everything_about_it_is_answered_as_before(api: Api, over: Sat, tmp_path: Path) -> None:
    before = everything(api, over)
    let_go(api, over.id)
    assert everything(api, over) == before
    assert everything(elsewhere(api, tmp_path), over) == before


def test_what_was_not_modified_is_not_modified(api: Api, over: Sat) -> None:
    tag = over.view(0).headers["ETag"]
    let_go(api, over.id)
    assert over.view(0, If_None_Match=tag).status == 304


def test_a_command_is_told_that_the_game_is_over(api: Api, over: Sat, tmp_path: Path) -> None:
    let_go(api, over.id)
    for each in (api, elsewhere(api, tmp_path)):
        command = {"type": "choose_recipe", "recipe": "fruits"}
        sent = each.post(
            f"{over.path}/commands", over.guests[0].token, command, key="again", If_Match='"20.0.1"'
        )
        assert (sent.status, sent.code) == (409, "game-over")


def test_a_what_if_starts_from_it(api: Api, over: Sat) -> None:
    let_go(api, over.id)
    forked = api.post(f"{over.path}/forks", over.guests[0].token, {"version": 30}, key="what-if")
    assert forked.status == 201
    assert forked.json["forked_from"]["table"] == over.id


def test_its_record_is_known_and_brought_back_as_it_is(api: Api, over: Sat) -> None:
    record = api.get(f"{over.path}/record?redaction=full", over.guests[0].token).data
    let_go(api, over.id)
    brought = api.ask(
        "POST", "/v1/records", api.guest().token, record, Content_Type="application/x-ndjson"
    )
    assert brought.status == 200


def test_a_player_who_is_gone_leaves_it_valid(api: Api, over: Sat) -> None:
    let_go(api, over.id)
    other = over.view(1).data
    assert api.ask("DELETE", "/v1/me", over.guests[0].token).status == 204
    assert over.view(1).data == other


def test_an_archive_that_is_away_is_a_store_that_is_away(
    api: Api, over: Sat, tmp_path: Path
) -> None:
    let_go(api, over.id)
    (tmp_path / "archive.db").unlink()
    answer = elsewhere(api, tmp_path).get(over.path, over.guests[0].token)
    assert (answer.status, answer.code) == (503, "store-unavailable")
