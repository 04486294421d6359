"""Tables opened and played through the door, for tests."""

from collections.abc import Callable
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import count
from typing import Any

from domain.catalogue import games
from domain.dice import seeded
from domain.game import AnyGame, Seat
from domain.potage_sauvage.commands import ChooseRecipe
from domain.table.commands import Leave, Open, Play, Sit
from domain.table.state import Table
from domain.table.view import moves, to_move
from domain.wire import plain_command, read_options
from events.store import CommandKey, EventStore, command_key
from events.transact import Door, Outcome, Wish

POTAGE = games()["potage_sauvage"]
FRUITS, WASTE = ChooseRecipe("fruits"), ChooseRecipe("waste")


def opening(
    game: AnyGame = POTAGE, seats: int = 2, sitting: int | None = None, seed: object = 0
) -> Open:
    """Open a table at which so many players (all, if None) sit at once: p0, p1, ..."""
    return Open(
        game=game,
        seats=seats,
        options=read_options(game, {}, seats),
        visibility="public",
        opener="p0",
        key=sha256(str(seed).encode()).hexdigest(),
        sitting=tuple(Sit(f"p{seat}") for seat in range(seats if sitting is None else sitting)),
    )


def plays(player: str, move: Any) -> Wish:
    """Wish for a move, from wherever the player sits."""

    def wish(table: Table) -> Play:
        seat = table.seat_of(player)
        assert seat is not None
        return Play(seat, move)

    return wish


def sits(player: str, seat: int | None = None) -> Wish:
    """Wish for a seat."""
    return lambda _: Sit(player, None if seat is None else Seat(seat))


def leaves(player: str, seat: int) -> Wish:
    """Wish to leave a seat."""
    return lambda _: Leave(player, Seat(seat))


def ticking(start: int = 1_760_000_000_000) -> Callable[[], int]:
    """Make a clock that advances by a second whenever it is asked."""
    return count(start, 1000).__next__


def named(player: str, key: str, move: Any = None) -> CommandKey:
    """Answer the command key of a move."""
    return command_key(player, key, {} if move is None else plain_command(move))


def recipe(door: Door, player: str, move: Any, key: str, **how: Any) -> Outcome:
    """Send a move to the table named "table"."""
    return door.transact("table", plays(player, move), named(player, key, move), **how)


@dataclass
class Sitting:
    """A table in a store, and a random legal move for it whenever one is asked for."""

    door: Door
    table: str = "table"
    chance: Any = field(default_factory=lambda: seeded(1))
    keys: Any = field(default_factory=lambda: count(1))

    def open(self, **how: Any) -> Outcome:
        """Open the table."""
        return self.door.open(self.table, opening(**how), named("p0", "open"))

    def move(self, state: Table) -> tuple[str, Any]:
        """Answer a player that the table waits for, and a legal move."""
        waiting = to_move(state)
        seat = waiting[self.chance.pick(len(waiting))]
        legal = moves(state, seat)
        return f"p{seat}", legal[self.chance.pick(len(legal))]

    def step(self) -> Outcome:
        """Play one legal move."""
        player, move = self.move(self.door.load(self.table).state)
        key = named(player, str(next(self.keys)), move)
        return self.door.transact(self.table, plays(player, move), key)

    def steps(self, many: int) -> list[Outcome]:
        """Play so many legal moves."""
        return [self.step() for _ in range(many)]

    def play_out(self) -> list[Outcome]:
        """Play to the end."""
        outcomes = []
        while self.door.load(self.table).state.phase == "playing":
            outcomes.append(self.step())
        return outcomes


def sitting(store: EventStore, table: str = "table", **how: Any) -> Sitting:
    """Open a table in a store through a door of its own."""
    made = Sitting(Door(store, clock=ticking()), table)
    made.open(**how)
    return made
