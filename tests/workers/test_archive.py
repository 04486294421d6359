"""Finished tables leave the store, and nobody who asks for them notices."""

import logging
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from fakeredis import FakeRedis, FakeServer
from redis import Redis

from domain.game import Refused
from domain.table.commands import Command, Play
from domain.table.state import Table
from domain.table.view import view, viewers
from events import keys
from events.archive.file import NAME, ArchiveFile, shelf_in
from events.archive.packed import archivable
from events.archive.tables import ArchiveUnavailable
from events.backup import saved
from events.backup.restore import prove, restore
from events.backup.take import backup
from events.decisions import end_of_decision
from events.imports import keep
from events.records.record import import_record
from events.store import EventStore, command_key
from events.transact import Door
from tests.events.histories import finished, recorded_as
from tests.workers.folds import differences
from tests.workers.sittings import POTAGE, catch_up, following, opened, play_out
from workers import archive
from workers.archive import CONSUMER, Archiver, archive_for
from workers.projections import PROJECTIONS
from workers.projections.tables import document
from workers.rebuild import rebuild
from workers.status import status

HOUR = 3_600_000


@pytest.fixture
def store(fake: Redis, tmp_path: Path) -> EventStore:
    """Give a store with an archive."""
    return EventStore(fake, shelf=shelf_in(tmp_path))


def later(store: EventStore, table: str = "table", more: int = HOUR) -> Archiver:
    """Make an archiver whose clock stands so much after the end of a table."""
    end = store.read(table)[-1].at
    return Archiver(store, HOUR, clock=lambda: end + more)


_PLAYED: dict[bytes, bytes] = {}


def played(store: EventStore, table: str = "table") -> str:
    """Play a table to its end and draw it; the first one is played once for all tests."""
    first = table == "table"
    if first and _PLAYED:
        put_back(store, _PLAYED)
        return table
    opened(Door(store), table, players=["ann", "bob"])
    play_out(Door(store), table)
    follow(store)
    if first:
        _PLAYED.update(everything(store))
    return table


def follow(store: EventStore) -> None:
    follower = following(store)
    catch_up(follower)
    follower.end()


def archived(store: EventStore, *tables: str) -> None:
    """Let tables go that were over an hour ago."""
    for table in tables:
        assert later(store, table).archive([table]) == 1


def everything(store: EventStore) -> dict[bytes, bytes]:
    """Copy a whole store."""
    return {key: store.client.dump(key) or b"" for key in store.client.scan_iter()}


def put_back(store: EventStore, copy: dict[bytes, bytes]) -> None:
    """Make a store what it was."""
    store.client.flushall()
    for key, content in copy.items():
        store.client.restore(key, 0, content)


def hot_keys(store: EventStore, table: str) -> set[str]:
    """Answer the keys that a table still has, its head aside."""
    found = {key.decode() for key in store.client.scan_iter()}
    return {key for key in found if table in key.split(":") and not key.endswith(":meta")}


def seen(store: EventStore, table: str) -> list[Any]:
    """Answer what everybody sees of a table at some versions, and what happened."""
    door = Door(store)
    now = door.load(table)
    versions = (2, 40, now.version)
    then = [door.load(table, version) for version in versions]
    events = [store.read(table), store.read(table, 10, 5), store.read(table, now.version)]
    views = [view(each.state, who) for each in then for who in viewers(each.state)]
    return [views, [each.hash for each in then], events, store.read_meta(table)]


def test_a_table_leaves_the_store_once_it_has_been_over_for_an_hour(store: EventStore) -> None:
    played(store)
    assert hot_keys(store, "table") == {
        keys.events("table"), keys.commands("table"), document("table"),
    }  # fmt: skip
    assert not later(store, more=HOUR - 1).run(5.0)
    assert len(hot_keys(store, "table")) == 3
    assert not later(store).run(5.0)
    assert hot_keys(store, "table") == set()
    assert store.archived(["table"]) == {"table"}
    assert store.tables(keys.partition("table"))[0][0] == "table"


def test_a_table_that_is_played_stays(store: EventStore) -> None:
    opened(Door(store), players=["ann", "bob"])
    follow(store)
    assert not Archiver(store, 0, clock=lambda: 9_999_999_999_999).run(5.0)
    assert later(store).archive(["table"]) == 0
    assert store.client.exists(keys.events("table"))


def test_everything_that_was_seen_of_it_is_seen_still(store: EventStore) -> None:
    before = seen(store, played(store))
    archived(store, "table")
    assert seen(store, "table") == before


def test_a_door_that_knew_it_goes_on_without_the_archive(store: EventStore, tmp_path: Path) -> None:
    played(store)
    door = Door(store)
    known = door.load("table")
    archived(store, "table")
    (tmp_path / NAME).unlink()
    assert door.load("table") == known


