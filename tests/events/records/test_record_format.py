"""The page and the schema of the record format say what records are."""

import json
import re
from pathlib import Path
from typing import Any, get_args

import pytest
from jsonschema import Draft202012Validator

from domain.catalogue import games
from domain.game import AnyGame
from domain.table.events import TABLE_EVENTS
from events.chain import FORMAT
from events.records.lines import CHECK, DEEPEST, Redaction
from events.records.record import REASONS
from tests.events.histories import finished, recorded_as
from tests.events.tampering import FORGERIES, forged

DOCS = Path(__file__).parents[3] / "docs"
PAGE = (DOCS / "record-format.md").read_text("utf-8")
SCHEMA = json.loads((DOCS / "record.schema.json").read_text("utf-8"))
LINE = Draft202012Validator(SCHEMA)
PARTS = {
    part: Draft202012Validator({"$defs": SCHEMA["$defs"], "$ref": f"#/$defs/{part}"})
    for part in ("header", "event", "last")
}
GAMES = [pytest.param(game, id=game.name) for game in games().values()]


def kind_of_line(number: int, lines: list[bytes]) -> str:
    return {0: "header", len(lines) - 1: "last"}.get(number, "event")


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("redaction", get_args(Redaction))
def test_every_line_of_a_record_keeps_to_the_schema(game: AnyGame, redaction: Redaction) -> None:
    for seats in {game.seats[0], game.seats[-1]}:
        lines = recorded_as(finished(game, seats), redaction, seat=1).splitlines()
        for number, line in enumerate(lines):
            fields = json.loads(line)
            PARTS[kind_of_line(number, lines)].validate(fields)
            assert number % 16 or LINE.is_valid(fields)


def test_the_schema_is_one() -> None:
    Draft202012Validator.check_schema(SCHEMA)


BADLY_SHAPED = {name: each for name, each in FORGERIES.items() if each.reason == "bad-shape"}
del BADLY_SHAPED["an unsorted audience"]  # a schema knows no order


@pytest.mark.parametrize("name", BADLY_SHAPED)
def test_what_a_checker_finds_badly_shaped_the_schema_refuses(name: str) -> None:
    game = next(iter(games().values()))
    record = recorded_as(finished(game, game.seats[0]))
    lines = forged(record, BADLY_SHAPED[name].change).splitlines()
    assert not all(LINE.is_valid(json.loads(line)) for line in lines)


def test_a_schema_refuses_what_is_missing_or_too_much() -> None:
    game = next(iter(games().values()))
    for redaction in get_args(Redaction):
        record = recorded_as(finished(game, game.seats[0]), redaction, seat=0)
        written: list[dict[str, Any]] = [json.loads(line) for line in record.splitlines()]
        for fields in {(f.get("kind"), *f): f for f in written}.values():
            assert not LINE.is_valid(fields | {"note": 1})
            for name in fields.keys() - {"seat"}:
                assert not LINE.is_valid({n: v for n, v in fields.items() if n != name}), name


def test_the_page_has_every_name_of_the_schema_and_every_reason() -> None:
    quoted = set(re.findall(r"`([^`\n]+)`", re.sub(r"```json\n.+\n```", "", PAGE)))
    for part in ("header", "event", "last"):
        assert set(SCHEMA["$defs"][part]["properties"]) <= quoted
    assert set(REASONS) <= quoted
    assert {kind.__name__ for kind in TABLE_EVENTS} <= quoted
    assert FORMAT in quoted
    assert f"first {CHECK} digits" in PAGE
    assert f"at most {DEEPEST} deep" in PAGE


def test_the_page_shows_lines_with_the_names_they_have() -> None:
    shown = [json.loads(each) for each in re.findall(r"```json\n(.+)\n```", PAGE)]
    for fields, part in zip(shown, ("header", "event", "last"), strict=True):
        assert set(fields) <= set(SCHEMA["$defs"][part]["properties"])
        assert set(SCHEMA["$defs"][part]["required"]) <= set(fields)
        assert list(fields) == sorted(fields)
