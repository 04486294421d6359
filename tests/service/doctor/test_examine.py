"""The doctor finds whatever was spoilt in a store, and nothing in a healthy one."""

from collections.abc import Callable, Iterator

import pytest
from redis import Redis

from events import keys
from events.servers.connection import connect
from events.servers.embedded import Embedded, start
from events.store import EventStore
from events.transact import Door
from service.doctor.examine import examine
from service.doctor.finding import Finding
from service.settings import settings_from_env
from tests.e2e.server import PATIENCE
from tests.events.tables import Sitting, named, plays, sitting
from tests.workers.folds import differences
from workers.follow import Follower
from workers.projections import PROJECTIONS
from workers.projections.lobby import LOBBY
from workers.projections.players import PLAYERS
from workers.projections.tables import document
from workers.rebuild import rebuild
from workers.scripts import ask
from workers.status import status

PARTITION = keys.partition("one")


@pytest.fixture(scope="module")
def embedded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Embedded]:
    with start(tmp_path_factory.mktemp("store")) as running:
        yield running


@pytest.fixture
def client(embedded: Embedded) -> Iterator[Redis]:
    with connect(embedded.url, timeout=PATIENCE) as client:
        client.flushall()
        client.config_set("maxmemory", 0)
        yield client


@pytest.fixture
def store(client: Redis, monkeypatch: pytest.MonkeyPatch) -> EventStore:
    """Keep two tables, with projections that are caught up."""
    monkeypatch.setattr("service.doctor.read_models._PATIENCE", 0.2)
    for room in ("shape", "keyframes"):
        monkeypatch.setattr(f"workers.projections.{room}.EVERY", 5)
    store = EventStore(client)
    for table in ("one", "two"):
        sitting(store, table).steps(6)
    follow(store)
    return store


def follow(store: EventStore) -> None:
    Follower(store, stop=lambda: status(store.client, store.client).behind == 0).run(20)


def unread(store: EventStore, word: str = "unread") -> None:
    """Play on where nobody follows: what everybody has read is trimmed from a feed."""
    door = Door(store)
    for number in range(5):
        state = door.load("one").state
        player, move = Sitting(door).move(state)
        door.transact("one", plays(player, move), named(player, f"{word} {number}"))


def findings(embedded: Embedded, sample: int | None = None) -> list[Finding]:
    """Answer what is found, but that no follower is at work: none is in these tests."""
    said: list[str] = []
    settings = settings_from_env({"REDIS_URL": embedded.url})
    found = list(examine(settings, sample, said.append))
    assert said[0].startswith("The store answers (version ")
    assert found[-1].wrong == "No follower is at work: lists and bots stand still."
    return found[:-1]


def test_nothing_is_found_in_a_healthy_store(store: EventStore, embedded: Embedded) -> None:
    sitting(store, "over").play_out()
    follow(store)
    assert findings(embedded) == []
    assert findings(embedded, 1) == []


def test_a_table_behind_its_follower_is_not_yet_wrong(
    store: EventStore, embedded: Embedded
) -> None:
    sitting(store, "new").steps(3)
    assert findings(embedded) == []


def without(position: int, key: str) -> Callable[[Redis], object]:
    return lambda client: client.xdel(key, f"{position}-0")


@pytest.mark.parametrize(
    ("spoil", "wrong"),
    [
        (without(5, keys.events("one")), "Its history cannot be read: BrokenHistory: "),
        (
            lambda client: client.hset(keys.meta("one"), "hash", "00" * 32),
            "Its events do not lead to the hash of its head.",
        ),
        (
            lambda client: client.hset(keys.meta("one"), "phase", "over"),
            "Its head says 'over', its events 'playing'.",
        ),
        (
            lambda client: client.hincrby(keys.meta("one"), "version", 1),
            "Its events end at version ",
        ),
        (lambda client: client.delete(keys.meta("one")), "It is listed, but has no head."),
        (
            lambda client: client.hset(document("one"), "s", "{}"),
            "The projection tables has another document than its history makes at version ",
        ),
        (
            lambda client: client.delete(document("one")),
            "The projection tables has another document than its history makes at version ",
        ),
        (
            lambda client: client.hdel(
                keys.listing("lobby", LOBBY.generation, "potage_sauvage", "items"), "one"
            ),
            "The projection lobby has another entry in the list of potage_sauvage than ",
        ),
        (
            lambda client: client.delete(keys.listing("players", PLAYERS.generation, "p0", "all")),
            "The projection players has another entry in the list of p0 than ",
        ),
    ],
)
def test_a_spoilt_table_is_found(
    store: EventStore, embedded: Embedded, spoil: Callable[[Redis], object], wrong: str
) -> None:
    spoil(store.client)
    found = [each for each in findings(embedded) if each.table == "one"]
    assert [each.wrong.startswith(wrong) for each in found] in ([True], [True, True])
    assert all(each.advice for each in found)


