"""The rules page of each game, which players read: its numbers, names and tests."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import fields

from domain.catalogue import games
from domain.game import AnyGame

every_game = pytest.mark.parametrize(
    "game", [pytest.param(game, id=game.name) for game in games().values()]
)
FOLDERS = Path(__file__).parents[2] / "domain"
REMARK = re.compile(r'"""(?:[^"]|"(?!""))*"""|# .*')
CITATION = re.compile(r"\b([ADR]\d+|rulings? \d+)\b|[(, ](\d\.\d+)(?=[,)]| to )")
NUMBER = re.compile(r"\b([ADR]\d+)\b|^(\d\.\d+) |^\| (\d+) \|", re.MULTILINE)


@every_game
def test_the_rules_page_names_every_refusal_and_option(game: AnyGame) -> None:
    page = page_of(game)
    names = [*game.texts.words["en"]["refusals"], *(field.name for field in fields(game.options))]
    assert [name for name in names if f"`{name}`" not in page] == []


@every_game
def test_the_rules_that_code_cites_by_number_are_in_the_rules_page(game: AnyGame) -> None:
    there = set(numbers(NUMBER, page_of(game)))
    cited = {
        (path.name, number)
        for path in (FOLDERS / game.name).glob("*.py")
        for remark in REMARK.findall(path.read_text("utf-8"))
        for number in numbers(CITATION, remark)
    }
    assert cited
    assert {each for each in cited if each[1] not in there} == set()


@every_game
def test_every_ruling_of_the_rules_page_has_a_test_named_after_it(game: AnyGame) -> None:
    page = page_of(game)
    rulings = {
        *re.findall(r"\b[ADRT]\d+\b", page),
        *re.findall(r"^\| (\d+) \|", page, re.MULTILINE),
    }
    folder = Path(__file__).parent / game.name
    tests = "".join(path.read_text("utf-8") for path in folder.glob("test_*.py"))
    assert rulings
    assert {each for each in rulings if f"def test_{each.lower()}_" not in tests} == set()


def page_of(game: AnyGame) -> str:
    return (FOLDERS / game.name / "RULES.md").read_text("utf-8")


def numbers(wanted: re.Pattern[str], text: str) -> Iterator[str]:
    return (found[found.lastindex or 0].split()[-1] for found in wanted.finditer(text))
