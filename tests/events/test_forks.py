"""Forks in the store: typed positions, nothing of the parent, the exact odds of hidden cards."""

from collections import Counter
from dataclasses import dataclass, replace
from itertools import combinations
from math import sqrt
from typing import Any

import pytest

from domain.catalogue import games
from domain.dice import seeded
from domain.game import AnyGame, Refused, Seat, Viewer
from domain.selfplay import Step, selfplay
from domain.table import TABLE
from domain.table.commands import Open, Play, Sit
from domain.table.events import PositionSet
from domain.table.fork import fork
from domain.table.state import Origin, Table
from domain.table.view import moves, reshuffle, to_move, viewers
from domain.value import changed
from events import codec
from events.loaded import fold, unopened
from events.recorded import Recorded
from events.records.record import import_record
from events.store import EventStore, command_key
from events.transact import Door
from tests.events.histories import History, finished, opening, recorded_as, sitting

KEY = "0f" * 32
GAMES = [pytest.param(game, id=game.name) for game in games().values()]
every_game = pytest.mark.parametrize("game", GAMES)


def forking(parent: Table, viewer: Viewer, seed: object = 0, origin: str = "parent") -> Open:
    bots = (Sit(None, bot="greedy") for _ in parent.chairs[1:])
    return fork(
        parent,
        Origin(origin, 1),
        viewer=viewer,
        dice=seeded(f"fork {seed}"),
        opener="ann",
        key=KEY,
        sitting=(Sit("ann"), *bots),
    )


def running(game: AnyGame) -> History:
    """Answer a table in the middle of its game."""
    history = History("parent")
    history.carry_out(opening(game, game.seats[-1]), *sitting(game.seats[-1]))
    for _ in range(25):
        seat = to_move(history.state)[0]
        history.carry_out(Play(seat, moves(history.state, seat)[0]))
    return history


@every_game
def test_a_position_is_stored_sealed_and_read_back_as_the_games_state(game: AnyGame) -> None:
    parent = running(game)
    child = History("child").carry_out(forking(parent.state, Seat(0)))
    position = child.recorded[2]
    assert (position.kind, position.public, position.audience) == ("PositionSet", b"{}", ())
    event = codec.decode(position, game)
    assert type(event) is PositionSet
    assert type(event.state) is type(parent.state.play)
    assert fold(unopened("child"), child.recorded).state == child.state


@every_game
def test_nothing_of_the_parents_past_is_in_a_fork(game: AnyGame) -> None:
    parent = running(game)
    for viewer in viewers(parent.state):
        child = History("child").carry_out(forking(parent.state, viewer)).play_out()
        stored = b"".join(each.joined for each in child.recorded)
        assert parent.state.key.encode() not in stored
        assert {each.table for each in child.recorded} == {"child"}
        told = {each.joined for each in parent.recorded if each.audience == ()}
        assert not told & {each.joined for each in child.recorded}


@every_game
def test_a_fork_played_to_its_end_is_a_record_like_any_other(game: AnyGame) -> None:
    child = History("child").carry_out(forking(running(game).state, Seat(1))).play_out("greedy")
    imported = import_record(recorded_as(child))
    assert imported.loaded.state == child.state
    assert imported.facts["forked_from"] == {"table": "parent", "version": 1}


@every_game
def test_an_older_position_goes_through_the_games_upcast(game: AnyGame) -> None:
    child = History("child").carry_out(forking(running(game).state, "spectator"))
    position = child.recorded[2]

    def shift(fields: dict[str, Any]) -> dict[str, Any]:
        return {"state": fields["former"]}

    later = replace(game, name="later", upcasts={("PositionSet", 1): shift})
    former = changed(position, sealed=position.sealed.replace(b'"state"', b'"former"', 1))
    assert codec.decode(former, later) == codec.decode(position, game)


def test_a_fork_is_opened_through_the_door_once(store: EventStore) -> None:
    game = next(iter(games().values()))
    parent = running(game)
    door, key = Door(store), command_key("ann", "k", {"version": 1})
    first = door.open("child", forking(parent.state, Seat(0), 1), key)
    again = door.open("child", forking(parent.state, Seat(0), 2), key)
    assert again.replayed
    assert again.recorded == first.recorded
    assert again.loaded == first.loaded == Door(store).load("child")
    with pytest.raises(Refused):
        door.open("early", changed(forking(parent.state, Seat(0)), position=None), key)


