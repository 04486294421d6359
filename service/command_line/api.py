"""abraxas api: the HTTP API alone, on a store that runs elsewhere."""

import os

import click

from service.command_line import HOST, PORT, Refused, check_store_or_warn, read_settings


@click.command()
@HOST
@PORT
def command(host: str, port: int | None) -> None:
    """Run the HTTP API alone, on the store that REDIS_URL names."""
    from service.api_process import run_api
    from service.settings import environment_of
    from service.supervise.port import free_port
    from service.supervise.refusal import CannotServe

    settings = read_settings()
    check_store_or_warn(settings)
    try:
        port = free_port(host, settings.port if port is None else port)
    except CannotServe as refusal:
        raise Refused(str(refusal)) from None
    os.environ.update(environment_of(settings))
    click.echo(f"Abraxas starts its API on http://{host}:{port}.")
    run_api(host, port)
