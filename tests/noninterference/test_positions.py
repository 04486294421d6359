"""Thousands of positions of every game, without a server: views, moves, refusals, words, bots.

What a server adds to them is compared in test_over_http.py. ``NONINTERFERENCE=500`` plays so many
games of each kind and prints how much was compared.
"""

import os
from collections import Counter
from functools import cache
from hashlib import sha256
from typing import Any, Final

import msgspec
import pytest

from domain.catalogue import games
from domain.dice import Dice, seeded
from domain.game import AnyGame, BadField, Refused, Seat, Viewer
from domain.table.events import TableOpened
from domain.table.state import Occupant, Table
from domain.table.view import moves, to_move, view
from domain.wire import plain_options, read_command
from events import chain, codec
from events.notices import notices
from events.records.record import export
from service.agents.actions import actions_of
from tests.noninterference import masks
from tests.noninterference.positions import Pair, Step, begun, on, pairs
from tests.noninterference.worlds import Tally

GAMES: Final = 2 * int(os.environ.get("NONINTERFERENCE", "1"))
EVERY: Final = 9
"""One in so many positions of a game begins a pair."""
STEPS: Final = 8
FEW: Final = 7
"""One in so many commands is tried at each position."""
KEY: Final = sha256(b"key").hexdigest()

every_game = pytest.mark.parametrize("game", [pytest.param(g, id=n) for n, g in games().items()])


def seated(pair: Pair, play: Any) -> Table:
    """Answer a table that stands as one side of a pair."""
    return Table(
        phase="playing",
        game=pair.game,
        rules=pair.game.rules,
        options=pair.options,
        visibility="public",
        opener="p0",
        commitment="",
        key=KEY,
        chairs=tuple(Occupant(f"p{seat}", None, "") for seat in range(pair.seats)),
        rolls=0,
        play=play,
    )


def sides(pair: Pair) -> tuple[Table, Table]:
    return seated(pair, pair.left), seated(pair, pair.right)


@cache
def commands(name: str, seats: int) -> tuple[Any, ...]:
    """Answer every command that a game's schema knows."""
    return tuple(read_command(games()[name], each) for each in actions_of(name, seats).commands)


def met(game: AnyGame, state: Any, seat: Seat, command: Any) -> str:
    """Answer how the rules meet a command: accepted, or why not."""
    try:
        game.decide(state, seat, command, seeded(0))
    except Refused as refused:
        return refused.code
    except BadField as bad:
        return str(bad)
    return "accepted"


def readers(pair: Pair) -> list[Viewer]:
    """Answer the viewer, and those who know less than it."""
    return [*dict.fromkeys([pair.viewer, "spectator"])]


def compare(pair: Pair, tally: Tally, dice: Dice) -> None:
    """Compare what a pair shows while nothing happens."""
    encode = msgspec.json.Encoder().encode
    tables = sides(pair)
    for viewer in readers(pair):
        tally.same("view", pair, *(encode(view(table, viewer)) for table in tables))
    viewer = pair.viewer
    if isinstance(viewer, str):
        return
    tried = commands(pair.game.name, pair.seats)
    few = tried[dice.pick(FEW) :: FEW]
    told = ([met(pair.game, table.play, viewer, each) for each in few] for table in tables)
    tally.same("refusal", pair, *told)
    if viewer not in to_move(tables[0]):
        return
    for level, choose in pair.game.bots.items():
        roll = dice.pick(1 << 30)
        chosen = (
            choose(view(table, viewer), moves(table, viewer), seeded(roll)) for table in tables
        )
        tally.same(f"bot {level}", pair, *chosen)


def compare_told(step: Step, tally: Tally) -> None:
    """Compare how a step is told: by notices in both languages, and by the lines of records."""
    pair = step.after
    tables = sides(pair)
    events = zip(*step.went.events, strict=True)
    recorded = [codec.record(pair.game, "table", 1, 0, each) for each in events]
    for reader in readers(pair):
        for language in ("en", "fr"):
            said = (
                notices(each, reader, language, table)
                for each, table in zip(recorded, tables, strict=True)
            )
            tally.same(f"notices {language}", (reader, step), *said)
        seat = None if isinstance(reader, str) else reader
        lines = (
            b"".join(_lines(pair, table, each, seat))
            for each, table in zip(recorded, tables, strict=True)
        )
        tally.same("record", (reader, step), *lines)


def _lines(pair: Pair, table: Table, recorded: Any, seat: Seat | None) -> list[bytes]:
    redaction: Any = "public" if seat is None else "seat"
    opened = TableOpened(
        game=pair.game.name,
        rules=pair.game.rules,
        seats=pair.seats,
        options=plain_options(pair.options),
        visibility="public",
        opener="p0",
        commitment=chain.commitment(bytes.fromhex(KEY)),
        key=table.key,
    )
    first = codec.record(pair.game, "table", 0, 0, [opened])[0]
    lines = export(first, recorded, redaction, seat=seat, after=1, hash_after=bytes(32))
    return [masks.record_line(each) for each in lines]


def drive(pair: Pair, dice: Dice, tally: Tally, seen: Counter[str]) -> None:
    """Compare a pair, and go on with it as long as it looks alike."""
    for _ in range(STEPS):
        seen["positions"] += 1
        seen["positions that hide something"] += pair.hides
        compare(pair, tally, dice)
        step = on(pair, dice)
        if step is None:
            return
        seen["steps"] += 1
        seen["secret choices that differ"] += step.left != step.right
        for one, _two in step.went.events:
            seen[type(one).__name__] += 1
        compare_told(step, tally)
        pair = step.after


@pytest.mark.timeout(600 + 20 * GAMES)
@every_game
def test_nothing_that_is_worked_out_for_a_viewer_depends_on_hidden_cards(game: AnyGame) -> None:
    tally, seen = Tally(), Counter[str]()
    for number in range(GAMES):
        dice = seeded(f"drive {game.name} {number}")
        went = begun(game, f"positions {number}")
        assert went.after.hides
        compare_told(Step(Seat(0), None, None, went), tally)
        drive(went.after, dice, tally, seen)
        for pair in pairs(game, f"positions {number}", EVERY):
            drive(pair, dice, tally, seen)
    assert seen["positions that hide something"] > 0.9 * seen["positions"] > 10 * GAMES
    print(f"\n{game.name}: {GAMES} games, {dict(seen)}, {tally}")