def test_gaps_in_a_feed_are_found(store: EventStore, embedded: Embedded) -> None:
    key = keys.feed(PARTITION)
    unread(store)
    head = store.feed_heads([PARTITION])[PARTITION]
    store.client.xdel(key, f"{head - 3}-0")
    assert [each.wrong for each in findings(embedded)] == [
        f"The feed {key} has a gap from {head - 4} to {head - 2}."
    ]
    store.client.xdel(key, f"{head}-0")
    assert f"The feed {key} ends at {head - 1}, before {head}." in {
        each.wrong for each in findings(embedded)
    }


def test_a_feed_that_tells_of_more_than_there_is_is_found(
    store: EventStore, embedded: Embedded
) -> None:
    unread(store)
    version = store.client.hget(keys.meta("one"), "version")
    assert version
    store.client.hset(keys.meta("one"), "version", int(version) - 1)
    told = f"The feed {keys.feed(PARTITION)} tells of version {int(version)}, which is not there."
    assert told in {each.wrong for each in findings(embedded)}


def test_what_the_doctor_advises_mends_a_projection(store: EventStore, embedded: Embedded) -> None:
    store.client.delete(document("one"))
    (finding,) = findings(embedded)
    *_, name = finding.advice.split("abraxas rebuild ")
    (projection,) = [each for each in PROJECTIONS if each.name == name]
    rebuild(store, projection)
    assert findings(embedded) == []


@pytest.mark.parametrize("lost", [0, 3])
def test_what_the_doctor_advises_mends_a_feed(
    store: EventStore, embedded: Embedded, lost: int
) -> None:
    unread(store)
    head = store.feed_heads([PARTITION])[PARTITION]
    store.client.xdel(keys.feed(PARTITION), f"{head - lost}-0")
    (finding, *_) = findings(embedded)
    commands = finding.advice.partition(": ")[2].split(", then ")
    ask(store.client, *(each.split() for each in commands))
    follow(store)
    assert findings(embedded) == []
    assert differences(store) == []


def test_a_counter_that_was_set_back_is_found_and_what_is_advised_mends_it(
    store: EventStore, embedded: Embedded
) -> None:
    follow(store)
    head = store.feed_heads([PARTITION])[PARTITION]
    store.client.hincrby(keys.counters(PARTITION), "head", -3)
    (finding,) = findings(embedded)
    assert finding.wrong == (
        f"The counter of the feed {keys.feed(PARTITION)} is at {head - 3}, and {head} was reached"
        " before: its tables take no moves."
    )
    ask(store.client, finding.advice.partition(": ")[2].split())
    assert findings(embedded) == []
    unread(store)
    follow(store)
    assert findings(embedded) == []


def test_a_store_that_is_nearly_full_is_found(store: EventStore, embedded: Embedded) -> None:
    used = int(store.client.info("memory")["used_memory"])
    store.client.config_set("maxmemory", used * 21 // 20)
    (nearly,) = findings(embedded)
    assert nearly.wrong.endswith("% of the memory it may have.")
    assert nearly.advice.startswith("Raise maxmemory, or let tables that are over leave ")
    store.client.config_set("maxmemory", used // 2)
    (full,) = findings(embedded)
    assert full.wrong == "The store takes no moves, because its memory is full."
    assert full.advice.endswith(" It goes on by itself.")


def test_a_restore_that_did_not_end_is_found(store: EventStore, embedded: Embedded) -> None:
    store.client.set(keys.restoring(), 1)
    assert [each.wrong for each in findings(embedded)] == [
        "A backup is being restored into the store, or was not to its end."
    ]


def test_every_projection_is_examined(store: EventStore, embedded: Embedded) -> None:
    for projection in PROJECTIONS:
        spoilt = 0
        for key in store.client.scan_iter(f"*{projection.name}@*"):
            if b"outbox" not in key and b"parked" not in key:
                store.client.delete(key)
                spoilt += 1
        assert spoilt
        assert any(f"projection {projection.name} " in each.wrong for each in findings(embedded))
