"""The page's checker and the server's: written apart, they must give the same verdicts.

``CORRUPTIONS=10000`` in the environment tries more random damage than the usual hundred.
"""

import io
import json
import os
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from random import Random
from typing import Any, get_args

import pytest

from domain.catalogue import games
from events.records.lines import Redaction
from events.records.record import export
from events.records.verify import verify_record
from tests.events.histories import finished, recorded_as
from tests.events.tampering import FORGERIES, REWRITINGS, damaged, forged

CORRUPTIONS = int(os.environ.get("CORRUPTIONS", "100"))
AT_ONCE = 300
PROGRAM = Path(__file__).with_name("verify_records.mjs")
NODE = shutil.which("node")
pytestmark = pytest.mark.skipif(NODE is None, reason="node is not installed")


def verdicts(records: Sequence[bytes], kept: str = "") -> list[Any]:
    """Answer what the page's checker says of each record."""
    sent = b"".join(b"%b %d\n" % (kept.encode(), len(each)) + each for each in records)
    answer = subprocess.run([str(NODE), PROGRAM], input=sent, capture_output=True, check=False)
    assert answer.returncode == 0, answer.stderr.decode()
    return [json.loads(line) for line in answer.stdout.splitlines()]


def assert_equal_verdicts(records: Sequence[bytes], kept: str = "") -> list[Any]:
    said = verdicts(records, kept)
    assert len(said) == len(records)
    for record, verdict in zip(records, said, strict=True):
        assert verdict == asdict(verify_record(io.BytesIO(record), kept or None))
    return said


def good_records() -> list[bytes]:
    return [
        recorded_as(finished(game, game.seats[0]), redaction, seat=0)
        for game in games().values()
        for redaction in get_args(Redaction)
    ]


def test_good_records_are_good_to_both_with_the_same_facts() -> None:
    histories = [finished(game, seats) for game in games().values() for seats in game.seats]
    records = [recorded_as(each) for each in histories] + good_records()
    assert all(verdict["ok"] for verdict in assert_equal_verdicts(records))


def test_parts_and_running_tables_are_good_to_both() -> None:
    history = finished(next(iter(games().values())), 2)
    half = history.recorded[: len(history.recorded) // 2]
    whole = verify_record(io.BytesIO(b"".join(export(half[0], half, "full")))).facts or {}
    rest = export(
        half[0],
        history.recorded[len(half) :],
        "full",
        after=len(half),
        hash_after=bytes.fromhex(whole["head"]),
    )
    running = b"".join(export(half[0], half, "seat", seat=1))
    assert all(verdict["ok"] for verdict in assert_equal_verdicts([running, b"".join(rest)]))


def test_a_hash_that_was_kept_is_found_or_missed_by_both() -> None:
    records = good_records()
    head = (verify_record(io.BytesIO(records[0])).facts or {})["head"]
    found = [verdict["ok"] for verdict in assert_equal_verdicts(records, head)]
    assert found == [True, True, True] + [False] * (len(records) - 3)


def test_random_damage_gets_equal_verdicts_and_is_always_found() -> None:
    random = Random("damage to both")
    records = good_records()
    for _ in range(0, CORRUPTIONS, AT_ONCE):
        tried = [damaged(random.choice(records), random)[1] for _ in range(AT_ONCE)]
        assert not any(verdict["ok"] for verdict in assert_equal_verdicts(tried))


def test_forgeries_get_equal_verdicts() -> None:
    record = recorded_as(finished(next(iter(games().values())), 2))
    said = assert_equal_verdicts([forged(record, each.change) for each in FORGERIES.values()])
    assert [verdict["reason"] or "" for verdict in said] == [
        forgery.reason for forgery in FORGERIES.values()
    ]


def test_other_ways_to_write_a_record_get_equal_verdicts() -> None:
    record = recorded_as(finished(next(iter(games().values())), 2))
    tried = [record.replace(was, now, 1) for was, now in REWRITINGS.values()]
    tried += [b"", b"\n", b"{}\n", b"[]\n", b"null\n", record + record, record[:-1], b"\xff" * 9]
    assert not any(verdict["ok"] for verdict in assert_equal_verdicts(tried))
