"""Names say what is in the room, and a game's name stays in its own."""

import ast
import re
from pathlib import Path

import pytest

from tests.architecture.tree import ROOT, files, name_of, package_files, words_of

NOT_GAMES = {"table"}
GAMES = sorted(
    init.parent.name
    for init in (ROOT / "domain").glob("*/__init__.py")
    if init.parent.name not in NOT_GAMES
)
SPOKEN_AND_SERVED = (".py", ".lua", ".json", ".html", ".js", ".css", ".svg", ".md")


def banned_words() -> set[str]:
    """Read the banned words from the glossary, which is the place where people look."""
    glossary = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8")
    banned = re.search(r"^Banned in file and class names: (.+)\.$", glossary, re.MULTILINE)
    assert banned, "docs/glossary.md has lost its line of banned names"
    return set(re.findall(r"`(\w+)`", banned[1]))


def names_in(path: Path) -> set[str]:
    """Answer the name of a file and, in Python, of its classes."""
    if path.suffix != ".py":
        return {path.stem}
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return {path.stem} | {n.name for n in ast.walk(tree) if isinstance(n, ast.ClassDef)}


def test_the_glossary_bans_the_empty_words() -> None:
    assert {
        "utils",
        "helpers",
        "common",
        "manager",
        "base",
        "misc",
        "core",
        "impl",
    } <= banned_words()


def test_no_file_folder_or_class_has_an_empty_name() -> None:
    banned = banned_words()
    found = {
        (name_of(path), name)
        for path in files()
        for name in names_in(path) | set(path.relative_to(ROOT).parent.parts)
        if words_of(name) & banned
    }
    assert found == set()


@pytest.mark.parametrize("name", ["StoreManager", "table_utils", "base", "JSONImpl", "http-core"])
def test_an_empty_name_is_found(name: str) -> None:
    assert words_of(name) & banned_words()


@pytest.mark.parametrize("name", ["Database", "Score", "implied", "scored_view"])
def test_a_name_that_only_contains_an_empty_word_passes(name: str) -> None:
    assert not words_of(name) & banned_words()


def test_nothing_in_the_packages_has_another_word_for_a_table() -> None:
    glossary = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8")
    row = re.search(r"^\| table \|.+\| ([\w, ]+) \|$", glossary, re.MULTILINE)
    assert row
    others = set(row[1].split(", "))
    assert others == {"match", "room", "session"}
    named = {name for path in package_files(".py") for name in names_in(path)}
    assert {name for name in named if words_of(name) & others} == set()


def spoken(game: str) -> re.Pattern[str]:
    """Match a game's name however it is written: snake_case, CamelCase, or with spaces."""
    return re.compile(game.replace("_", r"[\s_-]*"), re.IGNORECASE)


@pytest.mark.parametrize("game", GAMES)
def test_a_game_is_named_in_its_own_folder_only(game: str) -> None:
    # Its rules, how the replay page draws it, and the drawn pages of docs/, which give examples.
    own = {ROOT / "domain" / game, ROOT / "service/web/replay/games" / game}
    own |= {ROOT / "service/web/guides"}
    spoken_in = package_files(*SPOKEN_AND_SERVED)
    elsewhere = [path for path in spoken_in if own.isdisjoint(path.parents)]
    naming = [name_of(p) for p in elsewhere if spoken(game).search(p.read_text(encoding="utf-8"))]
    assert naming == []


@pytest.mark.parametrize("text", ["two_words", "TwoWords", "Two Words", "TWO-WORDS"])
def test_a_game_is_recognised_however_its_name_is_written(text: str) -> None:
    assert spoken("two_words").search(text)


def test_the_folders_that_are_not_games_export_none() -> None:
    for name in NOT_GAMES:
        for path in (ROOT / "domain" / name).glob("__init__.py"):
            assert not re.search(r"^GAME\b", path.read_text(encoding="utf-8"), re.MULTILINE)
