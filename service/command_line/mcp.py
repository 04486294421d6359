"""abraxas mcp: tables as tools for language models."""

import click

from service.command_line import HOST, Refused, read_settings, server_at


@click.command()
@click.option("--url", help="Where the server is.  [default: this machine at ABRAXAS_PORT]")
@click.option("--http", "over_http", is_flag=True, help="Serve HTTP at /mcp, not a pipe.")
@HOST
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=8002,
    show_default=True,
    help="The port of --http, 0 for any free one.",
)
def command(*, url: str | None, over_http: bool, host: str | None, port: int) -> None:
    """Offer tables as MCP tools: on a pipe for the player of MCP_TOKEN, or over HTTP.

    Over HTTP every caller brings a token of their own, as Authorization: Bearer.
    """
    try:
        from service.agents.transports import PATH, listen, run_http, run_pipe
    except ModuleNotFoundError as missing:
        if missing.name not in ("httpx2", "mcp"):
            raise
        raise Refused("This needs the extra: pip install 'abraxas[mcp]'.") from None
    from service.supervise.port import free_port
    from service.supervise.refusal import CannotServe

    settings = read_settings(host=host)
    url = server_at(url)
    if not over_http:
        run_pipe(url)
        return
    try:
        port = free_port(settings.host, port)
    except CannotServe as refusal:
        raise Refused(str(refusal)) from None
    with listen(settings.host, port) as listening:
        click.echo(f"Abraxas offers its tools on http://{settings.host}:{port}{PATH}.")
        run_http(url, settings.host, listening)
