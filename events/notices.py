"""Events as told to one viewer: joined from the stored faces' bytes, never decoded and cut."""

from collections.abc import Iterable
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any, Final

import msgspec

from domain.game import AnyGame, Viewer
from domain.sealed import public_face, sealed_face
from domain.table import TABLE_TEXTS
from domain.table.state import Table
from domain.texts import tell
from events import chain, codec
from events.recorded import Recorded, join

_TEXT: Final = msgspec.json.Encoder()


def timestamp(at: int) -> str:
    """Write milliseconds since 1970 as RFC 3339 UTC with milliseconds."""
    seconds, milliseconds = divmod(at, 1000)
    return f"{_second(seconds)}.{milliseconds:03d}Z"


@lru_cache(maxsize=64)
def _second(seconds: int) -> str:
    return f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%dT%H:%M:%S}"


def may_read(recorded: Recorded, reader: Viewer) -> bool:
    """Answer whether a reader is shown the sealed face; an arbiter reads every one."""
    return recorded.audience is not None and (reader == "arbiter" or reader in recorded.audience)


def notice(recorded: Recorded, reader: Viewer, language: str, table: Table) -> bytes:
    """Tell one event as a JSON object; pass the arbiter only once the table is over.

    ``table`` is the table at this or any later version: its game says it in words, its key gives
    the salt of a sealed face that the reader is shown.
    """
    reads = may_read(recorded, reader)
    told = join(recorded.public, recorded.sealed) if reads else recorded.public
    head = b'{"version":%d,"at":"%s","type":"%s"' % (
        recorded.version,
        timestamp(recorded.at).encode(),
        recorded.kind.encode(),
    )
    parts = [head, told[1:-1]] if len(told) > 2 else [head]
    game = table.playing
    fields = _fields(recorded, told, reader, game)
    said = tell((game.texts, TABLE_TEXTS), language, recorded.kind, fields)
    parts.append(b'"text":' + _TEXT.encode(said))
    if reads:
        salt = chain.salt(bytes.fromhex(table.key), recorded.version)
        parts.append(b'"salt":"%s"' % salt.hex().encode())
    return b",".join(parts) + b"}"


def notices(recorded: Iterable[Recorded], reader: Viewer, language: str, table: Table) -> bytes:
    """Tell events as a JSON list."""
    return b"[" + b",".join([notice(each, reader, language, table) for each in recorded]) + b"]"


def _fields(recorded: Recorded, told: bytes, reader: Viewer, game: AnyGame) -> dict[str, Any]:
    """Answer exactly the fields that were told; those of an old event by their newest names."""
    if recorded.schema == codec.kinds(game)[recorded.kind].schema:
        fields: dict[str, Any] = msgspec.json.decode(told)
        return fields
    event = codec.decode(recorded, game)
    return public_face(event) | (sealed_face(event) if may_read(recorded, reader) else {})
