"""A finished table in few bytes, and back: the form in which the archive keeps it.

Kept are the facts and the moments at which they were decided. Left out is what follows from them:
versions, salts and hashes, the commitment, the rolls that the table's key makes again. Whoever
writes reads back and compares before anything else of the table goes.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Final

import msgspec

from domain.value import changed
from events.archive.primer import NO_PRIMER, Primer, Shape
from events.archive.shorthand import Shorthand
from events.archive.tokens import Reader, Writer
from events.recorded import Recorded
from events.records.packing import zstd
from events.rolled import Rolling

_ENCODER: Final = msgspec.json.Encoder(order="sorted")
_LEVEL: Final = 19
_PLAIN: Final[Mapping[int, int]] = {
    zstd.CompressionParameter.compression_level: _LEVEL,
    zstd.CompressionParameter.checksum_flag: 1,
    zstd.CompressionParameter.content_size_flag: 0,
    zstd.CompressionParameter.dict_id_flag: 0,
}
_UNLIKE: Final = (AttributeError, LookupError, TypeError, ValueError, msgspec.MsgspecError)
"""What faces run into that are no objects of what JSON has without fractions."""

_ACTING: Final = "seat"
"""The field that names the acting seat: it is told first, for others may follow from it."""


@dataclass(frozen=True, slots=True)
class Archived:
    """A table's events, and the versions at which its decisions ended."""

    recorded: tuple[Recorded, ...]
    ends: tuple[int, ...]


class NotPackable(ValueError):  # noqa: N818 - what was read, not a defect
    """Say that a history would not come back from the archive's form as it is."""


def archivable(recorded: Sequence[Recorded], ends: Iterable[int]) -> Archived:
    """Make ready for the archive: traces are left out, as of records.

    ``ends`` are where decisions are known to have ended; they also end where the clock went on.
    """
    pauses = [each.version for each, later in pairwise(recorded) if later.at != each.at]
    every = sorted({*ends, *pauses, recorded[-1].version})
    bare = tuple([each if each.trace is None else changed(each, trace=None) for each in recorded])
    return Archived(bare, tuple(every))


def packed(archived: Archived, primer: Primer = NO_PRIMER) -> bytes:
    """Write a table; raise NotPackable unless it would be read back to the last byte."""
    table = archived.recorded[0].table
    try:
        tokens = tokens_of(archived, primer)
        if read_tokens(tokens, table, primer) == archived:
            return zstd.compress(tokens, options=_PLAIN, zstd_dict=primer.dictionary)
    except _UNLIKE as error:
        raise NotPackable(f"table {table}: {type(error).__name__}") from error
    raise NotPackable(f"table {table} would not be read back as it is")


def unpacked(content: bytes, table: str, primer: Primer = NO_PRIMER) -> Archived:
    """Read a table back; raise ValueError if the bytes are damaged or want another primer."""
    try:
        tokens = zstd.decompress(content, zstd_dict=primer.dictionary)
        return read_tokens(tokens, table, primer)
    except (zstd.ZstdError, LookupError, TypeError, msgspec.MsgspecError) as error:
        raise ValueError(f"table {table} cannot be read: {error}") from error


@dataclass(frozen=True, slots=True)
class Row:
    """An event as it is written: its shape, and the values in the order they are told."""

    shape: Shape
    values: tuple[Any, ...]


def _public(shape: Shape) -> tuple[str, ...]:
    """Answer the public fields in the order they are told."""
    return tuple(sorted(shape.public, key=lambda name: name != _ACTING))


def rows_of(recorded: Iterable[Recorded]) -> Iterator[Row]:
    """Answer every event as a row, without what follows from the table's key."""
    rolling = Rolling()
    for each in recorded:
        public = msgspec.json.decode(each.public)
        sealed = msgspec.json.decode(each.sealed) if each.sealed else None
        names = None if sealed is None else tuple(sealed)
        shape = Shape(each.kind, each.schema, tuple(public), names)
        rolling.shorten(each.kind, public, sealed)
        acting = each.seat is not None and each.seat == public.get(_ACTING)
        values = [acting or each.seat, *(public[name] for name in _public(shape))]
        if sealed is not None:
            values += (_told(each.audience, values[1:]), *sealed.values())
        yield Row(shape, tuple(values))


