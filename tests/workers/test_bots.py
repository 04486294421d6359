"""Bots at tables: they play through the door, from their view alone, and each move counts once."""

import logging
from collections.abc import Sequence
from dataclasses import replace
from importlib import import_module
from typing import Any

import pytest
from redis import Redis

from domain.catalogue import games
from domain.dice import Dice, seeded
from domain.game import Seat, View
from domain.selfplay import selfplay
from domain.table.view import moves, to_move
from domain.table.view import view as seen_by
from domain.value import changed
from events.servers.connection import OutcomeUnknown
from events.store import EventStore
from events.transact import Door
from tests.workers.folds import differences
from tests.workers.sittings import (
    POTAGE,
    catch_up,
    following,
    move,
    opened,
    six_seconds_later,
)
from workers import bots
from workers.share import Share
from workers.sittings import Sittings
from workers.status import status


def versions(store: EventStore, table: str) -> list[int]:
    """Answer the versions that are stored."""
    return [each.version for each in store.read(table)]


@pytest.mark.parametrize("name", sorted(games()))
def test_a_table_of_bots_is_played_to_its_end(fake: Redis, name: str) -> None:
    store = EventStore(fake)
    door = Door(store)
    game = games()[name]
    seats = game.seats[0]
    opened(door, game=game, seats=seats, bots=dict.fromkeys(range(seats), "random"))
    follower = following(store)
    catch_up(follower)
    assert door.load("table").state.phase == "over"
    assert differences(store) == []


def test_bots_play_until_a_person_is_to_move(valkey: Redis) -> None:
    store = EventStore(valkey)
    door = Door(store)
    opened(door, seats=3, players=["ann"], bots={1: "random", 2: "greedy"})
    follower = following(store)
    chance = seeded(4)
    while True:
        catch_up(follower)
        state = door.load("table").state
        if state.phase == "over":
            break
        assert to_move(state) == (0,)
        assert move(door, "table", chance)
    assert differences(store) == []


def test_a_bot_that_is_not_waited_for_does_not_move() -> None:
    assert bots.waited_for(games_state(waiting=(), bot_seats=(0, 1))) is None
    assert bots.waited_for(games_state(waiting=(0,), bot_seats=(1,))) is None
    assert bots.waited_for(games_state(waiting=(0, 1), bot_seats=(1,))) == 1


def games_state(waiting: tuple[int, ...], bot_seats: tuple[int, ...]) -> Any:
    """Make a table of a game that waits for some seats while every seat has moves."""
    game = replace(POTAGE, to_move=lambda _: tuple(map(Seat, waiting)))
    table = table_of_two()
    chairs = tuple(
        changed(chair, bot="random" if seat in bot_seats else None)
        for seat, chair in enumerate(table.chairs)
        if chair is not None
    )
    return changed(table, game=game, chairs=chairs)


def table_of_two() -> Any:
    """Open a table for two in memory."""
    return next(selfplay(POTAGE, 2)).after


class Watching:
    """A bot that keeps what it was given."""

    def __init__(self) -> None:
        self.given: list[tuple[View, Sequence[Any], Dice]] = []

    def __call__(self, view: View, legal: Sequence[Any], dice: Dice) -> Any:
        self.given.append((view, legal, dice))
        return legal[0]


def put(monkeypatch: pytest.MonkeyPatch, bot: Any) -> None:
    """Let every table opened from now on have this bot in the place of the random one."""
    patched = replace(POTAGE, bots={**POTAGE.bots, "random": bot})
    evolve = import_module("domain.table.evolve")
    monkeypatch.setattr(evolve, "games", lambda: {POTAGE.name: patched})


@pytest.fixture
def watching(monkeypatch: pytest.MonkeyPatch) -> Watching:
    """Put a watching bot in the place of the random one."""
    bot = Watching()
    put(monkeypatch, bot)
    return bot


def test_a_bot_is_given_the_view_of_its_seat_and_its_moves_and_nothing_else(
    store: EventStore, door: Door, watching: Watching
) -> None:
    opened(door, players=["ann"], bots={1: "random"})
    before = door.load("table").state
    catch_up(following(store))
    view, legal, _ = watching.given[0]
    assert view == seen_by(before, Seat(1))
    assert tuple(legal) == moves(before, Seat(1))


def test_the_dice_of_a_bot_are_the_same_for_the_same_place_and_others_elsewhere(
    store: EventStore, door: Door
) -> None:
    opened(door, players=["ann"], bots={1: "random"})
    loaded = door.load("table")

    def rolls(seat: int, version: int = loaded.version) -> list[int]:
        dice = bots.dice(changed(loaded, version=version), Seat(seat))
        return [dice.pick(1000) for _ in range(4)]

    assert rolls(1) == rolls(1)
    assert len({tuple(each) for each in (rolls(0), rolls(1), rolls(1, 99))}) == 3


def test_a_move_whose_reply_was_lost_counts_once(store: EventStore, door: Door) -> None:
    opened(door, players=["ann"], bots={1: "random"})
    loaded = door.load("table")
    first = bots.play(Door(store), loaded, Seat(1))
    again = bots.play(Door(store), loaded, Seat(1))
    assert (again.first, again.last, again.replayed) == (first.first, first.last, True)
    assert versions(store, "table") == list(range(1, first.last + 1))


