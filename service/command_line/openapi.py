"""abraxas openapi: the description of the API."""

import click


@click.command()
def command() -> None:
    """Print openapi.yaml as the routes make it."""
    from service.openapi import openapi_yaml

    click.echo(openapi_yaml(), nl=False)
