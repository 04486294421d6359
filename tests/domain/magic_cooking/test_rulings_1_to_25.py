"""The rulings R1 to R25, one test named after each; R7 stands with the leftovers of R42."""

import pytest

from domain.game import Seat
from domain.magic_cooking import GAME
from domain.magic_cooking.commands import Cast, Reveal
from domain.magic_cooking.events import (
    CardBurned,
    CardPlaced,
    CardStolen,
    CauldronLed,
    FirstTrickTaken,
    GameEnded,
    LeadAwaited,
    RoundScored,
    TrickMade,
    TrickTaken,
    TurnStarted,
)
from domain.magic_cooking.state import Laid
from tests.domain.given import given, scripted
from tests.domain.magic_cooking.positions import (
    COUNTER,
    FREEZE,
    GUST,
    LIGHT,
    A,
    B,
    C,
    burn,
    card,
    cards,
    dealt,
    exchange,
    held_by,
    kinds,
    lead,
    play,
    playing,
    reveal,
    steal,
)


def test_r1_the_first_ordome_is_set_or_left_to_chance() -> None:
    given(GAME, dealt(3, first_ordome=Seat(2))).seen_by("spectator", ordome=2, active=2)
    given(GAME, dealt(3, scripted((), picks=[1]), mages=("brady", "from", "moka"))).seen_by(
        "spectator", ordome=1, active=1
    )


def test_r2_removed_cards_are_back_in_the_next_round() -> None:
    last = playing("wing", "", cauldron="tail@1", removed=cards("horn horn"))
    after = play(last, (0, reveal("wing"))).seen_by("spectator", round=2, removed=[]).state
    assert held_by(after) == 49


def test_r3_only_face_up_cards_are_matched() -> None:
    state = playing("horn", "tail", cauldron="eye", secret="horn web tail", estueux=None, last=None)
    given(GAME, state).when(0, reveal("horn")).then_among(CardPlaced(A, card("horn")))


@pytest.mark.parametrize("word", ["horn", "web"])
def test_r4_a_match_is_taken_whether_one_likes_it_or_not(word: str) -> None:
    state = playing(f"{word} tail", "eye", cauldron="horn@1 wing@0")
    given(GAME, state).when(0, reveal(word)).then_among(
        TrickTaken(A, cards(f"horn wing {word}"), abraxas=False)
    )


def test_r5_no_abraxas_on_a_card_one_laid_oneself() -> None:
    own = playing("horn horn", "", cauldron="")
    position = play(own, (0, reveal("horn")))
    position.seen_by("spectator", cauldron__visible=[{"card": card("horn"), "by": 0}])
    position.when(0, reveal("horn")).then_among(TrickMade(A, card("horn"), abraxas=False))


def test_r5_seats_without_cards_between_do_not_matter() -> None:
    state = playing("horn", "", "tail", cauldron="horn@2")
    given(GAME, state).when(0, reveal("horn")).then_among(TrickMade(A, card("horn"), abraxas=True))


@pytest.mark.parametrize(("by", "abraxas"), [(1, True), (0, False)])
def test_r5_an_exchanged_card_counts_as_laid_by_who_laid_the_old_one(
    by: int, *, abraxas: bool
) -> None:
    state = playing("horn horn", "wing", cauldron=f"tail@{by}", mages="brady")
    swapped = play(state, (0, exchange("horn", "tail")))
    assert swapped.state.visible == (Laid(card("horn"), Seat(by)),)
    swapped.when(0, reveal("horn")).then_among(TrickMade(A, card("horn"), abraxas=abraxas))


def test_r6_laying_the_cauldron_in_a_neighbours_place_is_the_whole_turn() -> None:
    state = playing("horn", "tail eye", "wing", cauldron="horn@1 shell@2")
    taken = play(state, (0, reveal("horn")))
    taken.seen_by("spectator", phase="lead", active=1, waiting_for=[1])
    taken.when(1, lead("tail")).then(CauldronLed(B, card("tail")), TurnStarted(C))


def test_r6_the_next_seat_with_cards_lays_it_and_without_any_the_round_ends() -> None:
    state = playing("horn", "", "wing", cauldron="horn@1 shell@2")
    given(GAME, state).when(0, reveal("horn")).then_among(LeadAwaited(C))
    nobody = playing("horn", "", cauldron="horn@1 shell@1")
    assert RoundScored in kinds(nobody, 0, reveal("horn"))


