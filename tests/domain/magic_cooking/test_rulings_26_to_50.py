"""The rulings R26 to R50, one test named after each.

The tie at nothing of R29 is not reached with the standard deck: one seat always captures first.
"""

import pytest

from domain.magic_cooking import GAME
from domain.magic_cooking.commands import Cast
from domain.magic_cooking.events import (
    CardDisguised,
    CardPlaced,
    CardRevealed,
    CardsDrawn,
    FirstTrickTaken,
    LeftoversTaken,
    RoundScored,
    TrickMade,
    TurnStarted,
    WindowOpened,
)
from domain.magic_cooking.state import Laid
from tests.domain.given import given
from tests.domain.magic_cooking.positions import (
    COUNTER,
    FREEZE,
    GUST,
    LIGHT,
    PASS,
    A,
    B,
    C,
    burn,
    card,
    cards,
    kinds,
    lead,
    play,
    playing,
    reveal,
    steal,
)


def test_r26_three_cards_are_secret_and_no_abraxas_is_made_over_them() -> None:
    state = playing("horn tail", "wing", cauldron="horn", estueux=None, last=None)
    given(GAME, state).seen_by("spectator", cauldron__hidden=3)
    taken = (
        given(GAME, state)
        .when(0, reveal("horn"))
        .then_among(TrickMade(A, card("horn"), abraxas=False))
    )
    taken.seen_by("spectator", abraxas=[0, 0], cauldron__hidden=0, piles=[5, 0])


def test_r27_the_first_trick_makes_the_estueux_whatever_its_size() -> None:
    state = playing("horn tail", "wing", cauldron="eye horn@1 shell@0", estueux=None, last=None)
    given(GAME, state).when(0, reveal("horn")).then_among(
        FirstTrickTaken(A, cards("eye horn shell horn"), cards("slime slime slime"))
    ).seen_by("spectator", estueux=0)


def test_r28_the_estueux_sees_the_three_secret_cards_only() -> None:
    state = playing("horn tail", "wing", cauldron="eye", secret="web root horn", piles=("crow", ""))
    position = given(GAME, state)
    position.seen_by(0, cauldron__secret=cards("web root horn"), piles=[4, 0])
    for viewer in (B, "spectator", "arbiter"):
        position.seen_by(viewer, cauldron__secret=None)


def test_r28_the_arbiter_sees_every_hidden_zone_and_the_secret_cards_with_their_owner() -> None:
    state = playing(
        "tail", "wing", draw="eye", secret="web root", piles=("crow", "horn"), estueux=1
    )
    given(GAME, state).seen_by(
        "arbiter",
        open={
            "hands": [cards("tail"), cards("wing")],
            "draw_pile": cards("eye"),
            "secret": cards("web root"),
            "piles": [cards("crow"), cards("horn web root")],
        },
    )


def test_r29_the_majority_counts_cards_with_leftovers_and_a_tie_gives_nothing() -> None:
    state = playing("wing", "", cauldron="tail@1", piles=("", "eye eye eye"), secret="")
    given(GAME, play(state, (0, reveal("wing"))).state).seen_by(
        "spectator", last_round__bonus=[0, 3], last_round__captured__0=cards("tail wing")
    )
    tie = playing("wing", "", cauldron="tail@1", piles=("eye", "eye eye eye"), secret="")
    play(tie, (0, reveal("wing"))).seen_by("spectator", last_round__bonus=[0, 0])


def test_r29_removed_cards_count_for_nobody() -> None:
    state = playing(
        "wing", "", piles=("", "eye"), secret="", last=1, removed=cards("horn horn"), options=None
    )
    play(state, (0, reveal("wing"))).seen_by(
        "spectator", last_round__bonus=[0, 3], last_round__stars=[0, 0]
    )


def test_r30_abraxas_are_counted_at_once_and_booked_at_the_end_of_the_round() -> None:
    state = playing("horn", "tail", cauldron="horn@1")
    at_once = play(state, (0, reveal("horn")))
    at_once.seen_by("spectator", abraxas=[1, 0], scores=[0, 0])
    at_once.when(1, lead("tail")).then().seen_by(
        "spectator", scores=[21, 0], last_round__abraxas=[1, 0], last_round__scores=[21, 0]
    )


def test_r31_an_abraxas_with_the_last_card_counts() -> None:
    state = playing("tail", "", cauldron="tail@1", secret="")
    play(state, (0, reveal("tail"))).seen_by("spectator", last_round__scores=[13, 0])


