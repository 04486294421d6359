"""Records over HTTP: who may have which copy, how it leaves line by line, how one comes back."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final, cast

from flask import Request

from domain.game import Seat
from events.imports import keep
from events.loaded import Loaded
from events.recorded import Recorded
from events.records.lines import Redaction
from events.records.packing import Encoding, packed
from events.records.record import BadRecord, export, import_record
from events.store import EventStore
from events.transact import UnknownVersion
from service.http import PRIVATE, Call
from service.problems import FieldError, Problem, bad_field
from service.views import Found, Seen, first_seen, is_table_id, looked_up, perspective

MEDIA: Final = "application/x-ndjson"

FOREVER: Final = "public, max-age=31536000, immutable"
"""Caching of what never changes and everybody may have."""

_PAGE: Final = 250
"""Events that are in memory at a time."""

_PACKED: Final[tuple[Encoding, ...]] = ("zstd", "gzip")
"""Encodings from the best on, for callers that take several as readily."""


@dataclass(frozen=True, slots=True)
class Copy:
    """A record on its way out: its chunks, and the headers that describe them."""

    chunks: Iterator[bytes]
    tag: str
    name: str
    encoding: Encoding
    cache: str


def copy(call: Call, table: str) -> Copy:
    """Answer the copy of a table's record that a caller asks for, or why it may not have it.

    What the table comes to later is not in it: it ends at the version that the table has now.
    """
    found = looked_up(call, table)
    now = found.loaded
    redaction, seat = _redaction(call, found)
    after = call.query["after"]
    if after > now.version:
        raise UnknownVersion(now.version)
    encoding = _encoding(call.request)
    shown = redaction if seat is None else f"seat{seat}"
    finished = now.state.phase == "over"
    everybody = redaction == "public" and now.state.visibility != "private"
    return Copy(
        chunks=packed(_lines(call, now, redaction, seat, after), encoding),
        tag=f"{now.hash.hex()[:32]}.{shown}.{after}.{encoding}",
        name=f"{now.state.playing.name}-{table}-{shown}.jsonl",
        encoding=encoding,
        cache=FOREVER if finished and everybody else PRIVATE,
    )


def _redaction(call: Call, found: Found) -> tuple[Redaction, Seat | None]:
    """Answer which sealed faces the caller is shown, and whose."""
    redaction = cast("Redaction", call.query["redaction"])
    viewer = perspective(call, found.loaded.state, imported=found.imported)
    if redaction == "full" and found.loaded.state.phase != "over":
        raise Problem("not-your-seat")
    if redaction != "seat":
        if "as_" in call.query:
            raise bad_field("?as", "unknown")
        return redaction, None
    if isinstance(viewer, str):
        raise Problem("not-seated")
    return redaction, viewer


def _lines(
    call: Call, now: Loaded, redaction: Redaction, seat: Seat | None, after: int
) -> Iterator[bytes]:
    door = call.parts.door
    events = _events(door.store, now, after)
    (first,) = door.store.read(now.table, limit=1)
    hash_after = door.load(now.table, after).hash if after else b""
    return export(first, events, redaction, seat=seat, after=after, hash_after=hash_after)


def _events(store: EventStore, now: Loaded, after: int) -> Iterable[Recorded]:
    """Read so many events at a time, to the version that the table has now."""
    while after < now.version:
        page = store.read(now.table, after, min(_PAGE, now.version - after))
        yield from page
        after = page[-1].version


def _encoding(request: Request) -> Encoding:
    """Answer the encoding that the caller takes most readily."""
    header = request.headers.get("Accept-Encoding")
    if not header:
        return "identity"
    accepted = request.accept_encodings
    plain = accepted.quality("identity") if "identity" in accepted.values() else 0
    offered = [(accepted.quality(each), each) for each in _PACKED]
    quality, best = max(offered, key=lambda each: each[0])
    return best if quality > 0 and quality >= plain else "identity"


@dataclass(frozen=True, slots=True)
class Brought:
    """A table that came out of a record, and whether it did so now."""

    table: str
    seen: Seen
    new: bool


def bring(call: Call) -> Brought:
    """Keep a record as a finished table under its own id, once everything about it is proved."""
    try:
        imported = import_record(call.body)
    except BadRecord as bad:
        raise Problem("bad-record", errors=[FieldError(f"line {bad.line}", bad.reason)]) from bad
    table = imported.loaded.table
    if not is_table_id(table):
        raise Problem("bad-record", errors=[FieldError("line 1", "bad-shape")])
    kept = keep(call.parts.door.store, imported)
    if kept == "taken":
        raise Problem("table-exists")
    return Brought(table, first_seen(call, looked_up(call, table)), kept == "stored")
