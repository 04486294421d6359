"""What makes a history checkable: hashes, salts, the commitment and the dice of a table's key.

Needs the standard library only, so that a verifier can copy this file; docs/verifying.md specifies
every byte for verifiers in other languages.
"""

import hmac
import json
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from hashlib import sha256
from struct import pack
from typing import Any, Final

FORMAT: Final = "abraxas record 1"
"""Name of this way of hashing; part of every first hash."""


def canonical(value: Any) -> bytes:
    """Write JSON in RFC 8785 form: strings, integers below 2^53, booleans, null, lists, objects."""
    text = json.dumps(_ordered(value), ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return text.encode()


def _ordered(value: Any) -> Any:
    # RFC 8785 orders names by UTF-16 code units, which differs from Python's order beyond U+FFFF.
    if isinstance(value, Mapping):
        names = sorted(value, key=lambda name: name.encode("utf-16-be"))
        return {name: _ordered(value[name]) for name in names}
    if isinstance(value, (list, tuple)):
        return [_ordered(each) for each in value]
    if value is None or isinstance(value, (str, int)):
        return value
    raise TypeError(f"no canonical form for {type(value).__name__}")


def first_hash(table: str, opened: Mapping[str, Any]) -> bytes:
    """Answer hash(0) from the table's id and the public face of its TableOpened."""
    names = ("game", "rules", "options", "seats", "commitment")
    header = {"format": FORMAT, "table": table} | {name: opened[name] for name in names}
    return sha256(canonical(header)).digest()


def next_hash(
    previous: bytes,
    version: int,
    kind: str,
    schema: int,
    at: int,
    seat: int | None,
    audience: Sequence[int] | None,
    public: bytes,
    inner: bytes,
) -> bytes:
    """Answer hash(version); ``at`` in milliseconds, ``inner`` is empty without a sealed face."""
    number, time = b"%d" % version, b"%d" % at
    parts = (
        _SIZES[len(previous)], previous,
        _SIZES[len(number)], number,
        _kind(kind, schema),
        _SIZES[len(time)], time,
        _seats(seat, tuple(audience or ())),
        _SIZES[len(public)], public,
        _SIZES[len(inner)], inner,
    )  # fmt: skip
    return sha256(b"".join(parts)).digest()


class _Sizes(dict[int, bytes]):
    """Answer lengths as four bytes; those of short parts are at hand."""

    def __missing__(self, size: int) -> bytes:
        return pack(">I", size)


_SIZES: Final = _Sizes((size, pack(">I", size)) for size in range(1024))


# Few combinations come again and again: a history is hashed in half the time.
@lru_cache(1024)
def _kind(kind: str, schema: int) -> bytes:
    return _sized(kind.encode(), b"%d" % schema)


@lru_cache(1024)
def _seats(seat: int | None, audience: tuple[int, ...]) -> bytes:
    acting = b"" if seat is None else b"%d" % seat
    return _sized(acting, b",".join([b"%d" % each for each in audience]))


def _sized(*parts: bytes) -> bytes:
    return b"".join([_SIZES[len(part)] + part for part in parts])


def commitment(key: bytes) -> str:
    """Answer what is published of a table's key when it opens, in hex."""
    return sha256(key).hexdigest()


def salt(key: bytes, version: int) -> bytes:
    """Answer the salt of the sealed face of one version: 32 bytes."""
    return hmac.digest(key, b"abraxas salt 1" + pack(">Q", version), "sha256")


def inner(salt: bytes, sealed: bytes) -> bytes:
    """Answer what stands for a sealed face in the chain; empty for no sealed face."""
    return sha256(salt + sealed).digest() if sealed else b""


def invite(key: bytes) -> str:
    """Answer the invite of a private table: 128 bits in hex."""
    return hmac.digest(key, b"abraxas invite 1", "sha256")[:16].hex()


def dice_seed(key: bytes, entropies: Sequence[bytes]) -> bytes:
    """Answer the seed of a table's dice; an entropy per seat, in order, empty for none."""
    message = b"".join([bytes((len(each),)) + each for each in entropies])
    return hmac.digest(key, b"abraxas dice 1" + bytes((len(entropies),)) + message, "sha256")


def keyed_roll(key: bytes, entropies: Sequence[bytes], r: int) -> Callable[[int], int]:
    """Answer ``roll(n)`` for the r-th decision by chance of a table: 0 to n - 1, each as likely.

    ``n`` is from 1 to 2^32; a roll of 1 is 0 and uses nothing up.
    """
    words = _Words(key, tuple(entropies), r)

    def roll(n: int) -> int:
        if not 1 <= n <= 1 << 32:
            raise ValueError(f"cannot roll one of {n}")
        if n == 1:
            return 0
        fair = (1 << 32) - (1 << 32) % n
        while (word := words.next()) >= fair:
            pass
        return word % n

    return roll


class _Words:
    """The numbers below 2^32 behind one decision: HMAC in counter mode, made when asked for."""

    __slots__ = ("_block", "_count", "_entropies", "_key", "_r", "_stream")

    def __init__(self, key: bytes, entropies: tuple[bytes, ...], r: int) -> None:
        self._key, self._entropies, self._r = key, entropies, r
        self._stream = b""
        self._block = b""
        self._count = 0

    def next(self) -> int:
        at = self._count % 8 * 4
        if at == 0:
            if not self._stream:
                seed = dice_seed(self._key, self._entropies)
                self._stream = hmac.digest(seed, b"roll" + pack(">Q", self._r), "sha256")
            block = pack(">Q", self._count // 8)
            self._block = hmac.digest(self._stream, block, "sha256")
        self._count += 1
        return int.from_bytes(self._block[at : at + 4], "big")
