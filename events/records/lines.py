"""The lines of a record: how each is written, and read back only if it was written just so.

Needs the standard library and events/chain.py only, so that a verifier can copy both.
"""

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from hashlib import sha256
from itertools import pairwise
from typing import Any, Final, Literal, TypeAlias, get_args

from events.chain import FORMAT, canonical, inner

Redaction: TypeAlias = Literal["public", "seat", "full"]
"""Which sealed faces a record opens: none, those a seat was told, or all."""

CHECK: Final = 8
"""Hex digits of a check: enough to name a damaged line, while head and digest prove the whole."""

DEEPEST: Final = 32
"""How deep lists and objects of a line may lie in one another."""

MOST_SEATS: Final = 255
"""The dice of a table know no more."""

_REDACTIONS: Final = get_args(Redaction)
_HEX: Final = re.compile(r"[0-9a-f]*\Z")
_KIND: Final = re.compile(r"[A-Za-z][A-Za-z0-9]{0,63}\Z")
_LARGEST: Final = (1 << 53) - 1


class BadLine(ValueError):  # noqa: N818 - what was read, not a defect
    """Say why a line is none of a record; ``reason`` is a code.

    ``line`` is its number (from 1), where it is not the one being read.
    """

    def __init__(self, reason: str, line: int | None = None) -> None:
        super().__init__(reason)
        self.reason = reason
        self.line = line


@dataclass(frozen=True, slots=True)
class Header:
    """The first line: what was opened, and how much of it the record shows.

    ``hash`` is the chain's after ``after`` events, in hex; ``deck`` is what a shuffle starts from.
    """

    table: str
    game: str
    rules: int
    options: Mapping[str, Any]
    seats: int
    commitment: str
    redaction: Redaction
    seat: int | None
    deck: tuple[str, ...]
    after: int
    hash: str

    def opens(self, audience: tuple[int, ...]) -> bool:
        """Answer whether this record shows what an audience may read."""
        return self.redaction == "full" or self.seat in audience

    def line(self) -> bytes:
        """Write it."""
        fields = {name: getattr(self, name) for name in self.__slots__} | {"format": FORMAT}
        if self.seat is None:
            del fields["seat"]
        check = sha256(canonical(fields)).hexdigest()[:CHECK]
        return canonical(fields | {"check": check}) + b"\n"


@dataclass(frozen=True, slots=True)
class Entry:
    """One event: its envelope, its public face, and its sealed face or what stands for it.

    ``audience`` is None without a sealed face. An open one has ``salt`` and ``sealed``, a closed
    one ``inner`` (both in hex). ``check`` is the beginning of the chain's hash, in hex.
    """

    version: int
    kind: str
    schema: int
    at: int
    seat: int | None
    audience: tuple[int, ...] | None
    public: bytes
    inner: str | None
    salt: str | None
    sealed: bytes
    check: str

    @property
    def inside(self) -> bytes:
        """Answer what stands for the sealed face in the chain; empty without one."""
        if self.salt is not None:
            return inner(bytes.fromhex(self.salt), self.sealed)
        return bytes.fromhex(self.inner or "")

    def line(self) -> bytes:
        """Write it; the names are in the order of RFC 8785."""
        parts = [b'{"at":%d' % self.at]
        if self.audience is not None:
            parts.append(b',"audience":[%b]' % b",".join([b"%d" % each for each in self.audience]))
        parts.append(b',"check":"%b"' % self.check.encode())
        if self.inner is not None:
            parts.append(b',"inner":"%b"' % self.inner.encode())
        parts.append(b',"kind":"%b","public":%b' % (self.kind.encode(), self.public))
        if self.salt is not None:
            parts.append(b',"salt":"%b"' % self.salt.encode())
        parts.append(b',"schema":%d' % self.schema)
        if self.salt is not None:
            parts.append(b',"sealed":%b' % self.sealed)
        if self.seat is not None:
            parts.append(b',"seat":%d' % self.seat)
        parts.append(b',"version":%d}\n' % self.version)
        return b"".join(parts)


@dataclass(frozen=True, slots=True)
class Last:
    """The last line: how many events, the chain's head, and the SHA-256 of all bytes before it."""

    count: int
    hash: str
    digest: str

    def line(self) -> bytes:
        """Write it."""
        fields = {"count": self.count, "digest": self.digest, "hash": self.hash}
        return canonical(fields) + b"\n"


def read_header(line: bytes) -> Header:
    """Read the first line, or raise BadLine."""
    fields = _parsed(line)
    if fields.get("format", FORMAT) != FORMAT:
        raise BadLine("unknown-format")
    header = _header(fields)
    if header is None:
        raise BadLine("bad-shape")
    if header.line() != line:
        raise BadLine("check-differs")
    return header


def read_body(line: bytes) -> Entry | Last:
    """Read any other line, or raise BadLine."""
    fields = _parsed(line)
    found = _last(fields) if "count" in fields else _entry(fields, _writer(line))
    if found is None:
        raise BadLine("bad-shape")
    return found


