"""Two rebuilds of one projection: whoever was paused for too long lets the other finish."""

from dataclasses import replace
from typing import Any

import pytest

from domain.dice import seeded
from events import keys
from events.store import EventStore
from events.transact import Door
from tests.workers.folds import differences
from tests.workers.sittings import catch_up, following, move, opened
from workers.projections import tables
from workers.projections.shape import Changes, Sitting
from workers.rebuild import CannotRebuild, _Rebuild, rebuild

LOCK = keys.projection(0, "tables", tables.GENERATION, "rebuild")


@pytest.fixture
def filled(store: EventStore) -> EventStore:
    """Give a store with a table that is drawn."""
    door = Door(store)
    opened(door, players=["ann", "bob"])
    move(door, "table", seeded(1))
    follower = following(store)
    catch_up(follower)
    follower.end()
    return store


def test_who_kept_the_old_one_for_long_takes_nothing_from_the_next_rebuild(
    filled: EventStore,
) -> None:
    second = _Rebuild(filled, tables.TABLES)
    alone = second.alone()

    def kept_for_long() -> None:
        filled.client.delete(LOCK)
        alone.__enter__()
        second.sweep_up()
        second.build(1, None)

    rebuild(filled, tables.TABLES, keep=kept_for_long)
    second.switch()
    assert differences(filled) == []
    second.sweep_up()
    alone.__exit__(None, None, None)
    assert not filled.client.exists(LOCK)
    assert differences(filled) == []


@pytest.mark.parametrize("paused", ["while it draws", "before it switches"])
def test_who_was_paused_for_long_stops_where_another_has_begun(
    filled: EventStore, monkeypatch: pytest.MonkeyPatch, paused: str
) -> None:
    def taken_over() -> None:
        filled.client.set(LOCK, "another")

    def drawn(sitting: Sitting) -> Changes:
        if paused == "while it draws":
            taken_over()
        return tables.apply(sitting)

    def compared(work: Any, sample: int) -> int:
        taken_over()
        # The other begins by sweeping up.
        filled.client.delete(f"{tables.document('table')}:next")
        return sample

    monkeypatch.setattr(_Rebuild, "compare", compared)
    opened(Door(filled), "another", players=["ann", "bob"])
    with pytest.raises(CannotRebuild, match="stood still"):
        rebuild(filled, replace(tables.TABLES, apply=drawn))
    assert filled.client.get(LOCK) == b"another", "it is not let in a third time"
    catch_up(following(filled))
    assert differences(filled) == []


def test_who_was_paused_for_long_and_is_still_alone_goes_on(filled: EventStore) -> None:
    rebuild(filled, tables.TABLES, keep=lambda: filled.client.delete(LOCK))
    assert not filled.client.exists(f"{tables.document('table')}:last")
    assert not filled.client.exists(LOCK)
