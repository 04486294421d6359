"""A what-if: another line from a position of a table, on a table of its own."""

from collections.abc import Sequence

from domain.dice import Dice
from domain.game import Viewer
from domain.table.commands import Open, Sit
from domain.table.state import Origin, Table
from domain.table.view import reshuffle


def fork(
    parent: Table,
    origin: Origin,
    *,
    viewer: Viewer,
    dice: Dice,
    opener: str,
    key: str,
    sitting: Sequence[Sit],
) -> Open:
    """Answer the command that opens a private what-if from ``parent`` as it was at ``origin``.

    Hidden cards are dealt again from what ``viewer`` was told by then; once the parent table is
    over nothing is hidden, and whoever asks does so as the arbiter. ``key`` is the new table's
    own. Opening it is refused with not-started or game-over where there is nothing to play.
    """
    return Open(
        game=parent.playing,
        seats=len(parent.chairs),
        options=parent.options,
        visibility="private",
        opener=opener,
        key=key,
        sitting=tuple(sitting),
        origin=origin,
        position=reshuffle(parent, viewer, dice).play,
    )
