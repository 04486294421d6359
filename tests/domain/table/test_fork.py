"""Forks: a table of its own from a position of another, with nothing hidden taken along."""

from typing import Any

import pytest

from domain.catalogue import games
from domain.dice import Dice, seeded
from domain.game import AnyGame, Refused, Seat, Viewer
from domain.sealed import audience, public_face
from domain.selfplay import Step, choose, selfplay
from domain.table import TABLE
from domain.table.commands import Leave, Open, Play, Sit
from domain.table.decide import Chance
from domain.table.events import (
    DiceRolled,
    GameStarted,
    KeyRevealed,
    PositionSet,
    SeatTaken,
    TableForked,
    TableOpened,
)
from domain.table.fork import fork
from domain.table.state import NOWHERE, Origin, Table
from domain.table.view import moves, reshuffle, to_move, view, viewers

KEY = "cd" * 32
ORIGIN = Origin("parent", 7)
GAMES = [pytest.param(game, id=game.name) for game in games().values()]
every_game = pytest.mark.parametrize("game", GAMES)


def fresh(_: Table) -> Dice:
    return seeded("fork")


def middle(game: AnyGame) -> Table:
    steps = list(selfplay(game, game.seats[0], seed="parent"))
    return steps[len(steps) // 2].after


def forked(parent: Table, viewer: Viewer = "spectator", *sitting: Sit, seed: int = 0) -> Open:
    return fork(
        parent, ORIGIN, viewer=viewer, dice=seeded(seed), opener="ann", key=KEY, sitting=sitting
    )


def everybody(parent: Table) -> tuple[Sit, ...]:
    return (Sit("ann"), *(Sit(None, bot="random") for _ in parent.chairs[1:]))


def kinds(events: tuple[Any, ...]) -> list[type]:
    return [type(event) for event in events]


def drawing(dice: Dice) -> Chance:
    return lambda _: Dice(dice.pick)


def opened(command: Open) -> Step:
    events = TABLE.decide(NOWHERE, command, fresh)
    return Step(NOWHERE, command, events, TABLE.fold(events))


@every_game
def test_a_fork_starts_from_a_position_without_a_deal(game: AnyGame) -> None:
    parent = middle(game)
    step = opened(forked(parent, Seat(0), *everybody(parent)))
    taken = [SeatTaken] * len(parent.chairs)
    assert kinds(step.events) == [TableOpened, TableForked, PositionSet, *taken, GameStarted]
    assert step.after.phase == "playing"
    assert step.after.play == reshuffle(parent, Seat(0), seeded(0)).play


@every_game
def test_a_fork_has_a_key_and_rolls_of_its_own(game: AnyGame) -> None:
    parent = middle(game)
    table = opened(forked(parent, Seat(0), *everybody(parent))).after
    assert (table.key, table.rolls, table.opener) == (KEY, 0, "ann")
    assert table.commitment != parent.commitment
    assert parent.key not in str(table)


@every_game
def test_a_fork_shows_its_viewer_the_view_it_was_made_from(game: AnyGame) -> None:
    parent = middle(game)
    for viewer in viewers(parent):
        table = opened(forked(parent, viewer, *everybody(parent))).after
        was, now = view(parent, viewer), view(table, viewer)
        for name in ("game", "options", "to_move", "moves", "play", "result"):
            assert now[name] == was[name], (viewer, name)


@every_game
def test_the_arbiter_of_a_finished_table_forks_what_was_there(game: AnyGame) -> None:
    parent = middle(game)
    assert forked(parent, "arbiter").position == parent.play


@every_game
def test_a_fork_is_played_to_its_end_and_reveals_its_own_key(game: AnyGame) -> None:
    table = opened(forked(middle(game), Seat(0), *everybody(middle(game)))).after
    dice = seeded("another line")
    events: tuple[Any, ...] = ()
    while table.phase == "playing":
        seat = to_move(table)[0]
        play = Play(seat, choose(table, seat, "random", dice))
        events = TABLE.decide(table, play, drawing(dice))
        table = TABLE.fold(events, table)
    assert events[-1] == KeyRevealed(KEY)


def test_a_fork_waits_for_its_seats_and_shows_no_game_until_then() -> None:
    game = next(iter(games().values()))
    parent = middle(game)
    table = opened(forked(parent, Seat(1), Sit("ann", seat=Seat(1)))).after
    seen = view(table, Seat(1))
    assert table.phase == "open"
    assert (seen["play"], seen["result"], seen["moves"], seen["to_move"]) == (None, None, [], [])
    left = TABLE.fold(TABLE.decide(table, Leave("ann", Seat(1)), fresh), table)
    for sit in everybody(parent):
        left = TABLE.fold(TABLE.decide(left, sit, fresh), left)
    assert left.phase == "playing"
    assert left.position is None
    assert moves(left, to_move(left)[0])


def test_a_fork_is_private_and_says_where_it_comes_from() -> None:
    parent = middle(next(iter(games().values())))
    seen = view(opened(forked(parent)).after, "spectator")
    assert seen["visibility"] == "private"
    assert seen["forked_from"] == {"table": "parent", "version": 7}
    assert view(parent, "spectator")["forked_from"] is None


def test_nobody_reads_a_position_before_the_end() -> None:
    events = opened(forked(middle(next(iter(games().values()))))).events
    assert audience(events[2]) == ()
    assert public_face(events[2]) == {}


def test_chance_after_a_fork_is_the_first_roll_of_its_table() -> None:
    for game in games().values():
        parent = middle(game)
        table = opened(forked(parent, Seat(0), *everybody(parent))).after
        dice = seeded("chance")
        while table.phase == "playing":
            seat = to_move(table)[0]
            play = Play(seat, choose(table, seat, "random", dice))
            events = TABLE.decide(table, play, drawing(dice))
            if DiceRolled in kinds(events):
                assert table.rolls == 0
                return
            table = TABLE.fold(events, table)
    pytest.fail("no game rolled")


def test_where_there_is_nothing_to_play_no_fork_is_opened() -> None:
    game = next(iter(games().values()))
    steps = list(selfplay(game, game.seats[0]))
    waiting = TABLE.fold(steps[0].events[:1])
    for parent, code in ((waiting, "not-started"), (steps[-1].after, "game-over")):
        with pytest.raises(Refused) as refusal:
            TABLE.decide(NOWHERE, forked(parent), fresh)
        assert refusal.value.code == code