def commanded(door: Door, **how: Any) -> None:
    def wish(state: Table) -> Command:
        return Play(0, finished_move)  # type: ignore[arg-type]

    door.transact("table", wish, command_key("ann", "again", {}), **how)


finished_move = POTAGE.commands[0]("fruits")


def test_a_repeated_command_is_told_that_the_game_is_over(store: EventStore) -> None:
    played(store)
    archived(store, "table")
    with pytest.raises(Refused, match="game-over"):
        commanded(Door(store))


def test_opening_it_again_is_told_that_there_is_such_a_table(store: EventStore) -> None:
    played(store)
    archived(store, "table")
    with pytest.raises(Refused, match="table-exists"):
        opened(Door(store), players=["ann", "bob"])


def test_a_record_of_it_is_known_and_another_history_is_not_taken(store: EventStore) -> None:
    ours, other = finished(POTAGE, 2, 1), finished(POTAGE, 2, 1, "greedy")
    imported = import_record(recorded_as(ours))
    assert keep(store, imported) == "stored"
    archive_now = Archiver(store, 0, clock=lambda: 9_999_999_999_999)
    follow(store)
    assert not archive_now.run(5.0)
    assert store.archived([ours.table]) == {ours.table}
    assert keep(store, imported) == "known"
    assert other.table == ours.table
    assert keep(store, import_record(recorded_as(other))) == "taken"
    assert store.read(ours.table) == tuple(ours.recorded)


def test_forks_start_where_they_would_have_started(store: EventStore) -> None:
    played(store)
    versions = range(1, len(store.read("table")) + 1)
    before = [end_of_decision(store, "table", version) for version in versions]
    archived(store, "table")
    assert [end_of_decision(store, "table", version) for version in versions] == before


def test_no_projection_brings_it_back(store: EventStore) -> None:
    played(store)
    played(store, "other")
    archived(store, "table")
    for projection in PROJECTIONS:
        rebuild(store, projection)
    assert hot_keys(store, "table") == set()
    partition = keys.partition("table")
    for projection in PROJECTIONS:
        store.client.hset(keys.checkpoints(partition), projection.consumer, 0)
    follow(store)
    assert hot_keys(store, "table") == set()
    assert differences(store) == [document("table")]


def test_it_stays_while_a_projection_is_rebuilt(store: EventStore) -> None:
    played(store)
    went: list[int] = []
    rebuild(store, PROJECTIONS[0], keep=lambda: went.append(later(store).archive(["table"])))
    assert went == [0]
    assert store.client.exists(document("table"))
    archived(store, "table")


def test_it_stays_while_a_follower_may_still_draw_it(store: EventStore) -> None:
    played(store)
    other = next(
        name for n in range(9999) if keys.partition(name := f"o{n}") == keys.partition("table")
    )
    opened(Door(store), other, players=["ann", "bob"])
    assert later(store).archive(["table"]) == 0
    # A minute later it is tried again.
    assert not later(store).run(5.0)
    assert store.client.exists(keys.events("table"))
    follow(store)
    assert not later(store, more=HOUR + 60_001).run(5.0)
    assert store.archived(["table"])


def test_a_broken_history_stays_and_is_shown(
    store: EventStore, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.CRITICAL)
    played(store)
    played(store, "good")
    archiver = later(store, "good")
    store.client.xdel(keys.events("table"), "5-0")
    assert archiver.archive(["table", "good"]) == 1
    (parked,) = status(store.client, store.client).parked
    assert (parked.consumer, parked.table, parked.error) == (CONSUMER, "table", "BrokenHistory")
    assert store.client.exists(document("table"))


def test_what_cannot_be_packed_stays_and_does_not_keep_others(
    store: EventStore, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.CRITICAL)
    played(store)
    played(store, "good")
    from events.archive import tables as shelf
    from events.archive.packed import NotPackable, packed

    def some(table: Any, primer: Any) -> bytes:
        if table.recorded[0].table == "table":
            raise NotPackable("table")
        return packed(table, primer)

    monkeypatch.setattr(shelf, "packed", some)
    assert later(store, "good").archive(["table", "good"]) == 1
    assert [each.error for each in status(store.client, store.client).parked] == ["NotPackable"]
    monkeypatch.undo()
    follow(store)
    assert not later(store, more=3 * HOUR).run(5.0)
    assert store.archived(["table"])
    assert status(store.client, store.client).parked == ()


def test_an_archive_that_was_lost_is_an_error_and_no_empty_table(
    store: EventStore, tmp_path: Path
) -> None:
    played(store)
    archived(store, "table")
    (tmp_path / NAME).unlink()
    for elsewhere in (EventStore(store.client, shelf=shelf_in(tmp_path)), EventStore(store.client)):
        with pytest.raises(ArchiveUnavailable):
            elsewhere.read("table")
        with pytest.raises(ArchiveUnavailable):
            Door(elsewhere).load("table")


