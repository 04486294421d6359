"""One document for each table: who sits where, and the ready bytes of every viewer's view."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Final

import msgspec
from redis import Redis

from domain.game import Seat, Viewer
from domain.table.state import Table
from domain.table.view import seen_by_all, seen_by_one, viewers
from events import keys
from events.loaded import Loaded
from workers.projections.shape import Changes, Document, Projection, Sitting
from workers.scripts import READ, Call, run

GENERATION: Final = 1
"""Part of every ETag: the bytes of a version and viewer change with it alone."""

_ENCODER: Final = msgspec.json.Encoder()


def render(loaded: Loaded, viewer: Viewer) -> bytes:
    """Write what a viewer sees as JSON, ``links`` aside."""
    return next(rendered(loaded, (viewer,)))


def rendered(loaded: Loaded, viewers: Iterable[Viewer]) -> Iterator[bytes]:
    """Write what each viewer sees; what all see alike is worked out and written once."""
    shared: dict[str, Any] = {
        "id": loaded.table,
        "version": loaded.version,
        "hash": loaded.hash.hex(),
    }
    shared |= seen_by_all(loaded.state)
    parts = {name: msgspec.Raw(_ENCODER.encode(value)) for name, value in shared.items()}
    for viewer in viewers:
        yield _ENCODER.encode(parts | seen_by_one(loaded.state, viewer))


def viewer_field(viewer: Viewer) -> str:
    """Answer a viewer as documents and ETags write it: a seat's number, ``s`` or ``a``."""
    match viewer:
        case "spectator":
            return "s"
        case "arbiter":
            return "a"
        case seat:
            return str(seat)


def _viewer(field: str) -> Viewer:
    match field:
        case "s":
            return "spectator"
        case "a":
            return "arbiter"
        case seat:
            return Seat(int(seat))


def lookers(table: Table) -> tuple[Viewer, ...]:
    """Answer everybody who may look at a table now; the arbiter comes at the end."""
    return (*viewers(table), "arbiter") if table.phase == "over" else viewers(table)


def document(table: str) -> str:
    """Key of a table's document."""
    return keys.projection(keys.partition(table), "tables", GENERATION, table)


def apply(sitting: Sitting) -> Changes:
    """Draw a table for everybody who may look."""
    loaded = sitting.loaded
    fields: dict[str, str | bytes | int] = {
        "v": loaded.version,
        "phase": loaded.state.phase,
        "visibility": loaded.state.visibility,
    }
    for seat, chair in enumerate(loaded.state.chairs):
        if chair is not None and chair.player is not None:
            fields[f"p:{chair.player}"] = seat
    looking = lookers(loaded.state)
    for viewer, seen in zip(looking, rendered(loaded, looking), strict=True):
        fields[viewer_field(viewer)] = seen
    return Changes(documents=(Document(document(loaded.table), fields),))


def _keys(table: str) -> tuple[str, ...]:
    return (document(table),)


@dataclass(frozen=True, slots=True)
class Ready:
    """A table as its document says; ``view`` is None where that is behind the table's version.

    ``hash`` is in hex. With a view, ``seat`` (the caller's) and ``visibility`` are those of its
    version; without one they may be old, and the table itself has to be loaded.
    """

    version: int
    hash: str
    phase: str
    seat: Seat | None
    visibility: str | None
    viewer: Viewer
    view: bytes | None


def read(client: Redis, table: str, player: str | None, perspective: Viewer | None) -> Ready | None:
    """Answer what a perspective shows of a table, in one round trip; None if it was never opened.

    Without a perspective it is the player's own: their seat, else the spectator's.
    """
    reply = run(
        client,
        Call(
            READ,
            (keys.meta(table), document(table)),
            (player or "", "" if perspective is None else viewer_field(perspective)),
        ),
    )[0]
    if reply is None:
        return None
    version, head, phase, seat, visibility, viewer, ready = reply
    return Ready(
        int(version),
        head.decode(),
        phase.decode(),
        Seat(int(seat)) if seat else None,
        visibility.decode() or None,
        _viewer(viewer.decode()),
        ready or None,
    )


TABLES: Final = Projection(name="tables", generation=GENERATION, apply=apply, keys=_keys)
