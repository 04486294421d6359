"""The contract of a game, checked on every game of the catalogue, seat count and many seeds."""

import copy
import json
from collections.abc import Callable, Iterator
from functools import reduce
from pathlib import Path
from typing import Any, TypeAlias, get_type_hints

import msgspec
import pytest
from msgspec.structs import fields

from domain.catalogue import games
from domain.dice import Dice, seeded
from domain.game import AnyGame, BadField, Refused, Seat
from domain.playthrough import plain_event, viewer_of
from domain.scenario import as_json, play_scenario
from domain.sealed import audience, face_fields, face_for, public_face, sealed_face
from domain.selfplay import Step, choose, final, selfplay
from domain.table import TABLE, TABLE_TEXTS
from domain.table.commands import Play
from domain.table.events import TABLE_EVENTS
from domain.table.state import NOWHERE
from domain.table.view import moves, reshuffle, to_move, view, viewers
from domain.texts import LANGUAGES, tell
from domain.wire import plain_command, read_command, type_name

Promise: TypeAlias = Callable[[AnyGame, int], None]
SEEDS = range(3)
TABLES = [
    pytest.param(game, seats, id=f"{game.name}-{seats}")
    for game in games().values()
    for seats in game.seats
]
GAMES = [pytest.param(game, id=game.name) for game in games().values()]
ROOMS = ("cards", "state", "commands", "events", "decide", "evolve", "moves", "view", "bot")
every_table = pytest.mark.parametrize(("game", "seats"), TABLES)
every_game = pytest.mark.parametrize("game", GAMES)


def steps_of(game: AnyGame, seats: int) -> Iterator[Step]:
    for seed in SEEDS:
        yield from selfplay(game, seats, seed=seed)


def every_command(game: AnyGame, steps: list[Step]) -> list[Any]:
    """Answer every command that was legal anywhere in a game, each once: a rich set to try."""
    seen: dict[Any, None] = {}
    for step in steps:
        for seat in range(len(step.after.chairs)):
            seen |= dict.fromkeys(moves(step.after, Seat(seat)))
    return list(seen)


@every_table
def test_a_game_ends_and_names_its_winners(game: AnyGame, seats: int) -> None:
    for seed in SEEDS:
        table = final(selfplay(game, seats, seed=seed))
        result = game.result(table.play)
        assert result is not None
        assert result["winners"] == sorted(set(result["winners"]))
        assert set(result["winners"]) <= set(range(seats))
        assert to_move(table) == ()
        assert all(moves(table, Seat(seat)) == () for seat in range(seats))


@every_table
def test_there_is_a_result_once_a_game_is_over_and_none_before(game: AnyGame, seats: int) -> None:
    for step in selfplay(game, seats, seed="result"):
        over = game.is_over(step.after.play)
        assert (game.result(step.after.play) is not None) == over == (step.after.phase == "over")


@every_table
def test_a_replay_of_the_events_is_the_live_table(game: AnyGame, seats: int) -> None:
    steps = list(selfplay(game, seats, seed="replay"))
    events = [event for step in steps for event in step.events]
    assert TABLE.fold(events) == steps[-1].after


@every_table
def test_every_listed_move_is_accepted_and_every_other_refused_with_a_known_code(
    game: AnyGame, seats: int
) -> None:
    steps = list(selfplay(game, seats, seed="legal"))
    tried = every_command(game, steps)
    known = set(game.texts.words["en"]["refusals"])
    for number, step in enumerate(steps):
        if number % 5 and number < len(steps) - 1:
            continue
        for seat in map(Seat, range(seats)):
            legal = moves(step.after, seat)
            assert len(legal) == len(set(legal)), "a move is listed once"
            for command in (*legal, *tried[number % 7 :: 7]):
                if command in legal:
                    assert game.decide(step.after.play, seat, command, seeded(1))
                else:
                    with pytest.raises((Refused, BadField)) as no:
                        game.decide(step.after.play, seat, command, seeded(1))
                    if isinstance(no.value, Refused):
                        assert no.value.code in known


@every_table
def test_seats_the_table_waits_for_have_moves_and_a_fallback(game: AnyGame, seats: int) -> None:
    for step in steps_of(game, seats):
        if step.after.phase == "playing":
            waiting = to_move(step.after)
            assert waiting == tuple(sorted(set(waiting)))
            assert waiting, "a table that is not over waits for somebody"
            for seat in waiting:
                assert game.fallback(step.after.play, seat) in moves(step.after, seat)


