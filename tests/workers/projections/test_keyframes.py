"""Long tables have keyframes, so that looking back folds a bounded number of events."""

import json
from collections.abc import Sequence
from itertools import cycle, islice
from typing import Any

import pytest

from domain.catalogue import games
from domain.game import AnyGame, Seat
from domain.magic_cooking.commands import AutoPass
from domain.table.commands import Play
from domain.table.view import viewers
from events import keyframes
from events.keyframes import EVERY, document, nearest, newest, read, written
from events.loaded import Loaded, fold, unopened
from events.recorded import Recorded
from events.servers.connection import call
from events.store import EventStore, command_key
from events.transact import Door
from tests.events.histories import History, finished, opening, sitting
from tests.workers.folds import differences
from tests.workers.sittings import catch_up, following
from workers.projections.keyframes import KEYFRAMES
from workers.projections.shape import unseen
from workers.projections.tables import render

LENGTH = 2 * EVERY + 300


@pytest.fixture(scope="module")
def long() -> History:
    """Let a seat change its mind some thousand times."""
    game = games()["magic_cooking"]
    history = History("long").carry_out(opening(game, 2), *sitting(2))
    seat = next(Seat(i) for i, chair in enumerate(history.state.chairs) if chair and chair.player)
    wishes = cycle([Play(seat, AutoPass(True)), Play(seat, AutoPass(False))])
    while len(history.recorded) < LENGTH:
        history.carry_out(*islice(wishes, 100))
    return history


def stored(store: EventStore, history: History) -> None:
    """Store a history in appends of a hundred events."""
    loaded, recorded = unopened(history.table), history.recorded
    for start in range(0, len(recorded), 100):
        part = recorded[start : start + 100]
        after = fold(loaded, part)
        store.append(
            history.table,
            after=loaded.version,
            after_hash=loaded.hash.hex(),
            recorded=part,
            head=after.hash.hex(),
            phase=after.state.phase,
            command=command_key("p", str(start), {}),
        )
        loaded = after


def followed(store: EventStore) -> None:
    follower = following(store)
    catch_up(follower)
    follower.end()


@pytest.fixture
def folds(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Count the events that the door folds."""
    counted: list[int] = []

    def count(loaded: Loaded, recorded: Sequence[Recorded]) -> Loaded:
        counted.append(len(recorded))
        return fold(loaded, recorded)

    monkeypatch.setattr("events.transact.fold", count)
    return counted


def test_any_version_of_a_long_table_folds_a_bounded_number_of_events(
    store: EventStore, long: History, folds: list[int]
) -> None:
    stored(store, long)
    followed(store)
    for version in (
        1,
        17,
        EVERY - 1,
        EVERY,
        EVERY + 1,
        2 * EVERY - 1,
        2 * EVERY,
        len(long.recorded),
    ):
        then = Door(store).load("long", version)
        assert then == fold(unopened("long"), long.recorded[:version])
        assert all(each < EVERY for each in folds)
        folds.clear()
    assert differences(store) == []


def test_without_keyframes_the_events_say_the_same(
    store: EventStore, long: History, folds: list[int]
) -> None:
    stored(store, long)
    followed(store)
    with_them = Door(store).load("long", 2 * EVERY + 9)
    call(store.client, ("HSET", document("long"), "newest", "[1]", str(2 * EVERY), "{}"))
    assert Door(store).load("long", 2 * EVERY + 9) == with_them
    call(store.client, ("DEL", document("long")))
    folds.clear()
    assert Door(store).load("long", 2 * EVERY + 9) == with_them
    assert sum(folds) > 2 * EVERY
    assert (newest(store, "long"), nearest(store, "long", 1500)) == (None, None)


def test_a_keyframe_of_another_history_is_not_gone_on_from(
    store: EventStore, long: History
) -> None:
    stored(store, long)
    followed(store)
    kept = newest(store, "long")
    assert kept is not None
    other = Loaded("long", kept.version, b"\0" * 32, kept.at, kept.state)
    call(store.client, ("HSET", document("long"), "newest", written(other)))
    assert Door(store).load("long") == fold(unopened("long"), long.recorded)


def test_the_last_keyframe_that_is_drawn_is_taken(store: EventStore, long: History) -> None:
    stored(store, long)
    followed(store)
    call(store.client, ("HDEL", document("long"), str(2 * EVERY)))
    kept = nearest(store, "long", 2 * EVERY + 1)
    assert kept is not None
    assert kept.version == EVERY


def test_a_table_that_grows_is_drawn_again_at_the_next_keyframe_only(long: History) -> None:
    before = unseen("long").after(long.recorded[: EVERY + 10])
    assert KEYFRAMES.redraw(EVERY + 1, 2 * EVERY)
    assert not KEYFRAMES.redraw(EVERY, 2 * EVERY - 1)
    after = fold(before.loaded, long.recorded[EVERY + 10 :])
    grown = before.carried_on(after, long.recorded[EVERY + 10 :])
    whole = unseen("long").after(long.recorded)
    assert grown == whole
    assert [each.version for each in whole.keyframes] == [EVERY, 2 * EVERY]


GAMES = [pytest.param(game, id=game.name) for game in games().values()]


@pytest.mark.parametrize("game", GAMES)
def test_a_state_survives_being_kept_at_every_version(game: AnyGame) -> None:
    history = finished(game, game.seats[-1])
    loaded = unopened(history.table)
    for each in history.recorded:
        loaded = fold(loaded, [each])
        assert read(history.table, written(loaded)) == loaded
    for viewer in viewers(loaded.state):
        assert render(read(history.table, written(loaded)), viewer) == render(loaded, viewer)


@pytest.mark.parametrize("game", GAMES)
def test_a_table_of_ordinary_length_has_no_keyframe(game: AnyGame) -> None:
    history = finished(game, game.seats[0])
    assert len(history.recorded) < keyframes.EVERY
    assert KEYFRAMES.apply(unseen(history.table).after(history.recorded)).documents == ()


def test_a_keyframe_is_small_beside_its_events(long: History) -> None:
    (document,) = KEYFRAMES.apply(unseen("long").after(long.recorded)).documents
    events = sum(len(each.joined) + 100 for each in long.recorded)
    kept: list[Any] = [each for each in document.fields.values() if isinstance(each, bytes)]
    assert sum(map(len, kept)) < events / 10
    assert json.loads(kept[0])[0] == EVERY
