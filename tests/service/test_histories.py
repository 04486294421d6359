"""Whole tables, seen again: every version as it was seen live, here and where they are brought.

HISTORY_TABLES says how many tables of each game; a run before a release takes 200.
"""

import os
from dataclasses import replace
from itertools import cycle
from typing import Any

import pytest
from flask import Flask
from werkzeug.test import TestResponse

from domain.catalogue import games
from domain.dice import seeded
from domain.table.commands import Play
from domain.table.view import moves, to_move
from events.store import command_key
from service.app import wire
from service.limits import Limits
from tests.service.asking import Api, Sat, api_on, fresh
from tests.stores import empty_store

TABLES = int(os.environ.get("HISTORY_TABLES", "1"))
every_game = pytest.mark.parametrize("game", games())


def new_api() -> Api:
    return api_on(empty_store(), empty_store(), DURABILITY="relaxed")


def unlimited(api: Api) -> Flask:
    """Answer the application as it is for callers with all the time in the world."""
    return wire(replace(api.parts, limits=Limits(api.parts.client, None)))


def got(app: Flask, url: str, token: str | None = None) -> TestResponse:
    """Ask without holding the answer against its schema: other tests do."""
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    return app.test_client().get(url, headers=headers)


def seen_live(table: Sat, seed: str) -> dict[tuple[int | None, int], TestResponse]:
    """Play a table to its end by random moves; answer what was seen, from each seat in turn."""
    door, chance, seen = table.api.parts.door, seeded(seed), {}
    app = unlimited(table.api)
    lookers = cycle([*range(len(table.guests)), None])
    while True:
        looker = next(lookers)
        view = got(app, table.path, None if looker is None else table.guests[looker].token)
        state = door.load(table.id).state
        seen[looker, view.json["version"]] = view  # type: ignore[index]
        if state.phase == "over":
            return seen
        seat = to_move(state)[0]
        legal = moves(state, seat)
        move = Play(seat, legal[chance.pick(len(legal))])
        door.transact(table.id, lambda _, move=move: move, command_key("p", fresh(), {}))  # type: ignore[misc]


@every_game
@pytest.mark.parametrize("number", range(TABLES))
def test_every_version_is_seen_again_as_it_was_live(game: str, number: int) -> None:
    api, elsewhere = new_api(), new_api()
    seats = games()[game].seats[number % len(games()[game].seats)]
    table = api.table(*(api.guest() for _ in range(seats)), game=game)
    seen = seen_live(table, f"{game} {number}")
    here, there = unlimited(api), unlimited(elsewhere)
    record = got(here, f"{table.path}/record?redaction=full").data
    brought = elsewhere.ask(
        "POST", "/v1/records", elsewhere.guest().token, record, Content_Type="application/x-ndjson"
    )
    assert brought.status == 201
    assert got(there, f"{table.path}/record?redaction=full").data == record
    for at, ((looker, version), then) in enumerate(seen.items()):
        url = f"{table.path}?version={version}&as={'spectator' if looker is None else looker}"
        again = got(here, url)
        assert (again.data, again.headers["ETag"]) == (then.data, then.headers["ETag"])
        if at % 7 == 0:
            imported = got(there, url).json
            assert imported == {**then.json, "imported": True}  # type: ignore[dict-item]


@every_game
@pytest.mark.parametrize("language", ["en", "fr"])
def test_texts_alone_suffice_to_follow_a_game(game: str, language: str) -> None:
    api = new_api()
    seats = games()[game].seats[0]
    table = api.table(*(api.guest() for _ in range(seats)), game=game)
    table.play_out()
    cards = {each["id"]: each["name"] for each in games()[game].cards(language)}  # type: ignore[arg-type]
    told: list[dict[str, Any]] = []
    for reader in ("0", "spectator", "arbiter"):
        after, told = 0, []
        while True:
            url = f"{table.path}/events?after={after}&as={reader}"
            page = api.get(url, Accept_Language=language).json
            told += page["items"]
            if told[-1]["version"] == page["version"]:
                break
            after = told[-1]["version"]
        assert [each["version"] for each in told] == list(range(1, len(told) + 1))
        for each in told:
            text = each["text"]
            assert text.strip() == text
            assert text
            assert "{" not in text
            assert each["type"] not in text
            assert text[0] == text[0].upper()
            # Whatever a step shows of the cards, its text names.
            for name in _named(each, cards):
                assert name in text, (each, name)
    salted = [each for each in told if "salt" in each]
    assert salted


def _named(notice: dict[str, Any], cards: dict[str, str]) -> list[str]:
    """Answer the names of the cards that the fields of a notice show one by one."""
    return [
        cards[value]
        for name, value in notice.items()
        if name in ("card", "cooked", "spell") and isinstance(value, str) and value in cards
    ]
