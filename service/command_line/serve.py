"""abraxas serve: everything on this machine, in one command."""

import os
import sys

import click

from service.command_line import DATA, HOST, PORT, Refused, read_settings


@click.command()
@HOST
@PORT
@DATA
def command(host: str | None, port: int | None, data: str | None) -> None:
    """Run everything: the API, the workers, and a store of its own unless REDIS_URL names one."""
    from service.processes.serve import serve
    from service.supervise.refusal import CannotServe
    from workers.logs import start_log

    start_log("serve", os.environ)
    try:
        sys.exit(serve(read_settings(host=host, port=port, data=data)))
    except CannotServe as refusal:
        raise Refused(str(refusal)) from None