def test_r8_the_best_of_a_round_are_its_uscul_and_ties_share() -> None:
    state = playing("wing", "", cauldron="tail@1", piles=("horn crow", "scale root"), secret="")
    given(GAME, play(state, (0, reveal("wing"))).state).seen_by(
        "spectator", last_round__scores=[8, 5], last_round__uscul=[0]
    )
    tie = playing("wing", "", cauldron="", piles=("horn", "scale crow"), secret="")
    given(GAME, play(tie, (0, reveal("wing"))).state).seen_by(
        "spectator", last_round__bonus=[0, 0], last_round__uscul=[0, 1]
    )


def test_r9_without_the_albino_feather_the_ordome_stays() -> None:
    removed = playing("wing", "", cauldron="tail@1", ordome=B, removed=cards("albino"))
    play(removed, (0, reveal("wing"))).seen_by("spectator", round=2, ordome=1)
    captured = playing("wing", "", cauldron="tail@1 albino@1", ordome=B)
    play(captured, (0, reveal("wing"))).seen_by("spectator", round=2, ordome=0, active=0)


def test_r10_equal_totals_share_the_win() -> None:
    state = playing("wing", "", piles=("horn", "scale crow"), secret="", round=2, scores=(3, 3))
    over = given(GAME, state).when(0, reveal("wing")).then_among(GameEnded((A, B), (7, 7)))
    assert GAME.result(over.state) == {"winners": [0, 1], "scores": [7, 7]}


@pytest.mark.parametrize("spell", ["permutation", "burn", "falsification", "freeze", "gust"])
def test_r11_no_spell_before_or_against_the_first_capture_of_the_round(spell: str) -> None:
    mage = {"permutation": "brady", "burn": "emilien", "falsification": "enrico"}.get(spell)
    state = playing(
        "horn tail", "wing eye", cauldron="horn@1", mages=f"{mage or 'gordon'} moka", estueux=None
    )
    if spell in ("permutation", "burn"):
        cast = steal(1) if spell == "permutation" else burn("horn")
        given(GAME, state).when(0, cast).refused("before-first-capture")
    if spell == "falsification":
        given(GAME, state).when(0, reveal("tail", "horn")).refused("before-first-capture")
    given(GAME, state).when(0, reveal("horn")).then_among(
        FirstTrickTaken(A, cards("horn horn"), cards("slime slime slime")), LeadAwaited(A)
    )


def test_r11_it_counts_anew_in_every_round() -> None:
    state = playing("wing", "", cauldron="tail@1", mages="emilien brady", draw="")
    following = play(state, (0, reveal("wing"))).state
    lying = following.visible[0].card
    given(GAME, following).when(0, Cast("burn", card=lying)).refused("before-first-capture")


@pytest.mark.parametrize("answer", [LIGHT, COUNTER])
def test_r12_a_cancelled_spell_is_spent(answer: Cast) -> None:
    mage = "from" if answer is LIGHT else "emilien"
    state = playing("horn tail", "wing eye", cauldron="eye@1", mages=f"brady {mage}")
    cancelled = play(state, (0, steal(1)), (1, answer))
    cancelled.seen_by("spectator", mages__0__spent=True, hand_sizes=[2, 2], phase="turn")
    if answer is COUNTER:
        cancelled.when(0, steal(1)).refused("spell-already-spent")


def test_r12_a_spell_without_target_at_its_resolution_is_spent() -> None:
    state = playing("horn tail", "wing eye", cauldron="horn@1", mages="gordon moka")
    after = play(state, (0, reveal("horn")), (1, GUST), (0, FREEZE))
    after.seen_by("spectator", mages__0__spent=True, mages__1__spent=True)


def test_r12_a_refused_spell_is_not_spent() -> None:
    state = playing("horn tail", "", cauldron="horn@1", mages="brady")
    position = given(GAME, state).when(0, steal(1)).refused("no-such-target")
    position.seen_by("spectator", mages__0__spent=False)


def test_r13_permutation_steals_from_a_hand_that_holds_something() -> None:
    state = playing("horn", "wing eye", "", cauldron="tail@1", mages="brady", piles=("", "", "web"))
    given(GAME, state).may(0, steal(1)).may_not(0, steal(0), steal(2))
    given(GAME, state).when(0, steal(1), scripted(picks=[1])).then_among(
        CardStolen(A, B, card("wing"))
    )


def test_r14_an_exchange_never_captures() -> None:
    state = playing("horn", "wing", cauldron="tail@1 horn@1", mages="brady")
    play(state, (0, exchange("horn", "tail"))).seen_by(
        "spectator", phase="turn", active=0, piles=[3, 0]
    )
    same = playing("horn", "wing", cauldron="horn@1", mages="brady")
    play(same, (0, exchange("horn", "horn"))).seen_by(0, hand=["unicorn_horn"], phase="turn")


