"""A damaged entry of a stream, as a disk may leave it: its table waits, all others go on."""

import logging
from pathlib import Path
from typing import Any

import pytest

from domain.dice import seeded
from events import keys
from events.archive.file import shelf_in
from events.backup import saved
from events.backup.restore import prove
from events.backup.take import backup
from events.store import EventStore
from events.transact import Door
from tests.workers.folds import differences
from tests.workers.sittings import catch_up, following, move, opened, play_out
from workers.archive import Archiver
from workers.projections import lobby, tables
from workers.rebuild import CannotRebuild, rebuild
from workers.status import status

FIELDS = (b"k", b"s", b"t", b"w", b"a", b"p")


def damage(client: Any, table: str, version: int, field: bytes) -> None:
    """Put a byte that is neither text nor number into a field of an entry."""
    entries = client.xrange(keys.events(table))
    client.delete(keys.events(table))
    for entry_id, fields in entries:
        if entry_id == b"%d-0" % version:
            fields = fields | {field: b"\xff" + fields[field][1:]}
        client.xadd(keys.events(table), fields, id=entry_id)


@pytest.fixture(params=FIELDS, ids=[each.decode() for each in FIELDS])
def broken(
    request: pytest.FixtureRequest, store: EventStore, caplog: pytest.LogCaptureFixture
) -> EventStore:
    """Give a store with a whole table and a broken one, before anybody has followed."""
    caplog.set_level(logging.CRITICAL)
    for table in ("broken", "whole"):
        opened(Door(store), table, players=["ann", "bob"])
    damage(store.client, "broken", 3, request.param)
    return store


def test_a_follower_parks_it(broken: EventStore) -> None:
    follower = following(broken)
    catch_up(follower)
    move(Door(broken), "whole", seeded(1))
    catch_up(follower)
    assert (
        broken.client.hget(tables.document("whole"), "v")
        == b"%d" % Door(broken).load("whole").version
    )
    assert {each.table for each in status(broken.client, broken.client).parked} == {"broken"}


def test_a_backup_leaves_it_out_and_says_so(broken: EventStore) -> None:
    damaged: list[str] = []
    texts = [*saved.written(backup(broken, lambda table, _: damaged.append(table)))]
    assert damaged == ["broken"]
    assert prove(saved.read(texts)).tables == 1


def test_a_rebuild_stops_there_and_names_it(broken: EventStore) -> None:
    with pytest.raises(CannotRebuild, match="of table broken"):
        rebuild(broken, lobby.LOBBY)


def test_an_archiver_parks_it(
    store: EventStore, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.CRITICAL)
    shelved = EventStore(store.client, shelf=shelf_in(tmp_path))
    for table in ("broken", "whole"):
        opened(Door(store), table, players=["ann", "bob"])
        play_out(Door(store), table)
    follower = following(store)
    catch_up(follower)
    follower.end()
    damage(store.client, "broken", 3, b"k")
    assert Archiver(shelved, 0, clock=lambda: 2**50).archive(["broken", "whole"]) == 1
    assert shelved.archived(["broken", "whole"]) == {"whole"}


def test_a_damaged_entry_of_a_feed_lets_its_partition_be_taken_anew(
    store: EventStore, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.CRITICAL)
    caplog.set_level(logging.ERROR, "workers.batch")
    for table in ("broken", "whole"):
        opened(Door(store), table, players=["ann", "bob"])
    partition = keys.partition("broken")
    feed = keys.feed(partition)
    store.client.delete(feed)
    store.client.xadd(feed, {b"t": b"broken", b"f": b"\xff", b"c": b"4"}, id="1-0")
    move(Door(store), "broken", seeded(1))
    follower = following(store)
    catch_up(follower)
    move(Door(store), "broken", seeded(2))
    catch_up(follower)
    assert differences(store) == []
    assert store.read_feed(partition) == ()
    said = [each.getMessage() for each in caplog.records if each.name == "workers.batch"]
    assert said == [f"the feed of partition {partition} is damaged"]
