"""A table as folded from its history: the state, and the head of its chain."""

import json
from collections.abc import Iterable, Sequence
from typing import Any

from domain.dice import Dice
from domain.table import TABLE
from domain.table.state import NOWHERE, Table
from domain.value import Value
from events import chain, codec
from events.recorded import Recorded


class Loaded(Value):
    """A table at one version; ``hash`` is empty at version 0, ``at`` the last event's time in ms.

    Nothing in it ever changes, so it may be kept and shared.
    """

    table: str
    version: int
    hash: bytes
    at: int
    state: Table


class BrokenHistory(Exception):  # noqa: N818 - the glossary's words
    """Say that stored events do not continue what was folded, or do not lead to the stored hash."""


def unopened(table: str) -> Loaded:
    """Answer a table before its first event."""
    return Loaded(table, 0, b"", 0, NOWHERE)


def fold(loaded: Loaded, recorded: Iterable[Recorded]) -> Loaded:
    """Apply stored events; raise BrokenHistory unless they follow on each other."""
    version, head, at, state = loaded.version, loaded.hash, loaded.at, loaded.state
    evolve, read, game = TABLE.evolve, codec.read, state.game
    known = codec.kinds(game)
    for each in recorded:
        if each.version != version + 1:
            raise BrokenHistory(f"table {each.table}: version {each.version} after {version}")
        if state.game is not game:
            game = state.game
            known = codec.kinds(game)
        event = read(each, known)
        head = link(head, each, state)
        state = evolve(state, event)
        version, at = each.version, each.at
    return Loaded(loaded.table, version, head, at, state)


def leads_to(loaded: Loaded, recorded: Iterable[Recorded]) -> bytes:
    """Answer the hash that a table has after more stored events, without applying them."""
    head = loaded.hash
    for each in recorded:
        head = link(head, each, loaded.state)
    return head


def follow(loaded: Loaded, recorded: Sequence[Recorded], events: Sequence[Any]) -> Loaded:
    """Apply events that were just decided, together with the records made of them."""
    head, state = loaded.hash, loaded.state
    for each, event in zip(recorded, events, strict=True):
        head = link(head, each, state)
        state = TABLE.evolve(state, event)
    return Loaded(loaded.table, recorded[-1].version, head, recorded[-1].at, state)


def link(head: bytes, recorded: Recorded, state: Table) -> bytes:
    """Answer the hash of a record from the one before it and the state it was recorded on."""
    key = state.key
    if recorded.version == 1:
        # Read as stored: a verifier knows no upcasts.
        head = chain.first_hash(recorded.table, json.loads(recorded.public))
        key = json.loads(recorded.sealed)["key"]
    inner = b""
    if recorded.sealed:
        salt = chain.salt(bytes.fromhex(key), recorded.version)
        inner = chain.inner(salt, recorded.sealed)
    return chain.next_hash(
        head,
        recorded.version,
        recorded.kind,
        recorded.schema,
        recorded.at,
        recorded.seat,
        recorded.audience,
        recorded.public,
        inner,
    )


def dice(state: Table) -> Dice:
    """Answer the dice of a table's next decision, from its key and its seats' entropy."""
    entropies = [bytes.fromhex(chair.entropy) if chair else b"" for chair in state.chairs]
    return Dice(chain.keyed_roll(bytes.fromhex(state.key), entropies, state.rolls))