def test_r15_a_steal_is_not_refilled_at_once() -> None:
    state = playing(
        "horn tail eye wing", "shell stool nettle root", cauldron="slime@1", mages="brady",
        draw="crow crow crow",
    )  # fmt: skip
    stolen = play(state, (0, steal(1)))
    stolen.seen_by("spectator", hand_sizes=[5, 3], draw_pile=3)
    placed = play(stolen.state, (0, reveal("tail"))).seen_by("spectator", hand_sizes=[4, 3])
    theirs = placed.state.hands[1][0]
    placed.when(1, Reveal(theirs)).then().seen_by("spectator", hand_sizes=[4, 4], draw_pile=1)


def test_r16_burn_takes_face_up_cards_only() -> None:
    state = playing(
        "horn tail", "wing", cauldron="eye@1", mages="emilien", piles=("shell", ""), draw="root"
    )
    position = given(GAME, state).may(0, burn("eye"))
    for word in ("horn", "wing", "shell", "root", "slime"):
        position.when(0, burn(word)).refused("no-such-target")


def test_r17_a_falsified_card_is_its_printed_self_in_the_pile() -> None:
    state = playing("albino", "", cauldron="horn@1 tail@1", mages="enrico", last=1, ordome=B)
    play(state, (0, reveal("albino", "horn"))).seen_by(
        "spectator", last_round__stars=[4, 0], ordome=0, round=2
    )


def test_r18_after_a_gust_the_would_be_capturer_leads() -> None:
    state = playing("horn tail", "wing", cauldron="horn@1", mages="brady moka")
    play(state, (0, reveal("horn")), (1, GUST)).seen_by("spectator", phase="lead", active=0)
    last = playing("horn", "wing", cauldron="horn@1", mages="brady moka")
    play(last, (0, reveal("horn")), (1, GUST)).seen_by("spectator", phase="lead", active=1)


def test_r19_burning_a_card_of_the_trick_does_not_break_the_match() -> None:
    state = playing("horn tail", "wing", cauldron="horn@1 eye@1", mages="brady emilien")
    given(GAME, play(state, (0, reveal("horn"))).state).when(1, burn("horn")).then_among(
        CardBurned(B, card("horn")), TrickTaken(A, cards("eye horn"), abraxas=False)
    )


def test_r20_an_abraxas_may_be_prepared_by_an_exchange_or_a_burn() -> None:
    swapped = playing("horn horn", "wing", cauldron="tail@1", mages="brady")
    play(swapped, (0, exchange("horn", "tail")), (0, reveal("horn"))).seen_by(
        "spectator", abraxas=[1, 0]
    )
    burned = playing("horn eye", "wing", cauldron="tail@1 horn@1", mages="emilien")
    play(burned, (0, burn("tail")), (0, reveal("horn"))).seen_by("spectator", abraxas=[1, 0])


def test_r21_the_albino_feather_and_a_crow_feather_do_not_match() -> None:
    for mine, lying in (("albino", "crow"), ("crow", "albino")):
        state = playing(f"{mine} tail", "wing", cauldron=f"{lying}@1")
        given(GAME, state).when(0, reveal(mine)).then_among(CardPlaced(A, card(mine)))


@pytest.mark.parametrize(("lying", "abraxas"), [("web", True), ("horn", False)])
def test_r22_a_web_makes_an_abraxas_on_a_web_only(lying: str, *, abraxas: bool) -> None:
    state = playing("web tail", "wing", cauldron=f"{lying}@1")
    given(GAME, state).when(0, reveal("web")).then_among(
        TrickMade(A, card("web"), abraxas=abraxas),
        TrickTaken(A, cards(f"{lying} web"), abraxas=abraxas),
    )


def test_r23_another_card_does_not_match_a_web_in_the_cauldron() -> None:
    state = playing("horn tail", "wing", cauldron="web@1")
    given(GAME, state).when(0, reveal("horn")).then_among(CardPlaced(A, card("horn")))


@pytest.mark.parametrize("word", ["web", "albino"])
def test_r24_the_first_face_up_card_stays_whatever_it_is(word: str) -> None:
    deal = scripted(cards("horn horn tail tail eye eye wing wing " + word))
    given(GAME, dealt(2, deal, mages=("brady", "from"), first_ordome=A)).seen_by(
        "spectator", cauldron__visible=[{"card": card(word), "by": None}]
    )


def test_r25_the_played_card_goes_into_the_trick() -> None:
    state = playing("horn tail", "wing", cauldron="horn@1")
    play(state, (0, reveal("horn"))).seen_by("spectator", piles=[5, 0])
