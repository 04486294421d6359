"""What docs/agents.md shows runs as it stands there."""

import re
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from service.__main__ import main

DOCS = Path(__file__).resolve().parents[3] / "docs" / "agents.md"


def test_the_program_for_learners_plays_a_table_to_its_end() -> None:
    (program,) = re.findall(r"```python\n(.+?)```", DOCS.read_text(encoding="utf-8"), re.DOTALL)
    names: dict[str, object] = {}
    exec(program, names)
    assert vars(names["table"])["env"].agents == []
    assert names["over"]


def test_a_server_that_has_no_address_is_refused_in_one_sentence() -> None:
    told = CliRunner().invoke(main, ["mcp", "--url", "tables.example"], prog_name="abraxas")
    assert told.exit_code == 2
    assert told.stderr == (
        "abraxas: tables.example is no address of a server: it starts with http:// or https://.\n"
    )


def test_without_the_extra_the_command_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in [name for name in sys.modules if name.startswith("service.agents")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "httpx2", None)
    told = CliRunner().invoke(main, ["mcp"], prog_name="abraxas")
    assert told.exit_code == 2
    assert told.stderr == "abraxas: This needs the extra: pip install 'abraxas[mcp]'.\n"
