"""abraxas rebuild: a projection built anew from the histories, while it goes on being read."""

import time

import click

from service.command_line import DATA, Refused, read_settings


@click.command()
@DATA
@click.argument("projection")
@click.option(
    "--sample", type=click.IntRange(1), default=200, show_default=True,
    help="How many tables are compared with their histories.",
)  # fmt: skip
@click.option(
    "--keep", type=click.IntRange(0), default=30, show_default=True,
    help="Seconds for which the old one is kept once the new one is read.",
)  # fmt: skip
@click.option(
    "--processes", type=click.IntRange(1, 16), default=1, show_default=True,
    help="How many draw side by side; each takes a core.",
)  # fmt: skip
def command(*, data: str | None, projection: str, sample: int, keep: int, processes: int) -> None:
    """Build a projection anew beside the old one, compare it, and switch; nobody notices.

    The first event that cannot be drawn stops it, with exit code 2 and nothing changed.
    """
    from events.archive.file import shelf_in
    from events.servers.connection import StoreError, connect
    from events.store import EventStore
    from service.processes.store_check import check_store
    from service.supervise.refusal import CannotServe
    from workers.projections import PROJECTIONS
    from workers.rebuild import CannotRebuild, rebuild

    settings = read_settings(data=data)
    known = {each.name: each for each in PROJECTIONS}
    if projection not in known:
        raise Refused(f"There is no projection {projection}; there are {', '.join(sorted(known))}.")

    def wait() -> None:
        click.echo(f"Switched; the old one is kept for {keep} s.")
        time.sleep(keep)

    def opened() -> EventStore:
        client = connect(settings.redis_url, timeout=30.0)
        return EventStore(client, shelf=shelf_in(settings.data))

    try:
        check_store(settings)
        done = rebuild(
            opened(),
            known[projection],
            sample=sample,
            keep=wait,
            processes=processes,
            reopened=opened,
        )
    except (CannotServe, CannotRebuild) as refusal:
        raise Refused(str(refusal)) from None
    except StoreError as failure:
        raise click.ClickException(f"The store went away: {failure}.") from None
    click.echo(
        f"Rebuilt {projection} from {done.tables} tables ({done.lists} lists),"
        f" {done.compared} of them compared."
    )
