"""Streams as the API knows them: what asks for one, and where it is answered."""

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Literal, TypeAlias
from urllib.parse import urlsplit

from flask import Request, Response
from marshmallow import fields

from service.fields import Request as Query
from service.fields import matching, number
from service.http import NEVER, Call
from service.identity import tickets
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
_PLACE: Final = re.compile(r"([0-9]{1,15})(?:\.([0-9]{1,15}))?")


def _ticket() -> fields.String:
    return matching(tickets.PATTERN, metadata=_TICKET)


def _wait() -> fields.Integer:
    return number(
        0, LONGEST,
        metadata={"description": "Wait so many seconds for the first notice, if there is none."},
    )  # fmt: skip


class StreamQuery(EventsQuery):
    """Which notices of a table are wanted, and whether to wait for them."""

    wait = _wait()
    ticket = _ticket()


class MyStreamQuery(Query):
    """Who wants to hear of its tables, after what, and whether to wait for it."""

    after = matching(
        _PLACE.pattern,
        metadata={"description": "Where to go on: an earlier answer's `after`, or an event's id."},
    )
    wait = _wait()
    ticket = _ticket()


@dataclass(frozen=True, slots=True)
class Place:
    """How far somebody was told of its tables: everything up to the change of this number.

    Up to ``first``, the newest change when it began to listen, only what is not over counts.
    """

    number: int
    first: int = 0

    def __str__(self) -> str:
        """Write it, to be handed back by whoever goes on."""
        return f"{self.number}.{self.first}" if self.first > self.number else str(self.number)


def place_of(written: str) -> Place:
    """Read a place that was written."""
    found = _PLACE.fullmatch(written)
    if found is None:
        raise bad_field("after", "malformed")
    return Place(int(found[1]), int(found[2] or 0))


def form_of(request: Request) -> Form:
    """Answer in which form a caller wants notices."""
    accepted = request.accept_mimetypes.best_match((JSON, SSE, LINES), default=JSON)
    return {JSON: "page", SSE: "sse", LINES: "lines"}[accepted]  # type: ignore[return-value]


def last_seen(request: Request, *, mine: bool) -> str | None:
    """Answer the Last-Event-ID: a version of a table, or a place among all of mine."""
    last = request.headers.get("Last-Event-ID")
    if last is not None and not (_PLACE if mine else _VERSION).fullmatch(last):
        raise bad_field("Last-Event-ID", "malformed")
    return last


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
