"""D17 to D19: what is refused, with which code when several would hold, and what is malformed."""

from typing import Any

import pytest

from domain.game import BadField
from domain.magic_cooking import GAME
from domain.magic_cooking.commands import AutoPass, Cast, Command, Lead, Pass, Reveal
from domain.magic_cooking.options import Options
from domain.magic_cooking.state import State
from domain.wire import plain_command, read_command
from tests.domain.given import given
from tests.domain.magic_cooking.positions import (
    COUNTER,
    FREEZE,
    GUST,
    LIGHT,
    PASS,
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

NO_SPELLS = Options(spells_enabled=False)


def over() -> State:
    state = playing("wing", "", cauldron="tail@1", round=2)
    return play(state, (0, reveal("wing"))).state  # type: ignore[no-any-return]


@pytest.mark.parametrize(
    "command",
    [reveal("horn"), reveal("horn", "tail"), lead("horn"), steal(1), FREEZE, PASS, AutoPass(True)],
    ids=str,
)
def test_d17_when_the_game_is_over_everything_is_refused(command: Command) -> None:
    given(GAME, over()).when(0, command).refused("game-over")


def test_d17_a_wrong_phase_comes_before_a_wrong_turn() -> None:
    state = playing("horn tail", "wing", cauldron="horn@1")
    given(GAME, state).when(1, lead("horn")).refused("wrong-phase")
    given(GAME, state).when(1, reveal("horn")).refused("not-your-turn")
    given(GAME, state).when(1, PASS).refused("wrong-phase")


def test_d17_a_wrong_turn_comes_before_spells_and_cards() -> None:
    state = playing("horn tail", "wing", cauldron="horn@1", options=NO_SPELLS)
    given(GAME, state).when(1, reveal("eye", "tail")).refused("not-your-turn")


CHAIN: list[tuple[dict[str, Any], str]] = [
    ({"options": NO_SPELLS, "mages": "moka", "estueux": None, "locked": True}, "spells-disabled"),
    ({"mages": "moka", "estueux": None, "locked": True, "spent": (True, True)}, "not-your-spell"),
    (
        {"mages": "MAGE", "estueux": None, "locked": True, "spent": (True, True)},
        "spell-already-spent",
    ),
    ({"mages": "MAGE", "estueux": None, "locked": True}, "before-first-capture"),
    ({"mages": "MAGE", "locked": True}, "spells-locked"),
]


@pytest.mark.parametrize(
    ("mage", "cast"),
    [
        ("enrico", reveal("eye", "tail")),
        ("brady", exchange("eye", "tail")),
        ("emilien", burn("eye")),
    ],
    ids=["falsification", "permutation", "burn"],
)
@pytest.mark.parametrize(("fields", "code"), CHAIN, ids=[code for _, code in CHAIN])
def test_d17_spells_are_refused_for_the_first_reason_that_holds(
    mage: str, cast: Command, fields: dict[str, Any], code: str
) -> None:
    named = fields["mages"].replace("MAGE", mage)
    state = playing("horn", "wing", cauldron="shell@1", **{**fields, "mages": named})
    given(GAME, state).when(0, cast).refused(code)


def test_d17_a_card_not_held_comes_before_a_target_not_there() -> None:
    brady = playing("horn", "wing", cauldron="shell@1", mages="brady")
    given(GAME, brady).when(0, exchange("eye", "tail")).refused("card-not-in-hand")
    given(GAME, brady).when(0, exchange("horn", "tail")).refused("no-such-target")
    enrico = playing("horn", "wing", cauldron="shell@1", mages="enrico")
    given(GAME, enrico).when(0, reveal("eye", "tail")).refused("card-not-in-hand")
    given(GAME, enrico).when(0, reveal("horn", "tail")).refused("ingredient-not-visible")
    given(GAME, enrico).when(0, reveal("eye")).refused("card-not-in-hand")


def test_d17_not_waited_for_comes_before_a_target_not_there() -> None:
    state = playing("horn tail", "wing", "crow", cauldron="eye@1", mages="brady from gordon")
    idle = play(state, (0, steal(1)))
    idle.when(2, FREEZE).refused("not-waiting-for-you")
    idle.when(0, PASS).refused("not-waiting-for-you")


def test_d17_a_lead_is_refused_for_turn_and_card() -> None:
    state = playing("horn tail", "wing", cauldron="horn@1")
    leading = play(state, (0, reveal("horn")))
    leading.when(1, lead("wing")).refused("not-your-turn")
    leading.when(0, lead("wing")).refused("card-not-in-hand")
    leading.when(0, reveal("tail")).refused("wrong-phase")


@pytest.mark.parametrize(
    ("mage", "cast"), [("gordon", FREEZE), ("moka", GUST), ("from", LIGHT)], ids=str
)
def test_d18_answers_belong_to_windows(mage: str, cast: Cast) -> None:
    state = playing("horn tail", "wing", cauldron="horn@1", mages=mage)
    given(GAME, state).when(0, cast).refused("wrong-phase")


def test_d18_a_permutation_belongs_to_the_open_table() -> None:
    state = playing("horn tail", "wing", cauldron="horn@1", mages="brady gordon")
    play(state, (0, reveal("horn"))).when(0, steal(1)).refused("wrong-phase")


@pytest.mark.parametrize("cast", [steal(0), steal(2), exchange("horn", "wing")], ids=str)
def test_d18_a_bad_target_of_permutation(cast: Cast) -> None:
    state = playing("horn", "wing", "", cauldron="eye@1", mages="brady")
    given(GAME, state).when(0, cast).refused("no-such-target")


def test_d18_a_bad_target_of_burn() -> None:
    state = playing("horn tail", "wing", cauldron="horn@1", mages="emilien gordon")
    given(GAME, state).when(0, burn("wing")).refused("no-such-target")
    given(GAME, state).when(0, COUNTER).refused("no-such-target")
    taking = play(state, (0, reveal("horn")))
    taking.when(0, burn("tail")).refused("no-such-target")
    taking.when(0, COUNTER).refused("no-such-target")
    taking.when(1, FREEZE).then().when(0, burn("horn")).refused("no-such-target")


def test_d18_no_card_is_burned_before_a_falsification_is_tested() -> None:
    state = playing("horn tail", "wing", cauldron="eye@1", mages="enrico emilien")
    declared = play(state, (0, reveal("horn", "eye"))).may(1, COUNTER)
    for word in ("horn", "eye"):
        declared.when(1, burn(word)).refused("no-such-target")


@pytest.mark.parametrize(
    "body",
    [
        {"type": "reveal", "card": "stone"},
        {"type": "reveal", "card": "spiderweb", "as": None},
        {"type": "reveal"},
        {"type": "lead", "card": 3},
        {"type": "cast"},
        {"type": "cast", "spell": "falsification"},
        {"type": "cast", "spell": "permutation"},
        {"type": "cast", "spell": "permutation", "victim": 1, "card": "nettle", "swap": "nettle"},
        {"type": "cast", "spell": "permutation", "card": "nettle"},
        {"type": "cast", "spell": "permutation", "swap": "nettle"},
        {"type": "cast", "spell": "permutation", "victim": -1},
        {"type": "cast", "spell": "permutation", "victim": 1, "counter": True},
        {"type": "cast", "spell": "burn"},
        {"type": "cast", "spell": "burn", "counter": False},
        {"type": "cast", "spell": "burn", "counter": True, "card": "nettle"},
        {"type": "cast", "spell": "freeze", "victim": 1},
        {"type": "cast", "spell": "gust", "card": "nettle"},
        {"type": "cast", "spell": "in_full_light", "counter": True},
        {"type": "auto_pass"},
        {"type": "auto_pass", "enabled": 1},
        {"type": "pass", "enabled": True},
        {"type": "concede"},
    ],
    ids=str,
)
def test_d19_malformed_commands_are_no_sentence_of_the_language(body: dict[str, Any]) -> None:
    with pytest.raises(BadField):
        read_command(GAME, body)


def test_d19_a_victim_outside_the_table_is_malformed_whatever_else_is_wrong() -> None:
    given(GAME, over()).when(0, steal(2)).bad_field("victim", "must be below 2")
    given(GAME, playing("horn", "wing")).when(1, steal(5)).bad_field("victim", "must be below 2")


@pytest.mark.parametrize(
    ("command", "body"),
    [
        (Reveal(card("horn")), {"type": "reveal", "card": "unicorn_horn"}),
        (
            Reveal(card("horn"), card("tail")),
            {"type": "reveal", "card": "unicorn_horn", "as": "rat_tail"},
        ),
        (Lead(card("horn")), {"type": "lead", "card": "unicorn_horn"}),
        (Cast("permutation", victim=B), {"type": "cast", "spell": "permutation", "victim": 1}),
        (COUNTER, {"type": "cast", "spell": "burn", "counter": True}),
        (FREEZE, {"type": "cast", "spell": "freeze"}),
        (Pass(), {"type": "pass"}),
        (AutoPass(enabled=False), {"type": "auto_pass", "enabled": False}),
    ],
    ids=str,
)
def test_commands_leave_out_what_they_do_not_say(command: Command, body: dict[str, Any]) -> None:
    assert plain_command(command) == body
    assert read_command(GAME, body) == command