class Killed(BaseException):
    """Somebody was killed here."""


class Fuse:
    """Kills whoever calls for the n-th time, before or after what the call does."""

    def __init__(self, n: int, *, after: bool) -> None:
        self.left = n
        self._after = after

    def around(self, function: Callable[..., Any]) -> Callable[..., Any]:
        def call(*arguments: Any, **named: Any) -> Any:
            self.left -= 1
            if self.left == 0 and not self._after:
                raise Killed
            answer = function(*arguments, **named)
            if self.left == 0:
                raise Killed
            return answer

        return call


@pytest.mark.parametrize("after", [False, True])
def test_whoever_is_killed_anywhere_loses_nothing_and_is_followed_by_another(
    store: EventStore, monkeypatch: pytest.MonkeyPatch, *, after: bool
) -> None:
    played(store)
    before = seen(store, "table")
    copy = everything(store)
    for n in range(1, 100):
        put_back(store, copy)
        archiver = later(store)
        fuse = Fuse(n, after=after)
        with monkeypatch.context() as patch:
            for owner, name in (
                (archive, "ask"), (archive, "run"), (EventStore, "_call"),
                (ArchiveFile, "get"), (ArchiveFile, "put"),
            ):  # fmt: skip
                patch.setattr(owner, name, fuse.around(getattr(owner, name)))
            try:
                archiver.run(5.0)
            except Killed:
                pass
            else:
                break
        assert seen(store, "table") == before
        assert not later(store).run(5.0)
        assert store.archived(["table"])
        assert seen(store, "table") == before
    assert n > 8


class Interrupted(EventStore):
    """Lets a table go between two of its calls."""

    def __init__(self, store: EventStore, n: int) -> None:
        super().__init__(store.client, shelf=store.shelf)
        self.left = n
        self._whole = store

    def _call(self, *commands: Any) -> list[Any]:
        self.left -= 1
        if self.left == 0:
            archived(self._whole, "table")
        return super()._call(*commands)


def test_nobody_who_reads_while_it_goes_sees_a_gap(store: EventStore) -> None:
    played(store)
    before = seen(store, "table")
    copy = everything(store)
    for n in range(1, 200):
        put_back(store, copy)
        reading = Interrupted(store, n)
        assert seen(reading, "table") == before
        if reading.left > 0:
            break
    assert n > 10


def test_a_command_that_meets_it_on_its_way_out_is_refused_as_ever(store: EventStore) -> None:
    played(store)
    copy = everything(store)
    for n in range(1, 20):
        put_back(store, copy)
        reading = Interrupted(store, n)
        with pytest.raises(Refused, match="game-over"):
            commanded(Door(reading))
        if reading.left > 0:
            break
    assert n > 1


def test_an_archive_that_is_away_leaves_everything_as_it_is(
    store: EventStore, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.CRITICAL)
    played(store)
    (tmp_path / "no folder").write_bytes(b"")
    away = EventStore(store.client, shelf=shelf_in(tmp_path / "no folder"))
    assert not archive_for(Archiver(away, 0, clock=lambda: 9_999_999_999_999), 5.0)
    assert len(hot_keys(store, "table")) == 3


def test_a_child_reads_what_its_parent_read(store: EventStore) -> None:
    played(store)
    before = store.read("table")
    archived(store, "table")
    assert store.read("table") == before
    assert store.shelf is not None
    ours, theirs = os.pipe()
    child = os.fork()
    if child == 0:
        found = store.shelf.archive.get("table")
        os.write(theirs, b"same" if found else b"none")
        os._exit(0)
    os.waitpid(child, 0)
    assert os.read(ours, 10) == b"same"
    assert store.shelf.archive.get("table")


def test_after_some_tables_a_primer_is_made_and_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("events.archive.tables.SAMPLES", 8)
    shelf = shelf_in(tmp_path)
    tables = [archivable(finished(POTAGE, 2, seed).recorded, ()) for seed in range(300, 311)]
    shelf.keep(tables[:8])
    shelf.keep(tables[8:])
    sizes = [len(shelf.archive.get(each.recorded[0].table) or b"") for each in tables]
    assert max(sizes[8:]) < 0.8 * min(sizes[:8])
    another = shelf_in(tmp_path)
    assert [another.read(each.recorded[0].table) for each in tables] == tables


def test_a_command_with_an_old_version_is_told_that_the_game_is_over(store: EventStore) -> None:
    played(store)
    archived(store, "table")
    with pytest.raises(Refused, match="game-over"):
        commanded(Door(store), expected=20)


