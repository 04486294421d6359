"""Lists of tables as pages of JSON."""

from dataclasses import dataclass

import msgspec

from domain.catalogue import games
from service.http import Call
from service.problems import Problem, bad_field
from workers.projections import lobby, players
from workers.projections.listing import BadCursor, Page


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
    try:
        page = lobby.page(
            call.parts.client, wanted, query["phase"], query.get("cursor"), query["limit"]
        )
    except BadCursor as bad:
        raise bad_field("?cursor", "malformed") from bad
    return _written(page)


def my_page(call: Call) -> Written:
    """Answer a page of the caller's tables, and how many of them wait for the caller."""
    query, client = call.query, call.parts.client
    try:
        page = players.page(
            client,
            call.player,
            waiting=query["waiting"],
            cursor=query.get("cursor"),
            limit=query["limit"],
        )
    except BadCursor as bad:
        raise bad_field("?cursor", "malformed") from bad
    return _written(page, waiting=players.waiting_count(client, call.player))


def _written(page: Page, **more: int) -> Written:
    items = msgspec.Raw(b"[" + b",".join(page.items) + b"]")
    body = {"items": items, "next": page.next, "position": page.position, **more}
    return Written(msgspec.json.encode(body), page.next)
