"""Packing: streams out, bounded memory in, and damage is told."""

import gzip
import io
import random
from collections.abc import Iterator
from typing import get_args

import pytest

from events.records.packing import (
    CHUNK,
    BadPacking,
    Encoding,
    TooLarge,
    encoding_of,
    packed,
    unpacked,
)

ENCODINGS: tuple[Encoding, ...] = get_args(Encoding)
LINES = [
    b'{"line":%d,"noise":"%x"}\n' % (i, random.Random(i).getrandbits(256)) for i in range(5000)
]
WHOLE = b"".join(LINES)


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_what_was_packed_unpacks_to_the_same_bytes(encoding: Encoding) -> None:
    stream = b"".join(packed(LINES, encoding))
    assert unpacked(io.BytesIO(stream), encoding, len(WHOLE)) == WHOLE


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_nothing_packs_to_nothing(encoding: Encoding) -> None:
    assert unpacked(io.BytesIO(b"".join(packed([], encoding))), encoding, 0) == b""


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_chunks_leave_before_the_last_line_was_asked_for(encoding: Encoding) -> None:
    asked = 0

    def lines() -> Iterator[bytes]:
        nonlocal asked
        for line in LINES:
            asked += 1
            yield line

    first = next(packed(lines(), encoding))
    assert asked < len(LINES)
    assert len(first) >= CHUNK


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_more_than_allowed_is_refused_without_unpacking_it_all(encoding: Encoding) -> None:
    stream = io.BytesIO(b"".join(packed([b"\0" * (1 << 20)] * 64, encoding)))
    with pytest.raises(TooLarge):
        unpacked(stream, encoding, 1 << 20)


@pytest.mark.parametrize("encoding", ["gzip", "zstd"])
def test_damage_is_told(encoding: Encoding) -> None:
    whole = b"".join(packed(LINES, encoding))
    for damaged in (whole[:-9], b"plain text", whole[: len(whole) // 2]):
        with pytest.raises(BadPacking):
            unpacked(io.BytesIO(damaged), encoding, len(WHOLE))


def test_packing_is_the_same_every_time_and_read_by_others() -> None:
    once, again = (b"".join(packed(LINES, "gzip")) for _ in range(2))
    assert once == again
    assert gzip.decompress(once) == WHOLE


@pytest.mark.parametrize(
    ("name", "encoding"),
    [("a.jsonl", "identity"), ("a.jsonl.gz", "gzip"), ("a.jsonl.zst", "zstd")],
)
def test_the_end_of_a_name_tells_the_encoding(name: str, encoding: Encoding) -> None:
    assert encoding_of(name) == encoding
