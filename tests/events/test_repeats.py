"""A command that is sent again meets its first answer."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from domain.game import Refused
from domain.potage_sauvage.commands import PlayCard
from domain.table.commands import Play
from domain.table.state import Table
from events.store import CommandKey, EventStore
from events.transact import (
    Door,
    KeyReused,
)
from tests.events.tables import (
    FRUITS,
    WASTE,
    leaves,
    named,
    opening,
    recipe,
    sitting,
)


def test_a_repeat_is_answered_with_the_stored_versions(store: EventStore) -> None:
    game = sitting(store)
    first = recipe(game.door, "p0", FRUITS, "a")
    again = recipe(game.door, "p0", FRUITS, "a")
    assert again == replace(first, replayed=True, listeners=again.listeners)
    assert store.read("table", first.last) == ()


@pytest.mark.parametrize("fresh_process", [True, False])
def test_a_repeat_much_later_is_answered_the_same(
    store: EventStore, *, fresh_process: bool
) -> None:
    game = sitting(store)
    first = recipe(game.door, "p0", FRUITS, "a")
    game.steps(20)
    before = store.read("table")
    door = Door(store) if fresh_process else game.door
    again = recipe(door, "p0", FRUITS, "a")
    assert again == replace(first, replayed=True, listeners=again.listeners)
    assert store.read("table") == before


def test_a_repeat_meets_its_first_answer_and_not_the_rules(store: EventStore) -> None:
    """Playing the same recipe twice would be refused: the repeat is recognised first."""
    game = sitting(store)
    first = recipe(game.door, "p0", FRUITS, "a")
    with pytest.raises(Refused):
        recipe(game.door, "p0", FRUITS, "b")
    assert recipe(game.door, "p0", FRUITS, "a").first == first.first


def test_a_repeat_meets_its_first_answer_and_not_the_expected_version(store: EventStore) -> None:
    game = sitting(store)
    version = game.door.load("table").version
    first = recipe(game.door, "p0", FRUITS, "a", expected=version)
    game.steps(5)
    again = recipe(game.door, "p0", FRUITS, "a", expected=version)
    assert (again.replayed, again.first) == (True, first.first)
    assert recipe(game.door, "p0", FRUITS, "a", expected=1).replayed


def test_a_repeat_of_a_lost_answer_after_the_seat_was_left(store: EventStore) -> None:
    """The wish itself can no longer be made, and still the command is recognised."""
    game = sitting(store, seats=3, sitting=2)
    game.door.transact("table", leaves("p1", 1), named("p1", "leave"))

    def gone(table: Table) -> Play:
        raise Refused("not-seated")

    assert game.door.transact("table", gone, named("p1", "leave")).replayed


def test_an_equal_key_with_another_body_is_reused(store: EventStore) -> None:
    game = sitting(store)
    recipe(game.door, "p0", FRUITS, "a")
    for door in (game.door, Door(store)):
        with pytest.raises(KeyReused):
            recipe(door, "p0", WASTE, "a")


def test_an_equal_key_of_another_player_is_another_key(store: EventStore) -> None:
    game = sitting(store)
    first = recipe(game.door, "p0", FRUITS, "a")
    other = recipe(game.door, "p1", FRUITS, "a")
    assert (first.replayed, other.replayed) == (False, False)
    assert first.first < other.first


def test_a_refused_command_is_not_remembered(store: EventStore) -> None:
    game = sitting(store)
    card = PlayCard(game.door.load("table").state.play.hands[0][0])
    with pytest.raises(Refused) as refused:
        recipe(game.door, "p0", card, "a")
    assert refused.value.code == "wrong-phase"
    assert not recipe(game.door, "p0", FRUITS, "a").replayed


def test_opening_twice_with_the_same_key_opens_once(store: EventStore) -> None:
    """Each opening draws another table key: the first one's is kept."""
    first = Door(store).open("table", opening(seed="one"), named("p0", "open"))
    again = Door(store).open("table", opening(seed="two"), named("p0", "open"))
    assert (again.replayed, again.loaded) == (True, first.loaded)


def test_opening_another_table_with_the_same_key_is_refused(store: EventStore) -> None:
    Door(store).open("table", opening(), named("p0", "open"))
    other = CommandKey(named("p0", "open").id, "another body")
    with pytest.raises(KeyReused):
        Door(store).open("table", opening(seats=3), other)


def test_one_command_sent_fifty_times_at_once(store: EventStore) -> None:
    game = sitting(store)
    version = game.door.load("table").version
    doors = [Door(store) for _ in range(5)]
    with ThreadPoolExecutor(10) as pool:
        found = list(
            pool.map(lambda number: recipe(doors[number % 5], "p0", FRUITS, "a"), range(50))
        )
    assert len(store.read("table", version)) == 1
    assert len({(each.first, each.last, each.loaded.hash) for each in found}) == 1
    assert [each.replayed for each in found].count(False) == 1
    assert {each.recorded for each in found} == {store.read("table", version)}
