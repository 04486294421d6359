"""The bots play from their view alone; greedy counts, plays well and spends its spell sensibly."""

from collections.abc import Sequence
from typing import Any

import pytest

from domain.dice import seeded
from domain.game import Seat
from domain.magic_cooking import GAME
from domain.magic_cooking.commands import AutoPass, Command
from domain.magic_cooking.options import Options
from domain.magic_cooking.state import State
from domain.selfplay import final, selfplay
from domain.wire import plain_options
from tests.domain.magic_cooking.positions import (
    COUNTER,
    FREEZE,
    GUST,
    LIGHT,
    PASS,
    A,
    B,
    burn,
    card,
    exchange,
    lead,
    play,
    playing,
    reveal,
    steal,
)

ONE_ROUND = Options(rounds=1)


def chosen(state: State, seat: int, level: str = "greedy") -> Command:
    """Answer what a bot does at a seat, seeing what the table shows it."""
    view = {
        "viewer": {"seat": seat},
        "play": GAME.view(state, Seat(seat)),
        "options": plain_options(state.options),
        "seats": [{"seat": each, "player": None, "bot": level} for each in range(state.seats)],
    }
    return GAME.bots[level](view, GAME.moves(state, Seat(seat)), seeded(0))


def wins_of_greedy(games: int, *, spells: bool) -> float:
    """Answer the share of two-seat games that greedy wins against random, in either seat."""
    won = 0.0
    for number in range(games):
        greedy = number % 2
        levels: Sequence[str] = ("greedy", "random") if greedy == 0 else ("random", "greedy")
        options = {"spells_enabled": spells}
        table = final(selfplay(GAME, 2, levels=levels, seed=number, options=options))
        result = GAME.result(table.play)
        assert result is not None
        won += (greedy in result["winners"]) / len(result["winners"])
    return won / games


@pytest.mark.parametrize("spells", [False, True])
def test_greedy_beats_random_in_far_more_than_60_percent_of_games(*, spells: bool) -> None:
    assert wins_of_greedy(30, spells=spells) > 0.8


@pytest.mark.bench
@pytest.mark.parametrize("spells", [False, True])
def test_share_of_games_that_greedy_wins(*, spells: bool) -> None:
    share = wins_of_greedy(1000, spells=spells)
    print(f"\ngreedy beats random in {share:.1%} of 1,000 two-seat games, spells: {spells}")
    assert share > 0.6


def test_random_seldom_touches_its_standing_pass() -> None:
    state = playing("horn tail", "wing", cauldron="eye@1")
    moves = GAME.moves(state, A)
    dice = seeded(1)
    view: dict[str, Any] = {}
    picks = [GAME.bots["random"](view, moves, dice) for _ in range(2000)]
    touched = sum(isinstance(pick, AutoPass) for pick in picks)
    assert 0 < touched < 80


def test_random_with_nothing_else_to_do_chooses_among_standing_passes() -> None:
    state = playing("horn tail", "wing", cauldron="eye@1")
    assert isinstance(GAME.bots["random"]({}, GAME.moves(state, B), seeded(0)), AutoPass)


def test_greedy_makes_an_abraxas() -> None:
    assert chosen(playing("horn tail", "wing", cauldron="tail@1"), 0) == reveal("tail")


def test_greedy_leads_the_card_whose_twins_it_sees() -> None:
    state = playing(
        "tail eye", "wing wing wing wing", cauldron="", phase="lead", removed=(card("eye"),) * 3
    )
    assert chosen(state, 0) == lead("eye")


def test_greedy_keeps_its_web_when_another_card_takes_the_same() -> None:
    state = playing("web tail eye", "wing", cauldron="tail@1 shell@0")
    assert chosen(state, 0) == reveal("tail")


def test_greedy_prepares_an_abraxas_by_an_exchange() -> None:
    state = playing("tail tail", "wing", cauldron="eye@1", mages="brady")
    assert chosen(state, 0) == exchange("tail", "eye")


def test_greedy_prepares_an_abraxas_by_a_burn() -> None:
    state = playing("tail eye", "wing", cauldron="shell@0 tail@1", mages="emilien")
    assert chosen(state, 0) == burn("shell")


def test_greedy_steals_when_the_last_round_runs_out() -> None:
    state = playing("tail", "wing eye", cauldron="horn@1 shell@1", mages="brady", options=ONE_ROUND)
    assert chosen(state, 0) == steal(1)


def test_greedy_falsifies_for_a_rich_cauldron() -> None:
    state = playing("tail eye", "wing", cauldron="horn@1 scale@1 horn@0", mages="enrico")
    move = chosen(state, 0)
    assert getattr(move, "as_", None) in (card("horn"), card("scale"))


def test_greedy_waits_with_falsification_for_something_worth_it() -> None:
    state = playing("tail eye", "wing", cauldron="shell@1", mages="enrico")
    assert getattr(chosen(state, 0), "as_", None) is None


@pytest.mark.parametrize(("mage", "cast"), [("gordon", FREEZE), ("moka", GUST)])
def test_greedy_stops_an_abraxas_of_another_but_not_its_own(mage: str, cast: Command) -> None:
    theirs = playing("tail wing", "eye", cauldron="tail@1", mages=f"brady {mage}")
    assert chosen(play(theirs, (0, reveal("tail"))).state, 1) == cast
    own = playing("tail wing", "eye", cauldron="tail@1", mages=mage)
    assert chosen(play(own, (0, reveal("tail"))).state, 0) == PASS


def test_greedy_burns_the_best_card_of_anothers_trick() -> None:
    state = playing("tail wing", "eye", cauldron="horn@1 tail@1", mages="brady emilien")
    assert chosen(play(state, (0, reveal("tail"))).state, 1) == burn("horn")


@pytest.mark.parametrize(("mage", "answer"), [("emilien", COUNTER), ("from", LIGHT)])
def test_greedy_defends_its_own_trick(mage: str, answer: Command) -> None:
    state = playing("tail wing", "eye", cauldron="tail@1", mages=f"{mage} gordon")
    trick = play(state, (0, reveal("tail")))
    position = trick.when(1, FREEZE).then()
    assert chosen(position.state, 0) == answer


def test_greedy_lets_pass_what_does_not_hurt_it() -> None:
    state = playing("tail wing", "eye", "horn", cauldron="tail@1", mages="brady gordon from")
    frozen = play(state, (0, reveal("tail")), (1, FREEZE))
    assert chosen(frozen.state, 2) == PASS
