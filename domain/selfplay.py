"""Whole tables played by bots in pure domain: for tests, measurements and golden games."""

from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from typing import Any

from domain.catalogue import games
from domain.dice import Dice, seeded
from domain.game import AnyGame, Seat
from domain.table import TABLE
from domain.table.commands import Command, Open, Play, Sit
from domain.table.decide import Chance
from domain.table.events import Event
from domain.table.state import NOWHERE, Table
from domain.table.view import moves, to_move, view
from domain.value import Value
from domain.wire import read_options


class Step(Value):
    """One accepted command: the table before it, what happened, the table after it."""

    before: Table
    command: Command
    events: tuple[Event, ...]
    after: Table


def opening(game: AnyGame, seats: int, options: Mapping[str, Any], seed: int | str = 0) -> Open:
    """Answer the command that opens a table and seats players p0, p1, ... at once."""
    return Open(
        game=game,
        seats=seats,
        options=read_options(game, options, seats),
        visibility="public",
        opener="p0",
        key=sha256(str(seed).encode()).hexdigest(),
        sitting=tuple(Sit(f"p{seat}") for seat in range(seats)),
    )


def take(table: Table, command: Command, chance: Chance) -> Step:
    """Carry out one command; raise Refused or BadField as the rules do."""
    events = TABLE.decide(table, command, chance)
    return Step(table, command, events, TABLE.fold(events, table))


def selfplay(
    game: AnyGame | str,
    seats: int,
    *,
    options: Mapping[str, Any] | None = None,
    levels: Sequence[str] = (),
    seed: int | str = 0,
) -> Iterator[Step]:
    """Play a table to its end; ``levels`` names a bot for each seat (``random`` if absent).

    Of the seats the table waits for, a random one moves.
    """
    game = games()[game] if isinstance(game, str) else game
    dice = seeded(f"{game.name} {seats} {seed}")
    step = take(NOWHERE, opening(game, seats, options or {}, seed), lambda _: _fresh(dice))
    yield step
    while step.after.phase == "playing":
        waiting = to_move(step.after)
        seat = waiting[dice.pick(len(waiting))]
        level = levels[seat] if levels else "random"
        move = choose(step.after, seat, level, dice)
        step = take(step.after, Play(seat, move), lambda _: _fresh(dice))
        yield step


def choose(table: Table, seat: Seat, level: str, dice: Dice) -> Any:
    """Let a bot of some level choose a move from the view of its seat alone."""
    return table.playing.bots[level](view(table, seat), moves(table, seat), dice)


def final(steps: Iterator[Step]) -> Table:
    """Answer the table after the last step."""
    step = None
    for step in steps:  # noqa: B007 - the last one is wanted
        pass
    if step is None:
        raise ValueError("nothing was played")
    return step.after


def _fresh(dice: Dice) -> Dice:
    """Answer dice with an empty record that draw on the same source."""
    return Dice(dice.pick)
