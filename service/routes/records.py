"""Histories: whole tables to take away and to bring back, and other lines to try."""

from flask import Response

from service import answers
from service.histories.forks import open_fork
from service.histories.records import MEDIA, bring, copy
from service.http import NEVER, Call
from service.onward import FROM_OVER, FROM_VIEW, FROM_VIEW_BODIES
from service.operation import Returns, Routes
from service.schemas import Fork, RecordQuery
from service.views import opened, table_id
from service.wishes import replayed

ROUTES = Routes("histories", "Whole tables to take away and to bring back, and other lines to try.")


@ROUTES(
    "GET", "/v1/tables/<table>/record", auth="optional", scope="read", query=RecordQuery(),
    bucket="exports",
    headers=("If-None-Match", "Accept-Encoding"),
    answers={
        200: Returns(
            "The record, one JSON object a line.",
            None,
            ("ETag", "Content-Disposition"),
            media=MEDIA,
        ),
        304: Returns("As it was: the caller has this copy.", None, ("ETag",)),
    },
    problems=(
        "unknown-table", "unknown-version", "not-seated", "not-your-seat", "store-unavailable",
    ),
)  # fmt: skip
def get_record(call: Call, table: str) -> Response:
    """Take a table's record away, as JSON Lines.

    A header, one line for each event, and a last line with their count and the head of their
    chain; `docs/record-format.md` has it all. Redacted as `public`, as the caller's `seat` was
    told it, or, once the table is over, `full` with every hidden card, the key and all rolls.
    It leaves as it is read, packed with gzip or zstd if `Accept-Encoding` takes it.
    """
    found = copy(call, table_id(table))
    headers = [("ETag", f'"{found.tag}"'), ("Vary", "Accept-Encoding")]
    if call.has(found.tag):
        return call.reply_empty(304, *headers, cache=found.cache)
    headers.append(("Content-Disposition", f'attachment; filename="{found.name}"'))
    if found.encoding != "identity":
        headers.append(("Content-Encoding", found.encoding))
    return call.reply(found.chunks, 200, *headers, cache=found.cache, media=MEDIA)


@ROUTES(
    "POST", "/v1/records", auth="required", scope="play", body="Record", bucket="exports",
    headers=("Content-Encoding",),
    answers={
        201: Returns(
            "The table, new here.", answers.OpenedView, ("Location", "ETag"), links=FROM_OVER
        ),
        200: Returns("The table; it was known here.", answers.OpenedView, ("Location", "ETag")),
    },
    problems=("bad-request", "table-exists", "outcome-unknown"),
)  # fmt: skip
def import_record(call: Call) -> Response:
    """Bring a full record of a finished table back, as a table to look at.

    Everything about it is proved first: the chain, the chance, and every move by the rules.
    Whatever does not hold is `bad-record`, with the line and the reason, and nothing is stored.
    The table keeps its id and says `imported`; its players are strangers, and no list has it. A
    record has at most 4 MiB, unpacked too.
    """
    brought = bring(call)
    where = ("Location", f"{call.root}/v1/tables/{brought.table}")
    tag = ("ETag", f'"{brought.seen.tag}"')
    status = 201 if brought.new else 200
    return call.reply(brought.seen.body, status, where, tag, cache=NEVER)


@ROUTES(
    "POST", "/v1/tables/<table>/forks", auth="required", scope="play", body=Fork(),
    headers=("Idempotency-Key", "traceparent"),
    answers={
        201: Returns(
            "The what-if as its opener sees it.",
            answers.OpenedView,
            ("Location", "ETag", "Idempotent-Replayed"),
            links=FROM_VIEW,
            bodies=FROM_VIEW_BODIES,
        )
    },
    problems=(
        "bad-request", "unknown-table", "unknown-version", "not-started", "seat-taken",
        "table-full", "too-many", "table-exists", "key-reused", "outcome-unknown",
    ),
)  # fmt: skip
def fork_table(call: Call, table: str) -> Response:
    """Try another line: open a private what-if from a version of a table.

    While the table runs, the cards that the caller was not shown by then are dealt again, each
    deal that agrees with what it was told as likely; once it is over the position is what it was.
    A version amid a move counts as the one where the move ended. A what-if has a key and a chain
    of its own, is in no list, and says where it comes from.
    """
    outcome = open_fork(call, table_id(table))
    seen = opened(call, outcome.loaded)
    where = ("Location", f"{call.root}/v1/tables/{outcome.loaded.table}")
    tag = ("ETag", f'"{seen.tag}"')
    return call.reply(seen.body, 201, where, tag, *replayed(outcome), cache=NEVER)