def saved_and_restored(store: EventStore, to: EventStore) -> None:
    """Take a backup of a store and put it into another."""

    def damaged(table: str, error: Exception) -> None:
        raise AssertionError(table) from error

    texts = [*saved.written(backup(store, damaged))]
    prove(saved.read(texts))
    restore(to, saved.read(texts))


def test_a_backup_has_it_and_restores_it_to_the_archive(store: EventStore, tmp_path: Path) -> None:
    played(store)
    versions = range(1, len(store.read("table")) + 1)
    ends = [end_of_decision(store, "table", version) for version in versions]
    archived(store, "table")
    before = seen(store, "table")
    other = EventStore(
        FakeRedis(server=FakeServer(server_type="valkey", version=(8,)), protocol=2),
        shelf=shelf_in(tmp_path / "other"),
    )
    saved_and_restored(store, other)
    assert other.archived(["table"])
    assert hot_keys(other, "table") == set()
    assert seen(other, "table") == before
    assert [end_of_decision(other, "table", version) for version in versions] == ends
    follow(other)
    assert differences(other) == [document("table")]


class _Overtaken(EventStore):
    """A store in which a table goes to the archive while a backup reads it."""

    def __init__(self, like: EventStore, *, after: bool) -> None:
        super().__init__(like.client, shelf=like.shelf)
        self._like, self._after = like, after
        self._gone = False

    def read_many(self, wanted: Any) -> Any:
        if self._gone:
            return super().read_many(wanted)
        self._gone = True
        found = super().read_many(wanted)
        archived(self._like, "table")
        return found if self._after else super().read_many(wanted)


@pytest.mark.parametrize("after", [False, True], ids=["before its events", "before its commands"])
def test_a_backup_that_the_archive_overtakes_can_be_restored(
    store: EventStore, tmp_path: Path, after: bool
) -> None:
    played(store)
    server = FakeServer(server_type="valkey", version=(8,))
    other = EventStore(FakeRedis(server=server, protocol=2), shelf=shelf_in(tmp_path / "other"))
    saved_and_restored(_Overtaken(store, after=after), other)
    assert store.archived(["table"])
    assert seen(other, "table") == seen(store, "table")
    ends = [end_of_decision(store, "table", version) for version in (1, 20, 40)]
    assert [end_of_decision(other, "table", version) for version in (1, 20, 40)] == ends


def test_where_there_is_no_archive_a_backup_brings_it_back_to_the_store(store: EventStore) -> None:
    played(store)
    archived(store, "table")
    before = seen(store, "table")
    other = EventStore(FakeRedis(server=FakeServer(server_type="valkey", version=(8,)), protocol=2))
    saved_and_restored(store, other)
    assert not other.archived(["table"])
    assert seen(other, "table") == before


def test_the_file_is_its_owners_alone(store: EventStore, tmp_path: Path) -> None:
    played(store)
    archived(store, "table")
    beside = [*tmp_path.glob(f"{NAME}*")]
    assert len(beside) > 1
    assert {each.stat().st_mode & 0o777 for each in beside} == {0o600}


def test_bots_need_not_wait_until_every_archived_table_was_taken_anew(
    store: EventStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("workers.batch.ENTRIES", 1)
    partition = keys.partition("table")
    here = [name for n in range(9_000) if keys.partition(name := f"t{n}") == partition]
    gone = [played(store), played(store, here[0])]
    archived(store, *gone)
    opened(Door(store), here[1], players=["ann"], bots={1: "random"})
    store.client.delete(keys.checkpoints(partition), keys.feed(partition))
    follower = following(store)
    follower.drain()
    assert follower.play() == 1
    catch_up(follower)
    assert differences(store) == [document(each) for each in gone]


def test_lists_that_were_lost_know_archived_tables_again(store: EventStore) -> None:
    gone = played(store)
    archived(store, gone)
    partition = keys.partition(gone)
    lists = store.client.keys("{l.*")
    assert lists
    store.client.delete(keys.checkpoints(partition), keys.feed(partition), *lists)
    assert len(differences(store)) > 1
    catch_up(following(store))
    assert differences(store) == [document(gone)]


def test_a_damaged_table_in_the_archive_keeps_no_other_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("events.archive.tables.SAMPLES", 8)
    tables = [archivable(finished(POTAGE, 2, seed).recorded, ()) for seed in range(300, 310)]
    shelf_in(tmp_path).keep(tables[:1])
    shelf = shelf_in(tmp_path)
    shelf.archive.put({tables[0].recorded[0].table: b"damaged"})
    shelf.keep(tables[1:])
    assert [shelf.read(each.recorded[0].table) for each in tables[1:]] == tables[1:]
    assert shelf.archive.get("primer-of/potage_sauvage"), "it is made of the others"
