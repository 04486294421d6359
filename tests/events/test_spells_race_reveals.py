"""A spell cast in the idle window races the active player's reveal: the version decides."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import count

import pytest

from domain.catalogue import games
from domain.dice import seeded
from domain.game import Refused, Seat
from domain.magic_cooking.commands import Cast, Reveal
from domain.table.state import Table
from domain.table.view import moves, to_move
from domain.value import changed
from domain.wire import read_options
from events.store import EventStore, command_key
from events.transact import Door, Outcome, StaleVersion
from tests.events.tables import opening, plays

GAME = games()["magic_cooking"]


def casts_of(table: Table, caster: Seat) -> Iterator[Cast]:
    """Answer the spells a seat may cast while somebody else is to reveal."""
    if to_move(table) and caster not in to_move(table) and table.play.phase == "turn":
        yield from (move for move in moves(table, caster) if isinstance(move, Cast))


def idle(store: EventStore) -> tuple[Door, Seat, Cast, Reveal]:
    """Play a table until Brady may cast and the other seat is to reveal."""
    door, keys, chance = Door(store), count(), seeded(1)
    begin = changed(opening(GAME), options=read_options(GAME, {"mages": ["moka", "brady"]}, 2))
    door.open("table", begin, command_key("p0", "open", {}))
    brady = Seat(1)
    while True:
        table = door.load("table").state
        if cast := next(casts_of(table, brady), None):
            reveal = next(m for m in moves(table, Seat(0)) if isinstance(m, Reveal))
            return door, brady, cast, reveal
        seat = to_move(table)[0]
        legal = [m for m in moves(table, seat) if not isinstance(m, Cast)]
        move = legal[chance.pick(len(legal))]
        door.transact("table", plays(f"p{seat}", move), command_key("p0", f"{next(keys)}", {}))


def test_a_cast_before_the_reveal_counts_and_the_reveal_is_told_that_it_is_late(
    store: EventStore,
) -> None:
    door, brady, cast, reveal = idle(store)
    seen = door.load("table").version
    door.transact("table", plays("p1", cast), command_key("p1", "cast", {}), expected=seen)
    assert door.load("table").state.play.spent[brady]
    with pytest.raises(StaleVersion):
        door.transact("table", plays("p0", reveal), command_key("p0", "reveal", {}), expected=seen)


def test_a_cast_behind_the_reveal_is_told_that_it_is_late_and_not_spent(store: EventStore) -> None:
    door, brady, cast, reveal = idle(store)
    seen = door.load("table").version
    door.transact("table", plays("p0", reveal), command_key("p0", "reveal", {}), expected=seen)
    with pytest.raises(StaleVersion):
        door.transact("table", plays("p1", cast), command_key("p1", "cast", {}), expected=seen)
    assert not door.load("table").state.play.spent[brady]


def test_of_a_cast_and_a_reveal_at_once_one_is_first_and_no_cast_is_lost(
    store: EventStore,
) -> None:
    door, brady, cast, reveal = idle(store)
    seen = door.load("table").version

    def send(player: str, move: object) -> Outcome | None:
        key = command_key(player, "race", {})
        try:
            return Door(store).transact("table", plays(player, move), key, expected=seen)
        except (StaleVersion, Refused):
            return None

    with ThreadPoolExecutor(2) as pool:
        both = [pool.submit(send, "p1", cast), pool.submit(send, "p0", reveal)]
    spell, turned = (each.result() for each in both)
    assert [spell, turned].count(None) == 1
    assert door.load("table").state.play.spent[brady] == (spell is not None)