@every_table
def test_a_game_ends_when_nobody_is_there(game: AnyGame, seats: int) -> None:
    step = next(selfplay(game, seats, seed="absent"))
    state = step.after.play
    for _ in range(20_000):
        if game.is_over(state):
            break
        seat = game.to_move(state)[-1]
        events = game.decide(state, seat, game.fallback(state, seat), seeded(2))
        state = reduce(game.evolve, events, state)
    assert game.is_over(state)


@every_table
def test_no_view_move_or_refusal_depends_on_what_its_viewer_may_not_know(
    game: AnyGame, seats: int
) -> None:
    steps = list(selfplay(game, seats, seed="secret"))
    tried = every_command(game, steps)
    dice = seeded("deal again")
    for number, step in enumerate(steps):
        for viewer in viewers(step.after):
            other = reshuffle(step.after, viewer, dice)
            assert view(other, viewer) == view(step.after, viewer), f"step {number}, {viewer}"
            if isinstance(viewer, int):
                for command in tried[number % 11 :: 11]:
                    assert answer(game, other.play, viewer, command) == answer(
                        game, step.after.play, viewer, command
                    )


def answer(game: AnyGame, state: Any, seat: Seat, command: Any) -> str:
    """Answer how the rules meet a command: accepted, or a refusal's code."""
    try:
        game.decide(state, seat, command, seeded(3))
    except Refused as refusal:
        return refusal.code
    except BadField as bad:
        return str(bad)
    return "accepted"


