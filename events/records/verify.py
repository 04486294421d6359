"""Checks a record without knowing its game: every byte, the chain, the salts, the rolls.

Needs the standard library, events/chain.py, lines.py and proofs.py only, so that anybody can copy
the four. The games' own part is in replay.py.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, Final, TypeAlias

from events import chain
from events.records.lines import CHECK, BadLine, Entry, Header, Last, read_body, read_header
from events.records.proofs import check_rolls, check_salts, told_key, told_origin

Facts: TypeAlias = Mapping[str, Any]
"""What a good record is of and how far the check went; plain JSON values."""

DAMAGES: Final[Mapping[str, str]] = {
    "ends-early": "the record ends here, before its last line",
    "cut-off": "the line does not end",
    "not-canonical": "the line is not JSON in the one form it may have",
    "unknown-format": "the record has a format that is not known here",
    "bad-shape": "the line has not the fields it should have",
    "check-differs": "the line was changed, or one before it together with its check",
    "out-of-order": "another event belongs here",
    "header-differs": "the header is not what the table was opened with",
    "hash-differs": "the hash is not the one that all lines before it lead to",
    "wrong-redaction": "a sealed face is open or closed against the header's redaction",
    "after-the-end": "nothing may follow here",
    "count-differs": "the number of events is another one",
    "digest-differs": "the bytes before this line are not those that it was written for",
    "bad-event": "the event says what no table can say",
    "key-differs": "the key is not the one that was committed to",
    "salt-differs": "the salt does not come from the key",
    "roll-differs": "the rolls do not come from the key and the seats' entropy",
    "head-differs": "the hash that was kept is nowhere in it",
}
"""What a verdict's reason means."""


_OPENED: Final = ("game", "rules", "options", "seats", "commitment")


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a record is good; if not, the line (from 1) and a code of ``DAMAGES``.

    ``line`` is None where no line is to blame: the hash that was kept is not in the chain.
    """

    ok: bool
    line: int | None
    reason: str | None
    facts: Facts | None


@dataclass(frozen=True, slots=True)
class Checked:
    """A verdict, and what was read on the way to it."""

    verdict: Verdict
    header: Header | None
    entries: tuple[Entry, ...]


def verify_record(lines: Iterable[bytes], kept: str | None = None) -> Verdict:
    """Check a record, line by line as an open file gives them.

    ``kept`` is a hash in hex that the table once told; without one, a history that was rewritten
    as a whole passes too.
    """
    return check(lines, kept).verdict


def check(lines: Iterable[bytes], kept: str | None = None) -> Checked:
    """Check a record and keep what was read of it."""
    reading = _Reading()
    number = 0
    try:
        for number, line in enumerate(lines, 1):  # noqa: B007 - where it stopped is told
            reading.take(line)
        number += 1
        verdict = _verdict(reading.end(), reading.entries, reading.hashes, kept)
    except BadLine as bad:
        verdict = Verdict(ok=False, line=bad.line or number, reason=bad.reason, facts=None)
    return Checked(verdict, reading.header, tuple(reading.entries))


def _verdict(
    header: Header, entries: Sequence[Entry], hashes: list[str], kept: str | None
) -> Verdict:
    """Prove from the key what was read; raise BadLine where it does not hold."""
    key = told_key(header, entries)
    facts = {
        "table": header.table,
        "game": header.game,
        "rules": header.rules,
        "seats": header.seats,
        "redaction": header.redaction,
        "seat": header.seat,
        "after": header.after,
        "events": len(entries),
        "head": hashes[-1],
        "over": bool(entries) and entries[-1].kind == "KeyRevealed",
        "sealed": sum(each.audience is not None for each in entries),
        "opened": sum(each.salt is not None for each in entries),
        "salted": check_salts(header, entries, key) if key else 0,
        "rolled": sum(each.kind == "DiceRolled" for each in entries),
        "rolls": check_rolls(header, entries, key) if key else 0,
        "forked_from": told_origin(header, entries),
        "kept": header.after + hashes.index(kept) if kept in hashes else None,
    }
    if kept is not None and kept not in hashes:
        return Verdict(ok=False, line=None, reason="head-differs", facts=facts)
    return Verdict(ok=True, line=None, reason=None, facts=facts)


class _Reading:
    """A record as far as it was read: nothing that is wrong on its line gets in."""

    def __init__(self) -> None:
        self.header: Header | None = None
        self.entries: list[Entry] = []
        self.hashes: list[str] = []
        self._digest = sha256()
        self._complete = False

    def take(self, line: bytes) -> None:
        """Take the next line in, or raise BadLine."""
        if self._complete:
            raise BadLine("after-the-end")
        if self.header is None:
            self.header = _begun(read_header(line))
            self.hashes.append(self.header.hash)
        else:
            found = read_body(line)
            if isinstance(found, Last):
                self._close(found, self.header)
            else:
                self.hashes.append(self._linked(found, self.header).hex())
                self.entries.append(found)
        self._digest.update(line)

    def end(self) -> Header:
        """Answer the header; raise BadLine unless the last line was taken in."""
        if self.header is None or not self._complete:
            raise BadLine("ends-early")
        return self.header

    def _linked(self, entry: Entry, header: Header) -> bytes:
        """Check one event against what came before it, and answer the chain's hash after it."""
        if self.entries and self.entries[-1].kind == "KeyRevealed":
            raise BadLine("after-the-end")
        if entry.version != header.after + len(self.hashes):
            raise BadLine("out-of-order")
        head = chain.next_hash(
            bytes.fromhex(self.hashes[-1]),
            entry.version,
            entry.kind,
            entry.schema,
            entry.at,
            entry.seat,
            entry.audience,
            entry.public,
            entry.inside,
        )
        if entry.check != head.hex()[:CHECK]:
            raise BadLine("check-differs")
        if entry.audience is not None and header.opens(entry.audience) != bool(entry.sealed):
            raise BadLine("wrong-redaction")
        if entry.version == 1 and not _opens(entry, header):
            raise BadLine("header-differs")
        return head

    def _close(self, last: Last, header: Header) -> None:
        if not self.entries and header.after == 0:
            raise BadLine("ends-early")
        if last.count != len(self.entries):
            raise BadLine("count-differs")
        if last.hash != self.hashes[-1]:
            raise BadLine("hash-differs")
        if last.digest != self._digest.hexdigest():
            raise BadLine("digest-differs")
        self._complete = True


def _begun(header: Header) -> Header:
    if header.after == 0:
        opened = {name: getattr(header, name) for name in _OPENED}
        if header.hash != chain.first_hash(header.table, opened).hex():
            raise BadLine("hash-differs")
    return header


def _opens(entry: Entry, header: Header) -> bool:
    """Answer whether the first event opened what the header says."""
    public = json.loads(entry.public)
    opened = chain.canonical([public.get(name) for name in _OPENED])
    wanted = chain.canonical([getattr(header, name) for name in _OPENED])
    return entry.kind == "TableOpened" and opened == wanted
