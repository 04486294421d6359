"""The page folds a record by itself: at every version it must see what the server shows.

``RECORDS=200`` in the environment compares the final scores of more tables than the usual few.
"""

import json
import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from domain.catalogue import games
from domain.dice import seeded
from domain.game import AnyGame, Language, Seat, View
from domain.table.commands import Play, Sit
from domain.table.fork import fork
from domain.table.state import Origin
from domain.table.view import moves, to_move, view
from events.loaded import Loaded, fold, unopened
from events.notices import notice
from events.records import record
from service.pages.replay import texts_of
from tests.events.histories import History, finished, opening, recorded_as, sitting

RECORDS = int(os.environ.get("RECORDS", "5"))
PROGRAM = Path(__file__).with_name("fold_records.mjs")
NODE = shutil.which("node")
LANGUAGES: tuple[Language, ...] = ("en", "fr")
pytestmark = pytest.mark.skipif(NODE is None, reason="node is not installed")
every_game = pytest.mark.parametrize("game", games().values(), ids=lambda game: str(game.name))


def folded(*records: bytes, every: bool, resumed: Any = None) -> list[Any]:
    """Answer what the page makes of records, at every version or at the last only.

    ``resumed`` is the view of a version that the page goes on from.
    """
    texts = {name: {each: texts_of(name, each) for each in LANGUAGES} for name in games()}
    asked = {
        "records": [each.decode() for each in records],
        "texts": texts,
        "every": every,
        "resumed": resumed,
    }
    answer = subprocess.run(
        [str(NODE), PROGRAM], input=json.dumps(asked), capture_output=True, text=True, check=False
    )
    assert answer.returncode == 0, answer.stderr
    return [json.loads(line) for line in answer.stdout.splitlines()]


def moments(history: History) -> Iterator[Loaded]:
    loaded = unopened(history.table)
    for each in history.recorded:
        loaded = fold(loaded, [each])
        yield loaded


def shown(play: View, viewer: str) -> View:
    """Answer a view of the server in the terms of the page."""
    told = dict(play)
    hand, sizes, opened = told.pop("hand"), told.pop("hand_sizes"), told.pop("open", {})
    hands = [[None] * size for size in sizes]
    if viewer == "arbiter":
        # At the end the server shows no hands any more; the page leaves them on the table.
        return told | ({"hands": opened["hands"]} if opened else {})
    if hand is not None:
        hands[int(viewer)] = hand
    return told | {"hands": hands}


def as_page(game: str, play: View, viewer: str) -> View:
    """Flatten what the page keeps side by side."""
    told = shown(play, viewer)
    match game:
        case "potage_sauvage":
            recipes = told.pop("recipes")
            chosen = play.get("open", {}).get("chosen", recipes["chosen"])
            told |= {"chosen": chosen, "left": recipes["left"]}
        case "magic_cooking":
            mages = told.pop("mages")
            told |= {"mages": [each["mage"] for each in mages]}
            told |= {"spent": [each["spent"] for each in mages] or None}
            cauldron = told.pop("cauldron")
            told |= {"visible": cauldron["visible"], "hidden": cauldron["hidden"]}
            told |= {"secret": play.get("open", {}).get("secret", cauldron["secret"]) or None}
            told["waiting"] = told.pop("waiting_for")
        case _:
            sides = told.pop("sides")
            for name in ("energy", "sapphires"):
                told[name] = [each[name] for each in sides]
            told["piles"] = dict(told["piles"])
            pending = told["pending"]
            if pending is not None:
                pending.pop("max")
                if viewer == "arbiter":
                    pending.pop("options")
    return told


def of_page(moment: Any, wanted: View) -> View:
    """Answer what the page has where the server shows something."""
    table = moment["table"] | {"waiting": moment["waiting"]}
    if wanted.get("spent", ()) is None:
        table["spent"] = None
    if wanted.get("pending") and table.get("pending"):
        named = wanted["pending"]
        table["pending"] = {name: table["pending"][name] for name in named}
    if "effects" in wanted:
        names = ("kind", "side", "until_turn_of", "pile")
        table["effects"] = [{name: each[name] for name in names} for each in table["effects"]]
    return {name: table[name] for name in wanted}


