"""No hot path gets a third dearer unnoticed: counted, not timed, so that load changes nothing.

Who makes one dearer for a good reason counts anew (``make baselines``) and says why.
"""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from redis import Redis

from events import codec, loaded, store, transact
from events.entries import fields_of
from events.servers.connection import call
from service import views
from tests.benchmarks.gate import lua
from tests.benchmarks.gate.baselines import baselines, too_dear
from tests.benchmarks.gate.paths import paths
from tests.benchmarks.gate.paths import store as running
from tests.e2e.server import until
from workers.projections import tables


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Redis]:
    with running(tmp_path_factory.mktemp("store")) as client:
        yield client


@pytest.fixture
def client(server: Redis) -> Iterator[Redis]:
    server.flushall()
    yield server
    # A store hears a moment later that a connection was closed.
    until(lambda: call(server, ("PUBSUB", "SHARDCHANNELS")) == [[]], "nobody listens any more")


def test_every_path_has_a_baseline_and_every_baseline_a_path() -> None:
    assert paths().keys() == baselines().keys()


@pytest.mark.parametrize("name", paths())
def test_a_hot_path_is_as_cheap_as_it_was(client: Redis, name: str) -> None:
    assert too_dear(baselines()[name], paths()[name](client)) == []


def wasteful(function: Callable[..., Any], work: Callable[[], object]) -> Callable[..., Any]:
    """Do some work more at each call."""

    def slower(*arguments: Any, **named: Any) -> Any:
        work()
        return function(*arguments, **named)

    return slower


def busy(turns: int) -> Callable[[], object]:
    return lambda: [turn + 1 for turn in range(turns)]


WASTE = {
    "a command of potage_sauvage through the door": (transact, "follow", 250),
    "a command through HTTP": (transact, "follow", 550),
    "a view through HTTP": (tables, "read", 250),
    "a 304 through HTTP": (tables, "read", 250),
    "a page of events through HTTP": (views, "notices", 650),
    "an event in a follower's batch": (tables, "rendered", 1_000),
    "an event of spellcaster folded": (loaded, "link", 80),
    "an event of magic_cooking decoded": (codec, "kinds", 8),
}


@pytest.mark.parametrize("name", WASTE)
def test_wasted_instructions_are_found(
    client: Redis, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    module, function, turns = WASTE[name]
    monkeypatch.setattr(module, function, wasteful(getattr(module, function), busy(turns)))
    assert "instructions" in "".join(too_dear(baselines()[name], paths()[name](client)))


def test_one_more_trip_to_the_store_is_found(
    client: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = "a view through HTTP"
    look = wasteful(tables.read, lambda: call(client, ("PING",)))
    monkeypatch.setattr(tables, "read", look)
    dear = too_dear(baselines()[name], paths()[name](client))
    assert any(each.startswith("round trips") for each in dear)


def test_bytes_stored_twice_are_found(client: Redis, monkeypatch: pytest.MonkeyPatch) -> None:
    name = "a command of magic_cooking through the door"

    def padded(recorded: Any) -> Any:
        fields = [*fields_of(recorded)]
        fields[5] = json.dumps({"padding": "x" * 300}).encode()
        return fields

    monkeypatch.setattr(store, "fields_of", padded)
    dear = too_dear(baselines()[name], paths()[name](client))
    assert any(each.startswith("bytes to the store") for each in dear)


@pytest.mark.parametrize(
    "waste", ["for turn = 1, 50 do local x = turn * 2 end", "for n = 1, 4 do redis.call('GET') end"]
)
def test_waste_in_the_append_script_is_found(waste: str) -> None:
    script = (Path(store.__file__).parent / "append.lua").read_text()
    agreed = baselines()["append.lua with three events"]
    assert too_dear(agreed, lua.cost(script)) == []
    assert too_dear(agreed, lua.cost(script.replace("local count =", f"{waste} local count =")))
