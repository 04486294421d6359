"""Every route of the server, in the order in which the documentation shows them."""

from typing import Final

from service.operation import Operation, Routes
from service.routes import (
    apps,
    bots,
    games,
    me,
    oauth,
    operations,
    pages,
    players,
    records,
    seats,
    tables,
    tokens,
    webhooks,
)

ROUTES: Final[tuple[Routes, ...]] = (
    players.ROUTES,
    tokens.ROUTES,
    bots.ROUTES,
    apps.ROUTES,
    oauth.ROUTES,
    games.ROUTES,
    tables.ROUTES,
    seats.ROUTES,
    records.ROUTES,
    me.ROUTES,
    webhooks.ROUTES,
    operations.ROUTES,
    pages.ROUTES,
)


def every_operation() -> tuple[Operation, ...]:
    """Answer the operations of all routes."""
    return tuple(operation for routes in ROUTES for operation in routes.operations)
