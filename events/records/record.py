"""Whole tables as JSON lines: written at a stated redaction, read back once they are proved."""

import io
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, Final

from domain.catalogue import games
from domain.wire import read_options
from events import chain
from events.loaded import Loaded
from events.recorded import Recorded
from events.records.lines import CHECK, Entry, Header, Last, Redaction
from events.records.replay import DEPARTURES, Unplayable, replay
from events.records.verify import DAMAGES, Checked, Facts, check

REASONS: Final[Mapping[str, str]] = {
    **DAMAGES,
    **DEPARTURES,
    "not-whole": "only a full record from the first event on can be imported",
    "not-over": "only a finished table can be imported",
}
"""What a BadRecord's reason means."""


@dataclass(frozen=True, slots=True)
class Imported:
    """A finished table out of a record: its events as they were stored, and the table they lead to.

    Equal histories of a table have equal heads: ``loaded.hash``.
    """

    recorded: tuple[Recorded, ...]
    loaded: Loaded
    facts: Facts


class BadRecord(ValueError):  # noqa: N818 - what was sent, not a defect
    """Say which line of a record (from 1) cannot be accepted, and why: a code of REASONS."""

    def __init__(self, line: int | None, reason: str) -> None:
        super().__init__(f"line {line}: {reason}")
        self.line = line
        self.reason = reason


def export(
    first: Recorded,
    recorded: Iterable[Recorded],
    redaction: Redaction = "public",
    *,
    seat: int | None = None,
    after: int = 0,
    hash_after: bytes = b"",
) -> Iterator[bytes]:
    """Write a table's record line by line, as its events are given: nothing is gathered.

    ``first`` is the table's first event, ``recorded`` the events from version ``after`` + 1 on;
    ``hash_after`` is the chain's hash at ``after``, needed only above 0. ``seat`` says whose copy
    a redaction ``seat`` is. Whether the caller may have it is for the caller to know: ``full`` is
    for tables that are over.
    """
    public, key = json.loads(first.public), bytes.fromhex(json.loads(first.sealed)["key"])
    head = hash_after if after else chain.first_hash(first.table, public)
    header = Header(
        table=first.table,
        game=public["game"],
        rules=public["rules"],
        options=public["options"],
        seats=public["seats"],
        commitment=public["commitment"],
        redaction=redaction,
        seat=seat if redaction == "seat" else None,
        deck=_deck(public),
        after=after,
        hash=head.hex(),
    )
    line = header.line()
    digest, count = sha256(line), 0
    yield line
    for each in recorded:
        entry, head = _entry(each, header, key, head)
        line = entry.line()
        digest.update(line)
        count += 1
        yield line
    yield Last(count, head.hex(), digest.hexdigest()).line()


def _deck(opened: dict[str, Any]) -> tuple[str, ...]:
    game = games()[opened["game"]]
    return game.deck(read_options(game, opened["options"], opened["seats"]))


def _entry(recorded: Recorded, header: Header, key: bytes, head: bytes) -> tuple[Entry, bytes]:
    salt, inner = b"", b""
    if recorded.audience is not None:
        salt = chain.salt(key, recorded.version)
        inner = chain.inner(salt, recorded.sealed)
    head = chain.next_hash(
        head,
        recorded.version,
        recorded.kind,
        recorded.schema,
        recorded.at,
        recorded.seat,
        recorded.audience,
        recorded.public,
        inner,
    )
    opened = recorded.audience is not None and header.opens(recorded.audience)
    entry = Entry(
        version=recorded.version,
        kind=recorded.kind,
        schema=recorded.schema,
        at=recorded.at,
        seat=recorded.seat,
        audience=recorded.audience,
        public=recorded.public,
        inner=inner.hex() if inner and not opened else None,
        salt=salt.hex() if opened else None,
        sealed=recorded.sealed if opened else b"",
        check=head.hex()[:CHECK],
    )
    return entry, head


def import_record(content: bytes) -> Imported:
    """Read a full record of a finished table; raise BadRecord unless everything about it holds.

    The chain and the chance are proved, and the game must accept every move again.
    """
    checked = check(io.BytesIO(content))
    verdict, header = checked.verdict, checked.header
    if header is None or verdict.facts is None:
        raise BadRecord(verdict.line, str(verdict.reason))
    if header.redaction != "full" or header.after > 0:
        raise BadRecord(1, "not-whole")
    if not verdict.facts["over"]:
        raise BadRecord(len(checked.entries) + 2, "not-over")
    recorded = recorded_of(checked)
    try:
        state = replay(recorded, header.deck).state
    except Unplayable as left:
        raise BadRecord(left.version + 1, left.reason) from left
    head, last = bytes.fromhex(verdict.facts["head"]), recorded[-1]
    loaded = Loaded(header.table, last.version, head, last.at, state)
    return Imported(recorded, loaded, verdict.facts)


def recorded_of(checked: Checked) -> tuple[Recorded, ...]:
    """Answer the events of a full record as they were stored."""
    table = checked.header.table if checked.header else ""
    return tuple(
        Recorded(
            table=table,
            version=each.version,
            kind=each.kind,
            schema=each.schema,
            at=each.at,
            seat=each.seat,
            audience=each.audience,
            public=each.public,
            sealed=each.sealed,
        )
        for each in checked.entries
    )
