"""What commit.lua promises: all of a commit or nothing, and a feed kept for the slowest."""

from typing import Any

import pytest
from redis import Redis

from events import keys
from events.servers.connection import OutcomeUnknown
from tests.events.appends import everything
from workers.scripts import run
from workers.share import Share, Verdict, Write

PARTITION = 5
CHECKPOINTS, FEED = keys.checkpoints(PARTITION), keys.feed(PARTITION)
ONE, TWO = (keys.projection(PARTITION, "tables", 1, name) for name in ("one", "two"))


def partition(client: Redis, **positions: int) -> Share:
    """Put six entries into a feed, and answer who holds it by token 7."""
    for number in range(1, 7):
        client.xadd(FEED, {"t": "table"}, id=f"{number}-0")
    held: dict[Any, Any] = {"token": 7, **positions}
    client.hset(CHECKPOINTS, mapping=held)
    return Share(PARTITION, 7, dict(positions), cursor=0)


def commit(client: Redis, share: Share, **moves: int) -> Verdict:
    (reply,) = run(client, share.commit(moves))
    return Verdict(reply)


def feed(client: Redis) -> list[bytes]:
    entries: Any = client.xrange(FEED)
    return [entry_id for entry_id, _ in entries]


def test_a_commit_moves_checkpoints_and_makes_every_write_in_its_order(client: Redis) -> None:
    share = partition(client, tables=4, bots=4, lobby=6)
    client.hset(TWO, "old", 1)
    share.writes = [
        Write(ONE, "HSET", ("a", 1, "b", 2)),
        Write(TWO, "DEL"),
        Write(ONE, "HDEL", ("a",)),
        Write(TWO, "HSET", ("new", 3)),
    ]
    assert commit(client, share, tables=5, bots=6) is Verdict.DONE
    assert client.hgetall(CHECKPOINTS) == {
        b"token": b"7", b"tables": b"5", b"bots": b"6", b"lobby": b"6",
    }  # fmt: skip
    assert client.hgetall(ONE) == {b"b": b"2"}
    assert client.hgetall(TWO) == {b"new": b"3"}


@pytest.mark.parametrize(
    ("moves", "kept"), [({"tables": 5}, 2), ({"tables": 2}, 4), ({"tables": 5, "bots": 3}, 3)]
)
def test_the_feed_is_kept_from_the_entry_behind_the_slowest_on(
    client: Redis, moves: dict[str, int], kept: int
) -> None:
    """A token is no position, however small."""
    share = partition(client, tables=1, bots=4)
    client.hset(CHECKPOINTS, "token", 0)
    share.token = 0
    assert commit(client, share, **moves) is Verdict.DONE
    assert feed(client) == [f"{number}-0".encode() for number in range(7 - kept, 7)]


def test_a_commit_that_moves_nobody_leaves_the_feed_as_it_is(client: Redis) -> None:
    share = partition(client, tables=4)
    share.writes = [Write(ONE, "HSET", ("a", 1))]
    assert commit(client, share) is Verdict.DONE
    assert len(feed(client)) == 6
    assert client.hgetall(ONE) == {b"a": b"1"}


@pytest.mark.parametrize("token", [6, 8])
def test_a_commit_by_another_token_writes_nothing(client: Redis, token: int) -> None:
    share = partition(client, tables=4)
    share.writes = [Write(ONE, "HSET", ("a", 1))]
    share.token = token
    before = everything(client)
    assert commit(client, share, tables=5) is Verdict.FENCED
    assert everything(client) == before


@pytest.mark.parametrize("elsewhere", ["tables", "bots", "lobby"])
def test_a_commit_from_elsewhere_writes_nothing(client: Redis, elsewhere: str) -> None:
    share = partition(client, tables=4, bots=4, lobby=4)
    share.writes = [Write(ONE, "HSET", ("a", 1))]
    client.hset(CHECKPOINTS, elsewhere, 5)
    before = everything(client)
    assert commit(client, share, tables=6, bots=6, lobby=6) is Verdict.MOVED
    assert everything(client) == before


@pytest.mark.parametrize("key", [ONE, FEED, CHECKPOINTS])
def test_a_commit_that_cannot_be_made_whole_is_not_told_to_be_done(valkey: Redis, key: str) -> None:
    share = partition(valkey, tables=4)
    share.writes = [Write(ONE, "HSET", ("a", 1))]
    valkey.delete(key)
    valkey.set(key, "of another kind")
    with pytest.raises(OutcomeUnknown):
        commit(valkey, share, tables=5)


def test_a_store_at_its_memory_limit_takes_a_commit(valkey: Redis) -> None:
    """It follows from moves that the store has taken."""
    share = partition(valkey, tables=4)
    share.writes = [Write(ONE, "HSET", ("a", 1))]
    valkey.config_set("maxmemory", "1")
    try:
        assert commit(valkey, share, tables=5) is Verdict.DONE
    finally:
        valkey.config_set("maxmemory", "0")
    assert valkey.hgetall(ONE) == {b"a": b"1"}
