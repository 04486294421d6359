"""abraxas doctor: what is wrong with a store, and what to do."""

import sys

import click

from service.command_line import DATA, Refused, read_settings


@click.command()
@DATA
@click.option(
    "--sample", type=click.IntRange(1), default=200, show_default=True,
    help="How many tables are compared with their histories.",
)  # fmt: skip
@click.option("--all", "all_", is_flag=True, help="Compare every table, not a sample.")
def command(*, data: str | None, sample: int, all_: bool) -> None:
    """Look through the store for what is wrong, and say what to do; exit code 1 if anything is."""
    from events.servers.append_only import examine as look_through_files
    from events.servers.connection import StoreError
    from service.doctor.examine import examine
    from service.processes.store_check import CannotReach, check_store
    from service.supervise.refusal import CannotServe

    settings = read_settings(data=data)
    found = 0
    try:
        check_store(settings)
    except CannotReach as refusal:
        broken = look_through_files(settings.data) if settings.embedded else None
        if broken is None:
            raise Refused(str(refusal)) from None
        click.echo(f"WRONG  {broken.wrong}\n       {broken.advice}")
        sys.exit(1)
    except CannotServe as wrong:
        found += 1
        click.echo(f"WRONG  {wrong}")
    try:
        for finding in examine(settings, None if all_ else sample, click.echo):
            found += 1
            about = f"Table {finding.table}: " if finding.table else ""
            click.echo(f"WRONG  {about}{finding.wrong}\n       {finding.advice}")
    except StoreError as failure:
        raise click.ClickException(f"The store went away: {failure}.") from None
    many = "1 finding." if found == 1 else f"{found} findings."
    click.echo(many if found else "Nothing is wrong.")
    sys.exit(1 if found else 0)
