"""How large records are, how soon they begin, and how many tables a second go out and are proved.

``BENCH_TABLES`` says how many tables are played for it (84 unless it is set).
"""

import gzip
import io
import os
from collections.abc import Callable
from statistics import mean
from time import perf_counter, process_time
from typing import Any

import pytest

from domain.catalogue import games
from events.records.packing import packed
from events.records.record import export, import_record, recorded_of
from events.records.replay import replay
from events.records.verify import check, verify_record
from tests.events.histories import History, finished, recorded_as

TABLES = int(os.environ.get("BENCH_TABLES", "84"))
pytestmark = pytest.mark.bench


@pytest.fixture(scope="module")
def histories() -> list[History]:
    kinds = [(game, seats) for game in games().values() for seats in game.seats]
    return [
        finished(game, seats, seed, "greedy" if seed % 2 else "random")
        for seed in range(-(-TABLES // len(kinds)))
        for game, seats in kinds
    ][:TABLES]


def per_second(count: int, work: Callable[[], Any]) -> str:
    wall, cpu = perf_counter(), process_time()
    work()
    wall, cpu = perf_counter() - wall, process_time() - cpu
    return f"{count / wall:.0f}/s, {count / cpu:.0f} for each second of CPU"


def test_bytes_of_a_finished_table(histories: list[History]) -> None:
    print("\ngame              events  redaction     raw    gzip    zstd")
    for name in games():
        mine = [each for each in histories if each.state.playing.name == name]
        events = mean(len(each.recorded) for each in mine)
        for redaction in ("public", "full"):
            records = [recorded_as(each, redaction) for each in mine]
            sizes = [
                mean(len(b"".join(packed([record], encoding))) for record in records)
                for encoding in ("identity", "gzip", "zstd")
            ]
            print(f"{name:17} {events:6.0f}  {redaction:9}", *(f"{size:7.0f}" for size in sizes))
            assert sizes[1] < sizes[0] / 3


def test_tables_a_second(histories: list[History]) -> None:
    records = [recorded_as(each) for each in histories]
    count = len(records)

    def exported_and_verified() -> None:
        for each in histories:
            assert verify_record(io.BytesIO(recorded_as(each))).ok

    def replayed() -> None:
        for record in records:
            checked = check(io.BytesIO(record))
            assert checked.header
            replay(recorded_of(checked), checked.header.deck)

    print(f"\n{count} tables, {sum(len(each.recorded) for each in histories)} events")
    print("exported              ", per_second(count, lambda: [*map(recorded_as, histories)]))
    print("exported and verified ", per_second(count, exported_and_verified))
    print("verified and replayed ", per_second(count, replayed))
    print("imported              ", per_second(count, lambda: [*map(import_record, records)]))


def test_how_soon_a_record_begins(histories: list[History]) -> None:
    largest = max(histories, key=lambda each: len(each.recorded))
    started = perf_counter()
    first = next(packed(export(largest.recorded[0], largest.recorded, "full"), "gzip"))
    begun = (perf_counter() - started) * 1000
    print(f"\nfirst {len(first)} bytes of {len(largest.recorded)} events after {begun:.1f} ms")
    assert begun < 50
    assert gzip.decompress(b"".join(packed([recorded_as(largest)], "gzip")))
