"""The table of 3.3, one test for each row."""

import pytest

from domain.magic_cooking import GAME
from domain.magic_cooking.cards import Spell
from domain.magic_cooking.commands import Cast, Command, Reveal
from domain.magic_cooking.events import (
    CardBurned,
    CardPlaced,
    CardsExchanged,
    SpellCancelled,
    SpellFizzled,
    SpellsLocked,
    TrickBlown,
    TrickFrozen,
    TrickMade,
    TrickTaken,
)
from tests.domain.given import Given, given
from tests.domain.magic_cooking.positions import (
    COUNTER,
    FREEZE,
    GUST,
    LIGHT,
    A,
    B,
    C,
    D,
    burn,
    card,
    cards,
    exchange,
    play,
    playing,
    reveal,
)

PENDING: list[tuple[str, Spell, Command]] = [
    ("brady", "permutation", exchange("horn", "eye")),
    ("enrico", "falsification", Reveal(card("horn"), card("eye"))),
    ("gordon", "freeze", FREEZE),
    ("moka", "gust", GUST),
]
each_pending = pytest.mark.parametrize(
    ("mage", "spell", "cast"), PENDING, ids=[spell for _, spell, _ in PENDING]
)


def cast_by(mage: str, cast: Command, answerer: str) -> Given:
    """Answer the position after a first spell: on the table, or against the trick of seat 0."""
    state = playing("horn tail", "wing", cauldron="eye@1 horn@1", mages=f"{mage} {answerer}")
    if cast in (FREEZE, GUST):
        return play(state, (0, reveal("horn")), (0, cast))
    return play(state, (0, cast))


def without_effect(after: Given, spell: Spell) -> None:
    """Expect that the game stands as if the first spell had not been."""
    after.seen_by("spectator", removed=[], mages__0__spent=True)
    match spell:
        case "permutation":
            after.seen_by(0, hand=cards("horn tail"), phase="turn", active=0)
        case _:
            after.seen_by("spectator", piles=[6, 0], phase="lead", active=0)


@each_pending
def test_t1_in_full_light_undoes_a_spell_and_locks_the_round(
    mage: str, spell: Spell, cast: Command
) -> None:
    position = cast_by(mage, cast, "from")
    after = position.when(1, LIGHT).then_among(
        SpellCancelled(B, "in_full_light", A, spell), SpellsLocked(B)
    )
    without_effect(after, spell)
    after.seen_by("spectator", locked=True, mages__1__spent=True)


@each_pending
def test_t2_a_counter_burn_undoes_a_spell_and_locks_nothing(
    mage: str, spell: Spell, cast: Command
) -> None:
    position = cast_by(mage, cast, "emilien")
    after = position.when(1, COUNTER).then_among(SpellCancelled(B, "burn", A, spell))
    if spell == "falsification":
        after.seen_by("spectator", pending=None)
    without_effect(after, spell)
    after.seen_by("spectator", locked=False, mages__1__spent=True)


def test_t3_in_full_light_undoes_the_burn_of_a_card() -> None:
    state = playing("horn tail", "wing", cauldron="eye@1", mages="emilien from")
    after = given(GAME, play(state, (0, burn("eye"))).state).when(1, LIGHT)
    after.then_among(SpellCancelled(B, "in_full_light", A, "burn"), SpellsLocked(B)).seen_by(
        "spectator", removed=[], locked=True, cauldron__visible__0__card=card("eye")
    )


def test_t3_in_full_light_undoes_a_counter_burn_and_the_first_spell_stands() -> None:
    state = playing("horn tail", "wing", "crow", cauldron="eye@1", mages="brady emilien from")
    stack = play(state, (0, exchange("horn", "eye")), (1, COUNTER))
    stack.when(2, LIGHT).then_among(
        SpellCancelled(C, "in_full_light", B, "burn"),
        SpellsLocked(C),
        CardsExchanged(A, card("horn"), card("eye")),
    ).seen_by("spectator", locked=True)


def test_t4_a_counter_burn_undoes_the_light_and_the_first_spell_stands() -> None:
    state = playing("horn tail", "wing", "crow", cauldron="eye@1", mages="brady emilien from")
    stack = play(state, (0, exchange("horn", "eye")), (2, LIGHT))
    stack.when(1, COUNTER).then_among(
        SpellCancelled(B, "burn", C, "in_full_light"),
        CardsExchanged(A, card("horn"), card("eye")),
    ).seen_by("spectator", locked=False)


def falsified(answerer: str) -> Given:
    """Answer a capture by Falsification that seat 1 may stop."""
    state = playing("horn tail", "wing", cauldron="eye@1 web@1", mages=f"enrico {answerer}")
    return play(state, (0, reveal("horn", "eye")))


def test_t5_a_frozen_falsified_card_has_its_true_identity_and_is_no_pair() -> None:
    state = falsified("gordon")
    state.seen_by(
        "spectator",
        pending={"seat": 0, "card": card("horn"), "as": card("eye"), "abraxas": False},
    )
    state.when(1, FREEZE).then_among(TrickFrozen(B, A, card("horn"))).seen_by(
        "spectator",
        cauldron__visible=[
            {"card": card("eye"), "by": 1},
            {"card": card("web"), "by": 1},
            {"card": card("horn"), "by": 0},
        ],
        phase="turn",
        active=1,
    )


