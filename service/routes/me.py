"""My tables: where I sit, and where it is my turn."""

from typing import cast

from flask import Response

from service import answers
from service.http import NEVER, Call
from service.identity import tickets
from service.identity.callers import Caller
from service.listings import my_page
from service.operation import Returns, Routes
from service.schemas import MyTablesQuery
from service.streams import LINES, SSE, MyStreamQuery, last_seen, to_live

ROUTES = Routes("me", "One's own tables.")


@ROUTES(
    "GET", "/v1/me/tables", auth="required", scope="read", query=MyTablesQuery(),
    headers=("If-None-Match",),
    answers={
        200: Returns("A page of my tables, newest first.", answers.MyTables, ("Link", "ETag")),
        304: Returns("As it was: the caller has this page.", None, ("ETag",)),
    },
    problems=("bad-request",),
)  # fmt: skip
def list_my_tables(call: Call) -> Response:
    """List the tables that I sit at, or those that wait for me.

    `waiting` counts all that wait for me, whatever the page: it may stand on an app's badge. Who
    polls sends the ETag back in If-None-Match, and gets a short 304 while nothing has changed.
    """
    page = my_page(call)
    tag = ("ETag", f'W/"{page.tag}"')
    if call.has(page.tag):
        return call.reply_empty(304, tag)
    return call.reply(page.body, 200, tag, *call.next_page(page.next))


@ROUTES(
    "GET", "/v1/me/events", auth="optional", scope="read", query=MyStreamQuery(),
    answers={
        200: Returns(
            "From the live process: how my tables stand.", answers.MyEvents, also=(SSE, LINES)
        ),
        307: Returns("Streams are answered there.", None, ("Location",)),
    },
    problems=("bad-request",),
)  # fmt: skip
def list_my_events(call: Call) -> Response:
    """Tell how my tables stand, as long as the stream is open.

    All that are not over come first, then each that changes, as it is by then: items as in
    `GET /v1/me/tables`. With `after` only what has changed since comes, without gap or repeat: of
    an earlier answer's, a line's or a page's of `GET /v1/me/tables`, or an event's id. JSON comes
    at once, or within `wait` seconds, at most 100 items a time; the rest comes with the next.
    """
    last_seen(call.request, mine=True)
    return to_live(call)


@ROUTES(
    "POST", "/v1/me/stream-tickets", auth="required", scope="read",
    answers={201: Returns("The ticket.", answers.StreamTicket)},
    problems=("outcome-unknown",),
)  # fmt: skip
def create_stream_ticket(call: Call) -> Response:
    """Make a ticket that opens one stream, for a browser's EventSource.

    It goes into the query of a stream as `ticket`, works once, and within a minute.
    """
    ticket = tickets.make(call.parts.client, cast("Caller", call.caller), call.token)
    body = {"ticket": ticket, "expires_in": tickets.SECONDS * 1000}
    return call.reply(body, 201, cache=NEVER)
