"""Which server a command goes to: by the slot of its first key, with what must stay beside it."""

import pytest
from redis.crc import key_slot

from events import keys
from events.servers.slots import Range, command_slot, read_ranges, slot_of, units


@pytest.mark.parametrize(
    "key", ["word", "{tag}:word", "a{tag}b{c}", "{}word", "{open", "é", "}{x}", ""]
)
def test_a_key_has_the_slot_that_every_other_client_gives_it(key: str) -> None:
    assert slot_of(key) == key_slot(key.encode()) == slot_of(key.encode())


def test_everything_of_a_table_lies_in_the_slot_of_its_partition() -> None:
    table = "6ba7b810-9dad-4d1d-80b4-00c04fd430c8"
    here = keys.partition(table)
    places = [
        keys.events(table), keys.meta(table), keys.commands(table), keys.feed(here),
        keys.counters(here), keys.tables(here), keys.wake(here), keys.stir(here),
        keys.checkpoints(here), keys.projection(here, "tables", 1, table),
    ]  # fmt: skip
    assert {slot_of(each) for each in places} == {keys.slot(keys.tag(here))}


@pytest.mark.parametrize(
    ("command", "key"),
    [
        (("EVALSHA", "digest", 2, "first", "second", "third"), "first"),
        (("eval", b"body", "1", b"first"), "first"),
        (("EVAL", b"body", 0, "none"), None),
        (("GET", "word"), "word"),
        (("OBJECT", "ENCODING", "word"), "word"),
        (("MEMORY USAGE", "word"), "word"),
        (("PING",), None),
        (("CONFIG", "GET", "appendonly"), None),
        (("config get", "appendonly"), None),
        (("SCAN", 0, "COUNT", 10), None),
        (("TIME",), None),
    ],
)
def test_a_command_belongs_to_the_slot_of_its_first_key(
    command: tuple[object, ...], key: str | None
) -> None:
    assert command_slot(command) == (None if key is None else slot_of(key))


def test_waiting_stays_with_what_it_waits_for() -> None:
    script, wait, fsync, get = ("EVALSHA",), ("WAIT", 1, 9), ("WAITAOF", 1, 1, 9), ("GET", "a")
    assert [*units([script, wait, fsync, get, get, wait])] == [(0, 3), (3, 4), (4, 6)]
    assert [*units([])] == []


def test_who_owns_what_is_read_and_a_server_without_a_name_is_where_it_was_asked() -> None:
    reply = [
        [0, 99, [b"10.0.0.1", 7000, b"id", []], [b"10.0.0.2", 7001, b"id", []]],
        [100, 16383, [None, 7002, b"id", []]],
    ]
    assert read_ranges(reply, "asked.example") == (
        Range(0, 99, ("10.0.0.1", 7000), (("10.0.0.2", 7001),)),
        Range(100, 16383, ("asked.example", 7002), ()),
    )
