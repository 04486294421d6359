"""A finished table in the archive's form: every byte comes back, and few are kept."""

from typing import Any

import pytest

from domain.catalogue import games
from domain.value import changed
from domain.wire import read_options
from events.archive.packed import Archived, NotPackable, archivable, packed, unpacked
from events.archive.primer import NO_PRIMER, Primer, read, written
from events.archive.priming import prime
from tests.events.histories import finished

NAMES = sorted(games())


def table_of(name: str, seed: object = 0) -> Archived:
    """Answer a finished table of a game, ready for the archive."""
    game = games()[name]
    recorded = finished(game, game.seats[-1], seed).recorded
    return archivable(recorded, ())


@pytest.fixture(scope="session")
def primers() -> dict[str, Primer]:
    """Learn from some tables of each game."""
    found = {}
    for name, game in games().items():
        tables = [table_of(name, seed) for seed in range(100, 108)]
        deck = game.deck(read_options(game, {}, game.seats[-1]))
        found[name] = prime(7, tables, deck)
    return found


def name_of(archived: Archived) -> str:
    """Answer the id of a table."""
    return archived.recorded[0].table


@pytest.mark.parametrize("name", NAMES)
def test_a_table_comes_back_to_the_last_byte_without_a_primer(name: str) -> None:
    table = table_of(name)
    assert unpacked(packed(table), name_of(table)) == table


@pytest.mark.parametrize("name", NAMES)
def test_a_table_comes_back_to_the_last_byte_with_one(
    name: str, primers: dict[str, Primer]
) -> None:
    for seed in range(3):
        table = table_of(name, seed)
        assert unpacked(packed(table, primers[name]), name_of(table), primers[name]) == table


@pytest.mark.parametrize("name", NAMES)
def test_a_primer_spares_much_of_it(name: str, primers: dict[str, Primer]) -> None:
    table = table_of(name)
    assert len(packed(table, primers[name])) < 0.8 * len(packed(table))


@pytest.mark.parametrize("name", NAMES)
def test_a_primer_of_one_game_serves_the_others_too(name: str, primers: dict[str, Primer]) -> None:
    for primer in primers.values():
        table = table_of(name)
        assert unpacked(packed(table, primer), name_of(table), primer) == table


def test_a_primer_is_read_as_it_was_written(primers: dict[str, Primer]) -> None:
    for primer in primers.values():
        again = read(7, written(primer))
        assert written(again) == written(primer)
        table = table_of("potage_sauvage")
        assert unpacked(packed(table, primer), name_of(table), again) == table


def test_decisions_end_where_they_did_even_within_a_millisecond() -> None:
    recorded = [changed(each, at=1_760_000_000_000) for each in table_of("potage_sauvage").recorded]
    table = archivable(recorded, (11, 12, 13))
    assert table.ends == (11, 12, 13, len(recorded))
    assert unpacked(packed(table), name_of(table)).ends == table.ends


def test_a_clock_that_was_put_back_is_kept_as_it_was() -> None:
    recorded = table_of("potage_sauvage").recorded
    odd = [*recorded[:20], *(changed(each, at=each.at - 3_600_000) for each in recorded[20:])]
    table = archivable(odd, ())
    assert unpacked(packed(table), name_of(table)) == table


def test_rolls_and_commitments_that_do_not_follow_from_the_key_are_kept_as_they_were() -> None:
    recorded = [*table_of("potage_sauvage").recorded]
    for at, each in enumerate(recorded):
        if each.kind == "DiceRolled":
            recorded[at] = changed(each, sealed=b'{"rolls":[[52,0],[51,3]]}')
    opened = recorded[0]
    recorded[0] = changed(opened, sealed=b'{"key":"%s"}' % (b"ab" * 32))
    table = archivable(recorded, ())
    assert unpacked(packed(table), name_of(table)) == table


def test_traces_are_left_out_as_of_records() -> None:
    recorded = table_of("potage_sauvage").recorded
    traced = [changed(each, trace="00-0af7651916cd43dd8448eb211c80319c-01") for each in recorded]
    assert archivable(traced, ()) == archivable(recorded, ())


@pytest.mark.parametrize(
    "change",
    [
        {"public": b'{"b":1,"a":2}'},
        {"public": b'{"a": 1}'},
        {"public": b'{"a":1.5}'},
        {"public": b"[]"},
        {"version": 999},
    ],
)
def test_what_would_not_come_back_as_it_is_is_not_packed(change: dict[str, Any]) -> None:
    recorded = [*table_of("potage_sauvage").recorded]
    recorded[40] = changed(recorded[40], **change)
    with pytest.raises(NotPackable):
        packed(archivable(recorded, ()))


def test_damaged_bytes_are_not_read(primers: dict[str, Primer]) -> None:
    table = table_of("potage_sauvage")
    primer = primers["potage_sauvage"]
    content = packed(table, primer)
    for at in range(len(content)):
        damaged = content[:at] + bytes([content[at] ^ 1]) + content[at + 1 :]
        try:
            assert unpacked(damaged, name_of(table), primer) == table
        except ValueError:
            continue
    with pytest.raises(ValueError, match="cannot be read"):
        unpacked(content[: len(content) // 2], name_of(table), primer)
    with pytest.raises(ValueError, match="cannot be read"):
        unpacked(content, name_of(table), NO_PRIMER)
