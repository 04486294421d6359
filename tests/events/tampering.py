"""What may happen to a record: random damage, and forgeries whose chain was made to fit again."""

import json
from collections.abc import Callable
from hashlib import sha256
from random import Random
from typing import Any, NamedTuple

from events import chain

Fields = dict[str, Any]


def damaged(record: bytes, random: Random) -> tuple[str, bytes]:
    """Answer how a record was damaged and what became of it; never the same bytes."""
    while True:
        way = random.choice(list(WAYS))
        changed = WAYS[way](record, random)
        if changed != record:
            return way, changed


def damaged_line(record: bytes, changed: bytes) -> int:
    """Answer the number of the line (from 1) where a damaged record first differs."""
    same = next(
        (i for i, (a, b) in enumerate(zip(record, changed, strict=False)) if a != b),
        min(len(record), len(changed)),
    )
    return changed[:same].count(b"\n") + 1


def _flip_bit(record: bytes, random: Random) -> bytes:
    at = random.randrange(len(record))
    return record[:at] + bytes((record[at] ^ 1 << random.randrange(8),)) + record[at + 1 :]


def _change_byte(record: bytes, random: Random) -> bytes:
    at = random.randrange(len(record))
    return record[:at] + random.choice(b'0123456789abcdef"{}[],: \n').to_bytes() + record[at + 1 :]


def _delete_bytes(record: bytes, random: Random) -> bytes:
    at = random.randrange(len(record))
    return record[:at] + record[at + random.randint(1, 40) :]


def _insert_bytes(record: bytes, random: Random) -> bytes:
    at = random.randrange(len(record) + 1)
    return record[:at] + random.randbytes(random.randint(1, 8)) + record[at:]


def _delete_lines(record: bytes, random: Random) -> bytes:
    lines = record.splitlines(keepends=True)
    at = random.randrange(len(lines))
    return b"".join(lines[:at] + lines[at + random.choice((1, 1, 1, 5)) :])


def _repeat_a_line(record: bytes, random: Random) -> bytes:
    lines = record.splitlines(keepends=True)
    at = random.randrange(len(lines) + 1)
    return b"".join([*lines[:at], random.choice(lines), *lines[at:]])


def _swap_lines(record: bytes, random: Random) -> bytes:
    lines = record.splitlines(keepends=True)
    one, other = random.randrange(len(lines)), random.randrange(len(lines))
    lines[one], lines[other] = lines[other], lines[one]
    return b"".join(lines)


def _shuffle_lines(record: bytes, random: Random) -> bytes:
    lines = record.splitlines(keepends=True)
    random.shuffle(lines)
    return b"".join(lines)


def _truncate(record: bytes, random: Random) -> bytes:
    return record[: random.randrange(len(record))]


def _truncate_to_lines(record: bytes, random: Random) -> bytes:
    lines = record.splitlines(keepends=True)
    return b"".join(lines[: random.randrange(len(lines))])


WAYS: dict[str, Callable[[bytes, Random], bytes]] = {
    "flip a bit": _flip_bit,
    "change a byte": _change_byte,
    "delete bytes": _delete_bytes,
    "insert bytes": _insert_bytes,
    "delete lines": _delete_lines,
    "repeat a line": _repeat_a_line,
    "swap lines": _swap_lines,
    "shuffle lines": _shuffle_lines,
    "truncate": _truncate,
    "truncate to lines": _truncate_to_lines,
}


def forged(record: bytes, change: Callable[[Fields, list[Fields]], None]) -> bytes:
    """Change a record's header and events, and make checks, chain and last line fit again."""
    header, *entries, _ = map(json.loads, record.splitlines())
    change(header, entries)
    header.pop("check")
    if header["after"] == 0:
        header["hash"] = chain.first_hash(header["table"], header).hex()
    header["check"] = sha256(chain.canonical(header)).hexdigest()[:8]
    head = bytes.fromhex(header["hash"])
    for entry in entries:
        head = chain.next_hash(
            head,
            entry["version"],
            entry["kind"],
            entry["schema"],
            entry["at"],
            entry.get("seat"),
            entry.get("audience"),
            chain.canonical(entry["public"]),
            _inner(entry),
        )
        entry["check"] = head.hex()[:8]
    lines = b"".join(chain.canonical(each) + b"\n" for each in (header, *entries))
    last = {
        "count": len(entries),
        "hash": head.hex(),
        "digest": sha256(lines).hexdigest(),
    }
    return lines + chain.canonical(last) + b"\n"


