"""One contract for every store: what an append promises, and what reads answer."""

from typing import Any

import pytest
from redis import Redis

from events import keys
from events.servers.connection import OutcomeUnknown, StoreUnavailable
from events.store import (
    Appended,
    Conflict,
    Duplicate,
    EventStore,
    Meta,
    Mismatch,
    Unchanged,
    command_key,
)
from tests.events.appends import (
    PARTITION,
    TABLE,
    append,
    command,
    event,
    everything,
    hash_of,
)


def test_what_was_appended_is_read_as_it_was(store: EventStore) -> None:
    recorded = [
        event(1, public=b"{}", seat=None),
        event(2, sealed=b'{"cards":["I3"]}', audience=(0, 2)),
        event(3, sealed=b'{"rolls":[]}', audience=(), seat=None),
        event(4, public='{"player":"é\\n\u2028"}'.encode(), schema=12, at=2**52),
        event(5, sealed=b"{}", audience=(11,), seat=0),
    ]
    answer = store.append(
        TABLE,
        after=0,
        after_hash="",
        recorded=recorded,
        head="ab",
        phase="open",
        command=command(1),
    )
    assert answer == Appended(0)
    assert store.read(TABLE) == tuple(recorded)
    assert store.read_meta(TABLE) == Meta(5, "ab", "open")


def test_a_trace_is_kept_with_every_event_of_its_append(store: EventStore) -> None:
    recorded = [event(1, trace="00-abc-def-01"), event(2, trace="00-abc-def-01")]
    store.append(
        TABLE, after=0, after_hash="", recorded=recorded, head="a", phase="open", command=command(1)
    )
    append(store, 2, after_hash="a")
    assert [each.trace for each in store.read(TABLE)] == ["00-abc-def-01"] * 2 + [None]


def test_versions_are_the_ids_of_the_stream(store: EventStore, client: Redis) -> None:
    append(store, 0, 3)
    append(store, 3)
    ids: Any = client.xrange(keys.events(TABLE))
    assert [entry_id for entry_id, _ in ids] == [b"1-0", b"2-0", b"3-0", b"4-0"]


def test_a_read_may_begin_anywhere_and_end_early(store: EventStore) -> None:
    append(store, 0, 5)
    versions = [each.version for each in store.read(TABLE, 2)]
    assert versions == [3, 4, 5]
    assert [each.version for each in store.read(TABLE, 1, 2)] == [2, 3]
    assert store.read(TABLE, 5) == ()
    assert store.read("another table") == ()


def test_several_reads_go_in_one_round_trip(store: EventStore) -> None:
    append(store, 0, 3)
    append(store, 0, 2, table="other")
    found = store.read_many([(TABLE, 1, None), ("other", 0, 1), ("third", 0, None)])
    assert [[each.version for each in history] for history in found] == [[2, 3], [1], []]
    assert store.read_many([]) == []


def test_the_same_command_again_is_answered_with_its_versions(
    store: EventStore, client: Redis
) -> None:
    append(store, 0, 2)
    append(store, 2, 3, named=command(7))
    append(store, 5)
    before = everything(client)
    assert append(store, 6, named=command(7)) == Duplicate(3, 5)
    assert everything(client) == before


@pytest.mark.parametrize("after", [0, 2, 4, 9])
def test_a_known_command_is_a_duplicate_whatever_version_it_expects(
    store: EventStore, client: Redis, after: int
) -> None:
    append(store, 0, 2)
    append(store, 2, 2, named=command(7))
    before = everything(client)
    assert append(store, after, named=command(7)) == Duplicate(3, 4)
    looked = store.look(TABLE, after=after, after_hash=hash_of(after), command=command(7))
    assert looked == Duplicate(3, 4)
    assert everything(client) == before


def test_a_known_command_id_with_another_body_is_a_mismatch(
    store: EventStore, client: Redis
) -> None:
    append(store, 0, named=command(7))
    before = everything(client)
    other = command(7, "other")
    assert append(store, 1, named=other) == Mismatch()
    assert store.look(TABLE, after=1, after_hash=hash_of(1), command=other) == Mismatch()
    assert everything(client) == before


def test_answering_a_repeat_writes_something(store: EventStore, client: Redis) -> None:
    """Waiting for the fsync of this write vouches for the first answer."""
    append(store, 0, named=command(7))
    append(store, 0, named=command(7))
    append(store, 0, named=command(7, "other"))
    assert client.hget(keys.counters(PARTITION), "repeats") == b"2"


def test_an_append_elsewhere_than_expected_brings_what_is_missing(
    store: EventStore, client: Redis
) -> None:
    append(store, 0, 3)
    append(store, 3, 2)
    before = everything(client)
    answer = append(store, 3, named=command(9))
    assert answer == Conflict(5, hash_of(5), (event(4), event(5)))
    assert everything(client) == before


