"""Clients of the store: no repeats, honest failures, and a configuration that loses nothing."""

import os
import signal
import socket
import threading
from collections.abc import Iterator
from multiprocessing import get_context
from pathlib import Path

import pytest
from redis import Redis
from redis.exceptions import ConnectionError as LostConnection
from redis.exceptions import NoPermissionError, OutOfMemoryError, ResponseError

from events.servers.connection import (
    DURABILITIES,
    OutcomeUnknown,
    StoreUnavailable,
    WritesRefused,
    WrongConfiguration,
    call,
    check_configuration,
    connect,
    failure,
)
from events.servers.embedded import Embedded, start
from events.store import EventStore
from events.transact import Door
from tests.e2e.server import PATIENCE
from tests.events.tables import FRUITS, named, opening, recipe, sitting
from tests.running import own_seconds


@pytest.fixture
def own(tmp_path: Path) -> Iterator[Embedded]:
    """Run a server that a test may hurt."""
    with start(tmp_path) as running:
        yield running


class Deaf:
    """A server that takes commands, counts them and closes without an answer."""

    def __init__(self, folder: Path) -> None:
        self.heard: list[bytes] = []
        self.path = folder / "deaf.sock"
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(str(self.path))
        self.listener.listen()
        self.thread = threading.Thread(target=self.listen)
        self.thread.start()

    def listen(self) -> None:
        while True:
            try:
                connection, _ = self.listener.accept()
            except OSError:
                return
            with connection:
                while received := connection.recv(65536):
                    if b"SETINFO" in received:
                        connection.sendall(b"+OK\r\n" * received.count(b"SETINFO"))
                        continue
                    self.heard.append(received)
                    break

    def close(self) -> None:
        self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()
        self.thread.join()


@pytest.fixture
def deaf(tmp_path: Path) -> Iterator[Deaf]:
    server = Deaf(tmp_path)
    yield server
    server.close()


def test_a_lost_reply_is_not_repeated(deaf: Deaf) -> None:
    """A client that sends again by itself stores twice."""
    client = connect(f"unix://{deaf.path}")
    with pytest.raises(OutcomeUnknown):
        Door(EventStore(client)).open("table", opening(), named("p0", "open"))
    client.close()
    assert sum(b"EVALSHA" in each for each in deaf.heard) == 1


def test_the_client_itself_never_sends_a_command_twice(deaf: Deaf) -> None:
    client = connect(f"unix://{deaf.path}")
    with pytest.raises(LostConnection):
        client.set("word", "x")
    client.close()
    assert len(deaf.heard) == 1


def test_a_server_that_is_not_there_has_stored_nothing(tmp_path: Path) -> None:
    client = connect(f"unix://{tmp_path / 'nobody.sock'}")
    with pytest.raises(StoreUnavailable):
        call(client, ("PING",))
    with pytest.raises(StoreUnavailable):
        EventStore(client).ping()
    with pytest.raises(StoreUnavailable):
        check_configuration(client, "always")


def test_a_stopped_store_is_noticed_within_two_seconds(own: Embedded) -> None:
    client = connect(own.url)
    store = EventStore(client)
    game = sitting(store)
    version = game.door.load("table").version
    own.process.send_signal(signal.SIGSTOP)
    try:
        begun = own_seconds()
        with pytest.raises(OutcomeUnknown):
            recipe(game.door, "p0", FRUITS, "a")
        assert own_seconds() - begun < 2
        begun = own_seconds()
        with pytest.raises(StoreUnavailable):
            EventStore(connect(own.url)).ping()
        assert own_seconds() - begun < 2
    finally:
        own.process.send_signal(signal.SIGCONT)
    # What it had received it carries out: the repeat finds it, whoever of both comes first.
    game.door = Door(EventStore(connect(own.url, timeout=PATIENCE)))
    again = recipe(game.door, "p0", FRUITS, "a")
    assert (again.first, again.last) == (version + 1, version + 1)
    assert len(store.read("table", version)) == 1
    client.close()


def test_a_killed_store_loses_nothing_it_acknowledged(tmp_path: Path) -> None:
    first = start(tmp_path)
    client = connect(first.url, timeout=PATIENCE)
    game = sitting(EventStore(client))
    acknowledged = game.steps(30)[-1].loaded
    os.kill(first.process.pid, signal.SIGKILL)
    first.process.wait()
    with pytest.raises(StoreUnavailable):
        game.door.load("table")
    with start(tmp_path) as second:
        assert second.url == first.url
        assert Door(EventStore(connect(second.url, timeout=PATIENCE))).load("table") == acknowledged
        assert game.door.load("table") == acknowledged
        assert game.step().first == acknowledged.version + 1
        client.close()


