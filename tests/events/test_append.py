"""What append.lua writes and tells: its entries, its nudges, and its answers in trouble."""

from typing import Any

import pytest
from redis import Redis

from events import keys
from events.servers.connection import OutcomeUnknown, StoreUnavailable
from events.store import Appended, Duplicate, EventStore
from tests.e2e.server import PATIENCE
from tests.events.appends import PARTITION, TABLE, append, command, event, hash_of

KEYS = {
    "events": keys.events(TABLE),
    "meta": keys.meta(TABLE),
    "commands": keys.commands(TABLE),
    "feed": keys.feed(PARTITION),
    "counters": keys.counters(PARTITION),
    "tables": keys.tables(PARTITION),
}


class Listening(EventStore):
    """A store that keeps what the server said last."""

    said: Any = None

    def _call(self, *commands: Any) -> Any:
        self.said = super()._call(*commands)
        return self.said


def test_the_fields_of_an_event_are_named_as_the_keys_say(store: EventStore, client: Redis) -> None:
    recorded = [event(1, sealed=b'{"cards":[]}', audience=(0, 2), trace="00-a-b-01")]
    store.append(
        TABLE, after=0, after_hash="", recorded=recorded, head="a", phase="open", command=command(1)
    )
    written: Any = client.xrange(KEYS["events"])
    assert written == [
        (
            b"1-0",
            {
                b"k": b"CardPlayed",
                b"s": b"1",
                b"t": b"1760000000001",
                b"w": b"1",
                b"a": b"0,2",
                b"p": b'{"card":"I3","seat":1}',
                b"x": b'{"cards":[]}',
                b"trace": b"00-a-b-01",
            },
        )
    ]


def test_the_fields_of_a_feed_entry_are_table_first_version_and_count(
    store: EventStore, client: Redis
) -> None:
    append(store, 0, 2)
    append(store, 2, 3)
    written: Any = client.xrange(KEYS["feed"])
    table = TABLE.encode()
    assert written == [
        (b"1-0", {b"t": table, b"f": b"1", b"c": b"2"}),
        (b"2-0", {b"t": table, b"f": b"3", b"c": b"3"}),
    ]


@pytest.mark.parametrize("key", KEYS)
def test_an_append_that_cannot_be_written_whole_is_never_acknowledged(
    valkey: Redis, key: str
) -> None:
    valkey.set(KEYS[key], "of another kind")
    with pytest.raises(OutcomeUnknown):
        append(EventStore(valkey), 0)


@pytest.mark.parametrize("key", ["meta", "commands"])
def test_nothing_is_written_where_what_is_known_cannot_be_read(valkey: Redis, key: str) -> None:
    valkey.set(KEYS[key], "of another kind")
    with pytest.raises(OutcomeUnknown):
        append(EventStore(valkey), 0)
    assert valkey.keys() == [KEYS[key].encode()]


def test_a_conflict_whose_tail_cannot_be_read_is_a_store_in_trouble(valkey: Redis) -> None:
    store = EventStore(valkey)
    append(store, 0, 3)
    valkey.set(KEYS["events"], "of another kind")
    with pytest.raises(StoreUnavailable):
        store.look(TABLE, after=1, after_hash=hash_of(1))


def test_a_conflict_brings_what_is_missing_in_the_same_round_trip(client: Redis) -> None:
    store = Listening(client)
    append(store, 0, 3)
    store.look(TABLE, after=1, after_hash=hash_of(1))
    assert [entry_id for entry_id, _ in store.said[0][3]] == [b"2-0", b"3-0"]


def test_streams_of_the_partition_are_told_which_table_it_was(valkey: Redis) -> None:
    listening: Any = valkey
    with listening.pubsub() as listener:
        listener.ssubscribe(keys.stir(PARTITION), keys.wake(PARTITION))
        while listener.get_sharded_message(timeout=PATIENCE)["data"] != 2:
            pass
        assert append(EventStore(valkey), 0) == Appended(1)
        heard = [listener.get_sharded_message(timeout=PATIENCE) for _ in range(2)]
    assert {each["channel"]: each["data"] for each in heard} == {
        keys.wake(PARTITION).encode(): b"",
        keys.stir(PARTITION).encode(): TABLE.encode(),
    }


def test_a_nudge_that_cannot_be_sent_does_not_undo_the_append(valkey: Redis) -> None:
    store = EventStore(valkey)
    store._publish = "NO-SUCH-COMMAND"
    assert append(store, 0) == Appended(0)
    assert [each.version for each in store.read(TABLE)] == [1]


def test_a_server_that_takes_no_writes_still_knows_its_first_answer(valkey: Redis) -> None:
    store = EventStore(valkey)
    append(store, 0, 2)
    valkey.config_set("min-replicas-to-write", "1")
    try:
        assert append(store, 0, 2) == Duplicate(1, 2)
    finally:
        valkey.config_set("min-replicas-to-write", "0")


def test_a_repeat_says_whether_replicas_can_vouch_for_its_first_answer(valkey: Redis) -> None:
    store = Listening(valkey)
    # As with replicas, of which there are none here.
    store._waits = (("WAIT", 0, 100), ("WAITAOF", 1, 0, 100))
    append(store, 0, 2)
    assert append(store, 0, 2) == Duplicate(1, 2)
    assert store.said[0] == [b"duplicate", b"1", b"2", 1]
    valkey.config_set("min-replicas-to-write", "1")
    try:
        with pytest.raises(OutcomeUnknown, match="cannot be asked"):
            append(store, 0, 2)
    finally:
        valkey.config_set("min-replicas-to-write", "0")
    assert store.said[0] == [b"duplicate", b"1", b"2", 0]
