"""The README's commands do what the README says, word for word."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.e2e.server import environment, serving

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
SESSION = "".join(re.findall(r"^```sh\n(.+?)^```\n", README, re.MULTILINE | re.DOTALL))
AGAIN = """
ask -i -H "Authorization: Bearer $ben" -H 'Idempotency-Key: ben-2' \
  -d "$move" $api/tables/$table/commands
"""
"""What the README asks to be typed a second time."""

pytestmark = pytest.mark.e2e


def test_the_curl_session_plays_a_move_and_the_simulation_plays_on(tmp_path: Path) -> None:
    with serving(tmp_path / "var") as server:
        ran = session(SESSION + AGAIN, server.url, server.port)
    assert (ran.returncode, ran.stderr) == (0, "")

    told = [line for line in ran.stdout.splitlines() if line.startswith("{")]
    sat, chosen, revealed, played, events, again = map(json.loads, told)
    assert sat["seat"] == 1
    assert [each["type"] for each in chosen["notices"]] == ["RecipeChosen"]
    assert [each["type"] for each in revealed["notices"]] == ["RecipeChosen", "RecipesRevealed"]
    card = played["notices"][0]
    assert (card["type"], card["seat"]) == ("CardPlayed", 1)
    assert events["version"] == played["version"] == events["items"][-1]["version"]
    assert again == played
    assert "idempotent-replayed: true" in ran.stdout.lower()
    assert "3 tables of potage_sauvage with 3 seats: " in ran.stdout


def session(script: str, url: str, port: int) -> "subprocess.CompletedProcess[str]":
    """Run what the README says as if the server was where the README says."""
    script = script.replace("http://127.0.0.1:8000", url)
    # Fewer of the same do.
    script = script.replace("--tables 20", "--tables 3")
    # Whatever environment these tests run in has the command beside its Python.
    script = script.replace(".venv/bin/", f"{Path(sys.executable).parent}{os.sep}")
    return subprocess.run(
        ["bash", "-euo", "pipefail", "-c", script],
        env=environment() | {"ABRAXAS_PORT": str(port)},
        capture_output=True,
        text=True,
        timeout=100,
    )


def test_every_make_target_of_the_readme_is_there() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    named = set(re.findall(r"\bmake (\w+)", README))
    assert named >= {"run", "test"}
    assert {name for name in named if not re.search(rf"^{name}:", makefile, re.MULTILINE)} == set()
