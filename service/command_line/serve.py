"""abraxas serve: everything on this machine, in one command."""

import sys

import click

from service.command_line import DATA, HOST, PORT, Refused, read_settings


@click.command()
@HOST
@PORT
@DATA
def command(host: str, port: int | None, data: str | None) -> None:
    """Run everything: the API, the workers, and a store of its own unless REDIS_URL names one."""
    from service.serve import serve
    from service.supervise.refusal import CannotServe

    settings = read_settings(data=data)
    try:
        sys.exit(serve(settings, host, settings.port if port is None else port))
    except CannotServe as refusal:
        raise Refused(str(refusal)) from None
