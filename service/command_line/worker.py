"""abraxas worker: what happens after the fact, on a store that runs elsewhere."""

import click

from service.command_line import check_store_or_warn, read_settings


@click.command()
@click.argument("queues", nargs=-1, type=click.Choice(["follow", "jobs"]))
def command(queues: tuple[str, ...]) -> None:
    """Run the workers on the store that REDIS_URL names: both, or those of the queues named."""
    from service.processes.workers import QUEUES, run_workers
    from service.settings import environment_of

    settings = read_settings()
    check_store_or_warn(settings)
    run_workers(environment_of(settings), queues or QUEUES)
