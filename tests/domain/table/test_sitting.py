"""A sitting: open, sit, leave while open, start when full, play, end."""

from collections.abc import Sequence
from hashlib import sha256

import pytest

from domain.catalogue import games
from domain.dice import Dice, seeded
from domain.game import BadField, Refused, Seat
from domain.sealed import audience, face_for
from domain.selfplay import choose, final, opening, selfplay, take
from domain.table import TABLE
from domain.table.commands import Command, Leave, Open, Play, Sit
from domain.table.events import (
    DiceRolled,
    GameStarted,
    KeyRevealed,
    SeatLeft,
    SeatTaken,
    TableOpened,
)
from domain.table.state import NOWHERE, Table
from domain.table.view import moves, reshuffle, to_move, view, viewers
from domain.value import changed
from domain.wire import plain_options

GAME = next(iter(games().values()))
SEATS = GAME.seats[0]
KEY = "ab" * 32


def fresh(_: Table) -> Dice:
    return seeded(0)


def opened(*sitting: Sit) -> Open:
    return changed(opening(GAME, SEATS, {}), key=KEY, sitting=sitting)


def table_after(*commands: Command) -> Table:
    table = NOWHERE
    for command in commands:
        table = take(table, command, fresh).after
    return table


def refused(table: Table, command: Command) -> str:
    with pytest.raises(Refused) as refusal:
        TABLE.decide(table, command, fresh)
    return refusal.value.code


def kinds(events: Sequence[object]) -> list[type]:
    return [type(event) for event in events]


def test_opening_commits_to_a_key_that_nobody_reads() -> None:
    happened = TABLE.decide(NOWHERE, opened(), fresh)
    assert kinds(happened) == [TableOpened]
    assert happened[0].commitment == sha256(bytes.fromhex(KEY)).hexdigest()
    assert audience(happened[0]) == ()
    assert "key" not in face_for(happened[0], Seat(0))


def test_an_opened_table_tells_what_was_agreed() -> None:
    (happened,) = TABLE.decide(NOWHERE, changed(opened(), opener="ann"), fresh)
    assert happened == TableOpened(
        game=GAME.name,
        rules=GAME.rules,
        seats=SEATS,
        options=plain_options(GAME.options().settled(SEATS)),
        visibility="public",
        opener="ann",
        commitment=sha256(bytes.fromhex(KEY)).hexdigest(),
        key=KEY,
    )
    table = TABLE.fold((happened,))
    assert (table.rules, table.opener, table.key) == (GAME.rules, "ann", KEY)


def test_the_opener_and_bots_sit_down_in_the_same_breath() -> None:
    happened = TABLE.decide(NOWHERE, opened(Sit("ann", seat=Seat(1))), fresh)
    assert happened[1] == SeatTaken(Seat(1), "ann", None, "")


def test_seats_outside_the_game_are_a_bad_field() -> None:
    for seats in (GAME.seats[0] - 1, GAME.seats[-1] + 1):
        with pytest.raises(BadField) as bad:
            TABLE.decide(NOWHERE, changed(opened(), seats=seats), fresh)
        assert bad.value.field == "seats"
        assert bad.value.reason == f"must be from {GAME.seats[0]} to {GAME.seats[-1]}"


def test_more_players_than_seats_find_the_table_full() -> None:
    command = opened(*(Sit(f"p{i}") for i in range(SEATS + 1)))
    assert refused(NOWHERE, command) == "table-full"


def test_a_table_is_opened_once() -> None:
    assert refused(table_after(opened()), opened()) == "table-exists"


def test_whoever_sits_without_a_wish_gets_the_first_free_seat() -> None:
    table = table_after(opened(Sit("ann", seat=Seat(1))), Sit("bob"))
    assert table.seat_of("bob") == 0


def test_the_game_starts_with_a_deal_when_the_last_seat_is_taken() -> None:
    table = table_after(opened(*(Sit(f"p{i}") for i in range(SEATS - 1))))
    happened = TABLE.decide(table, Sit("last"), fresh)
    assert kinds(happened)[:3] == [SeatTaken, GameStarted, DiceRolled]
    assert TABLE.fold(happened, table).phase == "playing"


def test_the_dice_of_the_start_are_asked_once_every_entropy_is_in() -> None:
    seen: list[Table] = []

    def chance(table: Table) -> Dice:
        seen.append(table)
        return seeded(0)

    table = table_after(opened(*(Sit(f"p{i}") for i in range(SEATS - 1))))
    TABLE.decide(table, Sit("last", entropy="c0ffee"), chance)
    assert [chair.entropy for chair in seen[0].chairs if chair][-1] == "c0ffee"


def test_a_seat_is_taken_by_one() -> None:
    table = table_after(opened(Sit("ann", seat=Seat(0))))
    assert refused(table, Sit("bob", seat=Seat(0))) == "seat-taken"
    assert refused(table, Sit("ann")) == "already-seated"


def test_a_seat_beyond_the_table_is_a_bad_field() -> None:
    for seat in (SEATS, 9):
        with pytest.raises(BadField) as bad:
            TABLE.decide(table_after(opened()), Sit("ann", seat=Seat(seat)), fresh)
        assert (bad.value.field, bad.value.reason) == ("seat", f"must be below {SEATS}")