@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_forked_process_speaks_on_connections_of_its_own(valkey: Redis) -> None:
    """Two processes on one socket would read each other's replies."""
    call(valkey, ("SET", "who", "both"))
    forks = get_context("fork")
    with forks.Pool(3, initializer=remember, initargs=(valkey,)) as pool:
        echoes = pool.imap_unordered(echoed, range(300))
        mine = [call(valkey, ("ECHO", f"{each}")) for each in range(1000, 1300)]
        assert sorted(echoes) == list(range(300))
    assert mine == [[str(each).encode()] for each in range(1000, 1300)]


inherited: list[Redis] = []


def remember(client: Redis) -> None:
    inherited.append(client)


def echoed(number: int) -> int:
    (answer,) = call(inherited[0], ("ECHO", f"{number}"))
    return int(answer)


def test_error_replies_come_back_among_the_others(client: Redis) -> None:
    client.set("word", "x")
    pong, wrong, word = call(client, ("PING",), ("HGET", "word", "x"), ("GET", "word"))
    assert (pong, word) == (b"PONG", b"x")
    assert isinstance(wrong, ResponseError)


@pytest.mark.parametrize(
    ("error", "meaning"),
    [
        (ResponseError("WRONGTYPE ... script: abc, on @user_script:54."), OutcomeUnknown),
        (ResponseError("MISCONF no disk, script: abc, on @user_script:54."), WritesRefused),
        (ResponseError("NOREPLICAS script: abc, on @user_script:54."), WritesRefused),
        (OutOfMemoryError("no room, script: abc, on @user_script:54."), WritesRefused),
        (ResponseError("BUSY a script runs"), StoreUnavailable),
        (NoPermissionError("no"), StoreUnavailable),
    ],
)
def test_only_an_error_in_the_middle_of_a_script_leaves_the_outcome_open(
    error: ResponseError, meaning: type[Exception]
) -> None:
    assert type(failure(error)) is meaning


def test_a_store_that_wants_a_password_is_unavailable(own: Embedded) -> None:
    admin = connect(own.url, timeout=PATIENCE)
    stranger = connect(own.url, timeout=PATIENCE)
    call(stranger, ("PING",))
    admin.config_set("requirepass", "secret")
    with pytest.raises(StoreUnavailable):
        call(connect(own.url), ("PING",))
    with pytest.raises(StoreUnavailable):
        EventStore(connect(own.url.replace("unix://", "unix://:wrong@"))).ping()
    known = connect(own.url.replace("unix://", "unix://:secret@"), timeout=PATIENCE)
    call(known, ("CONFIG", "SET", "requirepass", ""))


def test_a_store_that_is_loading_is_unavailable(tmp_path: Path) -> None:
    class Loading(Deaf):
        def listen(self) -> None:
            connection, _ = self.listener.accept()
            with connection:
                while received := connection.recv(65536):
                    words = received.count(b"SETINFO")
                    connection.sendall(b"+OK\r\n" * words if words else b"-LOADING wait\r\n")

    server = Loading(tmp_path)
    client = connect(f"unix://{server.path}")
    with pytest.raises(StoreUnavailable):
        call(client, ("GET", "a"))
    client.close()
    server.close()


def test_the_embedded_store_is_configured_rightly(valkey: Redis) -> None:
    check_configuration(valkey, "always")


@pytest.mark.parametrize(
    ("name", "wrong", "right"),
    [
        ("appendonly", "no", "yes"),
        ("appendfsync", "everysec", "always"),
        ("no-appendfsync-on-rewrite", "yes", "no"),
        ("maxmemory-policy", "allkeys-lru", "noeviction"),
    ],
)
def test_a_configuration_that_could_lose_moves_is_refused_in_one_sentence(
    valkey: Redis, name: str, wrong: str, right: str
) -> None:
    valkey.config_set(name, wrong)
    try:
        with pytest.raises(WrongConfiguration) as refused:
            check_configuration(valkey, "always")
        sentence = str(refused.value)
        assert f"{name} {wrong} where" in sentence
        assert f"{name} {right}" in sentence
        assert "DURABILITY=relaxed" in sentence
        assert "\n" not in sentence
        for durability in DURABILITIES[1:]:
            check_configuration(valkey, durability)
    finally:
        valkey.config_set(name, right)


def test_a_host_that_forbids_to_ask_must_be_trusted(own: Embedded) -> None:
    client = connect(own.url, timeout=PATIENCE)
    client.acl_setuser(
        "guest", enabled=True, nopass=True, keys=["*"], commands=["+@all", "-config"]
    )
    guest = connect(own.url.replace("unix://", "unix://guest:any@"), timeout=PATIENCE)
    with pytest.raises(WrongConfiguration, match="DURABILITY=trusted"):
        check_configuration(guest, "always")
    check_configuration(guest, "trusted")


def test_always_is_the_first_of_the_durabilities() -> None:
    assert DURABILITIES == ("always", "relaxed", "trusted")
