"""Streams as the API knows them: what asks for one, and where it is answered."""

import re
from functools import lru_cache
from typing import Final, Literal, TypeAlias
from urllib.parse import urlsplit

from flask import Request, Response
from marshmallow import fields

from service import tickets
from service.fields import Request as Query
from service.fields import matching, number
from service.http import NEVER, Call
from service.parts import Parts
from service.problems import bad_field
from service.schemas import EventsQuery

JSON: Final = "application/json"
SSE: Final = "text/event-stream"
LINES: Final = "application/x-ndjson"
LONGEST: Final = 30
"""Seconds that a long poll may wait."""

Form: TypeAlias = Literal["page", "sse", "lines"]

_TICKET: Final = {
    "description": "In place of a token, for a browser's EventSource: POST /v1/me/stream-tickets."
}

_VERSION: Final = re.compile(r"[0-9]{1,10}")


def _ticket() -> fields.String:
    return matching(tickets.PATTERN, metadata=_TICKET)


class StreamQuery(EventsQuery):
    """Which notices of a table are wanted, and whether to wait for them."""

    wait = number(
        0, LONGEST,
        metadata={"description": "Wait so many seconds for the first notice, if there is none."},
    )  # fmt: skip
    ticket = _ticket()


class MyStreamQuery(Query):
    """Who wants to hear of its tables."""

    ticket = _ticket()


def form_of(request: Request) -> Form:
    """Answer in which form a caller wants notices."""
    accepted = request.accept_mimetypes.best_match((JSON, SSE, LINES), default=JSON)
    return {JSON: "page", SSE: "sse", LINES: "lines"}[accepted]  # type: ignore[return-value]


def last_seen(request: Request) -> int | None:
    """Answer the version of Last-Event-ID."""
    last = request.headers.get("Last-Event-ID")
    if last is None:
        return None
    if not _VERSION.fullmatch(last):
        raise bad_field("Last-Event-ID", "malformed")
    return int(last)


def is_live(call: Call) -> bool:
    """Answer whether a caller wants what only the live process can give."""
    return bool({"wait", "ticket"} & call.query.keys()) or form_of(call.request) != "page"


def to_live(call: Call) -> Response:
    """Send a caller to the live process; nothing waits here."""
    asked = call.request.query_string.decode("latin-1")
    where = f"{live_root(call.parts, call.root)}{call.request.path}"
    location = ("Location", f"{where}?{asked}" if asked else where)
    return call.reply_empty(307, location, cache=NEVER)


def live_root(parts: Parts, root: str) -> str:
    """Answer the address of the live process for who found the API at ``root``."""
    return parts.live_url or _beside(root, parts.live_port)


@lru_cache(maxsize=512)
def _beside(root: str, port: int) -> str:
    parts = urlsplit(root)
    host = parts.hostname or ""
    return f"{parts.scheme}://[{host}]:{port}" if ":" in host else f"{parts.scheme}://{host}:{port}"
