"""Tables: open, find, look, and read what happened."""

from flask import Response

from service import answers, wishes
from service.http import NEVER, Call
from service.listings import lobby_page
from service.onward import FROM_VIEW, FROM_VIEW_BODIES
from service.operation import Returns, Routes
from service.schemas import NewTable, TablesQuery, ViewQuery
from service.streams import LINES, SSE, StreamQuery, is_live, last_seen, to_live
from service.views import opened, see, table_id, told, with_links

ROUTES = Routes("tables", "Tables to open, to find and to look at.")


@ROUTES(
    "POST", "/v1/tables", auth="required", scope="play", body=NewTable(),
    headers=("Idempotency-Key", "traceparent"),
    answers={
        201: Returns(
            "The new table as its opener sees it.",
            answers.OpenedView,
            ("Location", "ETag", "Idempotent-Replayed"),
            links=FROM_VIEW,
            bodies=FROM_VIEW_BODIES,
        )
    },
    problems=(
        "bad-request", "unknown-game", "seat-taken", "table-full", "too-many", "table-exists",
        "key-reused", "outcome-unknown",
    ),
)  # fmt: skip
def open_table(call: Call) -> Response:
    """Open a table.

    With an Idempotency-Key a repeat meets the table that was opened first. Who opens with a seat
    has seen no commitment: to add entropy that nobody can have foreseen, open with `seat: null`,
    read `commitment`, then sit down.
    """
    outcome = wishes.open_table(call)
    seen = opened(call, outcome.loaded)
    where = ("Location", f"{call.root}/v1/tables/{outcome.loaded.table}")
    tag = ("ETag", f'"{seen.tag}"')
    replayed = wishes.replayed(outcome)
    return call.reply(seen.body, 201, where, tag, *replayed, cache=NEVER)


@ROUTES(
    "GET", "/v1/tables", auth="optional", scope="read", query=TablesQuery(),
    answers={200: Returns("A page of tables, newest first.", answers.Tables, ("Link",))},
    problems=("bad-request", "unknown-game", "store-unavailable"),
)  # fmt: skip
def list_tables(call: Call) -> Response:
    """List public tables."""
    page = lobby_page(call)
    return call.reply(page.body, 200, *call.next_page(page.next))


@ROUTES(
    "GET", "/v1/tables/<table>", auth="optional", scope="read", query=ViewQuery(),
    headers=("If-None-Match",),
    answers={
        200: Returns(
            "The view.", answers.View, ("ETag",), links=FROM_VIEW, bodies=FROM_VIEW_BODIES
        ),
        304: Returns("As it was: the caller has this view.", None, ("ETag",)),
    },
    problems=(
        "bad-request", "unknown-table", "unknown-version", "version-not-reached", "not-your-seat",
        "store-unavailable",
    ),
)  # fmt: skip
def get_table(call: Call, table: str) -> Response:
    """Answer a table as the caller may see it.

    The view is always current. The seat follows from the token; without one, or without a seat,
    the caller is a spectator. With `version` it is the view as it was then; the arbiter's, which
    can be asked for once the table is over, then shows the hidden cards in `play.open`.
    """
    seen = see(call, table_id(table))
    tag = ("ETag", f'"{seen.tag}"')
    if call.has(seen.tag):
        return call.reply_empty(304, tag)
    return call.reply(with_links(call, seen.body, table), 200, tag)


@ROUTES(
    "GET", "/v1/tables/<table>/events", auth="optional", scope="read", query=StreamQuery(),
    headers=("Last-Event-ID",),
    answers={
        200: Returns(
            "Some notices; or, from `links.stream`, a stream of them.",
            answers.Notices,
            ("Link", "Content-Language"),
            also=(SSE, LINES),
        ),
        307: Returns("Streams and `wait` are answered there.", None, ("Location",)),
    },
    problems=("bad-request", "unknown-table", "not-your-seat", "store-unavailable"),
)  # fmt: skip
def list_events(call: Call, table: str) -> Response:
    """Tell what happened at a table after a version.

    Each notice has what the caller may know, and a text that alone suffices to follow the game.
    With `wait`, or if `Accept` asks for server-sent events or JSON Lines, use `links.stream` of
    the view: here is only a redirect to it. A stream goes on after `after` or `Last-Event-ID`
    without gap or repeat, and says `end` once the table is over.
    """
    known = table_id(table)
    last_seen(call.request, mine=False)
    if is_live(call):
        return to_live(call)
    page = told(call, known)
    spoken = ("Content-Language", call.language)
    return call.reply(page.body, 200, spoken, *call.next_page(page.last, "after"))
