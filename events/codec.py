"""Events to stored bytes and back: kinds come from the catalogue, old kinds are upcast first."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final, get_type_hints

import msgspec

from domain.catalogue import games
from domain.game import AnyGame, Upcast
from domain.sealed import audience, face_fields
from domain.table.events import TABLE_EVENTS, PositionSet
from events.per_game import per_game
from events.recorded import Recorded

_ENCODER: Final = msgspec.json.Encoder(order="sorted")
_EMPTY: Final = b"{}"


@dataclass(frozen=True, slots=True)
class Kind:
    """How events of one kind are written and read.

    ``upcasts`` has one step for each older schema number, oldest first.
    """

    schema: int
    public: tuple[str, ...]
    sealed: tuple[str, ...]
    acts: bool
    upcasts: tuple[Upcast, ...]
    cls: Any
    """The event's class; of a position, the one that holds the game's own state."""
    read: Callable[[bytes], Any]


class UnknownKind(Exception):  # noqa: N818 - the glossary's words
    """Say that no event of the game has this name, or that a newer program wrote it."""


def kinds(game: AnyGame | None) -> Mapping[str, Kind]:
    """Answer every kind of a game's table by its stored name; None knows the table's own only."""
    return _TABLE_KINDS if game is None else _game_kinds(game)


@per_game
def _game_kinds(game: AnyGame) -> Mapping[str, Kind]:
    own = {cls.__name__: _kind(cls, game.upcasts) for cls in game.events}
    # A position holds a state of the game, and a game upcasts it like its own events.
    state: Any = get_type_hints(game.initial)["return"]
    position = _kind(PositionSet, game.upcasts, PositionSet[state])
    return {**_TABLE_KINDS, PositionSet.__name__: position, **own}


def _kind(cls: type, upcasts: Mapping[tuple[str, int], Upcast], read_as: Any = None) -> Kind:
    steps: list[Upcast] = []
    while (step := upcasts.get((cls.__name__, len(steps) + 1))) is not None:
        steps.append(step)
    public, sealed = face_fields(cls)
    return Kind(
        schema=len(steps) + 1,
        public=public,
        sealed=sealed,
        acts="seat" in public,
        upcasts=tuple(steps),
        cls=read_as or cls,
        read=msgspec.json.Decoder(read_as or cls).decode,
    )


_TABLE_KINDS: Final = {cls.__name__: _kind(cls, {}) for cls in TABLE_EVENTS}


def record(
    game: AnyGame,
    table: str,
    after: int,
    at: int,
    events: Iterable[Any],
    trace: str | None = None,
) -> tuple[Recorded, ...]:
    """Write events as the versions that follow ``after``; ``at`` in milliseconds since 1970."""
    known = kinds(game)
    recorded = []
    for version, event in enumerate(events, after + 1):
        name = type(event).__name__
        kind = known[name]
        recorded.append(
            Recorded(
                table=table,
                version=version,
                kind=name,
                schema=kind.schema,
                at=at,
                seat=event.seat if kind.acts else None,
                audience=audience(event) if kind.sealed else None,
                public=_face(event, kind.public),
                sealed=_face(event, kind.sealed) if kind.sealed else b"",
                trace=trace,
            )
        )
    return tuple(recorded)


def _face(event: Any, names: tuple[str, ...]) -> bytes:
    if not names:
        return _EMPTY
    return _ENCODER.encode({name: getattr(event, name) for name in names})


def decode(recorded: Recorded, game: AnyGame | None) -> Any:
    """Make the event of a record, upcast to its newest schema; raise UnknownKind."""
    return read(recorded, kinds(game))


def read(recorded: Recorded, known: Mapping[str, Kind]) -> Any:
    """Do the same for whoever knows the kinds already."""
    kind = known.get(recorded.kind)
    if kind is None:
        raise UnknownKind(f"no event {recorded.kind} is known at this table")
    if recorded.schema == kind.schema:
        return kind.read(recorded.joined)
    if not 0 < recorded.schema < kind.schema:
        raise UnknownKind(f"{recorded.kind} has schema {recorded.schema}, {kind.schema} is known")
    fields = msgspec.json.decode(recorded.joined)
    for step in kind.upcasts[recorded.schema - 1 :]:
        fields = step(fields)
    return msgspec.convert(fields, kind.cls)


def opened_name(recorded: Recorded) -> str:
    """Answer the name of the game that a table's first event opened."""
    name: str = decode(recorded, None).game
    return name


def opened_game(recorded: Recorded) -> AnyGame:
    """Answer the game that a table's first event opened."""
    return games()[decode(recorded, None).game]
