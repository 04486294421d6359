"""Records packed with gzip or zstd on their way out, and unpacked on their way in."""

import gzip
import sys
import zlib
from collections.abc import Callable, Iterable, Iterator
from typing import IO, Final, Literal, Protocol, TypeAlias

if sys.version_info >= (3, 14):
    from compression import zstd as zstd
else:
    from backports import zstd as zstd

Encoding: TypeAlias = Literal["identity", "gzip", "zstd"]
"""A content coding of HTTP."""

CHUNK: Final = 1 << 14
"""Bytes that are gathered before they are handed on."""

_GZIP: Final = 16 + zlib.MAX_WBITS
_SUFFIXES: Final[dict[str, Encoding]] = {".gz": "gzip", ".zst": "zstd"}
_WINDOW: Final[dict[int, int]] = {zstd.DecompressionParameter.window_log_max: 23}
"""8 MiB: what every zstd decoder of HTTP must manage, and the most it should spend."""


class _Readable(Protocol):
    def read(self, size: int, /) -> bytes: ...

    def __iter__(self) -> Iterator[bytes]: ...


class BadPacking(ValueError):  # noqa: N818 - what a caller sent, not a defect
    """Say that bytes are not what their encoding promises: damaged, or cut off."""


class TooLarge(ValueError):  # noqa: N818 - what a caller sent, not a defect
    """Say that there are more bytes than allowed once unpacked."""


def encoding_of(name: str) -> Encoding:
    """Answer the encoding that the end of a file's name tells."""
    return next((each for end, each in _SUFFIXES.items() if name.endswith(end)), "identity")


def packed(lines: Iterable[bytes], encoding: Encoding = "identity") -> Iterator[bytes]:
    """Pack lines into chunks that leave as they fill; the whole is never in memory."""
    match encoding:
        case "identity":
            return _filled(lines)
        case "gzip":
            gzipped = zlib.compressobj(wbits=_GZIP)
            return _filled(_squeezed(lines, gzipped.compress, gzipped.flush))
        case "zstd":
            compressor = zstd.ZstdCompressor()
            return _filled(_squeezed(lines, compressor.compress, compressor.flush))


def _squeezed(
    lines: Iterable[bytes], compress: Callable[[bytes], bytes], flush: Callable[[], bytes]
) -> Iterator[bytes]:
    for chunk in _filled(lines):
        yield compress(chunk)
    yield flush()


def _filled(parts: Iterable[bytes]) -> Iterator[bytes]:
    gathered = bytearray()
    for part in parts:
        gathered += part
        if len(gathered) >= CHUNK:
            yield bytes(gathered)
            gathered.clear()
    if gathered:
        yield bytes(gathered)


def unpacked(file: IO[bytes], encoding: Encoding, limit: int) -> bytes:
    """Answer the content; raise TooLarge beyond ``limit`` bytes, BadPacking if it is damaged.

    Whatever the bytes claim, little more than the limit is ever in memory.
    """
    try:
        content = _opened(file, encoding).read(limit + 1)
    except (EOFError, OSError, zlib.error, zstd.ZstdError) as error:
        raise BadPacking(f"not {encoding}: {error}") from error
    if len(content) > limit:
        raise TooLarge(f"more than {limit} bytes once unpacked")
    return content


def _opened(file: IO[bytes], encoding: Encoding) -> _Readable:
    match encoding:
        case "identity":
            return file
        case "gzip":
            return gzip.GzipFile(fileobj=file)
        case "zstd":
            return zstd.ZstdFile(file, options=_WINDOW)


def lines_of(file: IO[bytes], encoding: Encoding) -> Iterator[bytes]:
    """Answer the lines of a file one by one; raise BadPacking where it is damaged."""
    try:
        yield from _opened(file, encoding)
    except (EOFError, OSError, zlib.error, zstd.ZstdError) as error:
        raise BadPacking(f"not {encoding}: {error}") from error
