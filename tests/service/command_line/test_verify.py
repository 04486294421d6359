"""abraxas verify says what a record proves, how far it goes, and which line is wrong."""

import gzip
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from domain.catalogue import games
from domain.dice import seeded
from domain.game import Seat
from domain.table.commands import Sit
from domain.table.fork import fork
from domain.table.state import Origin
from events.records.packing import packed
from events.records.record import export
from service.__main__ import main
from tests.events.histories import History, finished, opening, recorded_as, sitting
from tests.events.tampering import forged

GAME = next(iter(games().values()))
SEATS = GAME.seats[0]
HISTORY = finished(GAME, SEATS)


def verified(path: Path, content: bytes, *options: str) -> Result:
    path.write_bytes(content)
    return CliRunner().invoke(main, ["verify", str(path), *options])


def test_a_full_record_is_proved_to_the_last_move(tmp_path: Path) -> None:
    result = verified(tmp_path / "full.jsonl", recorded_as(HISTORY))
    assert result.exit_code == 0
    assert f"Table {HISTORY.table}: {GAME.name}, rules {GAME.rules}, full copy" in result.stdout
    assert f"{len(HISTORY.recorded)} events in one chain" in result.stdout
    assert "commands decided again" in result.stdout
    assert "could not" not in result.stdout
    assert "No --head was given" in result.stdout


@pytest.mark.parametrize("suffix", [".gz", ".zst"])
def test_packed_records_are_read(tmp_path: Path, suffix: str) -> None:
    encoding = "gzip" if suffix == ".gz" else "zstd"
    content = b"".join(packed([recorded_as(HISTORY)], encoding))  # type: ignore[arg-type]
    result = verified(tmp_path / f"full.jsonl{suffix}", content)
    assert (result.exit_code, "commands decided again" in result.stdout) == (0, True)


def test_a_redacted_copy_says_how_far_it_goes(tmp_path: Path) -> None:
    sealed = sum(each.audience is not None for each in HISTORY.recorded)
    result = verified(tmp_path / "public.jsonl", recorded_as(HISTORY, "public"))
    assert result.exit_code == 0
    assert f"{sealed} sealed faces could not be opened" in result.stdout
    assert f"{HISTORY.state.rolls} rolls could not be checked" in result.stdout
    assert "in a full copy only" in result.stdout
    mine = verified(tmp_path / "mine.jsonl", recorded_as(HISTORY, "seat", seat=1))
    assert "seat 1's copy" in mine.stdout
    assert f"of {sealed} sealed faces are open" in mine.stdout


def test_a_running_table_has_no_key_yet(tmp_path: Path) -> None:
    part = HISTORY.recorded[:30]
    content = b"".join(export(part[0], part, "seat", seat=0))
    result = verified(tmp_path / "running.jsonl", content)
    assert result.exit_code == 0
    assert "its key is not told yet" in result.stdout
    assert "salts come from" not in result.stdout


def test_a_part_of_a_record_says_what_it_leaves_open(tmp_path: Path) -> None:
    content = b"".join(
        export(HISTORY.recorded[0], HISTORY.recorded[9:], after=9, hash_after=b"\0" * 32)
    )
    result = verified(tmp_path / "part.jsonl", content)
    assert result.exit_code == 0
    assert "events after version 9 in one chain" in result.stdout
    assert "What came before" in result.stdout


def test_damage_is_named_by_its_line(tmp_path: Path) -> None:
    content = recorded_as(HISTORY).replace(b'"kind":"GameStarted"', b'"kind":"GameStopped"')
    result = verified(tmp_path / "bad.jsonl", content)
    line = content[: content.index(b"GameStopped")].count(b"\n") + 1
    assert result.exit_code == 1
    assert f"WRONG  Line {line}: " in result.stdout
    assert "(check-differs)" in result.stdout


def test_what_is_not_by_the_rules_is_named_by_its_line(tmp_path: Path) -> None:
    content = forged(recorded_as(HISTORY), lambda header, _: header["deck"].reverse())
    result = verified(tmp_path / "deck.jsonl", content)
    assert result.exit_code == 1
    assert "WRONG  Line 1: the deck" in result.stdout


def test_a_hash_that_was_kept_is_looked_for(tmp_path: Path) -> None:
    content = recorded_as(HISTORY)
    shown = verified(tmp_path / "full.jsonl", content).stdout
    head = shown.split("with the head ")[1].split()[0]
    good = verified(tmp_path / "full.jsonl", content, "--head", head.upper())
    assert good.exit_code == 0
    assert f"the chain's at version {len(HISTORY.recorded)}" in good.stdout
    bad = verified(tmp_path / "full.jsonl", content, "--head", "0" * 64)
    assert bad.exit_code == 1
    assert "(head-differs)" in bad.stdout


def test_a_fork_says_where_it_comes_from_and_is_proved_from_there(tmp_path: Path) -> None:
    parent = History("parent").carry_out(opening(GAME, SEATS), *sitting(SEATS))
    command = fork(
        parent.state,
        Origin(parent.table, len(parent.recorded)),
        viewer=Seat(0),
        dice=seeded(0),
        opener="ann",
        key="ef" * 32,
        sitting=(Sit("ann"), *(Sit(None, bot="random") for _ in parent.state.chairs[1:])),
    )
    child = History("child").carry_out(command).play_out()
    result = verified(tmp_path / "fork.jsonl", recorded_as(child))
    assert result.exit_code == 0
    assert f"A what-if of table parent from its version {len(parent.recorded)}" in result.stdout
    assert "commands decided again" in result.stdout


def test_what_cannot_be_read_is_one_sentence(tmp_path: Path) -> None:
    for content in (b"plain", gzip.compress(recorded_as(HISTORY))[:-9]):
        result = verified(tmp_path / "cut.jsonl.gz", content)
        assert result.exit_code == 2
        assert result.stderr.startswith("abraxas: ")
        assert result.stderr.count("\n") == 1
    assert CliRunner().invoke(main, ["verify", str(tmp_path / "none")]).exit_code == 2
    short = verified(tmp_path / "full.jsonl", b"", "--head", "abc")
    assert (short.exit_code, "64 hex digits" in short.stderr) == (2, True)


def test_a_terminal_obeys_nothing_in_a_record(tmp_path: Path) -> None:
    content = forged(
        recorded_as(HISTORY, "public"), lambda header, _: header.update(table="\x1b[2J")
    )
    result = verified(tmp_path / "escape.jsonl", content)
    assert result.exit_code == 0
    assert "\x1b" not in result.stdout
