"""The bots: they play from a view alone, never concede, and looking ahead pays.

``SPELLCASTER_MATCHES=300`` measures over as many games; few by default.
"""

import os
from functools import reduce
from typing import Any

import pytest

from domain.dice import seeded
from domain.game import Bot, Seat, View
from domain.selfplay import selfplay
from domain.spellcaster import GAME
from domain.spellcaster.commands import Choose, Command, Concede
from domain.spellcaster.imagine import imagine
from domain.spellcaster.sides import offered
from domain.spellcaster.state import Options, State, first_state
from domain.table.commands import Play
from domain.table.view import moves, to_move, view
from domain.wire import plain_options
from tests.domain.spellcaster.positions import activate, begin, position

MATCHES = int(os.environ.get("SPELLCASTER_MATCHES", "6"))
GREEDY = GAME.bots["greedy"]


def seen(state: State, seat: int) -> View:
    """What a bot is shown."""
    return {
        "viewer": {"seat": seat},
        "options": plain_options(state.options),
        "play": GAME.view(state, Seat(seat)),
    }


def chosen(bot: Bot[Command], state: State, seed: int = 0) -> Any:
    (seat,) = GAME.to_move(state)
    return bot(seen(state, seat), GAME.moves(state, seat), seeded(seed))


def winner(seats: int, greedy_side: int, seed: str) -> int | None:
    """The side that wins when the other one moves at random."""
    dice = seeded(seed)
    state = first_state(seats, Options())
    state = reduce(GAME.evolve, GAME.start(state, dice), state)
    while not GAME.is_over(state):
        (seat,) = GAME.to_move(state)
        bot = GAME.bots["greedy" if seat % 2 == greedy_side else "random"]
        move = bot(seen(state, seat), GAME.moves(state, seat), dice)
        state = reduce(GAME.evolve, GAME.decide(state, seat, move, dice), state)
    return state.winners[0] % 2 if state.winners else None


@pytest.mark.timeout(600 + MATCHES)
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_looking_ahead_beats_moving_at_random_in_more_than_85_percent(seats: int) -> None:
    won = sum(winner(seats, n % 2, f"match {seats} {n}") == n % 2 for n in range(MATCHES))
    assert won > 0.85 * MATCHES


@pytest.mark.parametrize("level", ["random", "greedy"])
def test_a_bot_never_concedes(level: str) -> None:
    for step in selfplay(GAME, 3, levels=(level,) * 3, seed="concede"):
        if isinstance(step.command, Play):
            assert step.command.command != Concede()


def test_a_bot_plays_from_its_view_alone() -> None:
    for step in selfplay(GAME, 2, levels=("greedy",) * 2, seed="view"):
        if step.after.phase != "playing":
            break
        (seat,) = to_move(step.after)
        other = GAME.reshuffle(step.after.play, seat, seeded(3))
        assert GREEDY(view(step.after, seat), moves(step.after, seat), seeded(1)) == GREEDY(
            seen(other, seat), GAME.moves(other, seat), seeded(1)
        )


def test_a_bot_takes_the_win_that_lies_two_actions_ahead() -> None:
    piles = {"red": "r02:0", "blue": "b01:1", "green": "g07:0", "yellow": "y03:0"}
    state = position(hands={0: "r05 b05"}, piles=piles, energy=(10, 3))
    first = chosen(GREEDY, state)
    (seat,) = GAME.to_move(state)
    after = reduce(GAME.evolve, GAME.decide(state, seat, first, seeded(0)), state)
    second = chosen(GREEDY, after)
    done = reduce(GAME.evolve, GAME.decide(after, seat, second, seeded(0)), after)
    assert GAME.result(done) == {"winners": [0], "reason": "energy"}


def test_a_bot_averts_what_would_kill_it() -> None:
    state = activate(position(piles={"red": "r08:0"}, hands={1: "g01 g02"}, energy=(10, 3)), "red")
    assert chosen(GREEDY, state) == Choose(("pay",))


def imagined(seats: int, level: str) -> list[tuple[State, State | None]]:
    found = []
    for step in selfplay(GAME, seats, levels=(level,) * seats, seed="imagine"):
        if step.after.phase == "playing":
            (seat,) = to_move(step.after)
            found.append((step.after.play, imagine(seen(step.after.play, seat), seeded(2))))
    return found


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_what_a_bot_imagines_looks_like_what_it_sees(seats: int) -> None:
    for state, guess in imagined(seats, "random"):
        assert guess is not None
        (seat,) = GAME.to_move(state)
        assert GAME.moves(guess, seat) == GAME.moves(state, seat)
        assert offered(guess) == offered(state)
        assert seen(guess, seat) == seen(state, seat) | {
            "options": plain_options(guess.options),
        }


def test_what_a_bot_imagines_of_each_choice_goes_on() -> None:
    hands = {0: "b01 g02 y03", 1: "r01 r03", 3: "b02 b03"}
    for colour, top, picks in (
        ("red", "r15", ()),
        ("red", "r08", ("pay",)),
        ("red", "r08", ("refuse",)),
        ("blue", "b12", ("yes",)),
        ("blue", "b14", ()),
        ("green", "g03", ()),
        ("green", "g14", ("yes",)),
        ("green", "g14", ("yes", "b01")),
        ("green", "g13", ()),
        ("yellow", "y14", ()),
        ("yellow", "y13", ()),
    ):
        piles = {"red": "r02:0", "blue": "b04:0"} | {colour: f"{top}:0"}
        state = activate(position(4, hands=hands, piles=piles, discard="y05 y06"), colour, *picks)
        check_goes_on(state)
    check_goes_on(begin(position(4, hands=hands, piles={"green": "g08:0"}), "3"))
    check_goes_on(begin(position(piles={"green": "g09:0", "red": "r03:0"})))


def check_goes_on(state: State) -> None:
    (seat,) = GAME.to_move(state)
    assert state.pending is not None
    guess = imagine(seen(state, seat), seeded(4))
    assert guess is not None
    assert offered(guess) == offered(state)
    for move in GAME.moves(guess, seat):
        assert GAME.decide(guess, seat, move, seeded(5))
