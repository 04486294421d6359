"""Records: what each redaction shows, ranges, streaming, and the way back in.

``RECORDS=50`` in the environment takes more tables of every game than the usual one.
"""

import io
import json
import os
from collections.abc import Callable, Iterator
from typing import Any, get_args

import pytest

from domain.catalogue import games
from domain.game import AnyGame
from domain.table.commands import Sit
from domain.value import changed
from events.chain import canonical
from events.loaded import fold, unopened
from events.recorded import Recorded
from events.records.lines import Entry, Header, Redaction, read_body, read_header
from events.records.record import BadRecord, export, import_record
from events.records.verify import verify_record
from tests.events.histories import History, finished, opening, recorded_as
from tests.events.tampering import forged

RECORDS = int(os.environ.get("RECORDS", "1"))
TABLES = [
    pytest.param(game, seats, id=f"{game.name}-{seats}")
    for game in games().values()
    for seats in game.seats
]
GAMES = [pytest.param(game, id=game.name) for game in games().values()]
every_table = pytest.mark.parametrize(("game", "seats"), TABLES)
every_game = pytest.mark.parametrize("game", GAMES)
GAME = next(iter(games().values()))


def entries(record: bytes) -> list[dict[str, Any]]:
    return [json.loads(line) for line in record.splitlines()[1:-1]]


@every_table
def test_what_is_imported_is_exported_again_byte_for_byte(game: AnyGame, seats: int) -> None:
    for seed in range(RECORDS):
        history = finished(game, seats, seed, level=("random", "greedy")[seed % 2])
        record = recorded_as(history)
        imported = import_record(record)
        assert imported.recorded == tuple(history.recorded)
        assert imported.loaded == fold(unopened(history.table), history.recorded)
        assert imported.loaded.state == history.state
        again = export(imported.recorded[0], imported.recorded, "full")
        assert b"".join(again) == record


@every_game
def test_every_line_is_canonical_and_reads_back_as_it_was_written(game: AnyGame) -> None:
    for redaction in get_args(Redaction):
        record = recorded_as(finished(game, game.seats[0]), redaction, seat=1)
        first, *others = record.splitlines(keepends=True)
        assert read_header(first).line() == first
        assert all(canonical(json.loads(line)) + b"\n" == line for line in (first, *others))
        assert all(read_body(line).line() == line for line in others)


@every_game
def test_the_header_says_what_the_table_was_opened_with(game: AnyGame) -> None:
    history = finished(game, game.seats[0])
    header = json.loads(recorded_as(history, "public").splitlines()[0])
    opened = json.loads(history.recorded[0].public)
    for name in ("game", "rules", "options", "seats", "commitment"):
        assert header[name] == opened[name]
    assert header["format"] == "abraxas record 1"
    assert header["table"] == history.table
    assert tuple(header["deck"]) == game.deck(history.state.options)
    assert (header["redaction"], header["after"], "seat" in header) == ("public", 0, False)


@every_game
def test_a_redaction_opens_what_its_reader_was_told_and_nothing_else(game: AnyGame) -> None:
    history = finished(game, game.seats[-1])
    for seat in range(game.seats[-1]):
        record = recorded_as(history, "seat", seat=seat)
        for entry, recorded in zip(entries(record), history.recorded, strict=True):
            told = recorded.audience is not None and seat in recorded.audience
            assert ("sealed" in entry) == ("salt" in entry) == told
            assert ("inner" in entry) == (recorded.audience is not None and not told)
    assert not any("sealed" in entry for entry in entries(recorded_as(history, "public")))
    assert not any("inner" in entry for entry in entries(recorded_as(history, "full")))


def test_the_key_is_in_no_redacted_copy_before_the_end() -> None:
    history = finished(GAME, GAME.seats[0])
    running = history.recorded[:-1]
    for seat in range(GAME.seats[0]):
        record = b"".join(export(running[0], running, "seat", seat=seat))
        assert history.state.key.encode() not in record


def test_a_range_continues_the_record_that_ended_there() -> None:
    history = finished(GAME, GAME.seats[0])
    for after in (1, 40, len(history.recorded)):
        loaded = fold(unopened(history.table), history.recorded[:after])
        part = b"".join(
            export(
                history.recorded[0],
                history.recorded[after:],
                "full",
                after=after,
                hash_after=loaded.hash,
            )
        )
        verdict = verify_record(io.BytesIO(part))
        assert verdict.ok, verdict
        assert json.loads(part.splitlines()[0])["hash"] == loaded.hash.hex()
        assert part.splitlines()[1:-1] == recorded_as(history).splitlines()[after + 1 : -1]


def test_lines_leave_before_the_next_event_is_asked_for() -> None:
    history = finished(GAME, GAME.seats[0])
    asked = 0

    def events() -> Iterator[Recorded]:
        nonlocal asked
        for each in history.recorded:
            asked += 1
            yield each

    lines = export(history.recorded[0], events(), "public")
    for count, _ in zip(range(5), lines, strict=False):
        assert asked == count


def replay_of(change: Callable[[dict[str, Any], list[dict[str, Any]]], None]) -> bytes:
    return forged(recorded_as(finished(GAME, GAME.seats[0])), change)


def refused(record: bytes) -> tuple[int | None, str]:
    with pytest.raises(BadRecord) as bad:
        import_record(record)
    return bad.value.line, bad.value.reason