def assert_equal_views(history: History, pages: Any, after: int = 0) -> None:
    """Hold what the page sees after a version against the views of the server."""
    for version, loaded in enumerate(moments(history), 1):
        for viewer, moments_seen in pages.items():
            moment = moments_seen[version - 1]
            who: Any = int(viewer) if viewer.isdigit() else viewer
            seen = view(loaded.state, who)
            assert moment["broken"] is None
            assert moment["sitting"]["phase"] == seen["phase"]
            if seen["play"] is not None and version > after:
                wanted = as_page(history.state.playing.name, seen["play"], viewer)
                assert of_page(moment, wanted) == wanted, (version, viewer)


@every_game
def test_at_every_version_the_page_sees_what_the_server_shows(game: AnyGame) -> None:
    for seats in (game.seats[0], game.seats[-1]):
        history = finished(game, seats, level="greedy" if seats == 2 else "random")
        (pages,) = folded(recorded_as(history), every=True)
        assert set(pages) == {*map(str, range(seats)), "spectator", "arbiter"}
        assert_equal_views(history, pages)


def forked(game: AnyGame) -> History:
    """Answer a finished what-if that began in the middle of another table."""
    parent = History("parent")
    parent.carry_out(opening(game, game.seats[-1]), *sitting(game.seats[-1]))
    for _ in range(25):
        seat = to_move(parent.state)[0]
        parent.carry_out(Play(seat, moves(parent.state, seat)[0]))
    command = fork(
        parent.state,
        Origin("parent", len(parent.recorded)),
        viewer=Seat(0),
        dice=seeded("fork"),
        opener="ann",
        key="0f" * 32,
        sitting=tuple(Sit(None, bot="random") for _ in parent.state.chairs),
    )
    return History("child").carry_out(command).play_out()


@every_game
def test_a_what_if_goes_on_from_its_position(game: AnyGame) -> None:
    history = forked(game)
    (pages,) = folded(recorded_as(history), every=True)
    assert_equal_views(history, pages)


@every_game
def test_a_what_if_that_hides_its_position_goes_on_from_a_view(game: AnyGame) -> None:
    history = forked(game)
    started = next(each for each in history.recorded if each.kind == "GameStarted").version
    state = fold(unopened(history.table), history.recorded[:started]).state
    resumed = {"version": started, "play": view(state, Seat(1))["play"]}
    copy = recorded_as(history, "seat", seat=1)
    (pages,) = folded(copy, every=True, resumed=resumed)
    assert_equal_views(history, {"1": pages["1"]}, after=started - 1)


@every_game
def test_the_page_says_every_event_in_the_servers_words(game: AnyGame) -> None:
    history = finished(game, game.seats[-1])
    (pages,) = folded(recorded_as(history), every=True)
    for viewer, moments_seen in pages.items():
        reader: Any = int(viewer) if viewer.isdigit() else viewer
        for each, moment in zip(history.recorded, moments_seen, strict=True):
            for language, text in zip(LANGUAGES, moment["texts"], strict=True):
                told = json.loads(notice(each, reader, language, history.state))
                assert text == told["text"]


@every_game
def test_final_scores_are_the_servers(game: AnyGame) -> None:
    seats = list(game.seats)
    histories = [finished(game, seats[i % len(seats)], f"end {i}") for i in range(RECORDS)]
    pages = folded(*(recorded_as(each, "public") for each in histories), every=False)
    for history, page in zip(histories, pages, strict=True):
        result = game.result(history.state.play)
        table = page["spectator"][-1]["table"]
        assert result is not None
        assert table["winners"] == result["winners"]
        assert table.get("scores") == result.get("scores")
        assert table.get("reason") == result.get("reason")


@every_game
def test_a_golden_record_can_still_be_looked_at(game: AnyGame) -> None:
    golden = Path(__file__).parents[2] / "events/records/golden_records" / f"{game.name}.jsonl"
    content = golden.read_bytes()
    (page,) = folded(content, every=True)
    result = game.result(record.import_record(content).loaded.state.play)
    last = page["arbiter"][-1]["table"]
    assert result is not None
    assert last["winners"] == result["winners"]
