"""Files stay small and finished, are on the map, and know no machine they were written on."""

import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from tests.architecture.tree import ROOT, files, name_of, package_files, top_folders

LONGEST = 400
CODE = (".py", ".lua", ".js", ".css", ".html")
MACHINE_PATHS = re.compile(r"(?<![\w.])/(?:work|tmp|root|home)/")
DRAWN = ROOT / "service" / "web" / "guides"
"""Pages that are drawn from docs/, as long as what they are drawn from."""

# Bracketed, so that this file does not find itself.
UNFINISHED = re.compile(r"\b(?:TO[D]O|FIX[M]E|XX[X])\b")


WRITTEN = [path for path in package_files(*CODE) if DRAWN not in path.parents]


def test_a_file_of_the_packages_can_be_read_in_one_sitting() -> None:
    lengths = {name_of(each): len(each.read_text("utf-8").splitlines()) for each in WRITTEN}
    assert {name: length for name, length in lengths.items() if length > LONGEST} == {}


def texts() -> Iterator[tuple[Path, str]]:
    """Answer every file that is a text."""
    for path in files():
        with suppress(UnicodeDecodeError):
            yield path, path.read_text(encoding="utf-8")


def test_no_file_knows_a_machine_path_or_leaves_work_undone() -> None:
    found = {
        name_of(path): wrong
        for path, text in texts()
        if (wrong := MACHINE_PATHS.findall(text) + UNFINISHED.findall(text))
    }
    assert found == {}


@pytest.mark.parametrize("folder", ["work", "tmp", "root", "home"])
def test_a_machine_path_is_found(folder: str) -> None:
    assert MACHINE_PATHS.search(f'open("/{folder}/notes")')
    assert not MACHINE_PATHS.search(f"https://example.org/{folder}/notes")


def mapped_folders() -> set[str]:
    """Read the folders at the left edge of the README's map."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    section = re.search(r"^## The map\n(.+?)(?=^## |\Z)", readme, re.MULTILINE | re.DOTALL)
    assert section, "README.md has lost its map"
    return set(re.findall(r"^([\w.-]+)/ ", section[1], re.MULTILINE))


def test_the_readme_maps_every_top_folder_and_no_other() -> None:
    assert mapped_folders() == top_folders()


def test_a_top_folder_beyond_the_five_has_its_reason_on_record() -> None:
    beyond = top_folders() - {"service", "domain", "events", "workers", "tests"}
    reasons = "".join(p.read_text(encoding="utf-8") for p in (ROOT / "docs" / "adr").glob("0*.md"))
    assert {name for name in beyond if f"`{name}/`" not in reasons} == set()
