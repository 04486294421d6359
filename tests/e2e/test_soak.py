"""Streams by the hundred or thousand, opened and closed again and again: nothing may grow.

A short form belongs to the suite; ``make soak`` runs the long one.
"""

import os
import resource
import socket
import time
from collections.abc import Iterator
from itertools import cycle
from statistics import median

import pytest

from tests.benchmarks.streams import Listeners, Player, resident
from tests.e2e.live_client import SSE
from tests.e2e.playing import descriptors, live_port, open_streams
from tests.e2e.server import Server, serving, until

pytestmark = pytest.mark.e2e
STREAMS = int(os.environ.get("SOAK_STREAMS", "200"))
CYCLES = int(os.environ.get("SOAK_CYCLES", "6"))
WARM = 3
MOVES = 10 * CYCLES
KIB = 1024
NOISE = 3 * KIB * KIB
"""What the memory of a process that leaks nothing may still wander by."""
BURST = max(NOISE, 6 * KIB * STREAMS)
"""The same while it tells all streams at once: the allocator keeps some of a burst."""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    with serving(tmp_path_factory.mktemp("soak")) as running:
        yield running


@pytest.fixture
def ana(server: Server) -> Iterator[Player]:
    player = Player(server.url)
    yield player
    player.close()


@pytest.fixture
def listeners(server: Server) -> Iterator[Listeners]:
    started = Listeners(f"http://127.0.0.1:{live_port(server)}")
    yield started
    started.stop()


def path_of(table: str) -> str:
    return f"/v1/tables/{table}/events"


@pytest.mark.timeout(600 + CYCLES * STREAMS / 50)
def test_memory_and_descriptors_are_flat_over_streams_that_come_and_go(
    server: Server, ana: Player, listeners: Listeners
) -> None:
    live = server.pid("live")
    paths = [path_of(ana.open()) for _ in range(10)]
    until(lambda: open_streams(server) == 0, "no stream is open")
    files = descriptors(server)
    held: list[int] = []
    for _ in range(WARM + CYCLES):
        listeners.open(STREAMS, paths)
        assert open_streams(server) == STREAMS
        held.append(resident(live))
        listeners.tell(close=True)
        # Beside the streams the process keeps some connections to its store.
        until(lambda: descriptors(server) <= files + 8, "all descriptors are back")
        until(lambda: open_streams(server) == 0, "all streams are closed")
    grown = held[-1] - held[WARM - 1]
    print(
        f"\n{CYCLES} times {STREAMS} streams opened and closed:"
        f" {held[WARM - 1] / KIB:.0f} KiB at first, {grown / KIB:+.0f} KiB"
    )
    assert grown < NOISE, [each // KIB for each in held]


@pytest.mark.timeout(600 + CYCLES * MOVES)
def test_memory_is_flat_while_streams_live_and_are_told(
    server: Server, ana: Player, listeners: Listeners
) -> None:
    live = server.pid("live")
    # No table is over before its share of the moves is made.
    most = max(10, MOVES // 20)
    held: list[int] = []
    told = 0
    for _ in range(WARM + CYCLES):
        tables = [ana.open() for _ in range(most)]
        listeners.open(STREAMS, [path_of(each) for each in tables])
        turns = cycle(tables)
        made = 0
        while made < MOVES:
            made += ana.move(next(turns)) is not None
        told += len(listeners.tell())
        assert open_streams(server) == STREAMS
        held.append(resident(live))
        listeners.tell(close=True)
        until(lambda: open_streams(server) == 0, "all streams are closed")
    # What a burst leaves in pieces goes up and down: the middle of the last rounds says more.
    half = CYCLES // 2
    grown = int(median(held[-half:]) - median(held[WARM : WARM + half]))
    print(
        f"\n{told} notices to {STREAMS} streams at a time in {len(held)} rounds:"
        f" {held[WARM] / KIB:.0f} KiB at first, {grown / KIB:+.0f} KiB"
    )
    assert told > len(held) * MOVES * STREAMS / most
    assert grown < BURST, [each // KIB for each in held]


def grown_table(ana: Player, events: int) -> str:
    """Play a table until there is more to tell than a socket takes."""
    table = ana.open()
    version = 0
    while version < events:
        moved = ana.move(table)
        version = moved[2] if moved else version
    return table


@pytest.mark.skipif(not hasattr(socket, "TCP_USER_TIMEOUT"), reason="this system has no such limit")
@pytest.mark.timeout(600)
def test_who_does_not_read_costs_little_and_is_cut_off(server: Server, ana: Player) -> None:
    live = server.pid("live")
    until(lambda: open_streams(server) == 0, "no stream is open")
    table = grown_table(ana, 250)
    request = f"GET {path_of(table)} HTTP/1.1\r\nHost: a\r\nAccept: {SSE}\r\n\r\n".encode()
    before, most = resident(live), 100
    clients = []
    for _ in range(most):
        client = socket.socket()
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        client.connect(("127.0.0.1", live_port(server)))
        client.sendall(request)
        clients.append(client)
    until(lambda: open_streams(server) == most, "all streams are open")
    begun = time.monotonic()
    until(lambda: open_streams(server) == 0, "all of them are cut off", 180)
    took = time.monotonic() - begun
    each = (resident(live) - before) / most
    print(
        f"\n{most} clients that do not read: cut off after {took:.0f} s, {each / KIB:.0f} KiB each"
    )
    assert each < 512 * KIB
    for client in clients:
        client.close()
