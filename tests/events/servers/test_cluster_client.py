"""The client of a cluster: wherever a slot is, whoever is away, nothing is sent twice unasked."""

import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import pytest
from redis import Redis
from redis.exceptions import ResponseError

from events import keys
from events.servers.cluster import Cluster, Server
from events.servers.connection import (
    OutcomeUnknown,
    StoreUnavailable,
    call,
    connect,
    home,
    home_url,
    names_cluster,
    replicas_of,
    servers,
)
from events.servers.exchange import Trip
from events.servers.replicas import write_safely
from events.store import Appended, EventStore
from tests.cluster.nodes import Nodes
from tests.e2e.server import PATIENCE, until
from tests.events.appends import PARTITION, TABLE, append

PLACES = [
    next(k for k in map(str, range(999)) if keys.slot(k) * 3 // 16384 == at) for at in (0, 1, 2)
]


def test_a_url_says_whether_it_names_a_cluster_and_how_many_replicas_count() -> None:
    assert names_cluster("redis://h/0?cluster=true")
    assert not names_cluster("redis://h/0?cluster=false")
    assert not names_cluster("unix:///run/store.sock?db=1")
    assert replicas_of(connect("redis://h/0?cluster=true")) == 1
    assert replicas_of(connect("redis://h/0?cluster=true&replicas=2")) == 2
    assert replicas_of(connect("redis://h/0")) == 0
    assert replicas_of(connect("redis://h/0?replicas=1")) == 1
    for wrong in ("cluster=yes", "replicas=-1", "replicas=10", "cluster=true&replicas=x"):
        with pytest.raises(ValueError, match="must be"):
            names_cluster(f"redis://h/0?{wrong}")
    with pytest.raises(ValueError, match="host and port"):
        names_cluster("unix:///run/store.sock?cluster=true")


def test_what_a_url_says_to_others_is_left_to_them() -> None:
    client = connect("unix:///run/store.sock?db=1&replicas=1")
    assert client.connection_pool.connection_kwargs["db"] == 1
    assert home_url(client, "redis://h:1/0?replicas=1&db=2", "x") == "redis://h:1/0?db=2"
    assert home(client, "x") is client
    assert servers(client) == (client,)


def test_commands_of_several_slots_are_answered_in_their_order(clustered: Redis) -> None:
    written = call(clustered, *(("SET", each, f"of {each}") for each in PLACES), ("PING",))
    assert written == [b"OK", b"OK", b"OK", b"PONG"]
    read = call(clustered, *(("GET", each) for each in reversed(PLACES)), ("HGET", PLACES[0], "x"))
    assert read[:3] == [f"of {each}".encode() for each in reversed(PLACES)]
    assert isinstance(read[3], ResponseError)
    assert len(servers(clustered)) == 3
    assert {each.decode() for each in clustered.scan_iter()} == set(PLACES)
    assert home_url(clustered, "", PLACES[0]) != home_url(clustered, "", PLACES[2])


def test_keys_of_several_slots_in_one_command_are_refused(clustered: Redis) -> None:
    (reply,) = call(clustered, ("DEL", *PLACES))
    assert "same slot" in str(reply)


def asking(client: Redis) -> Cluster:
    assert isinstance(client, Cluster)
    return client


def misled(client: Cluster, slot: int, server: Server) -> None:
    """Let a client think that a server owns a slot."""
    client.primaries()
    client._owners[slot] = server


def test_a_command_follows_a_slot_that_has_moved(clustered: Redis) -> None:
    client = asking(clustered)
    wrong = client.home(PLACES[1])
    misled(client, keys.slot(PLACES[0]), wrong)
    assert call(clustered, ("SET", PLACES[0], "x"), ("SET", PLACES[1], "y")) == [b"OK", b"OK"]
    misled(client, keys.slot(PLACES[0]), wrong)
    assert clustered.get(PLACES[0]) == b"x"
    assert client.home(PLACES[0]) is not wrong


def test_an_append_that_was_sent_astray_is_waited_for_at_the_right_server(
    clustered: Redis,
) -> None:
    client = asking(clustered)
    slot = keys.slot(keys.tag(PARTITION))
    wrong = next(each for each in client.primaries() if each is not client.owner(slot))
    misled(client, slot, wrong)
    assert append(EventStore(clustered), 0) == Appended(0)
    assert [each.version for each in EventStore(clustered).read(TABLE)] == [1]


@contextmanager
def failing(
    monkeypatch: pytest.MonkeyPatch, method: str, fails: Callable[[], Exception | None]
) -> Iterator[list[Sequence[Any]]]:
    """Let a part of a trip fail when asked to."""
    sent: list[Sequence[Any]] = []
    real = getattr(Trip, method)

    def maybe(trip: Trip, *arguments: Any) -> Any:
        error = fails()
        if error:
            raise error
        sent.append(arguments)
        return real(trip, *arguments)

    with monkeypatch.context() as patch:
        patch.setattr(Trip, method, maybe)
        yield sent


def test_a_lost_reply_is_not_repeated_and_marks_the_server(
    clustered: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    call(clustered, ("PING",))
    with (
        failing(monkeypatch, "read", lambda: OutcomeUnknown("gone")),
        pytest.raises(OutcomeUnknown),
    ):
        call(clustered, ("SET", PLACES[0], "x"))
    server = asking(clustered)._owners[keys.slot(PLACES[0])]
    assert server.away_until > 0
    # It is away for half a second, which a busy machine may take to ask.
    server.away_until = math.inf
    with pytest.raises(StoreUnavailable, match="away"):
        call(clustered, ("GET", PLACES[0]))
    # It is asked again after a while, and was there all the time.
    server.away_until = 1.0
    assert call(clustered, ("GET", PLACES[0])) == [b"x"]


def test_what_reached_one_server_and_not_another_is_of_unknown_outcome(
    clustered: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    call(clustered, ("PING",))
    turns = iter([None, StoreUnavailable("loading")])
    with (
        failing(monkeypatch, "read", lambda: next(turns)),
        pytest.raises(OutcomeUnknown),
    ):
        call(clustered, ("SET", PLACES[0], "x"), ("SET", PLACES[1], "y"))


def test_what_reached_nobody_is_known_not_to_be_stored(
    clustered: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    call(clustered, ("PING",))
    with (
        failing(monkeypatch, "read", lambda: StoreUnavailable("loading")),
        pytest.raises(StoreUnavailable),
    ):
        call(clustered, ("SET", PLACES[0], "x"))


def there(client: Redis) -> bool:
    """Say whether a command reaches its server."""
    try:
        return call(client, ("SET", PLACES[0], "x")) == [b"OK"]
    except StoreUnavailable:
        return False


def test_the_cluster_is_found_again_when_every_known_server_is_dead(clustered: Redis) -> None:
    client = asking(clustered)
    client.primaries()
    # As if all had been replaced by others since: only the URL leads to somebody.
    gone = [client.server(("127.0.0.1", port)) for port in (1, 2, 3)]
    client._owners = [gone[slot * 3 // 16384] for slot in range(16384)]
    client._servers = {each.address: each for each in gone}
    with pytest.raises(StoreUnavailable):
        call(clustered, ("SET", PLACES[0], "x"))
    until(lambda: there(clustered), "the cluster is found again")


def test_a_cluster_of_which_nobody_answers_is_unavailable() -> None:
    client = connect("redis://127.0.0.1:1/0?cluster=true")
    with pytest.raises(StoreUnavailable):
        call(client, ("GET", "x"))
    with pytest.raises(StoreUnavailable):
        EventStore(client).ping()
    client.close()


def test_what_too_few_replicas_have_is_of_unknown_outcome(nodes: Nodes) -> None:
    """There is one replica each; two are never reached, however long they are waited for."""
    with connect(f"{nodes.url}&replicas=2", timeout=2.0) as client:
        client.flushall()
        store = EventStore(client)
        with pytest.raises(OutcomeUnknown, match="replicas"):
            append(store, 0)
        # It is stored, and goes on being unknown however often it is repeated.
        assert [each.version for each in store.read(TABLE)] == [1]
        with pytest.raises(OutcomeUnknown, match="replicas"):
            append(store, 0)
        with pytest.raises(OutcomeUnknown, match="replicas"):
            write_safely(client, ("SET", PLACES[0], "x"))
    with connect(nodes.url, timeout=PATIENCE) as client:
        assert append(EventStore(client), 0).first == 1
