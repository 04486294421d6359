"""What the store is asked for: appends, what follows them, and the room that tables take."""

import tempfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from statistics import quantiles
from time import perf_counter, sleep
from typing import Any
from uuid import uuid4

from redis import Redis

from domain.dice import seeded
from domain.table.commands import Play
from domain.table.state import Table
from domain.table.view import moves, to_move
from domain.wire import plain_command
from events import keys
from events.servers.connection import call, connect
from events.servers.embedded import start
from events.store import EventStore, command_key
from events.transact import Door
from tests.benchmarks import archive, following, memory, rebuilding
from tests.benchmarks.figures import Figure, middle
from tests.benchmarks.follow import Players, applied, loading, paced
from tests.benchmarks.parts.scale import Scale
from tests.workers.processes import eventually, worker
from tests.workers.sittings import opened
from workers.projections import tables


def appends(scale: Scale) -> Iterator[Figure]:
    """Compare commands through the door with raw XADD, each fsynced, one client."""
    with tempfile.TemporaryDirectory() as folder, start(Path(folder)) as embedded:
        client = connect(embedded.url)
        door, chance = Door(EventStore(client)), seeded("appends")
        names = [opened(door, f"t{n}", seats=3, players=["ann", "bob", "eve"]) for n in range(20)]
        runs = [
            {
                "ours": _decided(door, names, chance, scale.seconds),
                "raw": _added(client, scale.seconds),
            }
            for _ in range(scale.pairs)
        ]
        client.close()
    yield Figure(
        what="commands through the door, one client", ours=middle(runs, "ours"), unit="/s",
        beside="/s raw XADD", other=middle(runs, "raw"),
    )  # fmt: skip


def _decided(door: Door, names: list[str], chance: Any, seconds: float) -> float:
    done, spent = 0, 0.0
    while spent < seconds:
        at = done % len(names)
        state = door.load(names[at]).state
        if state.phase == "over":
            fresh = f"{names[at]}+"
            names[at] = opened(door, fresh, seats=3, players=["ann", "bob", "eve"])
            state = door.load(fresh).state
        seat = to_move(state)[0]
        legal = moves(state, seat)
        play = Play(seat, legal[chance.pick(len(legal))])
        key = command_key("ann", uuid4().hex, plain_command(play.command))
        began = perf_counter()
        door.transact(names[at], partial(_wished, play), key)
        spent += perf_counter() - began
        done += 1
    return done / spent


def _wished(play: Play, table: Table) -> Play:
    return play


def _added(client: Redis, seconds: float) -> float:
    began, done = perf_counter(), 0
    while perf_counter() < began + seconds:
        call(client, ("XADD", "raw", "*", "k", "0123456789" * 12))
        done += 1
    client.delete("raw")
    return done / (perf_counter() - began)


def visible(scale: Scale) -> Iterator[Figure]:
    """Measure from a command's reply until its table is drawn, while others move."""
    with (
        tempfile.TemporaryDirectory() as folder,
        start(Path(folder)) as embedded,
        worker("follow", embedded.url, embedded.url),
    ):
        client = connect(embedded.url)
        assert eventually(lambda: bool(client.exists(keys.lease(0))), 60)
        players = Players(client, "sample", 20)
        waits: list[float] = []

        def sample() -> None:
            table = players.step()
            began = perf_counter()
            version = players.door.load(table).version
            while int(call(client, ("HGET", tables.document(table), "v"))[0] or 0) < version:
                sleep(0.0005)
            waits.append((perf_counter() - began) * 1000)

        sampled = min(scale.rate / 10, 50.0)
        with loading(embedded.url, scale.rate - sampled, scale.visible + 1) as process:
            paced(sampled, scale.visible, sample)
            sent = float(process.communicate()[0])
        assert eventually(lambda: applied(client), 60)
        client.close()
    cuts = quantiles(waits, n=100, method="inclusive")
    yield Figure(what="commands meanwhile", ours=sent + sampled, unit="/s")
    yield Figure(what="p50 from append to visible view", ours=cuts[49], unit="ms")
    yield Figure(
        what="p99 from append to visible view", ours=cuts[98], unit="ms", bound="value", most=50.0
    )


def followed(scale: Scale) -> Iterator[Figure]:
    """Measure a follower that draws every view, and rebuilding with one process and two."""
    for steps in (1, 4):
        with tempfile.TemporaryDirectory() as folder:
            told = following.measure(Path(folder), scale.followed, steps)
        yield Figure(
            what=f"events followed, {steps} command{'s' * (steps > 1)} of a table at once",
            ours=told["events_per_cpu_second"], unit="/s of CPU", bound="value", least=4_000.0,
        )  # fmt: skip
    with tempfile.TemporaryDirectory() as folder:
        told = rebuilding.measure(Path(folder), scale.rebuilt, scale.pairs)
    yield Figure(
        what="events rebuilt by one process", ours=told["events_per_second"], unit="/s",
        bound="value", least=15_000.0,
    )  # fmt: skip
    yield Figure(
        what="events rebuilt by two", ours=told["events_per_second_of_two"], unit="/s",
        beside="/s by one", other=told["events_per_second"], paired=told["two_to_one"],
        bound="ratio", least=1.3,
    )  # fmt: skip


def room(scale: Scale) -> Iterator[Figure]:
    """Weigh tables of Potage for three: while they are played, at their end, archived."""
    with tempfile.TemporaryDirectory() as folder:
        weighed = memory.measure(Path(folder), scale.weighed)
    filed = archive.measure("potage_sauvage", scale.archived)
    for what, ours, unit, most in (
        (
            "a table, over the versions of a game",
            weighed["average_over_versions"] / 1000,
            "KB",
            30.0,
        ),
        ("a table at its end", weighed["at_the_end"] / 1000, "KB", 55.0),
        (f"an archived table, of {scale.archived}", filed["bytes_per_table"], "bytes", 1_000.0),
    ):
        yield Figure(what=what, ours=ours, unit=unit, bound="value", most=most)
    yield Figure(
        what="what stays of it in the store", ours=weighed["archived_in_the_store"], unit="bytes"
    )
