"""kill -9 of any process in the middle of many tables: nothing acknowledged is lost or doubled."""

import os
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from itertools import cycle
from pathlib import Path

import pytest

from domain.catalogue import games
from service.simulate.run import Outcome, Simulation, simulate
from tests.e2e.ledger import Ledger
from tests.e2e.server import abraxas, serving, until

TABLES = int(os.environ.get("CHAOS_TABLES", "8"))
SEATS = 2
BETWEEN = 40 + 2 * TABLES
"""How many moves are acknowledged between two kills."""
PARTS = ("store", "api worker", "follow", "api", "jobs")

pytestmark = [pytest.mark.chaos, pytest.mark.timeout(600 + 10 * TABLES)]


@contextmanager
def playing(url: str, ledger: Ledger) -> Iterator[Future[Outcome]]:
    """Play tables beside the test; they are all over when it goes on."""
    simulation = Simulation(
        game=games()["potage_sauvage"],
        levels=("random",) * SEATS,
        tables=TABLES,
        at_once=4,
        patience=60,
    )
    with ThreadPoolExecutor(1) as pool:
        playing = pool.submit(simulate, url, simulation, ledger.heard)
        yield playing
        assert len(playing.result().played) == TABLES


def going_on(tables: Future[Outcome], ledger: Ledger, moves: int) -> bool:
    """Wait for so many acknowledgements; answer False if the tables are over before."""
    wanted = ledger.count + moves
    until(lambda: tables.done() or ledger.count > wanted, f"{moves} moves more", 180)
    return not tables.done()


def test_every_process_may_be_killed_at_any_moment(tmp_path: Path) -> None:
    if "CHAOS_TABLES" not in os.environ:
        pytest.skip("each is killed once in chaos/test_kills_in_a_torrent.py: make chaos")
    ledger = Ledger()
    with serving(tmp_path / "var") as server:
        with playing(server.url, ledger) as tables:
            killed = 0
            for part in cycle(PARTS):
                if not going_on(tables, ledger, BETWEEN):
                    break
                server.kill(part)
                killed += 1
        assert killed > len(PARTS)
        ledger.check(server.data)
        examined = abraxas("doctor", "--all", "--data", str(server.data))
        assert (examined.returncode, examined.stderr) == (0, ""), examined.stdout
        assert server.stop() == 0


def test_a_stop_under_load_loses_and_doubles_nothing(tmp_path: Path) -> None:
    ledger = Ledger()
    with serving(tmp_path / "var") as server, playing(server.url, ledger) as tables:
        assert going_on(tables, ledger, 200)
        assert server.stop() == 0
        with serving(server.data, server.port) as again:
            assert going_on(tables, ledger, 200)
            assert again.stop() == 0
            with serving(server.data, server.port) as last:
                tables.result()
                ledger.check(last.data)
