"""Keys: 256 partitions whose slots are spread evenly, and one slot for all keys of a table."""

import re
from collections import Counter
from random import Random
from uuid import UUID

from redis.crc import key_slot

from events import keys


def slot_of(key: str) -> int:
    return key_slot(key.encode())


def test_each_of_256_equal_parts_of_the_slots_holds_one_partition() -> None:
    slots = [keys.slot(keys.tag(partition)) for partition in range(keys.PARTITIONS)]
    assert [slot // 64 for slot in slots] == list(range(256))


def test_three_nodes_share_the_partitions_evenly() -> None:
    slots = [keys.slot(keys.tag(partition)) for partition in range(keys.PARTITIONS)]
    assert Counter(slot * 3 // 16384 for slot in slots) == {0: 85, 1: 86, 2: 85}


def test_slots_are_what_the_servers_client_says() -> None:
    for partition in range(keys.PARTITIONS):
        assert slot_of(keys.feed(partition)) == keys.slot(keys.tag(partition))


def test_the_tags_are_frozen() -> None:
    """Another list would make every stored table unreachable."""
    assert keys.tag(0) == "cv"
    assert keys.tag(255) == "fv"
    assert keys.partition("6ba7b810-9dad-4d1d-80b4-00c04fd430c8") == 202
    stream = "{bz}:t:6ba7b810-9dad-4d1d-80b4-00c04fd430c8:events"
    assert keys.events("6ba7b810-9dad-4d1d-80b4-00c04fd430c8") == stream


def test_tables_are_spread_evenly_over_the_partitions() -> None:
    chance = Random(5)
    tables = (str(UUID(int=chance.getrandbits(128), version=4)) for _ in range(25_600))
    found = Counter(keys.partition(table) for table in tables)
    assert len(found) == keys.PARTITIONS
    assert max(found.values()) < 150


def test_every_key_of_a_table_and_of_its_partition_lies_in_one_slot() -> None:
    table = "some table"
    partition = keys.partition(table)
    together = [
        keys.events(table),
        keys.meta(table),
        keys.commands(table),
        keys.feed(partition),
        keys.counters(partition),
        keys.tables(partition),
        keys.wake(partition),
        keys.projection(partition, "tables", 1, table, "spectator"),
        keys.checkpoints(partition),
    ]
    assert len({slot_of(key) for key in together}) == 1
    assert len(set(together)) == len(together)


def test_a_lease_lies_with_the_first_partition_of_its_block() -> None:
    for partition in range(keys.PARTITIONS):
        block = keys.block(partition)
        first = block * keys.BLOCK
        assert first <= partition < first + keys.BLOCK
        assert slot_of(keys.lease(block)) == slot_of(keys.fence(block)) == slot_of(keys.feed(first))


def test_what_belongs_to_a_player_lies_in_one_slot() -> None:
    assert slot_of(keys.player("ana")) == slot_of(keys.player_tokens("ana"))


def test_keys_of_different_things_differ() -> None:
    some = [
        keys.lease(0),
        keys.fence(0),
        keys.player("x"),
        keys.player_tokens("x"),
        keys.token("x"),
        keys.limit("moves", "x"),
        keys.feed(0),
        keys.counters(0),
        keys.followers(),
        keys.listing("lobby", 1, "potage_sauvage"),
    ]
    assert len(set(some)) == len(some)
    assert all(re.fullmatch(r"[ -~]+", key) for key in some)
