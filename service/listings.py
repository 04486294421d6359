"""Lists of tables as pages of JSON."""

from dataclasses import dataclass

import msgspec

from domain.catalogue import games
from service.http import Call
from service.problems import Problem
from workers.projections import lobby, players
from workers.projections.listing import Page


@dataclass(frozen=True, slots=True)
class Written:
    """A page as JSON, and the cursor of the next."""

    body: bytes
    next: str | None


def lobby_page(call: Call) -> Written:
    """Answer a page of public tables."""
    query = call.query
    game = query.get("game")
    if game is not None and game not in games():
        raise Problem("unknown-game")
    wanted = list(games()) if game is None else [game]
    client, cursor = call.parts.client, query.get("cursor")
    return _written(lobby.page(client, wanted, query["phase"], cursor, query["limit"]))


def my_page(call: Call) -> Written:
    """Answer a page of the caller's tables, and how many of them wait for the caller."""
    query, client = call.query, call.parts.client
    page = players.page(
        client,
        call.player,
        waiting=query["waiting"],
        cursor=query.get("cursor"),
        limit=query["limit"],
    )
    return _written(page, waiting=players.waiting_count(client, call.player))


def _written(page: Page, **more: int) -> Written:
    items = msgspec.Raw(b"[" + b",".join(page.items) + b"]")
    body = {"items": items, "next": page.next, "position": page.position, **more}
    return Written(msgspec.json.encode(body), page.next)