def _parsed(line: bytes) -> dict[str, Any]:
    """Read a line, write it again and compare: no byte can hide."""
    if not line.endswith(b"\n"):
        raise BadLine("cut-off")
    try:
        fields = _DECODER.decode(line[:-1].decode())
        deep = line.count(b"[") + line.count(b"{") > DEEPEST and _depth(fields) > DEEPEST
        if deep or _writer(line)(fields) != line[:-1]:
            raise BadLine("not-canonical")
    except (ValueError, RecursionError) as error:
        raise BadLine("not-canonical") from error
    if not isinstance(fields, dict):
        raise BadLine("bad-shape")
    return fields


_ASCII: Final = json.JSONEncoder(sort_keys=True, ensure_ascii=False, separators=(",", ":"))


def _writer(line: bytes) -> Callable[[Any], bytes]:
    """Answer how a line's values are written; of ASCII names Python's order is RFC 8785's."""
    return _ascii if line.isascii() else canonical


def _ascii(value: Any) -> bytes:
    return _ASCII.encode(value).encode()


def _depth(value: Any) -> int:
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        return 1 + max(map(_depth, value), default=0)
    return 0


def _whole(digits: str) -> int:
    number = int(digits) if len(digits) < 18 else _LARGEST + 1
    if not -_LARGEST <= number <= _LARGEST:
        raise ValueError("an integer that JavaScript does not know")
    return number


def _refuse(digits: str) -> None:
    raise ValueError(f"{digits} is not an integer")


_DECODER: Final = json.JSONDecoder(parse_int=_whole, parse_float=_refuse, parse_constant=_refuse)


def _header(fields: dict[str, Any]) -> Header | None:
    names = set(Header.__slots__) | {"check", "format"}
    seated = fields.get("redaction") == "seat"
    if set(fields) != (names if seated else names - {"seat"}):
        return None
    seats, deck = fields["seats"], fields["deck"]
    good = (
        _texts(fields["table"], fields["game"])
        and _count(fields["rules"])
        and isinstance(fields["options"], dict)
        and _count(seats)
        and seats <= MOST_SEATS
        and is_hex(fields["commitment"], 64)
        and fields["redaction"] in _REDACTIONS
        and (not seated or (is_natural(fields["seat"]) and fields["seat"] < seats))
        and isinstance(deck, list)
        and _texts(*deck)
        and is_natural(fields["after"])
        and is_hex(fields["hash"], 64)
        and is_hex(fields["check"], CHECK)
    )
    if not good:
        return None
    told = {name: fields.get(name) for name in Header.__slots__}
    return Header(**told | {"deck": tuple(deck)})


_OPEN: Final = frozenset({"audience", "salt", "sealed"})
_CLOSED: Final = frozenset({"audience", "inner"})
_BARE: Final = frozenset({"version", "kind", "schema", "at", "public", "check"})


def _entry(fields: dict[str, Any], write: Callable[[Any], bytes]) -> Entry | None:
    audience = fields.get("audience")
    if fields.keys() - {"seat"} not in (_BARE, _BARE | _OPEN, _BARE | _CLOSED):
        return None
    good = (
        _count(fields["version"])
        and isinstance(fields["kind"], str)
        and _KIND.match(fields["kind"]) is not None
        and _count(fields["schema"])
        and is_natural(fields["at"])
        and is_natural(fields.get("seat", 0))
        and ("audience" not in fields or _seats(audience))
        and isinstance(fields["public"], dict)
        and is_hex(fields.get("inner", "0" * 64), 64)
        and is_hex(fields.get("salt", "0" * 64), 64)
        and isinstance(fields.get("sealed", {}), dict)
        and is_hex(fields["check"], CHECK)
    )
    if not good:
        return None
    return Entry(
        fields["version"],
        fields["kind"],
        fields["schema"],
        fields["at"],
        fields.get("seat"),
        None if audience is None else tuple(audience),
        write(fields["public"]),
        fields.get("inner"),
        fields.get("salt"),
        write(fields["sealed"]) if "sealed" in fields else b"",
        fields["check"],
    )


def _last(fields: dict[str, Any]) -> Last | None:
    if fields.keys() != {"count", "hash", "digest"}:
        return None
    count, head, digest = fields["count"], fields["hash"], fields["digest"]
    good = is_natural(count) and is_hex(head, 64) and is_hex(digest, 64)
    return Last(count, head, digest) if good else None


def is_natural(value: Any) -> bool:
    """Answer whether a JSON value is an integer from 0 on."""
    return type(value) is int and value >= 0


def _count(value: Any) -> bool:
    return type(value) is int and value > 0


def is_hex(value: Any, digits: int) -> bool:
    """Answer whether a JSON value is a string of so many lower-case hex digits."""
    return isinstance(value, str) and len(value) == digits and _HEX.match(value) is not None


def _texts(*values: Any) -> bool:
    return all(isinstance(value, str) for value in values)


def _seats(value: Any) -> bool:
    whole = isinstance(value, list) and all(map(is_natural, value))
    return whole and all(low < high for low, high in pairwise(value))