def test_r32_an_abraxas_on_a_cauldron_laid_in_a_neighbours_place_counts() -> None:
    state = playing("horn", "tail", "tail", cauldron="horn@1 eye@2")
    led = play(state, (0, reveal("horn")), (1, lead("tail")))
    led.when(2, reveal("tail")).then_among(TrickMade(C, card("tail"), abraxas=True))


def test_r33_no_abraxas_while_two_cards_lie_there() -> None:
    state = playing("horn tail", "horn wing", cauldron="horn@1", mages="brady gordon")
    frozen = play(state, (0, reveal("horn")), (1, FREEZE))
    assert frozen.state.visible == (Laid(card("horn"), B), Laid(card("horn"), A))
    frozen.when(1, reveal("horn")).then_among(TrickMade(B, card("horn"), abraxas=False))


def test_r34_a_reveal_ends_the_time_for_casts_on_the_open_table() -> None:
    state = playing("horn tail", "wing", cauldron="horn@1", mages="gordon brady", draw="eye")
    given(GAME, state).may(1, steal(0))
    position = play(state, (0, reveal("horn")))
    position.when(1, steal(0)).refused("wrong-phase")
    again = position.when(0, PASS).then().when(0, lead("tail")).then()
    again.seen_by("spectator", mages__1__spent=False).may(1, steal(0))


def test_r35_who_casts_later_answers_on_top() -> None:
    state = playing("horn tail", "wing", "eye", cauldron="horn@1", mages="gordon moka from")
    first = play(state, (0, reveal("horn")), (1, GUST))
    first.when(0, FREEZE).then().seen_by("spectator", stack__1={"seat": 0, "spell": "freeze"})


def test_r35_or_is_refused_and_keeps_the_spell() -> None:
    state = playing("horn tail", "wing", "eye", cauldron="horn@1", mages="gordon emilien from")
    first = play(state, (0, reveal("horn")), (0, FREEZE))
    late = first.when(1, burn("horn")).refused("no-such-target")
    late.seen_by("spectator", mages__1__spent=False).may(1, COUNTER)


def test_r36_nobody_answers_the_own_spell() -> None:
    state = playing("horn tail", "wing", cauldron="eye@1", mages="emilien from")
    burning = play(state, (0, burn("eye"))).seen_by("spectator", waiting_for=[1])
    burning.when(0, COUNTER).refused("spell-already-spent")
    alone = playing("horn tail", "wing", cauldron="eye@1", mages="emilien brady")
    play(alone, (0, burn("eye"))).seen_by("spectator", phase="turn", stack=[])


def test_r36_nor_does_the_light_shine_on_itself() -> None:
    state = playing("horn tail", "wing", "crow", cauldron="eye@1", mages="brady from emilien")
    shining = play(state, (0, steal(1)), (1, LIGHT)).seen_by("spectator", waiting_for=[2])
    shining.when(1, LIGHT).refused("spell-already-spent")


@pytest.mark.parametrize(("mage", "cast"), [("gordon", FREEZE), ("moka", GUST)])
def test_r36_stopping_ones_own_trick_is_legal(mage: str, cast: Cast) -> None:
    state = playing("horn tail", "wing", cauldron="horn@1", mages=mage)
    play(state, (0, reveal("horn")), (0, cast)).seen_by("spectator", piles=[3, 0])


def test_r37_a_spell_that_was_not_cast_cannot_be_cancelled() -> None:
    state = playing("horn tail", "wing", cauldron="horn@1", mages="emilien from")
    given(GAME, state).when(0, COUNTER).refused("no-such-target")
    given(GAME, state).when(1, LIGHT).refused("wrong-phase")
    trick = play(state, (0, reveal("horn")))
    trick.when(0, COUNTER).refused("no-such-target")
    trick.when(1, LIGHT).refused("not-waiting-for-you")


def test_r38_the_lock_does_not_touch_spells_already_on_the_stack() -> None:
    state = playing("horn tail", "wing", "eye", cauldron="horn@1", mages="gordon moka from")
    stack = play(state, (0, reveal("horn")), (1, GUST), (0, FREEZE), (2, LIGHT))
    stack.seen_by("spectator", locked=True, phase="lead", removed=cards("horn horn"))


def test_r39_the_lock_begins_when_the_light_takes_effect() -> None:
    state = playing("horn tail", "wing", "eye", cauldron="eye@1", mages="brady from emilien")
    shining = play(state, (0, steal(1)), (1, LIGHT))
    shining.seen_by("spectator", locked=False, waiting_for=[2]).may(2, COUNTER)
    shining.when(2, PASS).then().seen_by("spectator", locked=True)


