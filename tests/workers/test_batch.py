"""Batches: how much one takes, what it leaves for the next, and when nothing is committed."""

import json
from pathlib import Path
from time import time_ns
from typing import Any
from unittest.mock import patch

import pytest
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from redis import Redis

from domain.dice import seeded
from events import keys
from events.archive.file import shelf_in
from events.servers.connection import OutcomeUnknown, StoreUnavailable, connect
from events.servers.embedded import Embedded
from events.store import EventStore
from events.transact import Door
from tests.events.appends import trim_feed
from tests.events.spans import CALLER, spans
from tests.workers.folds import differences
from tests.workers.sittings import (
    POTAGE,
    catch_up,
    following,
    move,
    opened,
    play_out,
    sit,
    six_seconds_later,
)
from workers import scripts
from workers.archive import Archiver
from workers.batch import ENTRIES
from workers.projections import PROJECTIONS, listing, lobby
from workers.projections.tables import document
from workers.scripts import Call

__all__ = ["spans"]

PARTITION = 3
TABLES = [name for n in range(9_000) if keys.partition(name := f"t{n}") == PARTITION]


def checkpoints(client: Any) -> set[int]:
    held = client.hgetall(keys.checkpoints(PARTITION))
    return {int(position) for name, position in held.items() if name != b"token"}


def full(store: EventStore, many: int) -> None:
    """Open so many tables of one partition."""
    for name in TABLES[:many]:
        opened(Door(store), name, players=["ann", "bob"])


def test_a_batch_takes_so_many_entries_of_a_feed_and_the_next_takes_the_rest(fake: Redis) -> None:
    store = EventStore(fake)
    follower = following(store)
    full(store, ENTRIES + 1)
    follower.sweep()
    follower.drain()
    assert checkpoints(fake) == {ENTRIES}
    assert list(follower._nudged) == [PARTITION], "it knows that there is more"
    follower.drain()
    assert checkpoints(fake) == {ENTRIES + 1}
    assert not follower._nudged


def test_no_checkpoint_moves_until_every_table_was_taken_anew(fake: Redis) -> None:
    store = EventStore(fake)
    full(store, ENTRIES + 4)
    trim_feed(store.client, PARTITION, ENTRIES + 4)
    follower = following(store)
    for _ in range(2):
        assert list(follower._nudged) == [PARTITION]
        follower.drain()
        assert checkpoints(fake) == {0}
    catch_up(follower)
    assert checkpoints(fake) == {ENTRIES + 4}
    assert differences(store) == []
    assert lobby.page(fake, [POTAGE.name], ("playing",), None, 1).position > 0


def test_tables_are_taken_anew_whose_entries_are_gone_while_later_ones_are_there(
    fake: Redis,
) -> None:
    store = EventStore(fake)
    full(store, 3)
    trim_feed(store.client, PARTITION, 2)
    catch_up(following(store))
    assert checkpoints(fake) == {3}
    assert differences(store) == []


def test_a_batch_is_a_span_of_every_trace_that_it_met(
    fake: Redis, spans: InMemorySpanExporter
) -> None:
    door = Door(EventStore(fake))
    follower = following(door.store)
    opened(door, players=["ann", "bob"])
    catch_up(follower)
    spans.clear()
    asked = time_ns()
    assert move(door, "table", seeded(1), trace=CALLER)
    catch_up(follower)
    (told,) = [each for each in spans.get_finished_spans() if each.name == "project"]
    assert told.parent is not None
    assert f"{told.parent.span_id:016x}" == CALLER.split("-")[2]
    version = door.load("table").version
    assert told.attributes == {"abraxas.table": "table", "abraxas.version": version}
    assert told.start_time is not None
    assert told.end_time is not None
    assert asked <= told.start_time <= told.end_time <= time_ns()


def test_bots_of_tables_taken_anew_are_behind_until_they_have_moved(fake: Redis) -> None:
    """Whoever comes after a crash looks at these tables again."""
    store = EventStore(fake)
    for name in TABLES[:2]:
        opened(Door(store), name, players=["ann"], bots={1: "random"})
    trim_feed(store.client, PARTITION, 2)
    follower = following(store)
    follower.drain()
    follower.drain()
    held = fake.hgetall(keys.checkpoints(PARTITION))
    assert (held[b"bots@1"], held[b"lobby@1"]) == (b"0", b"2")
    catch_up(follower)
    assert len(checkpoints(fake)) == 1
    assert differences(store) == []


