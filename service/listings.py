"""Lists of tables as pages of JSON."""

from base64 import urlsafe_b64encode
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from types import MappingProxyType
from typing import Final

import msgspec

from domain.catalogue import games
from service.http import Call
from service.problems import Problem
from workers.projections import lobby, players
from workers.projections.listing import Page

_NOTHING: Final[Mapping[str, object]] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Written:
    """A page as JSON, the cursor of the next, and a weak tag of all but the list's position."""

    body: bytes
    next: str | None
    tag: str


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
    return _written(page, {"waiting": page.counted}, {"after": str(page.newest)})


def _written(
    page: Page, more: Mapping[str, object] = _NOTHING, untagged: Mapping[str, object] = _NOTHING
) -> Written:
    items = msgspec.Raw(b"[" + b",".join(page.items) + b"]")
    told = {"items": items, "next": page.next, **more}
    # The position grows with news that change nothing of what is shown, and so does where a stream
    # goes on: a phone that polls need not be sent all of it again for that.
    known = sha256(msgspec.json.encode(told)).digest()[:9]
    body = told | {"position": page.position, **untagged}
    return Written(msgspec.json.encode(body), page.next, urlsafe_b64encode(known).decode())