def _recorded(
    table: str, shapes: Iterable[Shape], shorts: Iterable[Sequence[Any]], moments: Iterable[int],
    primer: Primer,
) -> Iterator[Recorded]:  # fmt: skip
    rolling, shorthand = Rolling(), Shorthand(primer)
    told = zip(shapes, shorts, moments, strict=True)
    for version, (shape, short, at) in enumerate(told, start=1):
        seat, *values = shorthand.restore(shape, short)
        names = _public(shape)
        public = dict(zip(names, values, strict=False))
        sealed = audience = None
        if shape.sealed is not None:
            audience = _heard(values[len(names)], values)
            sealed = dict(zip(shape.sealed, values[len(names) + 1 :], strict=True))
        rolling.restore(shape.kind, public, sealed)
        shorthand.heard(audience, sealed)
        yield Recorded(
            table=table,
            version=version,
            kind=shape.kind,
            schema=shape.schema,
            at=at,
            seat=public[_ACTING] if seat is True else (seat or None),
            audience=audience,
            public=_ENCODER.encode(public),
            sealed=b"" if sealed is None else _ENCODER.encode(sealed),
        )


def _told(audience: tuple[int, ...] | None, public: Sequence[Any]) -> Any:
    """Write who may read: the place of the public value that names the only one, or all."""
    if audience is not None and len(audience) == 1:
        for place, value in enumerate(public):
            if type(value) is int and value == audience[0]:
                return place
    return audience


def _heard(told: Any, values: Sequence[Any]) -> tuple[int, ...]:
    return (values[told],) if isinstance(told, int) else tuple(told)


def tokens_of(archived: Archived, primer: Primer) -> bytes:
    """Write a table without compressing it: every field of a shape together, event by event."""
    rows = [*rows_of(archived.recorded)]
    writer = Writer(primer.words)
    numbers = dict(primer.numbers)
    new = [each for each in dict.fromkeys(row.shape for row in rows) if each not in numbers]
    numbers |= {shape: number for number, shape in enumerate(new, len(numbers))}
    writer.value([[each.kind, each.schema, each.public, each.sealed] for each in new])
    writer.count(len(rows))
    for row in rows:
        writer.count(numbers[row.shape])
    _write_moments(writer, archived)
    shorthand = Shorthand(primer)
    columns: dict[Shape, list[list[Any]]] = {}
    for row, each in zip(rows, archived.recorded, strict=True):
        columns.setdefault(row.shape, []).append(shorthand.shorten(row.shape, row.values))
        sealed = msgspec.json.decode(each.sealed) if each.sealed else None
        shorthand.heard(each.audience, sealed)
    for _, some in sorted(columns.items(), key=lambda item: numbers[item[0]]):
        for column in zip(*some, strict=True):
            for value in column:
                writer.value(value)
    return bytes(writer.bytes)


def read_tokens(tokens: bytes, table: str, primer: Primer) -> Archived:
    """Read what ``tokens_of`` wrote."""
    reader = Reader(tokens, primer.words)
    new = [msgspec.convert(each, Shape) for each in reader.value()]
    known = (*primer.shapes, *new)
    order = [reader.count() for _ in range(reader.count())]
    ends, moments = _read_moments(reader, len(order))
    columns = {
        number: _columns(reader, _width(known[number]), order.count(number))
        for number in sorted(set(order))
    }
    shorts = [next(columns[number]) for number in order]
    reader.end()
    shapes = [known[number] for number in order]
    return Archived(tuple(_recorded(table, shapes, shorts, moments, primer)), ends)


def _columns(reader: Reader, width: int, many: int) -> Iterator[tuple[Any, ...]]:
    """Read the fields of so many events of one shape, one field after the other."""
    columns = [[reader.value() for _ in range(many)] for _ in range(width)]
    return zip(*columns, strict=True)


def _width(shape: Shape) -> int:
    return 1 + len(shape.public) + (0 if shape.sealed is None else 1 + len(shape.sealed))


def _write_moments(writer: Writer, archived: Archived) -> None:
    before = archived.recorded[0].at
    writer.count(before)
    writer.count(len(archived.ends))
    for begun, end in pairwise((0, *archived.ends)):
        writer.count(end - begun)
    steps = []
    for end in archived.ends:
        at = archived.recorded[end - 1].at
        steps.append(at - before)
        before = at
    # A clock may have been put back in what was imported: the parts below 256 are never negative.
    writer.bytes += bytes([step & 255 for step in steps])
    for step in steps:
        writer.value(step >> 8)


def _read_moments(reader: Reader, many: int) -> tuple[tuple[int, ...], list[int]]:
    at = reader.count()
    counts = [reader.count() for _ in range(reader.count())]
    low = reader.take(len(counts))
    ends: list[int] = []
    moments: list[int] = []
    for count, below in zip(counts, low, strict=True):
        at += (reader.value() << 8) + below
        moments += [at] * count
        ends.append(len(moments))
    if len(moments) != many:
        raise ValueError("it has other moments than events")
    return tuple(ends), moments
