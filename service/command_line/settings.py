"""abraxas settings: what can be set from outside, and what is set."""

import os
import textwrap

import click

from service.command_line import read_settings


@click.command()
def command() -> None:
    """List every setting: its value, its default and what it means."""
    from service.settings import SETTINGS, masked

    read_settings()
    for setting in SETTINGS:
        value = masked(os.environ.get(setting.name, ""))
        told = f"{setting.name} = {value}" if value else f"{setting.name} is not set"
        click.echo(f"{told}  (default: {setting.default})")
        click.echo(textwrap.indent(textwrap.fill(setting.meaning, 90), "    "))
    known = {setting.name for setting in SETTINGS}
    for name in sorted(os.environ):
        if name.startswith("ABRAXAS_") and name not in known:
            click.echo(f"{name} is set, but is no setting of Abraxas.", err=True)
