"""What a caller sees of a table: now or then, from where, and what happened there."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from hmac import compare_digest
from typing import Any, Final, Protocol

from domain.game import Seat, Viewer
from domain.table.state import Table
from events import chain
from events.imports import is_imported
from events.loaded import Loaded
from events.notices import notices
from service.http import Call
from service.identity.callers import Caller
from service.problems import Problem, bad_field
from service.streams import live_root
from workers.projections import tables
from workers.projections.tables import GENERATION, Ready, render, viewer_field

_ID: Final = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")


@dataclass(frozen=True, slots=True)
class Seen:
    """A view's bytes, ``links`` aside, and its strong tag."""

    tag: str
    body: bytes


def table_id(written: str) -> str:
    """Answer the id of a table as it is written, or raise the problem that there is none."""
    if not is_table_id(written):
        raise Problem("unknown-table")
    return written


def is_table_id(written: str) -> bool:
    """Answer whether a table may be known by this id."""
    return _ID.fullmatch(written) is not None


def see(call: Call, table: str) -> Seen:
    """Answer the view that a caller asks for; one read where its bytes are ready."""
    ready = None
    if "version" not in call.query and "invite" not in call.query:
        ready = tables.read(call.parts.client, table, _player(call), call.query.get("as_"))
        if ready is None:
            raise Problem("unknown-table")
    if ready is not None and ready.view is not None and _open_to(ready):
        _check_reached(call, ready.version)
        return _seen(ready.version, ready.viewer, ready.view)
    return _folded(call, table)


def _open_to(ready: Ready) -> bool:
    """Answer whether ready bytes may go out as they are; whatever is unclear is not."""
    own: Viewer = "spectator" if ready.seat is None else ready.seat
    looks = ready.seat is not None or ready.visibility in ("public", "unlisted")
    return looks and (ready.viewer == own or ready.phase == "over")


def _folded(call: Call, table: str) -> Seen:
    """Fold the table, for whom and for when no bytes are ready."""
    found = looked_up(call, table)
    now = found.loaded
    viewer = perspective(call, now.state, imported=found.imported)
    _check_reached(call, now.version)
    version = call.query.get("version", now.version)
    then = now if version == now.version else call.parts.door.load(table, version)
    return _seen(then.version, viewer, found.marked(render(then, viewer)))


@dataclass(frozen=True, slots=True)
class Found:
    """A table as it is now, and whether it came out of a record: then its players are strangers."""

    loaded: Loaded
    imported: bool

    def marked(self, view: bytes) -> bytes:
        """Add to a view that the table was imported."""
        return view[:-1] + b',"imported":true}' if self.imported else view


def looked_up(call: Call, table: str) -> Found:
    """Find a table; raise UnknownTable."""
    loaded = call.parts.door.load(table)
    over = loaded.state.phase == "over"
    return Found(loaded, over and is_imported(call.parts.door.store, table))


def _check_reached(call: Call, version: int) -> None:
    if call.query.get("min_version", 0) > version:
        raise Problem("version-not-reached", version=version)


def _seen(version: int, viewer: Viewer, body: bytes) -> Seen:
    return Seen(f"{version}.{viewer_field(viewer)}.{GENERATION}", body)


def opened(call: Call, table: Loaded) -> Seen:
    """Answer what the opener of a table sees of it, with the invite if it is private."""
    return first_seen(call, Found(table, imported=False))


def first_seen(call: Call, found: Found) -> Seen:
    """Answer what whoever brought a table here sees of it, with the invite if it is private."""
    table = found.loaded
    seat = None if found.imported else table.state.seat_of(call.player)
    viewer: Viewer = "spectator" if seat is None else seat
    body = with_links(call, found.marked(render(table, viewer)), table.table)
    if table.state.visibility == "private":
        body = body[:-1] + b',"invite":"%s"}' % invite_of(table.state).encode()
    return _seen(table.version, viewer, body)


class Looking(Protocol):
    """Somebody who looks at a table: in one call, or for as long as a stream is open."""

    @property
    def caller(self) -> Caller | None:
        """Answer who it is; None without a token."""

    @property
    def query(self) -> Mapping[str, Any]:
        """Answer what was asked: `as_` and `invite` matter."""


def perspective(
    call: Looking, table: Table, *, imported: bool = False, invite: str | None = None
) -> Viewer:
    """Answer from where a caller looks at a table as it is now, or why it may not.

    At an imported table nobody has a seat. An invite may come in the body too.
    """
    seat = None if imported else table.seat_of(_player(call))
    if seat is None and not invited(table, invite or call.query.get("invite")):
        raise Problem("unknown-table")
    own: Viewer = "spectator" if seat is None else seat
    asked: int | str | None = call.query.get("as_")
    if asked is None or asked == own:
        return own
    if isinstance(asked, int) and asked >= len(table.chairs):
        raise bad_field("?as", "out-of-range")
    if table.phase != "over":
        raise Problem("not-your-seat")
    if isinstance(asked, int):
        return Seat(asked)
    return "arbiter" if asked == "arbiter" else "spectator"


def invited(table: Table, invite: str | None) -> bool:
    """Answer whether somebody without a seat may see a table."""
    if table.visibility != "private":
        return True
    return invite is not None and compare_digest(invite, invite_of(table))


def invite_of(table: Table) -> str:
    """Answer the invite of a private table: it follows from the key, which nobody reads."""
    return chain.invite(bytes.fromhex(table.key))


def with_links(call: Call, view: bytes, table: str) -> bytes:
    """Add to a view where the rest of the table is."""
    path = f"/v1/tables/{table}"
    here = f"{call.root}{path}"
    stream = f"{live_root(call.parts, call.root)}{path}/events"
    links = f',"links":{{"events":"{here}/events","stream":"{stream}","record":"{here}/record"}}}}'
    return view[:-1] + links.encode()


@dataclass(frozen=True, slots=True)
class Told:
    """A page of notices as JSON; ``last`` is the version to go on after, None at the end."""

    body: bytes
    last: int | None


def told(call: Call, table: str) -> Told:
    """Answer a page of what happened at a table, as the caller may know it."""
    found = looked_up(call, table)
    now = found.loaded
    reader = perspective(call, now.state, imported=found.imported)
    after, limit = call.query["after"], call.query["limit"]
    recorded = call.parts.door.store.read(table, after, limit) if after < now.version else ()
    last = recorded[-1].version if recorded else now.version
    version = max(now.version, last)
    items = notices(recorded, reader, call.language, now.state)
    body = b'{"items":%s,"version":%d}' % (items, version)
    return Told(body, last if last < version else None)


def _player(call: Looking) -> str | None:
    return call.caller.player if call.caller else None
