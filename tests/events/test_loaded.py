"""A table is its history: folding what was stored is what was played live."""

import json

import pytest

from domain.catalogue import games
from domain.game import AnyGame
from domain.table.state import NOWHERE
from domain.value import changed
from events import chain, codec
from events.loaded import BrokenHistory, Loaded, dice, fold, follow, unopened
from tests.events.histories import History, finished, opening, sitting

POTAGE = games()["potage_sauvage"]


@pytest.fixture(params=sorted(games()))
def game(request: pytest.FixtureRequest) -> AnyGame:
    return games()[request.param]


def test_before_its_first_event_a_table_is_nothing() -> None:
    assert unopened("t") == Loaded("t", 0, b"", 0, NOWHERE)


def test_folding_what_was_recorded_is_the_live_table(game: AnyGame) -> None:
    for seats in game.seats:
        history = finished(game, seats)
        loaded = fold(unopened(history.table), history.recorded)
        assert loaded.state == history.state
        assert loaded.version == len(history.recorded)
        assert loaded.at == history.recorded[-1].at


def test_a_history_may_be_folded_in_any_pieces() -> None:
    history = finished(POTAGE, 3)
    whole = fold(unopened(history.table), history.recorded)
    pieces = unopened(history.table)
    for at in range(0, len(history.recorded), 7):
        pieces = fold(pieces, history.recorded[at : at + 7])
    assert pieces == whole


def test_the_chain_is_that_of_the_page() -> None:
    history = finished(POTAGE, 2)
    key = bytes.fromhex(history.state.key)
    opened = json.loads(history.recorded[0].public)
    head = chain.first_hash(history.table, opened)
    for each in history.recorded:
        inner = chain.inner(chain.salt(key, each.version), each.sealed) if each.sealed else b""
        head = chain.next_hash(
            head,
            each.version,
            each.kind,
            each.schema,
            each.at,
            each.seat,
            each.audience,
            each.public,
            inner,
        )
    assert fold(unopened(history.table), history.recorded).hash == head


def test_following_decided_events_is_folding_their_records() -> None:
    history = finished(POTAGE, 2)
    before = fold(unopened(history.table), history.recorded[:20])
    recorded = history.recorded[20:25]
    events = [codec.decode(each, POTAGE) for each in recorded]
    assert follow(before, recorded, events) == fold(before, recorded)


def test_a_gap_a_repeat_and_another_order_are_no_history() -> None:
    recorded = finished(POTAGE, 2).recorded
    for broken in (
        recorded[1:],
        [*recorded[:5], *recorded[6:]],
        [*recorded[:5], *recorded[4:]],
        [*recorded[:4], recorded[5], recorded[4], *recorded[6:]],
    ):
        with pytest.raises(BrokenHistory):
            fold(unopened(recorded[0].table), broken)


def test_any_change_of_a_stored_event_moves_every_later_hash() -> None:
    recorded = finished(POTAGE, 2).recorded
    table = recorded[0].table
    head = fold(unopened(table), recorded).hash
    for at, kind in ((3, "SeatTaken"), (2, "SeatTaken")):
        other = changed(recorded[at - 1], at=recorded[at - 1].at + 1)
        assert other.kind == kind
        again = [*recorded[: at - 1], other, *recorded[at:]]
        assert fold(unopened(table), again).hash != head


def test_what_was_handed_out_never_changes() -> None:
    recorded = finished(POTAGE, 2).recorded
    table = recorded[0].table
    before = fold(unopened(table), recorded[:30])
    kept = changed(before)
    fold(before, recorded[30:])
    assert before == kept


def test_the_dice_of_a_decision_are_the_key_the_entropy_and_its_number() -> None:
    history = History("t").carry_out(opening(POTAGE, 2), *sitting(2))
    state = history.state
    entropies = [bytes.fromhex(chair.entropy) for chair in state.chairs if chair]
    key = bytes.fromhex(state.key)
    sealed = json.loads(next(e.sealed for e in history.recorded if e.kind == "DiceRolled"))
    roll = chain.keyed_roll(key, entropies, 0)
    assert [[n, roll(n)] for n, _ in sealed["rolls"]] == sealed["rolls"]
    assert state.rolls == 1
    later = chain.keyed_roll(key, entropies, 1)
    cast = dice(state)
    assert [cast.pick(n) for n in (52, 7, 3)] == [later(n) for n in (52, 7, 3)]
