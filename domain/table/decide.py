"""(table, command, chance) -> events, or Refused: the rules of a sitting."""

from collections.abc import Callable, Iterator
from functools import reduce
from hashlib import sha256
from typing import TypeAlias

from domain.dice import Dice
from domain.game import BadField, Refused, Seat
from domain.table.commands import Command, Leave, Open, Play, Sit
from domain.table.events import (
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
from domain.table.evolve import evolve
from domain.table.state import Table
from domain.wire import plain_options

Chance: TypeAlias = Callable[[Table], Dice]
"""Answers the dice of the table's next decision; asked once every seat's entropy is in."""


def decide(table: Table, command: Command, chance: Chance) -> tuple[Event, ...]:
    """Answer what happens; raise Refused or BadField and nothing has."""
    match command:
        case Open():
            return _open(table, command, chance)
        case Sit():
            return _sit_and_start(table, (command,), chance)
        case Leave():
            return (_leave(table, command),)
        case Play():
            return _play(table, command, chance)


def _open(table: Table, command: Open, chance: Chance) -> tuple[Event, ...]:
    if table.phase != "unopened":
        raise Refused("table-exists")
    game = command.game
    if command.seats not in game.seats:
        raise BadField("seats", f"must be from {game.seats[0]} to {game.seats[-1]}")
    opened = TableOpened(
        game=game.name,
        rules=game.rules,
        seats=command.seats,
        options=plain_options(command.options),
        visibility=command.visibility,
        opener=command.opener,
        commitment=sha256(bytes.fromhex(command.key)).hexdigest(),
        key=command.key,
    )
    begun = (opened, *_fork(command))
    return (*begun, *_sit_and_start(reduce(evolve, begun, table), command.sitting, chance))


def _fork(command: Open) -> tuple[Event, ...]:
    if command.origin is None:
        return ()
    if command.position is None:
        raise Refused("not-started")
    if command.game.is_over(command.position):
        raise Refused("game-over")
    origin = command.origin
    return TableForked(origin.table, origin.version), PositionSet(command.position)


def _sit_and_start(table: Table, sitting: tuple[Sit, ...], chance: Chance) -> tuple[Event, ...]:
    taken = []
    for sit in sitting:
        taken.append(_sit(table, sit))
        table = evolve(table, taken[-1])
    if None in table.chairs:
        return tuple(taken)
    table = evolve(table, GameStarted())
    if table.origin is not None:
        return (*taken, GameStarted())
    dice = chance(table)
    events = table.playing.start(table.play, dice)
    return (*taken, GameStarted(), *_with_dice(events, dice), *_ending(table, events))


def _sit(table: Table, sit: Sit) -> SeatTaken:
    if table.phase != "open":
        raise Refused("already-started")
    if sit.commitment is not None and sit.commitment != table.commitment:
        raise Refused("commitment-differs")
    if table.seat_of(sit.player) is not None:
        raise Refused("already-seated")
    free = [seat for seat, occupant in enumerate(table.chairs) if occupant is None]
    if not free:
        raise Refused("table-full")
    seat = free[0] if sit.seat is None else sit.seat
    if seat >= len(table.chairs):
        raise BadField("seat", f"must be below {len(table.chairs)}")
    if seat not in free:
        raise Refused("seat-taken")
    if sit.bot is not None and sit.bot not in table.playing.bots:
        raise BadField("bots", f"must be one of {', '.join(table.playing.bots)}")
    return SeatTaken(Seat(seat), sit.player, sit.bot, sit.entropy)


def _leave(table: Table, command: Leave) -> SeatLeft:
    if table.phase != "open":
        raise Refused("already-started")
    if table.seat_of(command.player) != command.seat:
        raise Refused("not-your-seat")
    return SeatLeft(command.seat, command.player)


def _play(table: Table, command: Play, chance: Chance) -> tuple[Event, ...]:
    if table.phase != "playing" and table.phase != "over":
        raise Refused("not-started")
    dice = chance(table)
    events = table.playing.decide(table.play, command.seat, command.command, dice)
    return (*_with_dice(events, dice), *_ending(table, events))


def _with_dice(events: tuple[Event, ...], dice: Dice) -> Iterator[Event]:
    if dice.rolls:
        yield DiceRolled(tuple(dice.rolls))
    yield from events


def _ending(table: Table, events: tuple[Event, ...]) -> Iterator[Event]:
    """Reveal the key in the same append as the end."""
    game = table.playing
    if game.is_over(reduce(game.evolve, events, table.play)):
        yield KeyRevealed(table.key)
