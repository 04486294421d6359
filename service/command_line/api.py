"""abraxas api: the HTTP API alone, on a store that runs elsewhere."""

import os
from dataclasses import replace

import click

from service.command_line import HOST, PORT, Refused, check_store_or_warn, read_settings


@click.command()
@HOST
@PORT
def command(host: str | None, port: int | None) -> None:
    """Run the HTTP API alone, on the store that REDIS_URL names."""
    from service.processes.api import run_api
    from service.settings import environment_of
    from service.supervise.port import free_port
    from service.supervise.refusal import CannotServe

    settings = read_settings(host=host, port=port)
    check_store_or_warn(settings)
    try:
        settings = replace(settings, port=free_port(settings.host, settings.port))
    except CannotServe as refusal:
        raise Refused(str(refusal)) from None
    os.environ.update(environment_of(settings))
    click.echo(f"Abraxas starts its API on {settings.host}, port {settings.port}.")
    run_api(settings.host, settings.port)