def test_a_follower_that_is_killed_in_the_middle_leaves_nothing_hanging(
    store: EventStore, door: Door, monkeypatch: pytest.MonkeyPatch
) -> None:
    for table in ("a", "b"):
        opened(door, table, seats=2, bots={0: "random", 1: "random"})

    class Killed(BaseException):
        pass

    transact, played = Door.transact, []

    def dies(self: Door, *what: Any, **how: Any) -> Any:
        outcome = transact(self, *what, **how)
        played.append(outcome)
        if len(played) == 25:
            raise Killed
        return outcome

    first = following(store)
    with monkeypatch.context() as patch:
        patch.setattr(Door, "transact", dies)
        with pytest.raises(Killed):
            catch_up(first)
    six_seconds_later(store.client)
    catch_up(following(store))
    assert {door.load(table).state.phase for table in ("a", "b")} == {"over"}
    assert differences(store) == []


def test_a_person_who_moves_at_the_same_moment_does_no_harm(
    store: EventStore, door: Door, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened(door, players=["ann"], bots={1: "random"})
    follower = following(store)
    follower.sweep()
    follower.drain()
    assert follower.busy()
    assert move(door, "table", seeded(1)), "both choose a recipe at the same time"
    chance = seeded(2)
    catch_up(follower)
    while move(door, "table", chance):
        catch_up(follower)
    assert door.load("table").state.phase == "over"
    assert versions(store, "table") == list(range(1, door.load("table").version + 1))
    assert differences(store) == []


def failing(*_: object) -> Any:
    """Be a bot that has no idea."""
    raise IndexError("nothing occurs to me")


def test_a_bot_that_fails_parks_its_table_for_bots_only(
    store: EventStore, door: Door, monkeypatch: pytest.MonkeyPatch, caplog: Any
) -> None:
    caplog.set_level(logging.CRITICAL)
    opened(door, "bad", players=["ann"], bots={1: "random"})
    opened(door, "good", players=["ann"], bots={1: "greedy"})
    follower = following(store)
    with monkeypatch.context() as patch:
        put(patch, failing)
        catch_up(follower)
        follower.sweep()
        found = status(store.client, store.client).parked
        assert [(each.consumer, each.table, each.error) for each in found] == [
            (bots.CONSUMER, "bad", "IndexError")
        ]
        assert differences(store) == []
    follower.end()
    mended = following(store)
    catch_up(mended)
    mended.sweep()
    assert status(store.client, store.client).parked == ()
    assert to_move(door.load("bad").state) == (0,)


def test_bots_yield_after_their_budget(store: EventStore, door: Door) -> None:
    for n in range(3):
        opened(door, f"t{n}", bots={0: "random", 1: "random"})
    follower = following(store)
    follower.sweep()
    follower.drain()
    before = [door.load(f"t{n}").version for n in range(3)]
    follower.play()
    after = [door.load(f"t{n}").version for n in range(3)]
    assert before != after
    # What is left to play takes many budgets more, however slow the machine is.
    assert follower.busy()


def test_tables_of_bots_take_turns(fake: Redis) -> None:
    store = EventStore(fake)
    door = Door(store)
    sittings = Sittings(store)
    waiting = bots.Bots(door, sittings)
    share = Share(0, 1, {bots.CONSUMER: 0}, 0, {bots.CONSUMER: {}})
    for table in ("a", "b"):
        opened(door, table, bots={0: "random", 1: "random"})
        waiting.meet(share, table, 1, sittings.read({table: None})[table], 0)
    before = {table: door.load(table).version for table in ("a", "b")}
    for _ in range(4):
        waiting.step(0, seconds=1e-9)
    after = {table: door.load(table).version for table in ("a", "b")}
    assert all(after[table] >= before[table] + 1 for table in ("a", "b"))


def test_a_store_that_goes_away_is_not_the_bots_fault(
    store: EventStore, door: Door, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened(door, players=["ann"], bots={1: "random"})
    follower = following(store)
    follower.sweep()
    follower.drain()

    def lost(*_: object, **__: object) -> Any:
        raise OutcomeUnknown("the line is dead")

    with monkeypatch.context() as patch:
        patch.setattr(EventStore, "append", lost)
        with pytest.raises(OutcomeUnknown):
            follower.play()
    six_seconds_later(store.client)
    catch_up(following(store))
    assert status(store.client, store.client).parked == ()
    assert to_move(door.load("table").state) == (0,)


def test_a_bot_that_thinks_for_ever_is_interrupted_and_parked(
    store: EventStore, door: Door, monkeypatch: pytest.MonkeyPatch, caplog: Any
) -> None:
    caplog.set_level(logging.CRITICAL)
    # Twenty times what any thought takes that ends: a busy machine takes longer, too.
    monkeypatch.setattr(bots, "THOUGHT_SECONDS", 1.0)

    def ponder(*_: object) -> Any:
        while True:
            pass

    opened(door, "bad", players=["ann"], bots={1: "random"})
    opened(door, "good", players=["ann"], bots={1: "greedy"})
    follower = following(store)
    put(monkeypatch, ponder)
    catch_up(follower)
    found = status(store.client, store.client).parked
    assert [(each.table, each.error) for each in found] == [("bad", "TooSlow")]
    assert to_move(door.load("good").state) == (0,)
