"""What requests cost: beside bare routes of the same server, asked in turn."""

import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from itertools import cycle
from pathlib import Path

from tests.benchmarks.api import (
    ECHO,
    HELLO,
    Figures,
    Hall,
    bare_server,
    counted,
    of_bare,
    of_commands,
    of_looks,
)
from tests.benchmarks.figures import Figure, middle
from tests.benchmarks.load import ceiling, request, send
from tests.benchmarks.parts.scale import Scale
from tests.e2e.server import serving

GATED = 32
"""The number of clients for which there are bounds."""


def generator(scale: Scale) -> Iterator[Figure]:
    """Show what the generator can send at most, to a server that repeats the same bytes."""
    for clients in scale.clients:
        found = [ceiling(clients, scale.seconds) for _ in range(scale.pairs)]
        yield Figure(what=f"sent by {clients} at most", ours=middle(found, "rate"), unit="/s")


def of_pages(hall: Hall, clients: int, seconds: float) -> Figures:
    """Measure pages of what has happened at tables."""
    asked = [request("GET", f"{path}/events?after=0", token=hall.tokens[0]) for path in hall.tables]
    return counted(send(hall.port, clients, cycle(asked), seconds), 200).figures()


def requests(scale: Scale) -> Iterator[Figure]:
    """Compare commands, views, 304s and pages of events with bare routes."""
    with (
        tempfile.TemporaryDirectory() as folder,
        # As quiet as the bare server, which writes no line for each request.
        serving(Path(folder), ABRAXAS_LOG="warning") as server,
        bare_server() as plain,
    ):
        hall = Hall(server.port, scale.tables)
        echo, hello = partial(of_bare, plain, ECHO), partial(of_bare, plain, HELLO)
        works: list[
            tuple[str, Callable[[int, float], Figures], Callable[[int, float], Figures], float]
        ]
        works = [
            ("commands", partial(of_commands, hall), echo, 0.2),
            ("views", partial(of_looks, hall, hall.looks, 200), hello, 0.4),
            ("304s", partial(of_looks, hall, hall.repeated_looks, 304), hello, 0.4),
            ("pages of events", partial(of_pages, hall), hello, 0.0),
        ]
        for clients in scale.clients:
            for name, ours, other, least in works:
                pairs = [
                    (ours(clients, scale.seconds), other(clients, scale.seconds))
                    for _ in range(scale.pairs)
                ]
                bound = least if clients == GATED else 0.0
                of_many = f"{clients} client" + "s" * (clients > 1)
                yield from compared(f"{name}, {of_many}", pairs, bound)


def compared(name: str, pairs: list[tuple[Figures, Figures]], least: float) -> Iterator[Figure]:
    """Tell rate and latencies of pairs of runs."""
    ours, others = ([pair[side] for pair in pairs] for side in (0, 1))
    yield Figure(
        what=name, ours=middle(ours, "rate"), unit="/s", beside="/s bare route",
        other=middle(others, "rate"), bound="ratio" if least else "", least=least,
    )  # fmt: skip
    for which in ("p50", "p99"):
        held = which == "p99" and bool(least) and name.startswith("commands")
        yield Figure(
            what=f"{which} of {name}", ours=middle(ours, which), unit="ms",
            beside="ms bare route", other=middle(others, which),
            bound="value" if held else "", most=25.0,
        )  # fmt: skip
    yield Figure(what=f"the generator's core at {name}", ours=middle(ours, "generator"), unit="")
