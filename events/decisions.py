"""Where decisions end: between the events of one command a table is in no position to play from."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from events import keys
from events.servers.connection import ask
from events.store import EventStore

_PAGE: Final = 100


def end_of_decision(store: EventStore, table: str, version: int) -> int:
    """Answer the version at which the decision was complete that brought ``version``.

    Commands that are remembered say it exactly, and so does the archive. Where they are forgotten,
    or were never here, it is the last event of the same millisecond. Raise StoreUnavailable.
    """
    known = _ends(store, table) or store.archived_ends(table)
    ends = [each for each in known if each >= version]
    return min(ends) if ends else _end_of_moment(store, table, version)


def _ends(store: EventStore, table: str) -> Sequence[int]:
    (reply,) = ask(store.client, ("HVALS", keys.commands(table)))
    return [int(each.rpartition(b"|")[2]) for each in reply]


def _end_of_moment(store: EventStore, table: str, version: int) -> int:
    while True:
        page = store.read(table, version - 1, _PAGE)
        for each, later in pairwise(page):
            if later.at > each.at:
                return each.version
        if len(page) < _PAGE:
            return page[-1].version
        version = page[-1].version
