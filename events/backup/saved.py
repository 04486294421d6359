"""What a backup is made of: lines of JSON, sealed by a digest; what it holds, and what it leaves.

Projections, feeds, checkpoints, leases and limits are left: they are made anew from the rest.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from hashlib import sha256
from typing import Final, Literal, TypeAlias

import msgspec

from events.loaded import BrokenHistory, Loaded, fold, unopened
from events.recorded import Recorded

FORMAT: Final = 1
"""Grows when an older program could no longer read what a newer one writes."""

Kind: TypeAlias = Literal["hash", "set", "zset", "list", "string"]


class Start(msgspec.Struct, frozen=True, tag="backup"):
    """The first line: the format, and when it was begun (ms since 1970)."""

    format: int
    at: int


class SavedEvent(msgspec.Struct, frozen=True, array_like=True):
    """One event of a table; its version is its place."""

    kind: str
    schema: int
    at: int
    seat: int | None
    audience: tuple[int, ...] | None
    public: str
    sealed: str
    trace: str | None


class SavedTable(msgspec.Struct, frozen=True, tag="table"):
    """A table at one version; without a position no feed ever told of it, as of imported ones.

    ``ends`` are where the decisions of an archived table ended: its commands are forgotten.
    """

    id: str
    position: int | None
    meta: Mapping[str, str]
    commands: Mapping[str, str]
    events: tuple[SavedEvent, ...]
    ends: tuple[int, ...] = ()


class SavedCounters(msgspec.Struct, frozen=True, tag="counters"):
    """The counters of a partition, read after its tables."""

    partition: int
    values: Mapping[str, str]


class SavedKey(msgspec.Struct, frozen=True, tag="key"):
    """One key of a player, an app or a webhook; ``expires`` in ms since 1970."""

    key: str
    kind: Kind
    values: tuple[str, ...]
    expires: int | None


class End(msgspec.Struct, frozen=True, tag="end"):
    """The last line: how much there is, and the SHA-256 of all bytes before it."""

    tables: int
    events: int
    keys: int
    digest: str


Line: TypeAlias = Start | SavedTable | SavedCounters | SavedKey | End

_ENCODER: Final = msgspec.json.Encoder()
_LINE: Final = msgspec.json.Decoder(Line)

_TABLE: Final = re.compile(r"\{[a-z0-9]+\}:t:(.+):meta")
_KEPT: Final = re.compile(
    r"\{p\..+\}:[a-z]+|(?:token|recovery):.+|oauth:.+|webhooks|\{w\.\d+\}:(?!due$|held$)[^:]+(:log)?"
)
_TOLD: Final = re.compile(r"\{w\.\d+\}:[^:]+:told")


def table_of(key: str) -> str | None:
    """Answer the table whose head a key is, if it is one."""
    found = _TABLE.fullmatch(key)
    return found[1] if found else None


def is_told(key: str) -> bool:
    """Answer whether a key says up to which versions a webhook was told.

    It is saved before the tables: else a webhook could have been told of moves that are not saved.
    """
    return _TOLD.fullmatch(key) is not None


def is_kept(key: str) -> bool:
    """Answer whether a key of no table is saved, after the tables; all others are made anew."""
    return _KEPT.fullmatch(key) is not None


class BadBackup(ValueError):  # noqa: N818 - what somebody gave, not a defect
    """Say in one sentence what is wrong with a backup."""


def proved(saved: SavedTable) -> Loaded:
    """Fold a table from its first event; raise BrokenHistory unless it leads to its own head.

    Whatever else folding raises means that the events are damaged too.
    """
    loaded = fold(unopened(saved.id), recorded(saved))
    told = saved.meta
    if (str(loaded.version), loaded.hash.hex(), loaded.state.phase) != (
        told.get("version"), told.get("hash"), told.get("phase"),
    ):  # fmt: skip
        raise BrokenHistory(f"table {saved.id}: its events do not lead to its head")
    return loaded


def recorded(saved: SavedTable) -> Iterator[Recorded]:
    """Answer the events of a table as the store reads them."""
    for version, each in enumerate(saved.events, start=1):
        yield Recorded(
            saved.id, version, each.kind, each.schema, each.at, each.seat, each.audience,
            each.public.encode(), each.sealed.encode(), each.trace,
        )  # fmt: skip


def saved_event(each: Recorded) -> SavedEvent:
    """Answer an event as it is saved; raise UnicodeDecodeError if it is no text."""
    return SavedEvent(
        each.kind, each.schema, each.at, each.seat, each.audience,
        each.public.decode(), each.sealed.decode(), each.trace,
    )  # fmt: skip


def written(lines: Iterable[Line]) -> Iterator[bytes]:
    """Write lines, and the one that ends them."""
    digest = sha256()
    tables = events = kept = 0
    for line in lines:
        tables += isinstance(line, SavedTable)
        events += len(line.events) if isinstance(line, SavedTable) else 0
        kept += isinstance(line, SavedKey)
        text = _ENCODER.encode(line) + b"\n"
        digest.update(text)
        yield text
    yield _ENCODER.encode(End(tables, events, kept, digest.hexdigest())) + b"\n"


def read(texts: Iterable[bytes]) -> Iterator[Line]:
    """Read lines, the last one included; raise BadBackup unless all is there and untouched."""
    digest = sha256()
    last: Line | None = None
    for number, text in enumerate(texts, start=1):
        if isinstance(last, End):
            raise BadBackup(f"Line {number} comes after the end.")
        try:
            line: Line = _LINE.decode(text)
        except (msgspec.MsgspecError, UnicodeDecodeError) as error:
            raise BadBackup(f"Line {number} cannot be read: {error}.") from None
        if (number == 1) != isinstance(line, Start):
            raise BadBackup("It does not begin as a backup of Abraxas does.")
        if isinstance(line, Start) and line.format != FORMAT:
            raise BadBackup(f"Its format is {line.format}; this release reads {FORMAT}.")
        if isinstance(line, End) and line.digest != digest.hexdigest():
            raise BadBackup("Its digest is another: something in it was changed or is missing.")
        digest.update(text)
        last = line
        yield line
    if not isinstance(last, End):
        raise BadBackup("It is cut off: its last line is missing.")
