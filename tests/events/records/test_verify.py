"""The checker: what it proves of good records, and that it names the line of every damage.

``CORRUPTIONS=10000`` in the environment tries more random damage than the usual few hundred.
"""

import io
import os
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import get_args

import pytest

from domain.catalogue import games
from domain.game import AnyGame, Seat
from domain.table.commands import Leave
from domain.value import changed
from events.records.lines import Redaction, read_header
from events.records.record import export, import_record
from events.records.verify import DAMAGES, Verdict, verify_record
from tests.architecture.tree import ROOT
from tests.events.histories import History, finished, opening, recorded_as, sitting
from tests.events.tampering import (
    FORGERIES,
    REWRITINGS,
    Forgery,
    damaged,
    damaged_line,
    forged,
    forged_line,
)

CORRUPTIONS = int(os.environ.get("CORRUPTIONS", "300"))
GAMES = [pytest.param(game, id=game.name) for game in games().values()]
every_game = pytest.mark.parametrize("game", GAMES)
GAME = next(iter(games().values()))
SEATS = GAME.seats[0]


def verified(record: bytes, kept: str | None = None) -> Verdict:
    return verify_record(io.BytesIO(record), kept)


@every_game
def test_of_a_full_record_everything_is_proved(game: AnyGame) -> None:
    history = finished(game, game.seats[-1])
    verdict = verified(recorded_as(history))
    assert (verdict.ok, verdict.line, verdict.reason) == (True, None, None)
    facts = verdict.facts or {}
    assert (facts["table"], facts["game"]) == (history.table, game.name)
    assert facts["events"] == len(history.recorded)
    assert facts["over"]
    assert facts["opened"] == facts["salted"] == facts["sealed"] > 0
    assert facts["rolls"] == facts["rolled"] == history.state.rolls > 0
    assert facts["kept"] is facts["forked_from"] is None


@every_game
def test_a_redacted_record_is_proved_as_far_as_it_goes(game: AnyGame) -> None:
    history = finished(game, game.seats[-1])
    whole = verified(recorded_as(history)).facts or {}
    public = verified(recorded_as(history, "public")).facts or {}
    mine = verified(recorded_as(history, "seat", seat=1)).facts or {}
    assert whole["head"] == public["head"] == mine["head"]
    assert whole["sealed"] == public["sealed"] == mine["sealed"]
    assert public["opened"] == public["salted"] == public["rolls"] == 0
    assert 0 < mine["opened"] == mine["salted"] < mine["sealed"]


