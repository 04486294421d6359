"""What one viewer may see of a sitting: built up from nothing, the only exit for secrets."""

from typing import Any

from domain.dice import Dice
from domain.game import Seat, View, Viewer
from domain.table.state import Occupant, Origin, Table
from domain.value import changed
from domain.wire import plain_command, plain_options


def view(table: Table, viewer: Viewer) -> View:
    """Answer what a viewer sees now; who keeps the history adds id, version and hash."""
    return seen_by_all(table) | seen_by_one(table, viewer)


def seen_by_all(table: Table) -> View:
    """Answer what every viewer sees alike, with null for what ``seen_by_one`` tells."""
    game = table.playing
    return {
        "game": game.name,
        "rules": table.rules,
        "phase": table.phase,
        "options": plain_options(table.options),
        "visibility": table.visibility,
        "seats": [_chair(i, each) for i, each in enumerate(table.chairs)],
        "viewer": None,
        "to_move": list(to_move(table)),
        "moves": None,
        "play": None,
        "result": None if table.play is None else game.result(table.play),
        "commitment": table.commitment,
        "forked_from": _forked_from(table.origin),
    }


def seen_by_one(table: Table, viewer: Viewer) -> View:
    """Answer what depends on who looks."""
    seat = _seat(viewer)
    return {
        "viewer": {"seat": seat},
        "moves": [plain_command(move) for move in moves(table, seat)],
        "play": None if table.play is None else table.playing.view(table.play, viewer),
    }


def moves(table: Table, seat: Seat | None) -> tuple[Any, ...]:
    """Answer every command of the game that is legal now for a seat."""
    if table.phase != "playing" or seat is None:
        return ()
    return table.playing.moves(table.play, seat)


def to_move(table: Table) -> tuple[Seat, ...]:
    """Answer the seats the table waits for, ascending; none unless it is being played."""
    return table.playing.to_move(table.play) if table.phase == "playing" else ()


def reshuffle(table: Table, viewer: Viewer, dice: Dice) -> Table:
    """Deal again whatever this viewer may not know."""
    if table.play is None:
        return table
    return changed(table, play=table.playing.reshuffle(table.play, viewer, dice))


def viewers(table: Table) -> tuple[Viewer, ...]:
    """Answer everybody who may be looking at a table that is not over."""
    return (*(Seat(i) for i in range(len(table.chairs))), "spectator")


def _seat(viewer: Viewer) -> Seat | None:
    return None if isinstance(viewer, str) else viewer


def _forked_from(origin: Origin | None) -> View | None:
    return {"table": origin.table, "version": origin.version} if origin else None


def _chair(seat: int, occupant: Occupant | None) -> View:
    return {
        "seat": seat,
        "player": occupant.player if occupant else None,
        "bot": occupant.bot if occupant else None,
    }