def test_t6_a_gust_removes_the_falsified_card_too() -> None:
    falsified("moka").when(1, GUST).then_among(TrickBlown(B, A, cards("eye web horn"))).seen_by(
        "spectator", removed=cards("eye web horn"), phase="lead", active=0
    )


def trick(*answerers: str) -> Given:
    """Answer an Abraxas of seat 0 that the others may stop."""
    state = playing("horn tail", "wing", "crow", cauldron="horn@1", mages=" ".join(answerers))
    return play(state, (0, reveal("horn")))


def test_t7_a_freeze_in_answer_to_a_gust_leaves_it_no_trick() -> None:
    stack = trick("brady", "gordon", "moka").when(2, GUST).then()
    stack.when(1, FREEZE).then_among(
        TrickFrozen(B, A, card("horn")), SpellFizzled(C, "gust")
    ).seen_by("spectator", phase="turn", active=1, removed=[], mages__2__spent=True)


def test_t8_a_gust_in_answer_to_a_freeze_leaves_it_no_trick() -> None:
    stack = trick("brady", "gordon", "moka").when(1, FREEZE).then()
    stack.when(2, GUST).then_among(
        TrickBlown(C, A, cards("horn horn")), SpellFizzled(B, "freeze")
    ).seen_by("spectator", phase="lead", active=0, mages__1__spent=True)


@pytest.mark.parametrize(("mage", "cast"), [("gordon", FREEZE), ("moka", GUST)])
def test_t9_a_stopped_abraxas_earns_nothing(mage: str, cast: Cast) -> None:
    state = trick("brady", mage)
    state.seen_by("spectator", pending__abraxas=True)
    state.when(1, cast).then().seen_by(
        "spectator", abraxas=[0, 0, 0], last_capturer=0, piles=[3, 0, 0]
    )


def test_t10_an_abraxas_stands_though_one_of_its_cards_burns() -> None:
    trick("brady", "emilien").when(1, burn("horn")).then_among(
        CardBurned(B, card("horn")), TrickTaken(A, cards("horn"), abraxas=True)
    ).seen_by("spectator", abraxas=[1, 0, 0], piles=[4, 0, 0], removed=cards("horn"))


@pytest.mark.parametrize("mage", ["gordon", "moka", "emilien", "from", "enrico", "brady"])
def test_t11_no_spell_touches_the_first_trick_of_the_round(mage: str) -> None:
    state = playing("horn tail", "wing eye", cauldron="horn", mages=f"{mage}", estueux=None)
    spells = [move for move in GAME.moves(state, A) if isinstance(move, Cast)]
    assert spells == []
    given(GAME, state).may_not(0, reveal("tail", "horn"))
    given(GAME, state).when(0, reveal("horn")).then().seen_by("spectator", phase="lead", estueux=0)


@pytest.mark.parametrize(
    ("mage", "cauldron", "cast"),
    [("brady", "eye@1", exchange("horn", "eye")), ("emilien", "eye@1 horn@1", burn("eye"))],
)
def test_t12_the_twin_of_the_one_card_left_makes_a_true_abraxas(
    mage: str, cauldron: str, cast: Cast
) -> None:
    state = playing("horn horn", "wing", cauldron=cauldron, mages=mage)
    play(state, (0, cast)).when(0, reveal("horn")).then_among(
        TrickMade(A, card("horn"), abraxas=True), TrickTaken(A, cards("horn horn"), abraxas=True)
    )


def test_a_falsification_that_is_undone_leaves_the_card_to_its_true_identity() -> None:
    state = playing("horn tail", "wing", cauldron="eye@1", mages="enrico emilien")
    declared = play(state, (0, reveal("horn", "eye")))
    declared.seen_by(
        "spectator",
        pending={"seat": 0, "card": card("horn"), "as": card("eye"), "abraxas": False},
        stack=[
            {"seat": 0, "spell": "falsification", "card": card("horn"), "as": card("eye")},
        ],
        hand_sizes=[1, 1],
    )
    declared.when(1, COUNTER).then_among(CardPlaced(A, card("horn")))


def test_a_stack_of_four_resolves_the_last_one_first() -> None:
    state = playing(
        "horn tail", "wing", "crow", "root", cauldron="horn@1", mages="gordon moka emilien from"
    )
    stack = play(state, (0, reveal("horn")), (0, FREEZE), (1, GUST), (2, COUNTER))
    assert len(stack.state.stack) == 3
    after = stack.when(3, LIGHT).then_among(
        SpellCancelled(D, "in_full_light", C, "burn"),
        SpellsLocked(D),
        TrickBlown(B, A, cards("horn horn")),
        SpellFizzled(A, "freeze"),
    )
    after.seen_by("spectator", locked=True, stack=[], phase="lead", active=0)