def test_a_bot_of_an_unknown_level_is_a_bad_field() -> None:
    with pytest.raises(BadField) as bad:
        TABLE.decide(table_after(opened()), Sit(None, bot="psychic"), fresh)
    assert bad.value.field == "bots"
    assert bad.value.reason == f"must be one of {', '.join(GAME.bots)}"


def test_a_bot_sits_down_at_its_level_and_is_seen_to() -> None:
    happened = TABLE.decide(NOWHERE, opened(Sit(None, bot="greedy")), fresh)
    assert happened[1] == SeatTaken(Seat(0), None, "greedy", "")
    seen = view(TABLE.fold(happened), "spectator")
    assert seen["seats"][0] == {"seat": 0, "player": None, "bot": "greedy"}


def test_several_bots_of_a_level_may_sit() -> None:
    table = table_after(opened(*(Sit(None, bot="random") for _ in range(SEATS))))
    assert table.phase == "playing"


def test_who_saw_another_commitment_does_not_sit_down() -> None:
    table = table_after(opened())
    assert refused(table, Sit("ann", commitment="00" * 32)) == "commitment-differs"
    assert table_after(opened(), Sit("ann", commitment=table.commitment)).seat_of("ann") == 0


def test_a_seat_is_left_only_while_the_table_is_open_and_only_by_its_owner() -> None:
    table = table_after(opened(Sit("ann")))
    assert refused(table, Leave("bob", Seat(0))) == "not-your-seat"
    assert TABLE.decide(table, Leave("ann", Seat(0)), fresh) == (SeatLeft(Seat(0), "ann"),)
    assert table_after(opened(Sit("ann")), Leave("ann", Seat(0))).chairs[0] is None
    full = table_after(opened(*(Sit(f"p{i}") for i in range(SEATS))))
    assert refused(full, Leave("p0", Seat(0))) == "already-started"
    assert refused(full, Sit("late")) == "already-started"


def test_nothing_is_played_before_the_start() -> None:
    command = moves(table_after(opened(*(Sit(f"p{i}") for i in range(SEATS)))), Seat(0))[0]
    assert refused(table_after(opened()), Play(Seat(0), command)) == "not-started"


def test_the_dice_of_a_move_are_asked_of_the_table_as_it_is() -> None:
    asked: list[Table] = []

    def chance(table: Table) -> Dice:
        asked.append(table)
        return seeded(0)

    step = next(selfplay(GAME, SEATS))
    seat = to_move(step.after)[0]
    TABLE.decide(step.after, Play(seat, moves(step.after, seat)[0]), chance)
    assert asked == [step.after]


def test_the_key_is_revealed_in_the_append_that_ends_the_table() -> None:
    steps = list(selfplay(GAME, SEATS))
    assert isinstance(steps[-1].events[-1], KeyRevealed)
    assert sum(KeyRevealed in kinds(step.events) for step in steps) == 1
    assert steps[-1].after.phase == "over"


def test_a_finished_table_refuses_moves_by_the_game() -> None:
    steps = list(selfplay(GAME, SEATS))
    last = steps[-1].command
    assert isinstance(last, Play)
    assert refused(steps[-1].after, last) == "game-over"


def test_every_decision_that_uses_chance_says_so_first_and_counts_one_roll() -> None:
    for step in selfplay(GAME, SEATS):
        rolled = kinds(step.events).count(DiceRolled)
        assert rolled <= 1
        assert step.after.rolls == step.before.rolls + rolled


def test_while_open_a_view_has_no_game_and_nobody_moves() -> None:
    seen = view(table_after(opened(Sit("ann"))), Seat(0))
    assert seen["phase"] == "open"
    assert (seen["play"], seen["result"], seen["moves"], seen["to_move"]) == (None, None, [], [])
    assert seen["seats"][0] == {"seat": 0, "player": "ann", "bot": None}
    assert seen["viewer"] == {"seat": 0}


def test_a_spectator_has_no_seat_and_no_moves() -> None:
    table = table_after(opened(*(Sit(f"p{i}") for i in range(SEATS))))
    seen = view(table, "spectator")
    assert seen["viewer"] == {"seat": None}
    assert seen["moves"] == []
    assert seen["to_move"] == list(to_move(table))


def test_an_open_table_has_nothing_to_deal_again() -> None:
    table = table_after(opened(Sit("ann")))
    assert reshuffle(table, Seat(0), seeded(0)) == table
    assert viewers(table) == (*range(SEATS), "spectator")


def test_a_view_never_shows_the_key_before_the_end() -> None:
    for step in selfplay(GAME, SEATS):
        for viewer in viewers(step.after):
            assert step.after.key not in str(view(step.after, viewer))


def test_bots_choose_from_a_view_alone() -> None:
    step = next(selfplay(GAME, SEATS))
    seat = to_move(step.after)[0]
    hidden = reshuffle(step.after, seat, seeded(5))
    for level in GAME.bots:
        first = choose(step.after, seat, level, seeded(6))
        assert first == choose(hidden, seat, level, seeded(6))


def test_an_unopened_table_has_no_game() -> None:
    with pytest.raises(ValueError, match="never opened"):
        _ = NOWHERE.playing
    with pytest.raises(ValueError, match="nothing"):
        final(iter(()))
