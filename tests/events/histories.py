"""Histories for tests: whole tables played by bots with keyed dice, recorded as a server would."""

from functools import cache
from hashlib import sha256

from domain.catalogue import games
from domain.dice import seeded
from domain.game import AnyGame
from domain.selfplay import choose
from domain.table import TABLE
from domain.table.commands import Command, Open, Play, Sit
from domain.table.state import NOWHERE, Table
from domain.table.view import to_move
from domain.wire import read_options
from events import codec
from events.loaded import dice
from events.recorded import Recorded
from events.records.lines import Redaction
from events.records.record import export

START = 1_760_000_000_000
"""When the first table opens, in milliseconds since 1970."""


def opening(game: AnyGame, seats: int, seed: object = 0) -> Open:
    """Answer the command that opens an empty table with a key made of a seed."""
    return Open(
        game=game,
        seats=seats,
        options=read_options(game, {}, seats),
        visibility="public",
        opener="ann",
        key=sha256(f"key {seed}".encode()).hexdigest(),
        sitting=(),
    )


def sitting(seats: int, seed: object = 0, level: str = "random") -> tuple[Sit, ...]:
    """Answer who sits down: a player, bots, and one more player, each player with entropy."""
    entropy = sha256(f"entropy {seed}".encode()).hexdigest()
    players = {0: Sit("ann", entropy=entropy[:40]), seats - 1: Sit("bob", entropy=entropy[40:44])}
    return tuple(players.get(seat) or Sit(None, bot=level) for seat in range(seats))


class History:
    """One table as it grows: its state, and what was recorded of it."""

    def __init__(self, table: str, at: int = START) -> None:
        self.table, self.at = table, at
        self.state: Table = NOWHERE
        self.recorded: list[Recorded] = []

    def carry_out(self, *commands: Command) -> "History":
        """Decide commands with the table's own dice and record what happens."""
        for command in commands:
            events = TABLE.decide(self.state, command, dice)
            game = command.game if isinstance(command, Open) else self.state.playing
            self.recorded += codec.record(game, self.table, len(self.recorded), self.at, events)
            self.state = TABLE.fold(events, self.state)
            self.at += 1_234
        return self

    def play_out(self, level: str = "random", seed: object = 0) -> "History":
        """Let bots of a level play to the end."""
        chance = seeded(f"{self.table} {seed}")
        while self.state.phase == "playing":
            waiting = to_move(self.state)
            seat = waiting[chance.pick(len(waiting))]
            self.carry_out(Play(seat, choose(self.state, seat, level, chance)))
        return self


@cache
def _finished(name: str, seats: int, seed: object, level: str) -> History:
    history = History(f"table-{name}-{seats}-{seed}")
    history.carry_out(opening(games()[name], seats, seed), *sitting(seats, seed, level))
    return history.play_out(level, seed)


def finished(game: AnyGame, seats: int, seed: object = 0, level: str = "random") -> History:
    """Answer a whole table: opened, sat down at one after the other, played to its end.

    It is played once for all tests: what is to grow further takes a copy.
    """
    return _finished(game.name, seats, seed, level)


def recorded_as(
    history: History, redaction: Redaction = "full", *, seat: int | None = None
) -> bytes:
    """Answer the whole record of a history."""
    return b"".join(export(history.recorded[0], history.recorded, redaction, seat=seat))