def test_r40_an_absent_seat_passes() -> None:
    state = playing("horn tail", "wing", cauldron="horn@1", mages="brady gordon")
    assert GAME.fallback(play(state, (0, reveal("horn"))).state, B) == PASS


def test_r41_only_the_trick_being_taken_is_stopped() -> None:
    state = playing("tail eye", "wing", cauldron="horn@1", mages="gordon moka", piles=("crow", ""))
    for seat, cast in ((0, FREEZE), (1, GUST)):
        given(GAME, state).when(seat, cast).refused("wrong-phase")


def test_r42_leftovers_are_no_trick() -> None:
    state = playing("wing", "", cauldron="horn@1", mages="emilien gordon")
    happened = kinds(state, 0, reveal("wing"))
    assert happened[:4] == [CardRevealed, CardPlaced, LeftoversTaken, RoundScored]
    assert WindowOpened not in happened


def test_r7_what_nobody_captured_is_set_aside_with_the_secret_cards() -> None:
    state = playing("wing", "", cauldron="horn@1", estueux=None, last=None)
    aside = LeftoversTaken(None, cards("horn wing slime slime slime"))
    given(GAME, state).when(0, reveal("wing")).then_among(CardPlaced(A, card("wing")), aside)
    after = GAME.evolve(state, aside)
    assert (after.visible, after.secret, after.removed) == ((), (), aside.cards)


@pytest.mark.parametrize("word", ["web", "horn"])
def test_r43_on_an_empty_cauldron_any_card_is_the_new_cauldron(word: str) -> None:
    state = playing(f"{word} tail", "wing", draw="eye eye eye")
    position = given(GAME, state).seen_by("spectator", phase="turn")
    position.when(0, reveal(word)).then_among(
        CardPlaced(A, card(word)), CardsDrawn(A, 3, cards("eye eye eye")), TurnStarted(B)
    )


def test_r44_falsification_needs_ones_own_reveal() -> None:
    state = playing("horn tail", "wing eye", cauldron="shell@1", mages="brady enrico")
    given(GAME, state).when(1, reveal("wing", "shell")).refused("not-your-turn")
    given(GAME, state).may_not(1, reveal("wing", "shell"))
    own = play(state, (0, reveal("horn")))
    own.may(1, reveal("wing", "shell"), reveal("wing", "horn"))


@pytest.mark.parametrize("cauldron", ["web@1", "web@1 tail@0"])
def test_r45_a_card_may_imitate_a_web_without_its_power(cauldron: str) -> None:
    state = playing("horn eye", "wing", cauldron=cauldron, mages="enrico")
    given(GAME, state).when(0, reveal("horn", "web")).then_among(
        CardDisguised(A, card("horn"), card("web")), TrickMade(A, card("horn"), abraxas=False)
    )
    unseen = playing("horn eye", "wing", cauldron="tail@1", mages="enrico")
    given(GAME, unseen).when(0, reveal("horn", "web")).refused("ingredient-not-visible")


def test_r46_if_the_draw_pile_is_short_one_draws_what_is_there() -> None:
    state = playing("horn tail eye wing", "wing", cauldron="horn@1", draw="root")
    taken = play(state, (0, reveal("horn")))
    taken.when(0, lead("tail")).then_among(CardsDrawn(A, 1, cards("root")), TurnStarted(B))


def test_r47_an_absent_seat_plays_its_first_card() -> None:
    state = playing("tail crow", "wing", cauldron="horn@1")
    assert GAME.fallback(state, A) == reveal("crow")
    taken = play(playing("horn tail crow", "wing", cauldron="horn@1"), (0, reveal("horn")))
    assert GAME.fallback(taken.state, A) == lead("crow")


def test_r48_there_is_no_game_for_one() -> None:
    assert list(GAME.seats) == [2, 3, 4, 5, 6]


def test_r49_mages_and_spent_spells_stay_for_the_whole_game() -> None:
    state = playing("wing", "eye", cauldron="tail@1", mages="brady gordon")
    stolen = play(state, (0, steal(1))).state
    over = play(stolen, (0, reveal("wing")), (0, reveal("eye")))
    over.seen_by(
        "spectator",
        round=2,
        mages=[{"mage": "brady", "spent": True}, {"mage": "gordon", "spent": False}],
    )


def test_r50_the_ordome_deals_and_plays_first() -> None:
    state = playing("wing", "", cauldron="albino@1", ordome=B, active=0)
    following = play(state, (0, reveal("wing")))
    following.seen_by("spectator", ordome=0, active=0, round=2)
