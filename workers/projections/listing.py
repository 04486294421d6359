"""Lists over many tables: how news is delivered to one, and how it is read page by page.

A list lies in a slot of its own, so its news waits in the outbox of the table's partition until it
is delivered. News carries its table's version: the order between tables never matters, and late or
repeated news changes nothing.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from heapq import merge
from typing import Any, Final

import msgspec
from redis import Redis

from domain.table.state import Table
from domain.wire import plain_options
from events import keys
from events.notices import timestamp
from workers.projections.shape import News, Projection, Sitting
from workers.scripts import CHANGES, DELIVER, PAGE, Call, run

_ENCODER: Final = msgspec.json.Encoder()
_CHANGES: Final = "changes"

CURSOR: Final = r"[0-9]{15}\.[A-Za-z0-9-]{1,64}"
"""What cursors look like: every text that looks like this is one."""


class BadCursor(ValueError):  # noqa: N818 - the sentence is for people
    """Say that a cursor is none that a page answered."""


@dataclass(frozen=True, slots=True)
class Page:
    """Some tables of a list, each as a JSON object; ``next`` is None at the end.

    ``position`` grows with whatever the list has taken in; ``counted`` is how many tables were in
    the orders to count at that moment, ``newest`` the number of the last change, if they have any.
    """

    items: tuple[bytes, ...]
    next: str | None
    position: int
    counted: int = 0
    newest: int = 0


@dataclass(frozen=True, slots=True)
class Changed:
    """What a list says of a table since its change of this number; empty if it left."""

    table: str
    number: int
    version: int
    item: bytes


class Waiting(msgspec.Struct, frozen=True, array_like=True):
    """News in an outbox: what is said of a table, at which version and feed position."""

    of: str
    table: str
    version: int
    position: int
    member: str
    item: str
    orders: tuple[bool, ...]


_WAITING: Final = msgspec.json.Decoder(Waiting)


def member(sitting: Sitting) -> str:
    """Answer a table's place in every order: by the time it was opened, then by its id."""
    return f"{sitting.opened_at:015d}:{sitting.loaded.table}"


def item(sitting: Sitting, **more: Any) -> str:
    """Write what lists say of a table as JSON: nothing that any viewer may not know."""
    return _ENCODER.encode({**sitting.once(_said), **more}).decode()


def _said(sitting: Sitting) -> Mapping[str, msgspec.Raw]:
    """Write what all lists say alike."""
    state = sitting.loaded.state
    said = {
        "id": sitting.loaded.table,
        "game": state.playing.name,
        "rules": state.rules,
        "phase": state.phase,
        "options": plain_options(state.options),
        "visibility": state.visibility,
        "seats": _seats(state),
        "opened_at": timestamp(sitting.opened_at),
    }
    return {name: msgspec.Raw(_ENCODER.encode(value)) for name, value in said.items()}


def _seats(state: Table) -> list[Mapping[str, Any]]:
    return [
        {
            "seat": seat,
            "player": chair.player if chair else None,
            "bot": chair.bot if chair else None,
        }
        for seat, chair in enumerate(state.chairs)
    ]


def outbox(projection: Projection, partition: int) -> str:
    """Key of the news of a partition that was not delivered yet."""
    return keys.projection(partition, projection.name, projection.generation, "outbox")


def entry(news: News, sitting: Sitting, position: int) -> tuple[str, Waiting]:
    """Answer the field and value of news in an outbox; newer news of a table replaces older."""
    table = sitting.loaded.table
    waiting = Waiting(
        news.of, table, sitting.loaded.version, position, news.member, news.item, news.orders
    )
    return f"{news.of} {table}", waiting


def written(waiting: Waiting) -> bytes:
    """Write news as it waits in an outbox."""
    return _ENCODER.encode(waiting)


def read(value: bytes) -> Waiting:
    """Read news that waits in an outbox."""
    return _WAITING.decode(value)


def delivery(projection: Projection, partition: int, waiting: Waiting) -> Call:
    """Answer the call that delivers what waits in an outbox; it may be repeated at will."""
    flags = ["1" if each else "0" for each in waiting.orders]
    if projection.numbered:
        flags.append("+")
    return Call(
        DELIVER,
        _list_keys(projection, waiting.of, every_order(projection)),
        (
            waiting.table,
            waiting.version,
            waiting.member,
            waiting.item,
            partition,
            waiting.position,
            *flags,
        ),
    )


def every_order(projection: Projection) -> tuple[str, ...]:
    """Answer the names of all orders of a list; that of the changes, if it has one, is the last."""
    return (*projection.orders, *((_CHANGES,) if projection.numbered else ()))


def _list_keys(projection: Projection, of: str, orders: Sequence[str]) -> tuple[str, ...]:
    return tuple(
        keys.listing(projection.name, projection.generation, of, rest)
        for rest in ("items", "positions", *orders)
    )


def order_key(projection: Projection, of: str, order: str) -> str:
    """Key of one order of a list."""
    return keys.listing(projection.name, projection.generation, of, order)


def page(
    client: Redis,
    projection: Projection,
    lists: Sequence[str],
    orders: Sequence[str],
    cursor: str | None,
    limit: int,
    count: Sequence[str] = (),
) -> Page:
    """Answer the next tables of several lists in one, newest first; raise BadCursor.

    ``count`` names orders of which only the number of tables is asked.
    """
    start = "+" if cursor is None else _place(cursor)
    asked = (start, limit + 1, len(orders))
    named = (_CHANGES, *orders, *count)
    calls = [Call(PAGE, _list_keys(projection, each, named), asked) for each in lists]
    position = newest = counted = 0
    columns = []
    for reply in run(client, *calls):
        position += int(reply[0])
        newest = max(newest, int(reply[1]))
        counted += reply[2]
        columns.append(sorted(zip(reply[3::2], reply[4::2], strict=True), reverse=True))
    found = list(merge(*columns, reverse=True))
    shown = found[:limit]
    # What left a list between its order and its items is no longer shown.
    items = tuple(body for _, each in shown if (body := each.partition(b" ")[2]))
    more = len(found) > limit
    return Page(items, _cursor(shown[-1][0]) if more else None, position, counted, newest)


def changes(
    client: Redis, projection: Projection, of: str, after: int, limit: int
) -> tuple[int, tuple[Changed, ...]]:
    """Answer the number of a list's newest change, and what changed after a number, in order.

    A table is told once, as it is now, by its last change.
    """
    named = [order_key(projection, of, each) for each in ("items", _CHANGES)]
    (reply,) = run(client, Call(CHANGES, named, (after, limit)))
    found = []
    for table, number, stored in zip(reply[1::3], reply[2::3], reply[3::3], strict=True):
        version, _, item = stored.partition(b" ")
        found.append(Changed(table.decode(), int(number), int(version), item))
    return int(reply[0]), tuple(found)


def _cursor(place: bytes) -> str:
    return place.decode().replace(":", ".", 1)


def _place(cursor: str) -> bytes:
    if not re.fullmatch(CURSOR, cursor):
        raise BadCursor(f"{cursor!r} is no cursor of this list")
    return cursor.replace(".", ":", 1).encode()
