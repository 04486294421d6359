"""The README's commands do what the README says, word for word."""

import re
import subprocess
from pathlib import Path

import pytest

from tests.e2e.server import serving

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
SESSION = "".join(re.findall(r"^```sh\n(.+?)^```\n", README, re.MULTILINE | re.DOTALL))

pytestmark = pytest.mark.e2e


def test_the_curl_session_plays_a_move(tmp_path: Path) -> None:
    assert "http://127.0.0.1:8000" in SESSION
    with serving(tmp_path / "var") as server:
        session = SESSION.replace("http://127.0.0.1:8000", server.url)
        ran = subprocess.run(
            ["bash", "-euo", "pipefail", "-c", session],
            capture_output=True,
            text=True,
            timeout=60,
            cwd=tmp_path,
        )
    print(ran.stdout)
    assert (ran.returncode, ran.stderr) == (0, "")


def test_every_make_target_of_the_readme_is_there() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    named = set(re.findall(r"\bmake (\w+)", README))
    assert named >= {"run", "test"}
    assert {name for name in named if not re.search(rf"^{name}:", makefile, re.MULTILINE)} == set()
