"""Records: whole tables to take away."""

from flask import Response

from service.http import Call
from service.operation import Returns, Routes
from service.records import MEDIA, copy
from service.schemas import RecordQuery
from service.views import table_id

ROUTES = Routes("records", "Whole tables to take away.")


@ROUTES(
    "GET", "/v1/tables/<table>/record", auth="optional", scope="read", query=RecordQuery(),
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