def test_an_append_behind_the_end_is_a_conflict_without_a_tail(store: EventStore) -> None:
    append(store, 0, 3)
    assert append(store, 4) == Conflict(3, hash_of(3), ())
    assert append(store, 4, table="never opened") == Conflict(0, "", ())


def test_the_right_version_with_another_hash_is_a_conflict(store: EventStore) -> None:
    append(store, 0, 3)
    assert append(store, 3, after_hash="another") == Conflict(3, hash_of(3), ())


def test_a_refused_append_leaves_its_command_unknown(store: EventStore) -> None:
    append(store, 0, 3)
    assert isinstance(append(store, 2, named=command(9)), Conflict)
    assert append(store, 3, named=command(9)) == Appended(0)


def test_a_look_tells_what_an_append_would_meet_and_changes_nothing(
    store: EventStore, client: Redis
) -> None:
    append(store, 0, 3)
    before = everything(client)
    assert store.look(TABLE, after=3, after_hash=hash_of(3)) == Unchanged()
    assert store.look(TABLE, after=3, after_hash=hash_of(3), command=command(9)) == Unchanged()
    assert store.look(TABLE, after=1, after_hash=hash_of(1)) == Conflict(
        3, hash_of(3), (event(2), event(3))
    )
    assert store.look("never opened", after=0, after_hash="") == Unchanged()
    assert everything(client) == before


def test_an_empty_append_is_refused(store: EventStore) -> None:
    with pytest.raises(IndexError):
        append(store, 0, 0)


def test_the_phase_follows_the_table(store: EventStore) -> None:
    append(store, 0, phase="open")
    assert store.read_metas([TABLE, "never opened"]) == [Meta(1, hash_of(1), "open"), None]
    append(store, 1, phase="over")
    assert store.read_meta(TABLE) == Meta(2, hash_of(2), "over")


def test_events_never_expire(store: EventStore, client: Redis) -> None:
    append(store, 0)
    assert {client.ttl(key) for key in client.scan_iter()} == {-1}


def test_the_script_is_loaded_again_when_the_store_forgot_it(
    store: EventStore, client: Redis
) -> None:
    append(store, 0)
    client.script_flush()
    assert append(store, 1) == Appended(0)


def test_a_store_in_trouble_is_unavailable(store: EventStore, client: Redis) -> None:
    client.set(keys.meta(TABLE), "no hash")
    with pytest.raises(StoreUnavailable):
        store.read_meta(TABLE)


def test_a_store_that_answers_is_pinged(store: EventStore) -> None:
    store.ping()


def test_a_key_belongs_to_one_player_and_body() -> None:
    body = {"type": "play_card", "card": "I3"}
    known = command_key("ana", "k", body)
    assert known == command_key("ana", "k", dict(reversed(body.items())))
    assert command_key("bob", "k", body).id != known.id
    assert command_key("ana", "l", body).id != known.id
    assert command_key("an", "ak", body).id != known.id
    changed = command_key("ana", "k", body | {"card": "I4"})
    assert changed.id == known.id
    assert changed.fingerprint != known.fingerprint


def test_command_ids_need_little_room() -> None:
    known = command_key("ana", "k" * 200, {"type": "play_card"})
    assert (len(known.id), len(known.fingerprint)) == (22, 12)


def test_an_error_of_the_script_leaves_the_outcome_open(valkey: Redis) -> None:
    valkey.set(keys.commands(TABLE), "no hash")
    with pytest.raises(OutcomeUnknown):
        append(EventStore(valkey), 0)
    assert valkey.xlen(keys.events(TABLE)) == 0


@pytest.mark.parametrize(
    ("setting", "trouble", "fine"),
    [("maxmemory", "1", "0"), ("min-replicas-to-write", "1", "0")],
)
def test_a_store_that_denies_writes_has_stored_nothing(
    valkey: Redis, setting: str, trouble: str, fine: str
) -> None:
    store = EventStore(valkey)
    append(store, 0)
    before = everything(valkey)
    valkey.config_set(setting, trouble)
    try:
        with pytest.raises(StoreUnavailable):
            append(store, 1)
    finally:
        valkey.config_set(setting, fine)
    assert everything(valkey) == before
    assert append(store, 1) == Appended(0)


def test_an_answer_that_no_script_of_ours_gives_is_an_error(client: Redis) -> None:
    class Foreign(EventStore):
        def _call(self, *_: Any) -> list[Any]:
            return [[b"hello"]]

    with pytest.raises(ValueError, match="hello"):
        append(Foreign(client), 0)
