"""abraxas simulate: whole tables played by bots, as a client of a server."""

import sys
from itertools import cycle, islice
from typing import TYPE_CHECKING

import click

from service.command_line import Refused, server_at

if TYPE_CHECKING:
    from domain.game import AnyGame


@click.command()
@click.argument("game")
@click.option("--seats", type=int, required=True, help="How many seats each table has.")
@click.option(
    "--tables", type=click.IntRange(1), default=1, show_default=True, help="How many to play."
)
@click.option("--url", help="Where the server is.  [default: this machine at ABRAXAS_PORT]")
@click.option("--levels", help="Bots of the seats, such as greedy,random; repeated as needed.")
@click.option(
    "--at-once", type=click.IntRange(1, 256), default=8, show_default=True,
    help="How many of them side by side.",
)  # fmt: skip
@click.option("--server-bots", is_flag=True, help="Let the server's own bots play, and look on.")
@click.option(
    "--patience",
    type=click.FloatRange(0),
    default=60.0,
    show_default=True,
    help="Seconds in which a server that went away may come back.",
)
def command(
    *,
    game: str,
    seats: int,
    tables: int,
    url: str | None,
    levels: str | None,
    at_once: int,
    server_bots: bool,
    patience: float,
) -> None:
    """Play whole tables of GAME by bots over HTTP, and print who won how often."""
    from service.simulate.client import Client, Unexpected, Unreachable
    from service.simulate.run import Simulation, simulate
    from service.simulate.scores import score_table

    simulation = Simulation(
        game=(rules := _rules(game, seats)),
        levels=_levels(rules, seats, levels),
        tables=tables,
        at_once=at_once,
        server_bots=server_bots,
        patience=patience,
    )
    url = server_at(url)
    try:
        Client(url, patience=0).get("/livez")
    except (Unreachable, Unexpected) as failure:
        raise Refused(str(failure)) from None
    try:
        silent = not sys.stderr.isatty()
        with click.progressbar(
            length=tables, label="Tables", file=sys.stderr, hidden=silent
        ) as bar:
            outcome = simulate(url, simulation, done=lambda _: bar.update(1))
    except (Unreachable, Unexpected) as failure:
        raise click.ClickException(str(failure)) from None
    moves = sum(played.moves for played in outcome.played)
    click.echo(
        f"{tables} tables of {game} with {seats} seats: {moves} moves in {outcome.seconds:.1f} s"
        f" ({moves / outcome.seconds:.0f} moves/s)\n"
    )
    click.echo(score_table(outcome.played))


def _rules(name: str, seats: int) -> "AnyGame":
    from domain.catalogue import games

    if name not in games():
        raise Refused(f"There is no game called {name}; there are {', '.join(games())}.")
    game = games()[name]
    if seats not in game.seats:
        raise Refused(f"{name} has {game.seats[0]} to {game.seats[-1]} seats, not {seats}.")
    return game


def _levels(game: "AnyGame", seats: int, given: str | None) -> tuple[str, ...]:
    names = given.split(",") if given else sorted(game.bots)
    for name in names:
        if name not in game.bots:
            raise Refused(f"There is no bot {name!r}; there are {', '.join(sorted(game.bots))}.")
    return tuple(islice(cycle(names), seats))