def _inner(entry: Fields) -> bytes:
    if "salt" in entry:
        return chain.inner(bytes.fromhex(entry["salt"]), chain.canonical(entry["sealed"]))
    return bytes.fromhex(entry.get("inner", ""))


class Forgery(NamedTuple):
    """A change, where a checker must stop (a kind of event, ``header`` or ``end``), and why."""

    change: Callable[[Fields, list[Fields]], None]
    where: str
    reason: str


def _first(entries: list[Fields], kind: str) -> Fields:
    return next(each for each in entries if each["kind"] == kind)


def _set(where: str, *path: str, to: Any) -> Callable[[Fields, list[Fields]], None]:
    def change(header: Fields, entries: list[Fields]) -> None:
        target = header if where == "header" else _first(entries, where)
        for step in path[:-1]:
            target = target[step]
        target[path[-1]] = to

    return change


def _append(header: Fields, entries: list[Fields]) -> None:
    entries.append(entries[-1] | {"version": entries[-1]["version"] + 1})


def _renumber(header: Fields, entries: list[Fields]) -> None:
    for entry in entries:
        entry["version"] += 1


def _close(header: Fields, entries: list[Fields]) -> None:
    dice = _first(entries, "DiceRolled")
    dice["inner"] = _inner(dice).hex()
    del dice["salt"], dice["sealed"]


def _drop_the_rest(header: Fields, entries: list[Fields]) -> None:
    entries.clear()


FORGERIES: dict[str, Forgery] = {
    "another number of rules": Forgery(
        _set("header", "rules", to=2), "TableOpened", "header-differs"
    ),
    "true for one": Forgery(
        _set("TableOpened", "public", "rules", to=True), "TableOpened", "header-differs"
    ),
    "a first event of another kind": Forgery(
        _set("TableOpened", "kind", to="TableClosed"), "TableClosed", "header-differs"
    ),
    "too many seats": Forgery(_set("header", "seats", to=256), "header", "bad-shape"),
    "a seat of a copy for all": Forgery(_set("header", "seat", to=1), "header", "bad-shape"),
    "another format": Forgery(
        _set("header", "format", to="abraxas record 2"), "header", "unknown-format"
    ),
    "an unknown redaction": Forgery(_set("header", "redaction", to="most"), "header", "bad-shape"),
    "a deck of numbers": Forgery(_set("header", "deck", to=[1]), "header", "bad-shape"),
    "a full copy that says it is public": Forgery(
        _set("header", "redaction", to="public"), "TableOpened", "wrong-redaction"
    ),
    "a closed face in a full copy": Forgery(_close, "DiceRolled", "wrong-redaction"),
    "versions from two on": Forgery(_renumber, "TableOpened", "out-of-order"),
    "an audience that is no list": Forgery(
        _set("DiceRolled", "audience", to=0), "DiceRolled", "bad-shape"
    ),
    "no event at all": Forgery(_drop_the_rest, "end", "ends-early"),
    "an event after the end": Forgery(_append, "end", "after-the-end"),
    "an unsorted audience": Forgery(
        _set("DiceRolled", "audience", to=[1, 0]), "DiceRolled", "bad-shape"
    ),
    "a seat of null": Forgery(_set("SeatTaken", "seat", to=None), "SeatTaken", "bad-shape"),
    "a kind that is no name": Forgery(
        _set("SeatTaken", "kind", to="Seat taken"), "Seat taken", "bad-shape"
    ),
    "a kind that every object has": Forgery(_set("GameStarted", "kind", to="constructor"), "", ""),
    "an unknown field": Forgery(_set("SeatTaken", "note", to="hi"), "SeatTaken", "bad-shape"),
    "a schema of nought": Forgery(_set("SeatTaken", "schema", to=0), "SeatTaken", "bad-shape"),
    "another key at the opening": Forgery(
        _set("TableOpened", "sealed", "key", to="00" * 32), "TableOpened", "key-differs"
    ),
    "another key at the end": Forgery(
        _set("KeyRevealed", "public", "key", to="00" * 32), "KeyRevealed", "key-differs"
    ),
    "a key that is none": Forgery(
        _set("KeyRevealed", "public", "key", to="x"), "KeyRevealed", "bad-event"
    ),
    "another salt": Forgery(_set("DiceRolled", "salt", to="00" * 32), "DiceRolled", "salt-differs"),
    "other rolls": Forgery(
        _set("DiceRolled", "sealed", "rolls", to=[[52, 51], [1, 0]]), "DiceRolled", "roll-differs"
    ),
    "a roll of a die without sides": Forgery(
        _set("DiceRolled", "sealed", "rolls", to=[[0, 0]]), "DiceRolled", "bad-event"
    ),
    "a roll without its answer": Forgery(
        _set("DiceRolled", "sealed", "rolls", to=[[52]]), "DiceRolled", "bad-event"
    ),
    "rolls that are none": Forgery(
        _set("DiceRolled", "sealed", "rolls", to={}), "DiceRolled", "bad-event"
    ),
    "other entropy": Forgery(
        _set("SeatTaken", "public", "entropy", to="00"), "DiceRolled", "roll-differs"
    ),
    "entropy in capitals": Forgery(
        _set("SeatTaken", "public", "entropy", to="AB"), "SeatTaken", "bad-event"
    ),
    "half a byte of entropy": Forgery(
        _set("SeatTaken", "public", "entropy", to="abc"), "SeatTaken", "bad-event"
    ),
    "a player without a seat": Forgery(
        _set("SeatTaken", "public", "seat", to=99), "SeatTaken", "bad-event"
    ),
    "lists as deep as may be": Forgery(
        _set("SeatTaken", "public", "deep", to=json.loads("[" * 30 + "]" * 30)), "", ""
    ),
    "lists too deep": Forgery(
        _set("SeatTaken", "public", "deep", to=json.loads("[" * 31 + "]" * 31)),
        "SeatTaken",
        "not-canonical",
    ),
    "the largest number": Forgery(_set("SeatTaken", "public", "n", to=2**53 - 1), "", ""),
    "a number too large": Forgery(
        _set("SeatTaken", "public", "n", to=2**53), "SeatTaken", "not-canonical"
    ),
    "names beyond the first plane": Forgery(
        _set("SeatTaken", "public", "player", to={"\ue000": "\u2028\x7f", "\U0001f600": "\x01"}),
        "",
        "",
    ),
}
"""Forgeries of a full record of a finished table; those without a reason a checker lets pass."""


