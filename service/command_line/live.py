"""abraxas live: streams alone, on a store that runs elsewhere."""

import click

from service.command_line import HOST, Refused, check_store_or_warn, read_settings


@click.command()
@HOST
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    help="The port to listen on, 0 for any free one.  [default: ABRAXAS_LIVE_PORT, else 8001]",
)
def command(host: str | None, port: int | None) -> None:
    """Run live updates alone, on the store that REDIS_URL names."""
    from service.live.__main__ import run_live
    from service.supervise.port import free_port
    from service.supervise.refusal import CannotServe

    settings = read_settings(host=host)
    check_store_or_warn(settings)
    try:
        port = free_port(settings.host, settings.stream_port if port is None else port)
    except CannotServe as refusal:
        raise Refused(str(refusal)) from None
    click.echo(f"Abraxas starts live updates on {settings.host}, port {port}.")
    run_live(settings, settings.host, port)
