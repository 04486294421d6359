"""The `abraxas` command: one file for each subcommand, found by its name, imported when used."""

import os
from importlib import import_module
from pkgutil import iter_modules
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from service.settings import Settings


class Refused(click.ClickException):
    """End the command with one sentence and exit code 2."""

    exit_code = 2

    def show(self, file: object = None) -> None:  # noqa: ARG002 - click's signature
        """Print the sentence."""
        click.echo(f"abraxas: {self.format_message()}", err=True)


class Subcommands(click.Group):
    """Find a subcommand in the file of its name, so that none costs another's imports."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        """Answer the names, sorted."""
        return sorted(found.name for found in iter_modules(__path__))

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Answer the ``command`` of the file, or None."""
        if cmd_name not in self.list_commands(ctx):
            return None
        found = import_module(f"{__name__}.{cmd_name}").command
        return found if isinstance(found, click.Command) else None


def read_settings(**given: Any) -> "Settings":
    """Answer the settings from the environment, with what was given (not None) on the line."""
    from dataclasses import replace

    from service.settings import BadSetting, settings_from_env

    environ = dict(os.environ)
    if given.get("data") is not None:
        # Where the embedded store can be reached follows from its folder.
        environ["ABRAXAS_DATA"] = str(given.pop("data"))
    try:
        settings = settings_from_env(environ)
    except BadSetting as bad:
        raise Refused(str(bad)) from None
    return replace(settings, **{name: value for name, value in given.items() if value is not None})


def server_at(url: str | None) -> str:
    """Answer the address of a server, this machine's unless one is given."""
    from service.settings import root_url

    if url is None:
        return f"http://127.0.0.1:{read_settings().port}"
    try:
        return root_url(url)
    except ValueError:
        raise Refused(
            f"{url} is no address of a server: it starts with http:// or https://."
        ) from None


def check_store_or_warn(settings: "Settings") -> None:
    """Refuse a store that could lose moves; only warn of one that does not answer yet."""
    from service.processes.store_check import CannotReach, check_store
    from service.supervise.refusal import CannotServe

    try:
        check_store(settings)
    except CannotReach as refusal:
        if settings.embedded:
            raise Refused(str(refusal)) from None
        click.echo(f"abraxas: {refusal} Waiting for it.", err=True)
    except CannotServe as refusal:
        raise Refused(str(refusal)) from None


HOST = click.option(
    "--host",
    help="The address to listen on.  [default: ABRAXAS_HOST, else 127.0.0.1]",
)
PORT = click.option(
    "--port",
    type=click.IntRange(0, 65535),
    help="The port to listen on, 0 for any free one.  [default: ABRAXAS_PORT, else 8000]",
)
DATA = click.option(
    "--data",
    type=click.Path(file_okay=False),
    help="The folder of the store's data.  [default: ABRAXAS_DATA, else ./var]",
)