def forged_line(record: bytes, where: str) -> int | None:
    """Answer the line that a checker must name, None if it has nothing to say."""
    lines = record.splitlines()
    if where == "header":
        return 1
    if where == "end":
        return len(lines) - (1 if b"KeyRevealed" in lines[-2] else 0)
    kinds = [json.loads(line).get("kind") for line in lines]
    return kinds.index(where) + 1 if where else None


REWRITINGS: dict[str, tuple[bytes, bytes]] = {
    "a space": (b'{"at":', b'{"at": '),
    "a number with a point": (b'"schema":1,', b'"schema":1.0,'),
    "a number with an exponent": (b'"schema":1,', b'"schema":1e0,'),
    "minus nought": (b'"seat":0,"version"', b'"seat":-0,"version"'),
    "not a number": (b'"schema":1,', b'"schema":NaN,'),
    "an infinite number": (b'"schema":1,', b'"schema":Infinity,'),
    "a number of many digits": (b'"schema":1,', b'"schema":100000000000000000000000,'),
    "a leading nought": (b'"schema":1,', b'"schema":01,'),
    "an escaped letter": (b'"kind":"SeatTaken"', b'"kind":"Seat\\u0054aken"'),
    "half a character": (b'"player":"ann"', b'"player":"\\ud800"'),
    "a slash that is escaped": (b'"player":"ann"', b'"player":"a\\/n"'),
    "a control character": (b'"player":"ann"', b'"player":"a\x01n"'),
    "bytes that are no text": (b'"player":"ann"', b'"player":"a\xffn"'),
    "a surrogate in bytes": (b'"player":"ann"', b'"player":"a\xed\xa0\x80"'),
    "a letter in two bytes": (b'"player":"ann"', b'"player":"\xc1\xa1nn"'),
    "a name twice": (b'"schema":1,', b'"schema":1,"schema":1,'),
    "names in another order": (b'"schema":1,"seat":0,', b'"seat":0,"schema":1,'),
    "a carriage return": (b'"version":2}\n', b'"version":2}\r\n'),
    "a byte order mark": (b'\n{"at"', b'\n\xef\xbb\xbf{"at"'),
    "an empty line": (b'\n{"at"', b'\n\n{"at"'),
    "a list": (b'\n{"at"', b'\n[]\n{"at"'),
    "many brackets": (b'\n{"at"', b"\n" + b"[" * 100_000 + b'\n{"at"'),
    "a prototype": (b'"public":{"bot"', b'"public":{"__proto__":{},"bot"'),
}
"""Bytes that mean the same, or nothing, in place of those that a record has."""
