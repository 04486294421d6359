"""(table, event) -> table: never refuses, never rolls."""

from typing import Any, Final, assert_never

from domain.catalogue import games
from domain.table.events import (
    TABLE_EVENTS,
    DiceRolled,
    Event,
    GameStarted,
    KeyRevealed,
    PositionSet,
    SeatLeft,
    SeatTaken,
    TableForked,
    TableOpened,
)
from domain.table.state import Occupant, Origin, Table
from domain.value import changed
from domain.wire import read_options

_OWN: Final = frozenset(TABLE_EVENTS)


def evolve(table: Table, event: Event) -> Table:
    """Apply one event, the table's own or its game's."""
    # Nearly all are the game's: they are not compared with each of the table's own first.
    if type(event) not in _OWN:
        return changed(table, play=table.playing.evolve(table.play, event))
    match event:
        case TableOpened():
            return _opened(event)
        case TableForked(origin, step):
            return changed(table, origin=Origin(origin, step))
        case PositionSet(state):
            return changed(table, position=state)
        case SeatTaken(seat, player, bot, entropy):
            return changed(table, chairs=_seated(table, seat, Occupant(player, bot, entropy)))
        case SeatLeft(seat):
            return changed(table, chairs=_seated(table, seat, None))
        case GameStarted():
            return changed(table, phase="playing", play=_first_state(table), position=None)
        case DiceRolled():
            return changed(table, rolls=table.rolls + 1)
        case KeyRevealed():
            return changed(table, phase="over")
        case _:
            assert_never(event)


def _opened(event: TableOpened) -> Table:
    game = games()[event.game]
    return Table(
        phase="open",
        game=game,
        rules=event.rules,
        options=read_options(game, event.options, event.seats),
        visibility=event.visibility,  # type: ignore[arg-type]
        opener=event.opener,
        commitment=event.commitment,
        key=event.key,
        chairs=(None,) * event.seats,
        rolls=0,
        play=None,
    )


def _first_state(table: Table) -> Any:
    if table.position is not None:
        return table.position
    return table.playing.initial(len(table.chairs), table.options)


def _seated(table: Table, seat: int, occupant: Occupant | None) -> tuple[Occupant | None, ...]:
    return (*table.chairs[:seat], occupant, *table.chairs[seat + 1 :])
