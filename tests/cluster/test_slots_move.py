"""Slots that move to another server while tables in them are played."""

import os
from pathlib import Path

import pytest
from redis.exceptions import ResponseError

from events import keys
from events.servers.connection import connect
from events.servers.slots import slot_of
from events.store import EventStore
from tests.cluster.failovers import owner_of
from tests.cluster.load import Load, tables_of, writing
from tests.cluster.nodes import Node, Nodes, cluster
from tests.e2e.server import PATIENCE, until

MOVES = int(os.environ.get("CLUSTER_MOVES", "2"))
MIGRATION_MS = 30_000

pytestmark = [pytest.mark.chaos, pytest.mark.timeout(900 + 20 * MOVES)]


def asked(node: Node, *command: str) -> object:
    """Ask a node, and fail if it refuses."""
    reply = node.ask(*command)
    assert not isinstance(reply, ResponseError), reply
    return reply


def move_at_once(nodes: Nodes, slot: int, source: Node, target: Node) -> None:
    """Move a slot as Valkey 9 does: copied while it is written to, then handed over whole."""
    asked(source, "CLUSTER", "MIGRATESLOTS", "SLOTSRANGE", str(slot), str(slot), "NODE", target.id)
    until(lambda: owns(target, slot), "the slot has moved")


def move_key_by_key(nodes: Nodes, slot: int, source: Node, target: Node) -> None:
    """Move a slot as older servers do: what is half moved refuses scripts until it is through."""
    asked(target, "CLUSTER", "SETSLOT", str(slot), "IMPORTING", source.id)
    asked(source, "CLUSTER", "SETSLOT", str(slot), "MIGRATING", target.id)
    while found := asked(source, "CLUSTER", "GETKEYSINSLOT", str(slot), "10"):
        assert isinstance(found, list)
        names = [each.decode() for each in found]
        asked(
            source,
            "MIGRATE",
            "127.0.0.1",
            str(target.port),
            "",
            "0",
            str(MIGRATION_MS),
            "KEYS",
            *names,
        )
    for each in (target, source, *nodes.primaries()):
        asked(each, "CLUSTER", "SETSLOT", str(slot), "NODE", target.id)


def owns(node: Node, slot: int) -> bool:
    """Say whether a node thinks that a slot is its own."""
    reply = node.ask("CLUSTER", "SLOTS")
    assert isinstance(reply, list)
    return any(first <= slot <= last and own[1] == node.port for first, last, own, *_ in reply)


def going_on(load: Load, part: int) -> None:
    """Wait until every writer of a part has had something acknowledged once more."""
    before = [len(each.at) for each in load.parts[part]]
    until(
        lambda: all(
            len(each.at) > count for each, count in zip(load.parts[part], before, strict=True)
        ),
        "moves are acknowledged",
    )


def test_a_slot_that_moves_loses_and_doubles_nothing(tmp_path: Path) -> None:
    # A busy machine is no dead one.
    with (
        cluster(tmp_path, node_timeout_ms=20_000) as nodes,
        connect(nodes.url, timeout=PATIENCE) as client,
    ):
        store = EventStore(client)
        with writing(store, each=1, tables=2) as load:
            slots = [slot_of(keys.events(each)) for each in tables_of(0, 2, "t-0-0")]
            for number in range(MOVES):
                going_on(load, 0)
                parts = (0, 1) if number // 2 % 2 == 0 else (1, 0)
                source, target = (owner_of(nodes, part) for part in parts)
                move = (move_key_by_key, move_at_once)[number % 2]
                move(nodes, slots[number % 2], source, target)
                until(lambda: owns(target, slots[number % 2]), "the slot has moved")  # noqa: B023
            going_on(load, 0)
        load.check()
        assert (load.total("lost"), load.total("doubled")) == (0, 0)