def test_a_feed_that_holds_no_news_costs_no_commit(fake: Redis) -> None:
    store = EventStore(fake)
    full(store, 1)
    follower = following(store)
    catch_up(follower)
    follower._nudged = {PARTITION: None}
    with patch("workers.batch.run", wraps=scripts.run) as run:
        follower.drain()
        follower.sweep()
    assert [len(call.args) for call in run.call_args_list] == [1] * len(run.call_args_list)


@pytest.mark.parametrize("how", ["by itself", "with a batch"])
def test_news_is_not_forgotten_before_replicas_have_it(
    valkey: Redis, embedded: Embedded, how: str
) -> None:
    """A list may lie on another server than the table: a failover there would lose it for good."""
    store = EventStore(valkey)
    full(store, 1)
    outboxes = [listing.outbox(each, PARTITION) for each in PROJECTIONS if each.orders]
    follower = following(store)
    follower.sweep()
    follower.drain()
    waiting = [valkey.hlen(each) for each in outboxes]
    assert waiting == [1, 2]
    # Of this server there is no replica.
    with connect(f"{embedded.url}?replicas=1", timeout=0.5) as cautious:
        follower._batches._client = cautious
        with pytest.raises(OutcomeUnknown):
            follower.deliver() if how == "by itself" else follower.sweep()
        follower._batches._client = valkey
    follower.shares.clear()
    follower.end()
    assert [valkey.hlen(each) for each in outboxes] == waiting
    catch_up(following(store))
    assert [valkey.hlen(each) for each in outboxes] == [0, 0]
    assert differences(store) == []


class _Late(EventStore):
    """A store to which an entry comes between the look at the feeds and the look at their heads."""

    late = False

    def read_feeds(self, after: Any, count: int = 500) -> Any:
        self.late, late = False, self.late
        return {} if late else super().read_feeds(after, count)


def test_an_entry_that_comes_meanwhile_is_not_taken_for_a_trimmed_one(fake: Redis) -> None:
    store = _Late(fake)
    follower = following(store)
    full(store, 1)
    follower.sweep()
    store.late = True
    follower.drain()
    assert not follower.shares[PARTITION].rescans
    assert checkpoints(fake) == {0}
    catch_up(follower)
    assert checkpoints(fake) == {1}
    assert differences(store) == []


def test_news_in_the_place_of_older_news_waits_until_it_is_brought_itself(fake: Redis) -> None:
    """Of one trip the commit may arrive and the news not: they lie in different slots."""
    store = EventStore(fake)
    door = Door(store)
    follower = following(store)

    def drain() -> None:
        follower._nudged = {PARTITION: None}
        follower.drain()

    def only_commits(client: Any, *calls: Call, **_: Any) -> Any:
        scripts.run(client, *(each for each in calls if each.script is scripts.COMMIT))
        raise OutcomeUnknown("the line is dead")

    one, other = TABLES[:2]
    opened(door, one, players=["ann"])
    drain()
    sit(door, one, "bob")
    drain()
    opened(door, other, players=["ann"])
    with patch("workers.batch.run", only_commits), pytest.raises(OutcomeUnknown):
        drain()
    six_seconds_later(fake)
    catch_up(following(store))
    for phase, table in (("playing", one), ("open", other)):
        items = lobby.page(fake, [POTAGE.name], (phase,), None, 9).items
        assert [json.loads(each)["id"] for each in items] == [table]


def test_a_partition_taken_anew_has_its_archived_tables_on_lists_alone(
    fake: Redis, tmp_path: Path
) -> None:
    store = EventStore(fake, shelf=shelf_in(tmp_path))
    gone, kept = TABLES[:2]
    opened(Door(store), gone, players=["ann", "bob"])
    play_out(Door(store), gone)
    opened(Door(store), kept, players=["ann", "bob"])
    follower = following(store)
    catch_up(follower)
    follower.end()
    assert Archiver(store, 0).archive([gone]) == 1
    fake.delete(keys.checkpoints(PARTITION), document(kept), *fake.scan_iter("*lobby*"))
    catch_up(following(store))
    assert (fake.exists(document(gone)), fake.exists(document(kept))) == (0, 1)
    for phase, table in (("over", gone), ("playing", kept)):
        items = lobby.page(fake, [POTAGE.name], (phase,), None, 9).items
        assert [json.loads(each)["id"] for each in items] == [table]


def test_a_store_that_is_away_is_no_damaged_feed(
    fake: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = EventStore(fake)
    follower = following(store)
    full(store, 1)
    follower.sweep()

    def away(*_: object) -> Any:
        raise StoreUnavailable("nothing arrived")

    with monkeypatch.context() as patched:
        patched.setattr(store, "read_feeds", away)
        with pytest.raises(StoreUnavailable):
            follower.drain()
    assert not follower.shares[PARTITION].rescans
    assert checkpoints(fake) == {0}
