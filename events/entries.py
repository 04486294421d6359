"""Entries of streams: an event's values as append.lua writes them, and what a reply holds."""

from collections.abc import Iterable
from typing import Any

from events.recorded import FeedEntry, Recorded


def fields_of(recorded: Recorded) -> tuple[Any, ...]:
    """Answer the values of an event's stream entry in the order of append.lua."""
    return (
        recorded.kind,
        recorded.schema,
        recorded.at,
        "" if recorded.seat is None else recorded.seat,
        ",".join(map(str, recorded.audience or ())),
        recorded.public,
        recorded.sealed,
    )


def history_of(table: str, entries: Iterable[Any]) -> tuple[Recorded, ...]:
    """Read entries of a table's stream."""
    return tuple([_recorded(table, entry_id, fields) for entry_id, fields in entries])


def _recorded(table: str, entry_id: bytes, fields: list[bytes]) -> Recorded:
    # The order is append.lua's: k s t w a p x and, where there is one, trace.
    seat, readers, sealed = fields[7], fields[9], fields[13]
    audience = tuple(map(int, readers.split(b","))) if readers else ()
    return Recorded(
        table,
        int(entry_id[:-2]),
        fields[1].decode(),
        int(fields[3]),
        int(fields[5]),
        int(seat) if seat else None,
        audience if sealed else None,
        fields[11],
        sealed,
        fields[15].decode() if len(fields) > 14 else None,
    )


def feed_of(entries: Iterable[Any]) -> tuple[FeedEntry, ...]:
    """Read entries of a feed."""
    return tuple(
        FeedEntry(int(entry_id[:-2]), fields[1].decode(), int(fields[3]), int(fields[5]))
        for entry_id, fields in entries
    )
