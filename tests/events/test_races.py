"""Commands that meet others: nothing is refused of an old state, nothing stored twice."""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from redis import Redis

from domain.game import Refused
from domain.potage_sauvage.commands import PlayCard
from domain.table.view import moves, to_move
from events.servers.connection import StoreUnavailable
from events.store import EventStore
from events.transact import (
    TRIES,
    Door,
    Outcome,
    StaleVersion,
)
from tests.events.tables import (
    FRUITS,
    WASTE,
    leaves,
    named,
    recipe,
    sits,
    sitting,
)


def test_who_wrote_second_decides_again_on_what_it_had_not_seen(store: EventStore) -> None:
    mine, other = sitting(store).door, Door(store)
    other.load("table")
    first = recipe(mine, "p0", FRUITS, "a")
    second = recipe(other, "p1", WASTE, "b")
    assert second.first == first.last + 1
    assert second.loaded == mine.load("table")


def test_a_refusal_is_told_of_the_newest_state(store: EventStore) -> None:
    """A process that missed the other's move would refuse what has become legal."""
    mine, behind = sitting(store), Door(store)
    behind.load("table")
    for player in ("p0", "p1"):
        recipe(mine.door, player, FRUITS, player)
    state = mine.door.load("table").state
    seat = to_move(state)[0]
    move = moves(state, seat)[0]
    assert not recipe(behind, f"p{seat}", move, "card").replayed


def test_a_legal_move_that_has_become_illegal_is_refused(store: EventStore) -> None:
    mine, behind = sitting(store), Door(store)
    behind.load("table")
    recipe(mine.door, "p0", FRUITS, "a")
    with pytest.raises(Refused):
        recipe(behind, "p0", FRUITS, "b")


def test_twenty_racing_commands_on_one_version(store: EventStore) -> None:
    game = sitting(store)
    version = game.door.load("table").version
    doors = [Door(store) for _ in range(20)]
    for door in doors:
        door.load("table")

    def race(number: int) -> object:
        try:
            return recipe(doors[number], "p0", FRUITS, f"key {number}", expected=version)
        except (Refused, StaleVersion) as lost:
            return lost

    with ThreadPoolExecutor(20) as pool:
        found = list(pool.map(race, range(20)))
    won = [each for each in found if isinstance(each, Outcome)]
    assert len(won) == 1
    assert all(isinstance(each, (Outcome, StaleVersion)) for each in found)
    assert len(store.read("table", version)) == 1


def test_everybody_may_choose_at_once_on_the_version_they_saw(store: EventStore) -> None:
    """What a seat may do is the same before and after another seat's choice."""
    game = sitting(store, seats=5)
    version = game.door.load("table").version
    for door in (game.door, Door(store)):
        seats = range(3) if door is game.door else range(3, 5)
        for seat in seats:
            outcome = recipe(door, f"p{seat}", FRUITS, f"{seat}", expected=version)
            assert not outcome.replayed


def test_a_stale_version_is_told_with_the_newest(store: EventStore) -> None:
    game = sitting(store)
    version = game.door.load("table").version
    recipe(game.door, "p0", FRUITS, "a")
    for door in (game.door, Door(store)):
        with pytest.raises(StaleVersion) as stale:
            recipe(door, "p0", WASTE, "b", expected=version)
        assert stale.value.version == version + 1


def test_a_version_that_is_not_there_yet_is_stale(store: EventStore) -> None:
    game = sitting(store)
    version = game.door.load("table").version
    with pytest.raises(StaleVersion) as stale:
        recipe(game.door, "p0", FRUITS, "a", expected=version + 1)
    assert stale.value.version == version


def test_a_version_another_process_reached_is_not_stale(store: EventStore) -> None:
    game, behind = sitting(store), Door(store)
    behind.load("table")
    outcome = recipe(game.door, "p0", FRUITS, "a")
    assert not recipe(behind, "p1", FRUITS, "b", expected=outcome.last).replayed


def test_sitting_on_an_old_version_is_stale(store: EventStore) -> None:
    game = sitting(store, seats=3, sitting=1)
    game.door.transact("table", sits("p1"), named("p1", "sit"))
    with pytest.raises(StaleVersion):
        game.door.transact("table", sits("p2"), named("p2", "sit"), expected=2)
    assert not game.door.transact("table", sits("p2"), named("p2", "sit"), expected=3).replayed


def test_a_wish_is_made_of_the_newest_state(store: EventStore) -> None:
    game, behind = sitting(store, seats=3, sitting=2), Door(store)
    behind.load("table")
    game.door.transact("table", leaves("p1", 1), named("p1", "leave"))
    game.door.transact("table", sits("p1", 2), named("p1", "again"))
    game.door.transact("table", sits("p2", 1), named("p2", "sit"))
    outcome = recipe(behind, "p1", FRUITS, "a")
    assert outcome.recorded[0].seat == 2


class Counting(EventStore):
    """Count round trips."""

    trips = 0

    def _call(self, *commands: Sequence[Any]) -> list[Any]:
        self.trips += 1
        return super()._call(*commands)


def test_a_move_on_a_cached_table_is_one_round_trip(client: Redis) -> None:
    store = Counting(client)
    game = sitting(store)
    door, version = game.door, game.door.load("table").version
    store.trips = 0
    recipe(door, "p0", FRUITS, "a", expected=version)
    assert store.trips == 1
    recipe(door, "p1", FRUITS, "b", expected=version)
    assert store.trips == 3, "the old version is read to compare what the seat could do"


def test_a_refusal_is_one_round_trip_and_a_load_too(client: Redis) -> None:
    store = Counting(client)
    door = sitting(store).door
    card = PlayCard(door.load("table").state.play.hands[0][0])
    store.trips = 0
    with pytest.raises(Refused):
        recipe(door, "p0", card, "a")
    assert store.trips == 1
    door.load("table")
    assert store.trips == 2


def test_a_lost_race_takes_two_round_trips(client: Redis) -> None:
    store = Counting(client)
    door, other = sitting(store).door, Door(store)
    other.load("table")
    recipe(door, "p0", FRUITS, "a")
    store.trips = 0
    recipe(other, "p1", FRUITS, "b")
    assert store.trips == 2


class Restless(EventStore):
    """Let somebody else be first, every time."""

    meddle: Callable[[], object] | None = None

    def append(self, table: str, **how: Any) -> Any:
        if self.meddle is not None:
            self.meddle()
        return super().append(table, **how)


def test_a_command_that_is_never_first_gives_up_and_stores_nothing(client: Redis) -> None:
    store = Restless(client)
    sitting(store, seats=3, sitting=0)
    other = Door(EventStore(client))
    turns = iter(range(10**6))

    def meddle() -> None:
        turn = next(turns)
        wish = leaves("p9", 0) if turn % 2 else sits("p9", 0)
        other.transact("table", wish, named("p9", str(turn)))

    store.meddle = meddle
    with pytest.raises(StoreUnavailable, match=f"{TRIES} times"):
        Door(store).transact("table", sits("p1", 1), named("p1", "sit"))
    assert other.load("table").state.seat_of("p1") is None
    assert next(turns) == TRIES - 1, "the first try only looks"
