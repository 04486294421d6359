"""Scenario files: what they may say and how a difference is told."""

import json
from pathlib import Path
from typing import Any

import pytest

from domain.catalogue import games
from domain.scenario import Difference, main, play_scenario

GAME = games()["potage_sauvage"]
HEAD: dict[str, Any] = {"game": GAME.name, "seats": 2, "options": {}}
CHOOSE = {"type": "choose_recipe", "recipe": "fruits"}


def difference(*steps: Any, **head: Any) -> str:
    with pytest.raises(Difference) as found:
        play_scenario({**HEAD, **head, "steps": steps})
    return str(found.value)


def test_the_example_of_the_format_plays() -> None:
    play_scenario(
        {
            **HEAD,
            "shuffles": [["I10", "I3"]],
            "picks": [],
            "steps": [
                {"seat": 0, "command": CHOOSE},
                {
                    "seat": 1,
                    "command": {"type": "play_card", "card": "I3"},
                    "refused": "wrong-phase",
                },
                {"check": {"viewer": 0, "path": "play.hand_sizes.0", "equals": 13}},
                {
                    "moves": {
                        "seat": 1,
                        "include": [{"type": "choose_recipe", "recipe": "waste"}],
                        "exclude": [],
                        "count": 5,
                    }
                },
            ],
        }
    )


def test_a_check_may_name_several_paths() -> None:
    seen = {"play.deal": 1, "viewer.seat": None}
    play_scenario({**HEAD, "steps": [{"check": {"viewer": "spectator", "all": seen}}]})


@pytest.mark.parametrize(
    ("step", "told"),
    [
        ({"seat": 0, "command": CHOOSE, "refused": "wrong-phase"}, "accepted, expected refused"),
        ({"seat": 0, "command": {"type": "play_card", "card": "W1"}}, "refused 'wrong-phase'"),
        ({"seat": 0, "command": {"type": "play_card", "card": "W9"}}, "bad field card"),
        ({"seat": 0, "command": {"type": "fly"}}, "bad field type"),
        ({"check": {"viewer": 0, "path": "play.deal", "equals": 2}}, "is 1, expected 2"),
        ({"check": {"viewer": 0, "path": "play.nothing", "equals": 2}}, "nothing at"),
        ({"moves": {"seat": 0, "include": [{"type": "fly"}]}}, "not among the moves"),
        ({"moves": {"seat": 0, "exclude": [CHOOSE]}}, "is among the moves"),
        ({"moves": {"seat": 0, "count": 1}}, "5 moves, expected 1"),
        ({"dance": True}, "a step has one of"),
        ({"seat": -1, "command": CHOOSE}, "-1 is no seat of this table"),
        ({"seat": 2, "command": CHOOSE}, "2 is no seat of this table"),
        ({"seat": "0", "command": CHOOSE}, "'0' is no seat of this table"),
        ({"moves": {"seat": 9, "count": 0}}, "9 is no seat of this table"),
        ({"check": {"viewer": -1, "path": "play.deal", "equals": 1}}, "-1 is no seat"),
        ({"check": {"viewer": True, "path": "play.deal", "equals": 1}}, "True is no seat"),
        ({"check": {"viewer": "arbiter", "path": "play.deal", "equals": 1}}, "once the table is"),
        ({"check": {"viewer": 0, "path": "seats.-1.seat", "equals": 1}}, "nothing at"),
        (5, "step 1: "),
        ({"moves": {"seat": 0, "cuont": 1}}, "unknown fields: cuont"),
    ],
)
def test_a_difference_is_told_with_its_step(step: Any, told: str) -> None:
    said = difference({"moves": {"seat": 0}}, step)
    assert said.startswith("step 1: ")
    assert told in said


def test_a_bad_field_may_be_expected() -> None:
    bad = {"type": "play_card", "card": "W9"}
    play_scenario({**HEAD, "steps": [{"seat": 0, "command": bad, "refused": "bad-field"}]})


@pytest.mark.parametrize(
    "head",
    [
        {"seats": 9}, {"options": {"starting_points": -1}}, {"game": "chess"}, {"shufles": []},
        {"seats": "2"}, {"options": 5}, {"game": []}, {"shuffles": 5}, {"picks": 5},
    ],
)  # fmt: skip
def test_a_scenario_that_cannot_start_says_why(head: dict[str, Any]) -> None:
    assert difference(**head)


def test_a_shuffle_that_cannot_be_says_so() -> None:
    assert "not in the deck" in difference(shuffles=[["W1", "W1", "W1"]])


def test_the_command_names_file_step_and_difference(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    right, wrong = tmp_path / "right.json", tmp_path / "wrong.json"
    none = tmp_path / "none.json"
    none.write_text("[]")
    right.write_text(json.dumps(HEAD))
    wrong.write_text(json.dumps({**HEAD, "steps": [{"moves": {"seat": 0, "count": 1}}]}))
    assert main([str(right)]) == 0
    assert main([str(none), str(right), str(wrong), str(tmp_path / "missing.json")]) == 1
    told = capsys.readouterr()
    assert f"{wrong}: step 0: 5 moves, expected 1" in told.err
    assert "missing.json" in told.err
    assert "1 passed, 3 failed" in told.out
    assert main([]) == 2
