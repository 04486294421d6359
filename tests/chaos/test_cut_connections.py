"""A client whose connection is cut anywhere ends with what an uninterrupted one has."""

import math
import os
import random
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import pytest

from domain.catalogue import games
from tests.chaos.fates import STREAMS, Fates, Point
from tests.chaos.proxy import proxying
from tests.chaos.tables import Sitting, Ways
from tests.e2e.ledger import Ledger
from tests.e2e.server import Server, serving

ON_A_TABLE: Final = 11
CLIENTS: Final = int(os.environ.get("CHAOS_CLIENTS", ON_A_TABLE))
"""How many clients play or follow a whole table each."""
SEED: Final = os.environ.get("CHAOS_SEED") or str(random.SystemRandom().randrange(10**6))
AT_ONCE: Final = 5

pytestmark = [pytest.mark.chaos, pytest.mark.timeout(600 + 3 * CLIENTS)]


def live_port(server: Server) -> int:
    """Answer where the live process listens."""
    words = Path(f"/proc/{server.pid('live')}/cmdline").read_bytes().split(b"\0")
    return int(words[-2])


@contextmanager
def torn(data: Path, fates: Fates) -> Iterator[tuple[Server, Ways]]:
    """Serve behind what breaks, with links that lead through it."""
    with (
        proxying(fates) as proxy,
        serving(data, ABRAXAS_LIVE_URL=f"http://127.0.0.1:{proxy.ports[1]}") as server,
    ):
        whole = (server.port, live_port(server))
        proxy.to.update(zip(proxy.ports, whole, strict=True))
        yield server, Ways((proxy.ports[0], proxy.ports[1]), whole, data)


def test_who_is_cut_off_ends_with_what_an_uninterrupted_client_has(tmp_path: Path) -> None:
    fates = Fates(SEED, most=40 if CLIENTS == ON_A_TABLE else math.inf)
    ledger = Ledger()
    begun = time.monotonic()
    names = sorted(games(), reverse=True)
    sittings: list[Sitting] = []
    try:
        with (
            torn(tmp_path / "var", fates) as (server, ways),
            ThreadPoolExecutor(AT_ONCE) as tables,
            ThreadPoolExecutor(AT_ONCE * 17) as pool,
        ):
            count = -(-CLIENTS // ON_A_TABLE)
            sittings += [
                Sitting(ways, names[n % len(names)], random.Random(f"{SEED} {n}"), ledger)
                for n in range(count)
            ]
            for done in [tables.submit(each.run, pool) for each in sittings]:
                done.result()
            ledger.check(server.data)
    finally:
        print(fates.told())
    clients = sum(each.clients for each in sittings)
    print(
        f"{clients} clients, {fates.cuts} broken exchanges, {ledger.count} commands,"
        f" {sum(each.replayed for each in sittings)} of them told again,"
        f" {time.monotonic() - begun:.0f} s"
    )
    assert clients >= CLIENTS
    assert fates.cuts >= 30
    assert sum(each.tries for each in sittings) > 0
    streams = {point for (kind, point) in fates.tally if kind in STREAMS}
    assert len(streams & {*Point}) > len(Point) // 2
