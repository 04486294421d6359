"""The tests are not blind: they kill mutants, and the runner knows a dead one from a living one."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.mutation import lua, python
from tests.mutation.changes import ROOT, Change, Draft, Mutant, made
from tests.mutation.explained import read_explanations
from tests.mutation.forks import Verdict
from tests.mutation.report import interval, table, unexplained, wrong
from tests.mutation.rooms import QUICK


def changes(*drafts: Draft) -> set[tuple[str, str]]:
    found = made(("", draft) for draft in drafts)
    return {(each.change.was, each.change.becomes) for _, each in found}


def verdict(was: str, *, killed: bool, file: str = "events/append.lua") -> Verdict:
    mutant = Mutant(Change(file, "", 1, was, "nil"), None, lambda: None)
    return Verdict(mutant, killed, "test_something")


def test_a_sample_of_mutants_is_killed_each_by_a_test(tmp_path: Path) -> None:
    """That the product itself survives is seen to before the first mutant."""
    told = tmp_path / "verdicts.json"
    command = [sys.executable, "-m", "tests.mutation", QUICK, "--json", str(told)]
    run = subprocess.run([*command, "--sample", "20"], cwd=ROOT, capture_output=True, text=True)
    assert told.exists(), run.stdout + run.stderr
    found = json.loads(told.read_text(encoding="utf-8"))
    assert len(found) == 20
    assert [each for each in found if "::test_" not in each["by"]] == []
    assert run.returncode == 0, run.stdout
    assert {Path(each["file"]).suffix for each in found} == {".py", ".lua"}
    assert len({each["by"] for each in found}) > 5


def test_rules_are_changed_in_every_way_that_matters() -> None:
    file = "domain/potage_sauvage/pot.py"
    assert changes(*python.mutants_of(file)) > {
        ('if face.kind == "reset":', "if True:"),
        ('if face.kind == "reset":', "if False:"),
        ('if face.kind == "reset":', 'if face.kind != "reset":'),
        ("if leads and face.value == 10:", "if leads or face.value == 10:"),
        ("if leads and face.value == 10:", "if leads and face.value == 11:"),
        ("return total + face.value", "return total - face.value"),
        ("return None, True", "return None, False"),
        ("return None, True", "return None"),
    }


def test_scripts_are_changed_in_every_way_that_matters() -> None:
    assert changes(*lua.mutants_of(lua.COMMIT)) > {
        ("return 'fenced'", "return nil"),
        ("if all[i] ~= 'token' then", "if all[i] == 'token' then"),
        ("if all[i] ~= 'token' then", "if true then"),
        ("lowest = position", ""),
        ("for i = 1, #all, 2 do", "for i = 2, #all, 2 do"),
        ("if not lowest or position < lowest then", "if not lowest and position < lowest then"),
        ("if not lowest or position < lowest then", "if not lowest or position <= lowest then"),
    }


def test_nothing_is_taken_for_a_mutant_that_is_the_same_code() -> None:
    """Not even where lists are said to be equally long, or what is never reached is refused."""
    file = "domain/potage_sauvage/evolve.py"
    found = [each for _, each in changes(*python.mutants_of(file))]
    assert found
    assert not any("strict=None" in each or "assert_never(None)" in each for each in found)


@pytest.mark.parametrize("name", read_explanations(), ids=str)
def test_an_explained_survivor_changes_a_line_of_the_product(
    name: tuple[str, str, str, str],
) -> None:
    """When the line has changed, its explanation may hold no more."""
    file, _, was, becomes = name
    assert was != becomes
    assert was in " ".join((ROOT / file).read_text(encoding="utf-8").split())


def test_a_run_ends_badly_until_every_survivor_is_explained() -> None:
    found = [verdict("a", killed=False), *[verdict("b", killed=True)] * 9]
    assert len(wrong(found, {})) == len(unexplained(found, {})) == 1
    explained = {found[0].mutant.change.name: "because"}
    assert wrong(found, explained) == unexplained(found, explained) == []


def test_a_run_ends_badly_if_what_was_explained_is_killed_or_nothing_was_tried() -> None:
    dead = verdict("a", killed=True)
    assert wrong([dead], {}) == []
    assert len(wrong([dead], {dead.mutant.change.name: "because"})) == 1
    assert len(wrong([], {})) == 1


def test_the_table_counts_by_file() -> None:
    found = [verdict("a", killed=True), verdict("b", killed=False, file="c.py")]
    rows = table(found, {found[1].mutant.change.name: "because"}).splitlines()[2:]
    assert rows == [
        "| `events/append.lua` | 1 | 1 (100.0%) | 0 | 0 |",
        "| `c.py` | 1 | 0 (0.0%) | 1 | 1 |",
        "| all | 2 | 1 (50.0%) | 1 | 1 |",
    ]


def test_an_interval_of_a_sample_is_wilsons() -> None:
    low, high = interval(170, 200)
    assert (round(low, 3), round(high, 3)) == (0.794, 0.893)
    assert interval(20, 20)[1] == pytest.approx(1.0)
