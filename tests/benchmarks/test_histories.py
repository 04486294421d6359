"""Histories over HTTP: when an export starts, how many go out and are proved, what the past costs.

``BENCH_TABLES`` says how many tables are exported (84 unless it is set).
"""

import os
from collections.abc import Iterator
from statistics import mean, median, quantiles
from time import perf_counter, process_time
from uuid import UUID

import pytest

from domain.catalogue import games
from domain.game import Seat
from domain.magic_cooking.commands import AutoPass
from domain.table.commands import Play
from events.keyframes import EVERY
from events.loaded import fold, unopened
from events.records.verify import verify_record
from events.servers.connection import connect
from events.servers.embedded import start
from events.store import command_key
from events.transact import Door
from tests.events.histories import History, opening, sitting
from tests.service.asking import Api, api_on
from tests.workers.sittings import catch_up, following

TABLES = int(os.environ.get("BENCH_TABLES", "84"))
pytestmark = pytest.mark.bench


@pytest.fixture(scope="module")
def api(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Api]:
    with start(tmp_path_factory.mktemp("store")) as running:
        client = connect(running.url)
        yield api_on(client, client, DURABILITY="relaxed", ABRAXAS_LIMITS="off")
        client.close()


def kept(api: Api, history: History) -> None:
    """Store a history in appends of some hundred events."""
    loaded = unopened(history.table)
    for at in range(0, len(history.recorded), 500):
        part = history.recorded[at : at + 500]
        after = fold(loaded, part)
        api.parts.door.store.append(
            history.table,
            after=loaded.version,
            after_hash=loaded.hash.hex(),
            recorded=part,
            head=after.hash.hex(),
            phase=after.state.phase,
            command=command_key("p", str(at), {}),
        )
        loaded = after


@pytest.fixture(scope="module")
def tables(api: Api) -> list[str]:
    """Play tables of every game and number of seats to their end."""
    kinds = [(game, seats) for game in games().values() for seats in game.seats]
    ids = [str(UUID(int=number)) for number in range(1, TABLES + 1)]
    for number, table in enumerate(ids):
        game, seats = kinds[number % len(kinds)]
        history = History(table).carry_out(opening(game, seats, number), *sitting(seats, number))
        kept(api, history.play_out(seed=number))
    return ids


def cold(api: Api) -> Api:
    """Answer an application that has met no table yet."""
    fresh = api_on(api.parts.client, api.parts.client, DURABILITY="relaxed", ABRAXAS_LIMITS="off")
    fresh.app.test_client().get("/livez")
    return fresh


def test_an_export_starts_at_once(api: Api, tables: list[str]) -> None:
    waited = []
    for table in tables:
        client = cold(api).app.test_client()
        began = perf_counter()
        response = client.get(f"/v1/tables/{table}/record?redaction=full", buffered=False)
        next(iter(response.iter_encoded()))
        waited.append((perf_counter() - began) * 1000)
    half, most = median(waited), quantiles(waited, n=20)[18]
    print(f"\nfirst bytes of a cold export: median {half:.1f} ms, p95 {most:.1f} ms")
    assert half < 50


def test_tables_exported_and_proved_in_one_run(api: Api, tables: list[str]) -> None:
    client = cold(api).app.test_client()
    wall, cpu, size = perf_counter(), process_time(), 0
    for table in tables:
        record = client.get(f"/v1/tables/{table}/record?redaction=full").data
        size += len(record)
        assert verify_record(record.splitlines(keepends=True)).ok
    wall, cpu = perf_counter() - wall, process_time() - cpu
    count = len(tables)
    print(
        f"\n{count} tables, {size / 1e6:.1f} MB: {count / wall:.0f}/s, {count / cpu:.0f}/s of CPU"
    )


def test_a_cold_open_of_the_last_version(api: Api, tables: list[str]) -> None:
    took = []
    for table in tables:
        fresh = cold(api).app.test_client()
        began = perf_counter()
        assert fresh.get(f"/v1/tables/{table}?as=arbiter").status_code == 200
        took.append((perf_counter() - began) * 1000)
    print(f"\ncold open of the last version: median {median(took):.1f} ms, max {max(took):.1f} ms")


def test_the_past_of_a_very_long_table(api: Api) -> None:
    game = games()["magic_cooking"]
    history = History("00000000-0000-0000-0000-00000000ffff")
    history.carry_out(opening(game, 2), *sitting(2))
    for number in range(20 * EVERY):
        history.carry_out(Play(Seat(0), AutoPass(number % 2 == 0)))
    kept(api, history)
    length = len(history.recorded)
    versions = [2 * EVERY * part - 1 for part in range(1, 11)]

    def costs() -> str:
        took = []
        for version in versions:
            began = perf_counter()
            Door(api.parts.door.store).load(history.table, version)
            took.append((perf_counter() - began) * 1000)
        return f"mean {mean(took):.1f} ms, max {max(took):.1f} ms"

    print(f"\n{length} events, any version, cold, without keyframes: {costs()}")
    follower = following(api.parts.door.store)
    catch_up(follower)
    follower.end()
    print(f"with one every {EVERY}: {costs()}")
