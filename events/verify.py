"""Checks a record without knowing its game: every byte, the chain, the salts, the rolls.

Needs the standard library, events/chain.py and events/lines.py only, so that anybody can copy the
three. The games' own part is in events/replay.py.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any, Final, TypeAlias

from events import chain
from events.lines import CHECK, BadLine, Entry, Header, Last, read_body, read_header, told

Facts: TypeAlias = Mapping[str, Any]
"""What a good record is of and how far the check went; plain JSON values."""

REASONS: Final[Mapping[str, str]] = {
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
    "head-differs": "the record does not lead to or over the hash that was kept",
}
"""What a verdict's reason means."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a record is good; if not, the line (from 1) and a code of ``REASONS``.

    ``line`` is None where no line is to blame: the hash that was kept is not in the chain.
    """

    ok: bool
    line: int | None
    reason: str | None
    facts: Facts | None


@dataclass(slots=True)
class Checked:
    """A record as far as it was read, and the verdict on it."""

    verdict: Verdict
    header: Header | None = None
    entries: list[Entry] = field(default_factory=list)


class _Damage(Exception):
    def __init__(self, line: int | None, reason: str) -> None:
        super().__init__(reason)
        self.line, self.reason = line, reason


def verify_record(lines: Iterable[bytes], kept: str | None = None) -> Verdict:
    """Check a record, line by line as an open file gives them.

    ``kept`` is a hash in hex that the table once told; without one, a history that was rewritten
    as a whole passes too.
    """
    return check(lines, kept).verdict


def check(lines: Iterable[bytes], kept: str | None = None) -> Checked:
    """Check a record and keep what was read of it."""
    checked = Checked(Verdict(ok=False, line=None, reason=None, facts=None))
    try:
        facts = _facts(checked, iter(lines), kept)
    except _Damage as damage:
        checked.verdict = Verdict(ok=False, line=damage.line, reason=damage.reason, facts=None)
    else:
        checked.verdict = Verdict(ok=True, line=None, reason=None, facts=facts)
    return checked


def _facts(checked: Checked, lines: Iterator[bytes], kept: str | None) -> Facts:
    header, hashes = _read(checked, lines)
    entries = checked.entries
    key = _key(header, entries)
    sealed = [each for each in entries if each.audience is not None]
    rolled = [each for each in entries if each.kind == "DiceRolled"]
    if kept is not None and kept not in hashes:
        raise _Damage(None, "head-differs")
    return {
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
        "sealed": len(sealed),
        "opened": sum(each.salt is not None for each in sealed),
        "salted": _check_salts(header, sealed, key) if key else 0,
        "rolled": len(rolled),
        "rolls": _check_rolls(header, entries, key) if key else 0,
        "forked_from": _origin(header, entries),
        "kept": header.after + hashes.index(kept) if kept is not None else None,
    }


def _read(checked: Checked, lines: Iterator[bytes]) -> tuple[Header, list[str]]:
    """Read every line, and answer the header and the chain's hashes from ``after`` on."""
    number, digest = 1, sha256()
    line = next(lines, b"")
    try:
        header = checked.header = read_header(_present(line))
        if header.after == 0 and header.hash != _first_hash(header):
            raise BadLine("hash-differs")
        hashes = [header.hash]
        over = False
        while True:
            digest.update(line)
            number, line = number + 1, next(lines, b"")
            match read_body(_present(line)):
                case Last() as last:
                    _check_last(last, checked.entries, header, hashes[-1], digest.hexdigest())
                    break
                case entry:
                    if over:
                        raise BadLine("after-the-end")
                    hashes.append(_link(header, entry, hashes))
                    checked.entries.append(entry)
                    over = entry.kind == "KeyRevealed"
        number += 1
        if next(lines, b""):
            raise BadLine("after-the-end")
    except BadLine as bad:
        raise _Damage(number, bad.reason) from bad
    return header, hashes


def _present(line: bytes) -> bytes:
    if not line:
        raise BadLine("ends-early")
    return line


def _first_hash(header: Header) -> str:
    opened = {name: getattr(header, name) for name in _OPENED}
    return chain.first_hash(header.table, opened).hex()


_OPENED: Final = ("game", "rules", "options", "seats", "commitment")


def _link(header: Header, entry: Entry, hashes: list[str]) -> str:
    """Check one event against what came before it, and answer the chain's hash after it."""
    if entry.version != header.after + len(hashes):
        raise BadLine("out-of-order")
    inner = b""
    if entry.salt is not None:
        inner = chain.inner(bytes.fromhex(entry.salt), entry.sealed)
    elif entry.inner is not None:
        inner = bytes.fromhex(entry.inner)
    head = chain.next_hash(
        bytes.fromhex(hashes[-1]),
        entry.version,
        entry.kind,
        entry.schema,
        entry.at,
        entry.seat,
        entry.audience,
        entry.public,
        inner,
    ).hex()
    if entry.check != head[:CHECK]:
        raise BadLine("check-differs")
    if entry.audience is not None and _opens(header, entry.audience) != (entry.salt is not None):
        raise BadLine("wrong-redaction")
    if entry.version == 1:
        opened = told(entry.public)
        differing = [name for name in _OPENED if opened.get(name) != getattr(header, name)]
        if entry.kind != "TableOpened" or differing:
            raise BadLine("header-differs")
    return head


def _opens(header: Header, audience: tuple[int, ...]) -> bool:
    return header.redaction == "full" or header.seat in audience


def _check_last(
    last: Last, entries: list[Entry], header: Header, head: str, digest: str
) -> None:
    if not entries and header.after == 0:
        raise BadLine("ends-early")
    if last.count != len(entries):
        raise BadLine("count-differs")
    if last.hash != head:
        raise BadLine("hash-differs")
    if last.digest != digest:
        raise BadLine("digest-differs")
