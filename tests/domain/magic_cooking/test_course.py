"""Sections 2.1 to 2.12 where no ruling speaks: dealing, drawing, scoring, whole rounds."""

import pytest

from domain.game import Seat
from domain.magic_cooking import GAME
from domain.magic_cooking.cards import deck_cards
from domain.magic_cooking.events import (
    CardRevealed,
    CardsDrawn,
    CauldronLed,
    CauldronLit,
    FirstTrickTaken,
    HandDealt,
    LeadAwaited,
    MagesDealt,
    RoundStarted,
    TrickMade,
    TurnStarted,
)
from domain.magic_cooking.options import Options
from domain.magic_cooking.rounds import start
from domain.magic_cooking.state import initial
from domain.magic_cooking.story import certain
from domain.sealed import face_for
from tests.domain.given import given, scripted
from tests.domain.magic_cooking.positions import (
    A,
    B,
    card,
    cards,
    dealt,
    held_by,
    lead,
    play,
    playing,
    reveal,
)

TOP = "horn horn tail tail eye eye wing wing horn crow web root shell"


def test_2_2_the_deal_goes_by_seat_then_lights_the_cauldron() -> None:
    first = initial(2, Options(mages=("moka", "from"), first_ordome=B).settled(2))
    deck = scripted(cards(TOP)).shuffle(deck_cards("standard"))
    assert start(first, scripted(cards(TOP))) == (
        MagesDealt(("moka", "from")),
        RoundStarted(1, B, deck),
        HandDealt(A, cards("horn horn tail tail")),
        HandDealt(B, cards("eye eye wing wing")),
        CauldronLit(card("horn"), cards("crow web root")),
        TurnStarted(B),
    )


def test_d20_dice_are_rolled_for_mages_then_ordome_then_deck() -> None:
    dice, agreed = scripted(), scripted()
    dealt(3, dice)
    assert [n for n, _ in dice.rolls] == [*range(6, 1, -1), 3, *range(49, 1, -1)]
    dealt(2, agreed, mages=("moka", "from"), first_ordome=A)
    assert [n for n, _ in agreed.rolls] == [*range(49, 1, -1)]


def test_d20_a_shuffle_of_mages_goes_by_seat_and_one_of_cards_by_hand() -> None:
    state = dealt(3, scripted(("moka", "from"), cards(TOP), picks=[2]))
    assert state.mages == ("moka", "from", "brady")
    assert state.ordome == 2
    assert state.hands[0] == cards("horn horn tail tail")


@pytest.mark.parametrize(
    ("seats", "draw"), [(2, 37), (3, 33), (4, 29), (5, 25), (6, 21)], ids=lambda each: str(each)
)
def test_2_2_what_is_not_dealt_is_the_draw_pile(seats: int, draw: int) -> None:
    state = dealt(seats)
    given(GAME, state).seen_by("spectator", draw_pile=draw, hand_sizes=[4] * seats)
    assert held_by(state) == 49


def test_2_2_rounds_count_from_one_and_nobody_has_captured_yet() -> None:
    given(GAME, dealt(3)).seen_by(
        "spectator",
        round=1,
        rounds=3,
        phase="turn",
        estueux=None,
        last_capturer=None,
        cauldron__hidden=3,
        piles=[0, 0, 0],
        scores=[0, 0, 0],
        last_round=None,
    )


def test_2_3_a_seat_without_cards_is_passed_over() -> None:
    state = playing("tail eye", "", "wing", cauldron="horn@1")
    given(GAME, state).when(0, reveal("tail")).then_among(TurnStarted(Seat(2)))
    alone = playing("tail eye", "", "", cauldron="horn@1")
    given(GAME, alone).when(0, reveal("tail")).then_among(TurnStarted(A))


def test_2_5_and_2_6_a_capturer_leads_and_then_draws_two() -> None:
    state = playing("horn tail eye wing", "shell", cauldron="horn@1", draw="root root root")
    led = given(GAME, state).when(0, reveal("horn")).then_among(LeadAwaited(A))
    led.seen_by("spectator", phase="lead", active=0, waiting_for=[0], cauldron__visible=[])
    led.when(0, lead("tail")).then(
        CauldronLed(A, card("tail")), CardsDrawn(A, 2, cards("root root")), TurnStarted(B)
    ).seen_by("spectator", cauldron__visible=[{"card": card("tail"), "by": 0}], draw_pile=1)


def test_2_5_the_first_capture_needs_no_spell_window() -> None:
    state = dealt(2, scripted(cards(TOP)), mages=("moka", "gordon"), first_ordome=A)
    given(GAME, state).when(0, reveal("horn")).then(
        CardRevealed(A, card("horn"), None),
        TrickMade(A, card("horn"), abraxas=False),
        FirstTrickTaken(A, cards("horn horn"), cards("crow web root")),
        LeadAwaited(A),
    )


def test_2_10_and_2_11_scores_add_up_and_the_albino_feather_gives_the_deal() -> None:
    state = playing(
        "wing", "", cauldron="", piles=("albino root", "horn"), secret="", scores=(4, 1), ordome=B
    )
    play(state, (0, reveal("wing"))).seen_by(
        "spectator", scores=[9, 5], ordome=0, active=0, round=2, last_round__bonus=[3, 0]
    )


def test_2_11_a_feather_in_the_secret_cauldron_counts_for_the_estueux() -> None:
    state = playing("wing", "", secret="albino tail tail", estueux=1, ordome=A)
    play(state, (0, reveal("wing"))).seen_by("spectator", ordome=1, active=1)


def test_2_12_the_last_round_ends_the_game() -> None:
    state = playing("wing", "", options=Options(rounds=1).settled(2))
    over = play(state, (0, reveal("wing"))).seen_by("spectator", phase="over", round=1)
    assert GAME.is_over(over.state)
    assert GAME.to_move(over.state) == ()


def test_a_hand_and_a_draw_are_told_to_their_owner_only() -> None:
    drawn = CardsDrawn(A, 1, cards("horn"))
    assert face_for(drawn, A)["cards"] == cards("horn")
    assert "cards" not in face_for(drawn, B)
    assert "cards" not in face_for(drawn, "spectator")
    first = FirstTrickTaken(B, cards("eye eye"), cards("horn tail wing"))
    assert "secret" in face_for(first, B)
    assert "secret" not in face_for(first, A)


def test_a_value_that_the_rules_make_sure_of_is_never_missing() -> None:
    assert certain(0) == 0
    with pytest.raises(ValueError, match="had made sure"):
        certain(None)