def test_a_record_of_a_running_table_is_proved_without_its_key() -> None:
    history = finished(GAME, SEATS)
    part = history.recorded[: len(history.recorded) // 2]
    record = b"".join(export(part[0], part, "seat", seat=0))
    facts = verified(record).facts or {}
    assert not facts["over"]
    assert facts["opened"] > facts["salted"] == 0


def test_a_hash_that_was_kept_is_found_wherever_the_chain_passed_it() -> None:
    record = recorded_as(finished(GAME, SEATS))
    lines = record.splitlines(keepends=True)
    facts = verified(record).facts or {}
    assert (verified(record, facts["head"]).facts or {})["kept"] == facts["events"]
    earlier = forged(record, lambda _, entries: entries.__delitem__(slice(5, None)))
    hash_of_five = (verified(earlier).facts or {})["head"]
    found = verified(record, hash_of_five)
    assert found.ok
    assert (found.facts or {})["kept"] == 5
    assert len(lines) == facts["events"] + 2


def test_a_history_rewritten_as_a_whole_is_found_by_a_hash_that_was_kept_and_by_nothing_else() -> (
    None
):
    record = recorded_as(finished(GAME, SEATS))
    kept = (verified(record).facts or {})["head"]
    rewritten = forged(record, lambda _, entries: entries[1].update(at=entries[1]["at"] + 1))
    assert verified(rewritten).ok
    verdict = verified(rewritten, kept)
    assert (verdict.ok, verdict.line, verdict.reason) == (False, None, "head-differs")


@pytest.mark.parametrize("redaction", get_args(Redaction))
def test_every_random_damage_is_found_on_its_line(redaction: Redaction) -> None:
    random = Random(f"damage {redaction}")
    records = [
        recorded_as(finished(game, game.seats[0]), redaction, seat=0) for game in games().values()
    ]
    for _ in range(CORRUPTIONS // 3):
        record = random.choice(records)
        way, other = damaged(record, random)
        verdict = verified(other)
        assert not verdict.ok, way
        assert verdict.line == damaged_line(record, other), (way, verdict.reason)
        assert verdict.reason in DAMAGES
        assert verdict.facts is None


@pytest.mark.parametrize("forgery", FORGERIES.values(), ids=FORGERIES)
def test_a_forgery_whose_chain_fits_again_is_found_by_what_it_says(forgery: Forgery) -> None:
    record = forged(recorded_as(finished(GAME, SEATS)), forgery.change)
    verdict = verified(record)
    assert verdict.ok == (forgery.reason == "")
    assert verdict.reason == (forgery.reason or None)
    assert verdict.line == forged_line(record, forgery.where)


@pytest.mark.parametrize(("was", "now"), REWRITINGS.values(), ids=REWRITINGS)
def test_there_is_one_way_to_write_a_record(was: bytes, now: bytes) -> None:
    record = recorded_as(finished(GAME, SEATS))
    assert was in record
    other = record.replace(was, now, 1)
    verdict = verified(other)
    assert not verdict.ok
    assert verdict.line == damaged_line(record, other)


def test_a_hash_before_the_first_event_that_is_not_the_headers_is_found() -> None:
    lines = recorded_as(finished(GAME, SEATS)).splitlines(keepends=True)
    wrong = replace(read_header(lines[0]), hash="0" * 64)
    verdict = verified(b"".join([wrong.line(), *lines[1:]]))
    assert (verdict.line, verdict.reason) == (1, "hash-differs")


def test_nothing_follows_the_last_line() -> None:
    record = recorded_as(finished(GAME, SEATS))
    verdict = verified(record + record)
    assert (verdict.line, verdict.reason) == (record.count(b"\n") + 1, "after-the-end")


def test_the_entropy_of_who_left_again_does_not_count() -> None:
    history = History("left")
    first, *others = sitting(SEATS, "left")
    history.carry_out(opening(GAME, SEATS), changed(first, player="eve", entropy="ee" * 32))
    history.carry_out(Leave("eve", Seat(0)), changed(first, entropy=""), *others)
    facts = verified(recorded_as(history.play_out())).facts or {}
    assert facts["rolls"] == facts["rolled"] > 0
    assert import_record(recorded_as(history)).loaded.state == history.state


def test_nothing_is_no_record() -> None:
    assert verified(b"") == Verdict(ok=False, line=1, reason="ends-early", facts=None)


def test_every_reason_is_given_by_some_record() -> None:
    given = {forgery.reason for forgery in FORGERIES.values()} - {""}
    elsewhere = {"cut-off", "check-differs", "hash-differs", "count-differs", "digest-differs"}
    assert set(DAMAGES) == given | elsewhere | {"head-differs"}


@pytest.mark.parametrize(
    ("line", "was", "now", "reason"),
    [
        (0, b'"hash":"', b'"hash":"0', "bad-shape"),
        (0, b'"after":0', b'"after":1', "check-differs"),
        (-1, b'{"count":', b'{"count":1', "count-differs"),
        (-1, b'{"count":', b'{"ants":1,"count":', "bad-shape"),
        (-1, b'"digest":"', b'"digest":"0', "bad-shape"),
        (-1, b"}\n", b"}", "cut-off"),
    ],
)
def test_damage_to_the_first_and_last_line(line: int, was: bytes, now: bytes, reason: str) -> None:
    lines = recorded_as(finished(GAME, SEATS)).splitlines(keepends=True)
    lines[line] = lines[line].replace(was, now)
    verdict = verified(b"".join(lines))
    assert (verdict.line, verdict.reason) == (line % len(lines) + 1, reason)


def test_the_last_line_covers_every_byte_before_it() -> None:
    record = recorded_as(finished(GAME, SEATS))
    lines = record.splitlines(keepends=True)
    other_digest = forged(record, lambda header, _: header.update(deck=["x"])).splitlines(
        keepends=True
    )
    verdict = verified(b"".join([*lines[:-1], other_digest[-1]]))
    assert (verdict.line, verdict.reason) == (len(lines), "digest-differs")
    other_head = forged(record, lambda _, entries: entries[-1].update(at=0)).splitlines(
        keepends=True
    )
    verdict = verified(b"".join([*lines[:-1], other_head[-1]]))
    assert (verdict.line, verdict.reason) == (len(lines), "hash-differs")


CHECKER = ("chain", "records/lines", "records/proofs", "records/verify")
ALONE = """
import sys
from events.records.verify import verify_record
with open(sys.argv[1], "rb") as record:
    print(verify_record(record).ok)
"""


def test_the_checker_works_as_four_files_and_the_standard_library(tmp_path: Path) -> None:
    (tmp_path / "events/records").mkdir(parents=True)
    for name in CHECKER:
        shutil.copy(ROOT / "events" / f"{name}.py", tmp_path / "events" / f"{name}.py")
    (tmp_path / "record.jsonl").write_bytes(recorded_as(finished(GAME, SEATS)))
    command = [sys.executable, "-S", "-c", ALONE, "record.jsonl"]
    answer = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (answer.stdout, answer.stderr) == ("True\n", "")
