"""Failovers under load: ``python -m tests.cluster.failovers --count 50`` prints what they cost."""

import argparse
import json
import signal
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import cycle
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import monotonic, sleep

from events.servers.connection import connect
from events.servers.slots import SLOTS
from events.store import EventStore
from tests.cluster.load import PRIMARIES, Load, is_there, writing
from tests.cluster.nodes import Node, Nodes, cluster
from tests.e2e.server import PATIENCE, until

BEHIND = 0.3
"""Seconds for which a replica hears nothing before its primary is killed."""

Fault = Callable[[Nodes, Node, Node], None]


def kill(nodes: Nodes, primary: Node, replica: Node) -> None:
    """Kill the primary; it comes back once its replica has taken its place."""
    primary.kill()
    await_promotion(replica)
    primary.start()


def stop(nodes: Nodes, primary: Node, replica: Node) -> None:
    """Stop the primary as a frozen machine would; it goes on, as if nothing were, too late."""
    primary.signal(signal.SIGSTOP)
    await_promotion(replica)
    primary.signal(signal.SIGCONT)


def kill_ahead(nodes: Nodes, primary: Node, replica: Node) -> None:
    """Kill the primary while its replica has fallen behind: what it alone has is gone."""
    replica.signal(signal.SIGSTOP)
    sleep(BEHIND)
    # What was sent to it waits in its socket: from here on nothing is sent.
    primary.ask("CLIENT", "KILL", "TYPE", "REPLICA")
    sleep(BEHIND)
    primary.kill()
    replica.signal(signal.SIGCONT)
    await_promotion(replica)
    # What it alone had must not come back with it.
    primary.start()


def hand_over(nodes: Nodes, primary: Node, replica: Node) -> None:
    """Hand over and restart, as an upgrade does."""
    replica.ask("CLUSTER", "FAILOVER")
    await_promotion(replica)
    primary.signal(signal.SIGTERM)
    assert primary.process
    primary.process.wait(PATIENCE)
    primary.start()


FAULTS: dict[str, Fault] = {
    "SIGKILL": kill,
    "SIGSTOP": stop,
    "SIGKILL with a replica behind": kill_ahead,
    "rolling restart": hand_over,
}


def await_promotion(replica: Node) -> None:
    """Wait until a replica has become a primary."""
    until(lambda: replica.info().get("role") == "master", "the replica is promoted")


@dataclass(slots=True)
class Figures:
    """What failovers cost: for how long a third of the slots took no move, in seconds."""

    pauses: dict[str, list[float]] = field(default_factory=dict)
    elsewhere: list[float] = field(default_factory=list)


def fail_over(nodes: Nodes, load: Load, part: int, name: str, figures: Figures) -> None:
    """Let one part fail over, and wait until it takes moves again and is whole."""
    primary = owner_of(nodes, part)
    replica = replica_of(nodes, primary)
    begun = monotonic()
    FAULTS[name](nodes, primary, replica)
    writers = load.parts[part]
    back = monotonic()
    until(lambda: all(w.at and w.at[-1] > back for w in writers), "moves are acknowledged")
    nodes.await_whole(PRIMARIES)
    ended = monotonic()
    figures.pauses.setdefault(name, []).append(max(w.longest_pause(begun, ended) for w in writers))
    others = [w for at, some in enumerate(load.parts) if at != part for w in some]
    figures.elsewhere.append(max(w.longest_pause(begun, ended) for w in others))


def replica_of(nodes: Nodes, primary: Node) -> Node:
    """Answer the replica of a primary, once it follows closely."""
    until(lambda: nodes.replicas_of(primary), "the replica follows")
    return nodes.replicas_of(primary)[0]


def owner_of(nodes: Nodes, part: int) -> Node:
    """Answer who owns a part of the slots now."""
    wanted = SLOTS * part // PRIMARIES + 1
    for asked in nodes.primaries():
        reply = asked.ask("CLUSTER", "SLOTS")
        assert isinstance(reply, list)
        for first, last, owner, *_ in reply:
            if first <= wanted <= last:
                return next(each for each in nodes.nodes if each.port == owner[1])
    raise AssertionError(f"nobody owns slot {wanted}")


def run(folder: Path, count: int, replicas: int, faults: Sequence[str]) -> dict[str, object]:
    """Fail over so often under load, each third of the slots in turn; answer the figures."""
    figures = Figures()
    # A control run must be free to lose: its servers take writes that no replica has.
    with cluster(folder, min_replicas=replicas) as nodes:
        store = EventStore(connect(f"{nodes.url}&replicas={replicas}"))
        begun = monotonic()
        with writing(store) as load:
            until(lambda: load.acknowledged() > 100, "moves are acknowledged")
            kinds = cycle(faults)
            for number in range(count):
                fail_over(nodes, load, number % PRIMARIES, next(kinds), figures)
            until(lambda: load.acknowledged() > 100 * count, "so many moves are acknowledged")
        seconds = monotonic() - begun
        until(lambda: is_there(store), "every server answers")
        load.check()
    every = [each for some in figures.pauses.values() for each in some]
    return {
        "failovers": count,
        "seconds": round(seconds),
        "acknowledged": load.acknowledged(),
        "lost": load.total("lost"),
        "doubled": load.total("doubled"),
        "refused": load.total("refused"),
        "unknown": load.total("unknown"),
        "found stored when repeated": load.total("repeats"),
        "pause": _spread(every),
        "pause by kind": {name: _spread(some) for name, some in figures.pauses.items()},
        "pause of other parts": _spread(figures.elsewhere),
    }


def _spread(seconds: Sequence[float]) -> dict[str, float]:
    return {"median": round(median(seconds), 2), "max": round(max(seconds), 2)}


def main() -> int:
    """Read the command line, run, print the figures; exit 1 if the run is not as it must be."""
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("--count", type=int, default=50)
    words.add_argument("--replicas", type=int, default=1, help="0: the control run, which loses")
    words.add_argument("--fault", choices=FAULTS, action="append")
    told = words.parse_args()
    with TemporaryDirectory(prefix="abraxas-failovers-") as folder:
        found = run(Path(folder), told.count, told.replicas, told.fault or list(FAULTS))
    sys.stdout.write(json.dumps(found, indent=2) + "\n")
    loses = found["lost"] != 0
    return int(loses if told.replicas else not loses)


if __name__ == "__main__":
    sys.exit(main())