def test_a_damaged_record_is_refused_with_its_line_and_the_reason() -> None:
    record = recorded_as(finished(GAME, GAME.seats[0]))
    lines = record.splitlines(keepends=True)
    assert refused(record[:-1]) == (len(lines), "cut-off")
    assert refused(b"".join(lines[:-1])) == (len(lines), "ends-early")
    assert refused(record.replace(b'"at":', b'"at":1', 1)) == (2, "check-differs")
    assert refused(b"") == (1, "ends-early")


def test_only_a_whole_record_of_a_finished_table_is_imported() -> None:
    history = finished(GAME, GAME.seats[0])
    assert refused(recorded_as(history, "public")) == (1, "not-whole")
    running = history.recorded[:-1]
    assert refused(b"".join(export(running[0], running, "full"))) == (len(running) + 2, "not-over")
    loaded = fold(unopened(history.table), history.recorded[:9])
    part = export(
        history.recorded[0], history.recorded[9:], "full", after=9, hash_after=loaded.hash
    )
    assert refused(b"".join(part)) == (1, "not-whole")


def test_another_deck_than_the_games_is_refused() -> None:
    assert refused(replay_of(lambda header, _: header["deck"].reverse())) == (1, "deck-differs")


def test_a_game_nobody_knows_is_refused() -> None:
    def rename(header: dict[str, Any], entries: list[dict[str, Any]]) -> None:
        header["game"] = entries[0]["public"]["game"] = "chess"

    assert refused(replay_of(rename)) == (2, "unknown-game")


def test_an_opening_that_no_table_has_is_refused() -> None:
    def opened(**changes: Any) -> bytes:
        return replay_of(lambda _, entries: entries[0]["public"].update(changes))

    assert refused(opened(visibility="haunted")) == (2, "not-by-the-rules")
    assert refused(opened(visibility=None)) == (2, "unknown-event")

    def add_an_option(header: dict[str, Any], entries: list[dict[str, Any]]) -> None:
        header["options"]["gravity"] = entries[0]["public"]["options"]["gravity"] = 0

    assert refused(replay_of(add_an_option)) == (2, "not-by-the-rules")


def test_a_seat_that_is_taken_twice_is_refused() -> None:
    seats = GAME.seats[0]
    history = History("twice").carry_out(opening(GAME, seats), *map(Sit, ("ann", "bob")[:seats]))

    def sit_down_again(_: dict[str, Any], entries: list[dict[str, Any]]) -> None:
        entries[2]["seat"] = entries[2]["public"]["seat"] = 0

    record = forged(recorded_as(history.play_out()), sit_down_again)
    assert refused(record) == (4, "not-by-the-rules")


def test_an_event_nobody_knows_is_refused() -> None:
    record = replay_of(lambda _, entries: entries[-2].update(kind="PotExploded"))
    assert refused(record) == (len(record.splitlines()) - 2, "unknown-event")


def test_an_event_of_a_later_program_is_refused() -> None:
    record = replay_of(lambda _, entries: entries[-2].update(schema=99))
    assert refused(record) == (len(record.splitlines()) - 2, "unknown-event")


def test_a_field_that_no_event_has_is_refused() -> None:
    record = replay_of(lambda _, entries: entries[1]["public"].update(note="psst"))
    assert refused(record) == (3, "not-by-the-rules")


@every_game
def test_a_history_that_leaves_the_rules_is_refused_where_it_does(game: AnyGame) -> None:
    """An event is left out: all later versions are renumbered, and the chain fits again."""
    history = finished(game, game.seats[0])
    moved = [i for i, each in enumerate(history.recorded) if each.seat is not None]
    cut = next(i for i in moved if i > moved[-1] // 2)

    rest = tuple(
        changed(each, version=version)
        for version, each in enumerate(history.recorded[:cut] + history.recorded[cut + 1 :], 1)
    )
    record = b"".join(export(rest[0], rest, "full"))
    assert verify_record(io.BytesIO(record)).ok
    line, reason = refused(record)
    assert reason == "not-by-the-rules"
    assert line is not None
    assert line <= cut + 2


def test_shuffles_are_checked_against_the_rolls() -> None:
    """Two cards of the first hands change places, everywhere the record says so."""
    history = finished(GAME, GAME.seats[0])
    hands = [i for i, each in enumerate(history.recorded) if each.audience == (0,)]
    first = history.recorded[hands[0]]
    sealed = json.loads(first.sealed)
    (name,) = sealed
    sealed[name][0], sealed[name][-1] = sealed[name][-1], sealed[name][0]
    recorded = list(history.recorded)
    recorded[hands[0]] = changed(first, sealed=canonical(sealed))
    record = b"".join(export(recorded[0], recorded, "full"))
    assert verify_record(io.BytesIO(record)).ok
    line, reason = refused(record)
    assert reason == "not-by-the-rules"
    assert line is not None
    assert line <= hands[0] + 2


def test_a_line_says_what_an_entry_says() -> None:
    history = finished(GAME, GAME.seats[0])
    lines = recorded_as(history).splitlines(keepends=True)
    entry = read_body(lines[1])
    assert isinstance(entry, Entry)
    assert isinstance(read_header(lines[0]), Header)
    assert (entry.kind, entry.version, entry.public) == (
        "TableOpened",
        1,
        history.recorded[0].public,
    )
