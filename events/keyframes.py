"""States of long tables, kept every so many versions: whoever looks back need not fold it all.

They are drawn by a projection and may be lost at any moment: the events alone are the truth.
"""

from typing import Any, Final, get_type_hints

import msgspec

from domain.catalogue import games
from domain.game import AnyGame
from domain.table.state import Occupant, Origin, Table
from domain.wire import plain_options, read_options
from events import keys
from events.loaded import Loaded
from events.per_game import per_game
from events.servers.connection import ask
from events.store import EventStore

GENERATION: Final = 1
"""A change of what a game's state holds, or of what it means, is a new one."""

EVERY: Final = 1_000
"""Versions from one keyframe to the next: few tables ever have as many.

Folding one less takes some 15 ms. A keyframe has one or two thousand bytes, and stands for forty
thousand and more of events.
"""

NEWEST: Final = "newest"


class _Kept(msgspec.Struct, frozen=True, array_like=True):
    version: int
    hash: bytes
    at: int
    game: str
    options: dict[str, Any]
    phase: str
    rules: int
    visibility: str
    opener: str
    commitment: str
    key: str
    chairs: tuple[Occupant | None, ...]
    rolls: int
    origin: Origin | None
    play: msgspec.Raw
    position: msgspec.Raw


_READ: Final = msgspec.json.Decoder(_Kept)
_PLAIN: Final = (
    "phase", "rules", "visibility", "opener", "commitment", "key", "chairs", "rolls", "origin",
)  # fmt: skip


@per_game
def _states(game: AnyGame) -> msgspec.json.Decoder[Any]:
    state: Any = get_type_hints(game.initial)["return"]
    return msgspec.json.Decoder(state | None)


def document(table: str) -> str:
    """Key of a table's keyframes: by version, and the newest by its name."""
    return keys.projection(keys.partition(table), "keyframes", GENERATION, table)


def written(loaded: Loaded) -> bytes:
    """Write a table with its state, which never leaves the store and the processes."""
    state = loaded.state
    return msgspec.json.encode(
        _Kept(
            version=loaded.version,
            hash=loaded.hash,
            at=loaded.at,
            game=state.playing.name,
            options=plain_options(state.options),
            play=msgspec.Raw(msgspec.json.encode(state.play)),
            position=msgspec.Raw(msgspec.json.encode(state.position)),
            **{name: getattr(state, name) for name in _PLAIN},
        )
    )


def read(table: str, kept: bytes) -> Loaded:
    """Read a table back; raise what reading raises if another program wrote it."""
    found = _READ.decode(kept)
    game = games()[found.game]
    decode = _states(game).decode
    state = Table(
        game=game,
        options=read_options(game, found.options, len(found.chairs)),
        play=decode(found.play),
        position=decode(found.position),
        **{name: getattr(found, name) for name in _PLAIN},
    )
    return Loaded(table, found.version, found.hash, found.at, state)


def newest(store: EventStore, table: str) -> Loaded | None:
    """Answer the last keyframe of a table, if it has one."""
    return _asked(store, table, NEWEST)


def nearest(store: EventStore, table: str, version: int) -> Loaded | None:
    """Answer the last keyframe up to a version; the one before it, while the last is not drawn."""
    last = version - version % EVERY
    return _asked(store, table, str(last), str(last - EVERY)) if last else None


def _asked(store: EventStore, table: str, *names: str) -> Loaded | None:
    (reply,) = ask(store.client, ("HMGET", document(table), *names))
    for kept in filter(None, reply):
        try:
            return read(table, kept)
        except (msgspec.MsgspecError, ValueError, LookupError):
            # Another release wrote it: the events say the same.
            continue
    return None
