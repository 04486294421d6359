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
from workers.scripts import DELIVER, PAGE, Call, run

_ENCODER: Final = msgspec.json.Encoder()

CURSOR: Final = r"[0-9]{15}\.[A-Za-z0-9-]{1,64}"
"""What cursors look like: every text that looks like this is one."""


class BadCursor(ValueError):  # noqa: N818 - the sentence is for people
    """Say that a cursor is none that a page answered."""


@dataclass(frozen=True, slots=True)
class Page:
    """Some tables of a list, each as a JSON object; ``next`` is None at the end.

    ``position`` grows with whatever the list has taken in; ``counted`` is how many tables were in
    the orders to count at that moment.
    """

    items: tuple[bytes, ...]
    next: str | None
    position: int
    counted: int = 0


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
    return _ENCODER.encode(said | more).decode()


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


def entry(news: News, sitting: Sitting, position: int) -> tuple[str, bytes]:
    """Answer the field and value of news in an outbox; newer news of a table replaces older."""
    table = sitting.loaded.table
    waiting = Waiting(
        news.of, table, sitting.loaded.version, position, news.member, news.item, news.orders
    )
    return f"{news.of} {table}", _ENCODER.encode(waiting)


def delivery(projection: Projection, partition: int, value: bytes) -> Call:
    """Answer the call that delivers what waits in an outbox; it may be repeated at will."""
    waiting = _WAITING.decode(value)
    flags = ["1" if each else "0" for each in waiting.orders]
    return Call(
        DELIVER,
        _list_keys(projection, waiting.of, projection.orders),
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
    calls = [Call(PAGE, _list_keys(projection, each, (*orders, *count)), asked) for each in lists]
    position = counted = 0
    columns = []
    for reply in run(client, *calls):
        position += int(reply[0])
        counted += reply[1]
        columns.append(sorted(zip(reply[2::2], reply[3::2], strict=True), reverse=True))
    found = list(merge(*columns, reverse=True))
    shown = found[:limit]
    # What left a list between its order and its items is no longer shown.
    items = tuple(body for _, each in shown if (body := each.partition(b" ")[2]))
    more = len(found) > limit
    return Page(items, _cursor(shown[-1][0]) if more else None, position, counted)


def _cursor(place: bytes) -> str:
    return place.decode().replace(":", ".", 1)


def _place(cursor: str) -> bytes:
    if not re.fullmatch(CURSOR, cursor):
        raise BadCursor(f"{cursor!r} is no cursor of this list")
    return cursor.replace(".", ":", 1).encode()
