"""The `abraxas` command."""

import click

from service.command_line import Subcommands


@click.command(cls=Subcommands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="abraxas")
def main() -> None:
    """Abraxas, a table server for card games with hidden hands."""


if __name__ == "__main__":
    main(prog_name="abraxas")
