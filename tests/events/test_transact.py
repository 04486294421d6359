"""The single door: what is decided, stored and answered."""

from functools import partial
from typing import Any

import pytest
from redis import Redis

from domain.dice import Dice, seeded
from domain.game import BadField, Refused, Seat
from domain.selfplay import choose
from domain.table.commands import Play
from domain.table.state import Table
from domain.table.view import to_move
from domain.value import changed
from events import keys
from events.loaded import fold, unopened
from events.store import EventStore, Meta, command_key
from events.transact import (
    Door,
    UnknownTable,
    UnknownVersion,
)
from tests.e2e.server import PATIENCE
from tests.events.tables import (
    FRUITS,
    leaves,
    named,
    opening,
    recipe,
    sits,
    sitting,
)


def test_a_whole_game_is_played_and_kept(store: EventStore) -> None:
    game = sitting(store, seats=3)
    game.play_out()
    loaded = game.door.load("table")
    assert loaded.state.phase == "over"
    assert fold(unopened("table"), store.read("table")) == loaded
    assert store.read_meta("table") == Meta(loaded.version, loaded.hash.hex(), "over")


def test_an_outcome_tells_the_stored_events_and_the_table_after_them(store: EventStore) -> None:
    game = sitting(store)
    for _ in range(10):
        outcome = game.step()
        assert outcome.recorded == store.read("table", outcome.first - 1)
        assert [each.version for each in outcome.recorded] == list(
            range(outcome.first, outcome.last + 1)
        )
        assert outcome.loaded == game.door.load("table")
        assert outcome.loaded.version == outcome.last
        assert not outcome.replayed


def test_opening_seats_who_sits_at_once(store: EventStore) -> None:
    outcome = Door(store).open("table", opening(seats=3, sitting=1), named("p0", "open"))
    assert (outcome.first, outcome.loaded.state.phase) == (1, "open")
    assert [each.kind for each in outcome.recorded] == ["TableOpened", "SeatTaken"]


def test_seats_are_taken_and_left_through_the_same_door(store: EventStore) -> None:
    game = sitting(store, seats=3, sitting=1)
    door = game.door
    door.transact("table", sits("p1"), named("p1", "sit"))
    door.transact("table", leaves("p1", 1), named("p1", "leave"))
    door.transact("table", sits("p2", 1), named("p2", "sit"))
    last = door.transact("table", sits("p3"), named("p3", "sit"))
    assert last.loaded.state.phase == "playing"
    assert [last.loaded.state.seat_of(f"p{each}") for each in range(4)] == [0, None, 1, 2]


def test_times_never_run_backwards(store: EventStore) -> None:
    times = iter([5_000, 4_000, 4_500, 6_000])
    door = Door(store, clock=lambda: next(times))
    door.open("table", opening(sitting=0), named("p0", "open"))
    for player in ("p0", "p1"):
        door.transact("table", sits(player), named(player, "sit"))
    recipe(door, "p0", FRUITS, "a")
    at = [each.at for each in store.read("table")]
    assert at == sorted(at)
    assert (at[0], at[-1]) == (5_000, 6_000)


def test_a_trace_is_stored_beside_the_events(store: EventStore) -> None:
    door = sitting(store).door
    recipe(door, "p0", FRUITS, "a", trace="00-abc-def-01")
    assert store.read("table")[-1].trace == "00-abc-def-01"


def test_a_bad_field_stores_nothing(store: EventStore) -> None:
    game = sitting(store, sitting=1)
    with pytest.raises(BadField):
        game.door.transact("table", sits("p1", 7), named("p1", "sit"))
    assert len(store.read("table")) == 2


def test_a_table_is_not_opened_over_another(store: EventStore) -> None:
    door = sitting(store).door
    for each in (door, Door(store)):
        with pytest.raises(Refused) as refused:
            each.open("table", opening(), named("p9", "open"))
        assert refused.value.code == "table-exists"


def test_a_bad_opening_opens_nothing(store: EventStore) -> None:
    with pytest.raises(BadField):
        Door(store).open("table", changed(opening(), seats=99), named("p0", "open"))
    assert store.read_meta("table") is None


def test_there_is_no_table_that_was_never_opened(store: EventStore) -> None:
    door = Door(store)
    with pytest.raises(UnknownTable):
        door.load("table")
    with pytest.raises(UnknownTable):
        recipe(door, "p0", FRUITS, "a")
    assert door.cached("table") is None


def test_a_table_opened_elsewhere_is_found(store: EventStore) -> None:
    door = Door(store)
    with pytest.raises(UnknownTable):
        door.load("table")
    sitting(store)
    assert not recipe(door, "p0", FRUITS, "a").replayed


def test_any_version_can_be_loaded(store: EventStore) -> None:
    game = sitting(store)
    kept = {outcome.last: outcome.loaded for outcome in game.steps(15)}
    for door in (game.door, Door(store)):
        for version, loaded in kept.items():
            assert door.load("table", version) == loaded


@pytest.mark.parametrize("beyond", [-1, 0, 1, 100])
def test_other_versions_are_unknown(store: EventStore, beyond: int) -> None:
    game = sitting(store)
    newest = game.door.load("table").version
    version = beyond if beyond <= 0 else newest + beyond
    with pytest.raises(UnknownVersion) as unknown:
        game.door.load("table", version)
    assert unknown.value.version == newest


def test_a_load_is_current_whoever_wrote(store: EventStore) -> None:
    mine, other = sitting(store), Door(store)
    for _ in range(5):
        outcome = mine.step()
        assert other.load("table") == outcome.loaded


def test_the_cache_forgets_the_table_not_asked_for_longest(store: EventStore) -> None:
    door = Door(store, cache_size=2)
    for table in ("a", "b", "c"):
        door.open(table, opening(), named("p0", table))
    assert [door.cached(table) is None for table in ("a", "b", "c")] == [True, False, False]
    assert door.load("a").version > 0


def bot_plays(seat: Seat, move: Any, _: Table) -> Play:
    return Play(seat, move)


def test_bots_move_through_the_same_door(store: EventStore) -> None:
    game = sitting(store)
    chance: Dice = seeded(3)
    while (loaded := game.door.load("table")).state.phase == "playing":
        seat: Seat = to_move(loaded.state)[0]
        move = choose(loaded.state, seat, "greedy", chance)
        key = command_key("bot", f"{loaded.version}", {})
        game.door.transact("table", partial(bot_plays, seat, move), key)
    assert isinstance(loaded.version, int)
    assert store.read("table")[-1].kind == "KeyRevealed"


def test_an_append_tells_how_many_followers_heard(store: EventStore, client: Redis) -> None:
    game = sitting(store)
    assert recipe(game.door, "p0", FRUITS, "a").listeners == 0
    follower: Any = client.pubsub()  # type: ignore[no-untyped-call]
    follower.ssubscribe(keys.wake(keys.partition("table")))
    follower.get_message(timeout=PATIENCE)
    assert recipe(game.door, "p1", FRUITS, "b").listeners == 1
    follower.close()
