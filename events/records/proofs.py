"""What a table's key proves of its record: the commitment, the salts and every roll.

Needs the standard library, events/chain.py and events/records/lines.py only.
"""

import json
from collections.abc import Callable, Sequence
from typing import Any

from events import chain
from events.records.lines import BadLine, Entry, Header, is_hex, is_natural


def told_key(header: Header, entries: Sequence[Entry]) -> bytes | None:
    """Answer the key if the record tells it, by an open first event or at the table's end."""
    key = None
    for entry in entries:
        face = entry.sealed if entry.kind == "TableOpened" else entry.public
        if face and entry.kind in ("TableOpened", "KeyRevealed"):
            told = json.loads(face).get("key")
            if not is_hex(told, 64):
                raise BadLine("bad-event", _line(entry, header))
            key = bytes.fromhex(told)
            if chain.commitment(key) != header.commitment:
                raise BadLine("key-differs", _line(entry, header))
    return key


def check_salts(header: Header, entries: Sequence[Entry], key: bytes) -> int:
    """Derive every salt that is told again, and answer how many there are."""
    salted = [each for each in entries if each.salt is not None]
    for entry in salted:
        if entry.salt != chain.salt(key, entry.version).hex():
            raise BadLine("salt-differs", _line(entry, header))
    return len(salted)


def check_rolls(header: Header, entries: Sequence[Entry], key: bytes) -> int:
    """Roll again what was rolled, and answer how many decisions by chance could be checked.

    That takes the seats' entropy: a part of a record that begins later cannot be checked.
    """
    if header.after > 0:
        return 0
    entropies = [b""] * header.seats
    rolled = checked = 0
    for entry in entries:
        if entry.kind not in ("SeatTaken", "SeatLeft", "DiceRolled"):
            continue
        public = json.loads(entry.public)
        try:
            if entry.kind == "SeatTaken":
                entropies[_seat(public, header)] = _entropy(public)
            elif entry.kind == "SeatLeft":
                entropies[_seat(public, header)] = b""
            else:
                if entry.sealed:
                    _roll_again(json.loads(entry.sealed), chain.keyed_roll(key, entropies, rolled))
                    checked += 1
                rolled += 1
        except BadLine as bad:
            raise BadLine(bad.reason, _line(entry, header)) from bad
    return checked


def told_origin(header: Header, entries: Sequence[Entry]) -> dict[str, Any] | None:
    """Answer where a fork says it comes from; the position it starts from is taken as given."""
    for entry in entries:
        if entry.version == 2 and entry.kind == "TableForked":
            public = json.loads(entry.public)
            origin, step = public.get("origin"), public.get("step")
            if not isinstance(origin, str) or not is_natural(step):
                raise BadLine("bad-event", _line(entry, header))
            return {"table": origin, "version": step}
    return None


def _line(entry: Entry, header: Header) -> int:
    return entry.version - header.after + 1


def _seat(public: dict[str, Any], header: Header) -> int:
    seat: Any = public.get("seat")
    if not is_natural(seat) or seat >= header.seats:
        raise BadLine("bad-event")
    return int(seat)


def _entropy(public: dict[str, Any]) -> bytes:
    entropy = public.get("entropy")
    if not isinstance(entropy, str) or len(entropy) not in range(0, 65, 2):
        raise BadLine("bad-event")
    if not is_hex(entropy, len(entropy)):
        raise BadLine("bad-event")
    return bytes.fromhex(entropy)


def _roll_again(sealed: dict[str, Any], roll: Callable[[int], int]) -> None:
    rolls = sealed.get("rolls")
    if not isinstance(rolls, list):
        raise BadLine("bad-event")
    for each in rolls:
        if not isinstance(each, list) or len(each) != 2 or not all(map(is_natural, each)):
            raise BadLine("bad-event")
        n, k = each
        if not 1 <= n <= 1 << 32:
            raise BadLine("bad-event")
        if roll(n) != k:
            raise BadLine("roll-differs")