def test_an_imported_table_is_stored_and_loaded_like_any_other(store: EventStore) -> None:
    history = finished(next(iter(games().values())), 2)
    imported = import_record(recorded_as(history))
    store.append(
        history.table,
        after=0,
        after_hash="",
        recorded=imported.recorded,
        head=imported.loaded.hash.hex(),
        phase="over",
        command=command_key("ann", "import", {}),
    )
    assert Door(store).load(history.table) == imported.loaded


# The exact odds, on a position that is small enough to count every deal that may have led to it.


@dataclass(frozen=True)
class Small:
    """A position with two cards in each hand, and the commands since its deal."""

    dealt: Table
    played: tuple[Step, ...]
    table: Table


def small_position() -> Small:
    game = games()["potage_sauvage"]
    for seed in range(20):
        steps = list(selfplay(game, 4, seed=f"small {seed}"))
        dealt = 0
        for number, step in enumerate(steps):
            if "DealStarted" in [type(event).__name__ for event in step.events]:
                dealt = number
            play = step.after.play
            if step.after.phase == "playing" and [*map(len, play.hands)] == [2, 2, 2, 2]:
                small = Small(steps[dealt].after, tuple(steps[dealt + 1 : number + 1]), step.after)
                if any(play.voids[1:]):
                    return small
    raise AssertionError("no table came to such a position")


def may_have_been(small: Small, hands: tuple[tuple[str, ...], ...]) -> bool:
    """Play the whole deal again with other hands at its end: was every move legal?"""
    game, table = small.dealt.playing, small.dealt
    began = [
        [*hand, *(c.command.card for c in _plays(small) if c.seat == seat)]
        for seat, hand in enumerate(hands)
    ]
    sorted_hands = tuple(tuple(sorted(hand, key=game.deck(table.options).index)) for hand in began)
    table = changed(table, play=changed(table.play, hands=sorted_hands))
    for step in small.played:
        assert isinstance(step.command, Play)
        if step.command.command not in game.moves(table.play, step.command.seat):
            return False
        table = TABLE.fold(step.events, table)
    return True


def _plays(small: Small) -> list[Any]:
    commands: list[Any] = [step.command for step in small.played]
    return [each for each in commands if hasattr(each.command, "card")]


def exact_odds(small: Small) -> dict[Any, float]:
    """Count, for seat 0, every deal of the unseen cards that agrees with what was played."""
    play, deck = small.table.play, small.dealt.playing.deck(small.table.options)
    unseen = [card for hand in play.hands[1:] for card in hand]
    ways: Counter[Any] = Counter()
    places = set(range(len(unseen)))
    for one in combinations(places, 2):
        for two in combinations(places - set(one), 2):
            three = places - set(one) - set(two)
            dealt = [[unseen[i] for i in hand] for hand in (one, two, three)]
            hands = (play.hands[0], *(tuple(sorted(hand, key=deck.index)) for hand in dealt))
            if may_have_been(small, hands):
                ways[hands] += 1
    return {hands: count / ways.total() for hands, count in ways.items()}


DRAWS = 4000


def test_the_hidden_cards_of_a_fork_follow_the_exact_odds() -> None:
    small = small_position()
    odds = exact_odds(small)
    assert len(odds) > 10
    assert small.table.play.hands in odds
    elsewhere = reshuffle(small.table, Seat(0), seeded("elsewhere"))
    for parent in (small.table, elsewhere):
        before = repr(parent)
        drawn = Counter(position_of(parent, seed).hands for seed in range(DRAWS))
        assert repr(parent) == before, "the parent is untouched"
        assert set(drawn) <= set(odds), "no fork holds what seat 0 can exclude"
        chi_square = sum(
            (drawn[hands] - DRAWS * chance) ** 2 / (DRAWS * chance)
            for hands, chance in odds.items()
        )
        freedom = len(odds) - 1
        assert abs(chi_square - freedom) < 4 * sqrt(2 * freedom)


def position_of(parent: Table, seed: int) -> Any:
    """Open a fork and answer the state that its stored position reads as."""
    events = TABLE.decide(TABLE.initial, forking(parent, Seat(0), seed), lambda _: seeded(0))
    recorded: tuple[Recorded, ...] = codec.record(parent.playing, "child", 0, 0, events[:3])
    return codec.decode(recorded[2], parent.playing).state
