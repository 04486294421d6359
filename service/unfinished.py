"""How many tables that are not over somebody may have opened: the store has room for all."""

from time import time
from typing import Any, Final

from events import keys
from service.http import Call
from service.identity.tokens import read, write
from service.problems import Problem

MOST: Final = 500
"""Tables of one player that are not over, unless limits are off."""
DAYS: Final = 30
"""A table that was opened longer ago does not count any more: nobody is locked out for good."""
_SECONDS: Final = DAYS * 24 * 3600


def claim(call: Call, table: str) -> None:
    """Count a table that the caller is about to open; raise too-many if there is no room.

    A repeat finds its own table counted. Several at once may go a little beyond.
    """
    if not call.parts.limits.on:
        return
    client, key, now = call.parts.client, keys.player_unfinished(call.player), int(time() * 1000)
    if read(client, "ZSCORE", key, table) is not None:
        return
    if read(client, "ZCARD", key) >= MOST:
        _forget_finished(call, key, now)
        if read(client, "ZCARD", key) >= MOST:
            raise Problem("too-many", most=MOST)
    write(client, "ZADD", key, now, table)
    write(client, "EXPIRE", key, _SECONDS)


def _forget_finished(call: Call, key: str, now: int) -> None:
    """Forget tables that are over, that were opened long ago, or that never came to be."""
    client: Any = call.parts.client
    write(client, "ZREMRANGEBYSCORE", key, "-inf", now - _SECONDS * 1000)
    tables = [each.decode() for each in read(client, "ZRANGE", key, 0, -1)]
    metas = call.parts.door.store.read_metas(tables)
    gone = [
        table
        for table, meta in zip(tables, metas, strict=True)
        if meta is None or meta.phase == "over"
    ]
    if gone:
        write(client, "ZREM", key, *gone)
