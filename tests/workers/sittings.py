"""Tables with people and bots, and a follower that is led by hand."""

from collections.abc import Mapping, Sequence
from hashlib import sha256
from itertools import count
from typing import Any

from domain.catalogue import games
from domain.dice import Dice, seeded
from domain.game import AnyGame, Seat
from domain.table.commands import Leave, Open, Play, Sit
from domain.table.state import Table, Visibility
from domain.table.view import moves, to_move
from domain.wire import plain_command, read_options
from events import keys
from events.loaded import Loaded
from events.store import command_key
from events.transact import Door
from workers.follow import Follower
from workers.leases import BLOCKS

POTAGE = games()["potage_sauvage"]

_KEYS = count(1)


def opened(
    door: Door,
    table: str = "table",
    *,
    game: AnyGame = POTAGE,
    seats: int = 2,
    players: Sequence[str] = (),
    bots: Mapping[int, str] | None = None,
    visibility: Visibility = "public",
) -> str:
    """Open a table at which players sit from seat 0 on, and bots of some level where named."""
    sitting = [
        Sit(player, Seat(seat)) for seat, player in enumerate(players) if seat not in (bots or {})
    ]
    sitting += [Sit(None, Seat(seat), bot=level) for seat, level in (bots or {}).items()]
    command = Open(
        game=game,
        seats=seats,
        options=read_options(game, {}, seats),
        visibility=visibility,
        opener=players[0] if players else "opener",
        key=sha256(table.encode()).hexdigest(),
        sitting=tuple(sitting),
    )
    door.open(table, command, command_key("opener", table, {}))
    return table


def sit(door: Door, table: str, player: str, seat: int | None = None) -> None:
    """Let a player sit down."""
    chosen = None if seat is None else Seat(seat)
    key = command_key(player, f"sit {next(_KEYS)}", {})
    door.transact(table, lambda _: Sit(player, chosen), key)


def leave(door: Door, table: str, player: str) -> None:
    """Let a player get up."""

    def wish(state: Table) -> Leave:
        seat = state.seat_of(player)
        assert seat is not None
        return Leave(player, seat)

    door.transact(table, wish, command_key(player, f"leave {next(_KEYS)}", {}))


def move(door: Door, table: str, chance: Dice, *, trace: str | None = None) -> bool:
    """Let one person that the table waits for make a random move; False if it waits for none."""
    loaded = door.load(table)
    state = loaded.state
    people = [seat for seat in to_move(state) if _is_person(state, seat)]
    if not people:
        return False
    seat = people[chance.pick(len(people))]
    legal = moves(state, seat)
    made = legal[chance.pick(len(legal))]
    key = command_key(f"seat {seat}", str(next(_KEYS)), plain_command(made))
    door.transact(table, lambda _: Play(seat, made), key, trace=trace)
    return True


def _is_person(state: Table, seat: Seat) -> bool:
    chair = state.chairs[seat]
    return chair is not None and chair.player is not None


def play_out(door: Door, table: str, chance: Dice | None = None) -> Loaded:
    """Let people play a table to its end."""
    chance = chance or seeded(table)
    while move(door, table, chance):
        pass
    return door.load(table)


def catch_up(follower: Follower) -> None:
    """Lead a follower until nothing is left to apply or to play."""
    follower.sweep()
    while follower.busy():
        follower.drain()
        follower.deliver()
        follower.play()
        if not follower.busy():
            follower.sweep()


def following(store: Any, **how: Any) -> Follower:
    """Start a follower that holds everything it can get."""
    follower = Follower(store, **how)
    follower.begin()
    return follower


def six_seconds_later(client: Any) -> None:
    """Let the leases and the enrolment of killed followers run out."""
    leases = (keys.lease(block) for block in range(BLOCKS))
    client.delete(keys.followers(), *leases)
