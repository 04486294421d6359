"""Imported tables: kept under their own id, to be looked at; no feed tells followers of them."""

from collections.abc import Sequence
from hashlib import sha1
from importlib.resources import files
from typing import Any, Final, Literal, TypeAlias, cast

from redis.exceptions import NoScriptError, ResponseError

from events import keys
from events.entries import fields_of
from events.records.record import Imported
from events.servers.connection import ask, failure
from events.servers.replicas import write_safely
from events.store import EventStore

_SCRIPT: Final = (files(__package__) / "import.lua").read_bytes()
_SHA: Final = sha1(_SCRIPT, usedforsecurity=False).hexdigest()

Kept: TypeAlias = Literal["stored", "known", "taken"]
"""Stored now; known with this very history; or the id is another history's."""


def keep(store: EventStore, imported: Imported) -> Kept:
    """Store a proved record as a finished table, unless its id is known.

    Raise StoreUnavailable, or OutcomeUnknown: then it may be repeated, and is known if it counted.
    """
    loaded = imported.loaded
    finished = keys.finished(keys.partition(loaded.table))
    arguments: list[Any] = [3, keys.events(loaded.table), keys.meta(loaded.table), finished]
    arguments += [loaded.version, loaded.hash.hex(), loaded.state.phase, loaded.table]
    for each in imported.recorded:
        arguments += fields_of(each)
    return cast("Kept", _run(store, arguments).decode())


def _run(store: EventStore, arguments: Sequence[Any]) -> bytes:
    reply = write_safely(store.client, ("EVALSHA", _SHA, *arguments))
    if isinstance(reply, NoScriptError):
        reply = write_safely(store.client, ("EVAL", _SCRIPT, *arguments))
    if isinstance(reply, ResponseError):
        raise failure(reply) from reply
    answer: bytes = reply
    return answer


def is_imported(store: EventStore, table: str) -> bool:
    """Answer whether a table came out of a record; raise StoreUnavailable."""
    (reply,) = ask(store.client, ("HGET", keys.meta(table), "imported"))
    return reply is not None
