"""Addresses and ports that cannot be are refused in one sentence, and every option has a help."""

from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from service.__main__ import main
from service.command_line import Subcommands
from service.supervise.port import free_port

COMMANDS = Subcommands().list_commands(click.Context(main))


@pytest.mark.parametrize("command", [("simulate", "potage_sauvage", "--seats=2"), ("mcp",)])
@pytest.mark.parametrize(
    "url",
    [
        "localhost:8000", "http://", "http://[", "http://localhost:99999", "http://localhost:x",
        "http://a b/", "http://localhost/?x", "http://me@localhost/", "redis://localhost",
    ],
)  # fmt: skip
def test_an_address_that_is_none(command: tuple[str, ...], url: str) -> None:
    result = CliRunner().invoke(main, [*command, f"--url={url}"], prog_name="abraxas")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == (
        f"abraxas: {url} is no address of a server: it starts with http:// or https://.\n"
    )


def test_one_port_for_the_api_and_live_updates(tmp_path: Path) -> None:
    port = free_port("127.0.0.1", 0)
    result = CliRunner().invoke(
        main, ["serve", f"--port={port}", f"--data={tmp_path}"],
        env={"ABRAXAS_LIVE_PORT": str(port)}, prog_name="abraxas",
    )  # fmt: skip
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == (
        f"abraxas: Port {port} is the API's: choose another ABRAXAS_LIVE_PORT.\n"
    )


@pytest.mark.parametrize("name", COMMANDS)
def test_every_option_says_what_it_is_for(name: str) -> None:
    command = Subcommands().get_command(click.Context(main), name)
    assert command
    assert command.help
    options = [each for each in command.params if isinstance(each, click.Option)]
    assert [each.name for each in options if not each.help] == []
