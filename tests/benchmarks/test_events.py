"""How fast events are appended, folded and told, each beside the bare thing it stands on."""

from collections.abc import Callable, Iterator
from itertools import cycle, islice
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

import pytest
from redis import Redis

from domain.catalogue import games
from domain.game import Seat
from events import codec, keys
from events.loaded import fold, unopened
from events.notices import notices
from events.servers.connection import connect
from events.servers.embedded import start
from events.store import EventStore
from events.transact import Door
from tests.events.histories import finished
from tests.events.tables import Sitting, named, plays

pytestmark = [pytest.mark.bench, pytest.mark.timeout(300)]

POTAGE = games()["potage_sauvage"]


@pytest.fixture
def client(tmp_path: Path) -> Iterator[Redis]:
    with start(tmp_path) as running:
        yield connect(running.url)


def measured(what: str, many: int, run: Callable[[], object]) -> None:
    wall, cpu = perf_counter(), process_time()
    run()
    wall, cpu = perf_counter() - wall, process_time() - cpu
    each = f"{wall / many * 1e6:7.0f} us each, {cpu / many * 1e6:5.0f} us of it our CPU"
    print(f"{what:46} {many / wall:9.0f}/s {each}")


def test_appends_through_the_door(client: Redis) -> None:
    """A move is decided, stored with fsync and folded in one round trip."""
    door = Door(EventStore(client))
    games_played = []
    for number in range(8):
        game = Sitting(door, f"table {number}")
        game.open(seats=3)
        games_played.append(game)
    states = [game.door.load(game.table).state for game in games_played]
    done = 0

    def play() -> None:
        nonlocal done
        for at in islice(cycle(range(len(games_played))), 1000):
            game = games_played[at]
            player, move = game.move(states[at])
            key = named(player, str(next(game.keys)), move)
            states[at] = door.transact(game.table, plays(player, move), key).loaded.state
            done += 1

    print()
    measured("raw XADD of 120 bytes, one client", 1000, lambda: raw(client, 1000))
    measured("commands through Door.transact, one client", 1000, play)
    assert done == 1000


def raw(client: Redis, many: int) -> None:
    for _ in range(many):
        client.xadd("raw", {"e": b"x" * 120})


def test_folding_decoding_and_telling() -> None:
    """A follower folds what it reads; a page of events is joined from stored bytes."""
    histories = [finished(POTAGE, 3, seed) for seed in range(10)]
    many = sum(len(history.recorded) for history in histories)
    decoded: list[list[Any]] = [
        [codec.decode(each, POTAGE) for each in history.recorded] for history in histories
    ]
    print()
    measured("events decoded", many, lambda: [
        codec.decode(each, POTAGE) for history in histories for each in history.recorded
    ])  # fmt: skip
    measured("events encoded", many, lambda: [
        codec.record(POTAGE, "t", 0, 0, events) for events in decoded
    ])  # fmt: skip
    measured("events decoded, chained and folded", many, lambda: [
        fold(unopened(history.table), history.recorded) for history in histories
    ])  # fmt: skip
    measured("events told to a seat, in French", many, lambda: [
        notices(history.recorded, Seat(0), "fr", history.state) for history in histories
    ])  # fmt: skip


def test_room_that_a_whole_table_takes(client: Redis) -> None:
    """A table of three with its commands stays under 200 bytes an event."""
    store = EventStore(client)
    game = Sitting(Door(store), "table")
    game.open(seats=3)
    game.play_out()
    version = game.door.load("table").version
    sizes = {
        part.__name__: int(client.memory_usage(part("table"), samples=0) or 0)
        for part in (keys.events, keys.meta, keys.commands)
    }
    print(f"\n{version} events: {sum(sizes.values())} bytes {sizes}")
    assert sum(sizes.values()) < 200 * version