@every_table
def test_dealing_again_moves_hidden_cards_and_keeps_a_state_that_can_be_played(
    game: AnyGame, seats: int
) -> None:
    steps = list(selfplay(game, seats, seed="again"))
    middle = steps[len(steps) // 2].after
    dice = seeded("another deal")
    others = [reshuffle(middle, "spectator", dice) for _ in range(8)]
    assert any(other.play != middle.play for other in others)
    table = others[0]
    for _ in range(20_000):
        if table.phase == "over":
            break
        seat = to_move(table)[0]
        move = choose(table, seat, "random", dice)
        table = TABLE.fold(TABLE.decide(table, Play(seat, move), lambda _: Dice(dice.pick)), table)
    assert table.phase == "over"


@every_table
def test_the_arbiter_of_a_running_game_sees_open_hands_and_at_the_end_what_a_spectator_sees(
    game: AnyGame, seats: int
) -> None:
    for step in selfplay(game, seats, seed="arbiter"):
        arbiter = game.view(step.after.play, "arbiter")
        spectator = game.view(step.after.play, "spectator")
        if step.after.phase == "playing":
            assert "hands" in arbiter.pop("open")
        assert arbiter == spectator


@every_table
def test_nothing_that_was_handed_out_changes(game: AnyGame, seats: int) -> None:
    for step in selfplay(game, seats, seed="frozen"):
        before = copy.deepcopy(step.before)
        TABLE.fold(step.events, step.before)
        for viewer in viewers(step.before) if step.before.phase == "playing" else ():
            view(step.before, viewer)
            reshuffle(step.before, viewer, seeded(4))
        assert step.before == before


@every_table
def test_views_events_and_states_are_plain_values(game: AnyGame, seats: int) -> None:
    encoder = msgspec.json.Encoder()
    for step in selfplay(game, seats, seed="plain"):
        for event in step.events:
            body = encoder.encode(public_face(event) | sealed_face(event))
            assert msgspec.json.decode(body, type=type(event)) == event
        for viewer in viewers(step.after):
            seen = view(step.after, viewer)
            assert json.loads(encoder.encode(seen)) == as_json(seen)
        play = step.after.play
        assert msgspec.json.decode(encoder.encode(play), type=type(play)) == play


@every_table
def test_bots_of_every_level_play_to_the_end(game: AnyGame, seats: int) -> None:
    assert {"random", "greedy"} <= set(game.bots)
    for level in game.bots:
        assert final(selfplay(game, seats, levels=(level,) * seats, seed=level)).phase == "over"


@every_table
def test_bots_choose_among_the_moves_and_the_same_whatever_is_hidden(
    game: AnyGame, seats: int
) -> None:
    steps = [each.after for each in selfplay(game, seats, seed="bots")]
    for number, table in list(enumerate(steps))[seats::4]:
        for seat in to_move(table):
            other = reshuffle(table, seat, seeded(number))
            for level in game.bots:
                move = choose(table, seat, level, seeded(number))
                assert move in moves(table, seat)
                assert choose(other, seat, level, seeded(number)) == move


@every_table
def test_commands_survive_the_wire(game: AnyGame, seats: int) -> None:
    for command in every_command(game, list(selfplay(game, seats, seed="wire"))):
        assert read_command(game, as_json(plain_command(command))) == command


@every_table
def test_every_event_is_told_in_both_languages(game: AnyGame, seats: int) -> None:
    rooms = (game.texts, TABLE_TEXTS)
    for step in selfplay(game, seats, seed="told"):
        for event in step.events:
            for viewer in viewers(step.after):
                for language in LANGUAGES:
                    said = tell(rooms, language, type(event).__name__, face_for(event, viewer))
                    assert said != type(event).__name__
                    assert said.strip()


@every_game
def test_a_game_has_the_rooms_of_every_game(game: AnyGame) -> None:
    folder = package_folder(game)
    assert all((folder / f"{room}.py").is_file() for room in ROOMS)
    assert (folder / "RULES.md").is_file()
    assert list((folder / "playthroughs").glob("*.jsonl"))


@every_game
def test_the_names_of_events_and_their_fields_keep_to_the_contract(game: AnyGame) -> None:
    names = [kind.__name__ for kind in (*TABLE_EVENTS, *game.events)]
    assert len(names) == len(set(names))
    assert not any(name.endswith("Event") for name in names)
    for kind in game.events:
        public, sealed = face_fields(kind)
        taken = {"version", "at", "type", "text", "salt", "hash"}
        assert not taken & {*public, *sealed}, kind
        assert "seat" not in sealed
        assert hasattr(kind, "audience") == bool(sealed), kind
        assert not any("set" in str(hint) for hint in get_type_hints(kind).values()), kind
        assert all(field.required for field in fields(kind)), kind


@every_game
def test_the_languages_name_the_same_things(game: AnyGame) -> None:
    english, french = (game.texts.words[each] for each in LANGUAGES)
    assert {name: keys(value) for name, value in english.items()} == {
        name: keys(value) for name, value in french.items()
    }
    for language in LANGUAGES:
        assert {card["id"] for card in game.cards(language)} == set(  # type: ignore[arg-type]
            game.deck(game.options().settled(game.seats[0]))
        ), "the catalogue names every card of the deck"
    assert all(type_name(kind) for kind in game.commands)


def keys(value: Any) -> Any:
    return sorted(value) if isinstance(value, dict) else None


GOLDENS = [
    pytest.param(game, path, id=f"{game.name}-{path.stem}")
    for game in games().values()
    for path in sorted((Path(__file__).parents[2] / "domain" / game.name).glob("playthroughs/*"))
]


@pytest.mark.parametrize(("game", "path"), GOLDENS)
def test_a_golden_playthrough_still_reads_as_it_was_written(game: AnyGame, path: Path) -> None:
    """Old files are checked from events to views; the current rules also decide them anew."""
    header, *lines = (json.loads(line) for line in path.read_text("utf-8").splitlines())
    kinds = {kind.__name__: kind for kind in (*TABLE_EVENTS, *game.events)}
    table = NOWHERE
    for number, line in enumerate(lines):
        events: list[Any] = [
            msgspec.convert(written["public"] | written.get("sealed", {}), kinds[written["type"]])
            for written in line["events"]
        ]
        if header["rules"] == game.rules and "command" in line:
            rolls = [k for event in events for _, k in getattr(event, "rolls", ())]
            command = Play(Seat(line["seat"]), read_command(game, line["command"]))
            assert list(TABLE.decide(table, command, rolling(rolls))) == events, number
        table = TABLE.fold(events, table)
        assert [as_json(plain_event(event)) for event in events] == line["events"]
        for viewer, notices in line.get("notices", {}).items():
            told = [
                {"type": type(event).__name__, **face_for(event, viewer_of(viewer))}
                for event in events
                if audience(event) is not None and audience(event)
            ]
            assert as_json(told) == notices, (number, viewer)
        for viewer, seen in line.get("views", {}).items():
            assert as_json(view(table, viewer_of(viewer))) == seen, (number, viewer)
    assert table.phase == "over"


def rolling(rolls: list[int]) -> Callable[[object], Dice]:
    """Answer a chance that rolls what a golden file says was rolled."""
    left = iter(rolls)
    return lambda _: Dice(lambda _: next(left))


SCENARIOS = sorted((Path(__file__).parents[1] / "scenarios").rglob("*.json"))


@pytest.mark.parametrize("path", SCENARIOS, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_a_scenario_plays_as_written(path: Path) -> None:
    play_scenario(json.loads(path.read_text("utf-8")))


def package_folder(game: AnyGame) -> Path:
    return Path(__file__).parents[2] / "domain" / game.name
