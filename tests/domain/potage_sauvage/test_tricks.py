"""The worked tricks T1 to T14 of the rules, with seats A, B, C clockwise."""

from domain.potage_sauvage import GAME
from domain.potage_sauvage.events import CardPlayed, DealScored, DealStarted
from tests.domain.given import given
from tests.domain.potage_sauvage.positions import A, B, C, cards, play, play_out, playing


def test_t1_the_card_that_reaches_ten_takes_the_trick_and_its_player_leads() -> None:
    state = playing("V4 I1", "V5 I1", "V1 I1")
    play_out(state, "A V4=4, B V5=9, C V1=10").seen_by(
        "spectator", piles=[0, 0, 3], active=C, trick__cards=[], trick__sum=0
    )


def test_t2_a_trick_may_be_shorter_than_a_round() -> None:
    state = playing("I5 V1", "I10 V1", "I1 V1")
    play_out(state, "A I5=5, B I10=15").seen_by(
        "spectator", piles=[0, 2, 0], active=B, hand_sizes=[1, 1, 2]
    )


def test_t3_a_led_ten_counts_nothing_and_a_trick_may_be_longer_than_a_round() -> None:
    state = playing("F10 F5 V1", "F3 V1", "F2 V1")
    play_out(state, "A F10=0, B F3=3, C F2=5, A F5=10").seen_by(
        "spectator", piles=[4, 0, 0], active=A
    )


def test_t4_a_boot_frees_the_trick_for_everybody() -> None:
    state = playing("V2 W1 V3", "W4 I1", "V3 I3 W2")
    freed = play_out(state, "A V2=2, B W4=6").seen_by("spectator", trick__led=None)
    freed.seen_by("spectator", trick__free=True).may(2, play("V3"), play("I3"), play("W2"))
    done = play_out(freed.state, "C I3=9, A W1=10").seen_by("spectator", piles=[4, 0, 0], active=A)
    assert sorted(done.state.captured[A]) == ["I3", "V2", "W1", "W4"]


def test_t5_a_reset_keeps_the_led_suit() -> None:
    state = playing("F4 F5 V1", "FR V10 V1", "F1 I5")
    pot = play_out(state, "A F4=4, B FR=0").may(2, play("F1")).may_not(2, play("I5"))
    pot.when(2, play("I5")).refused("must-follow-suit")
    play_out(pot.state, "C F1=1, A F5=6, B V10=16").seen_by("spectator", piles=[0, 5, 0], active=B)


def test_t8_who_holds_the_led_suit_follows_and_may_not_throw_a_boot() -> None:
    pot = play_out(playing("V1 V1", "V2 W5 F3"), "A V1=1")
    assert GAME.moves(pot.state, B) == (play("V2"),)
    pot.when(1, play("W5")).refused("must-follow-suit")


def test_t9_a_discard_off_suit_does_not_move_the_led_suit() -> None:
    state = playing("I2 I3 V1", "F4 V1", "I1 F5")
    pot = play_out(state, "A I2=2, B F4=6").seen_by("spectator", trick__led="insects")
    assert GAME.moves(pot.state, C) == (play("I1"),)
    play_out(pot.state, "C I1=7, A I3=10").seen_by("spectator", piles=[4, 0, 0], active=A)


def test_t10_a_led_herb_sets_the_led_suit_and_adds_nothing() -> None:
    state = playing("VH V1 I1", "V5 I1", "V4 I1")
    pot = play_out(state, "A VH=0").seen_by("spectator", trick__led="vegetables")
    play_out(pot.state, "B V5=5, C V4=9, A V1=10").seen_by("spectator", piles=[4, 0, 0])


def test_t11_nineteen_is_the_highest_sum_that_closes() -> None:
    state = playing("F5 I1", "F4 I1", "F10 I1")
    play_out(state, "A F5=5, B F4=9, C F10=19").seen_by("spectator", piles=[0, 0, 3], active=C)


def test_t13_an_empty_hand_to_play_ends_the_deal_and_the_open_trick_is_nobodys() -> None:
    state = playing("V2 VH I5", "V1", "V3 I5", recipes=("vegetables",) * 3, captured=("V4", "", ""))
    pot = play_out(state, "A V2=2, B V1=3, C V3=6")
    events = pot.when(0, play("VH")).events()
    assert events[:2] == (
        CardPlayed(A, cards("VH")[0], 6, "vegetables", free=False, last_card=False, taker=None),
        DealScored(1, ("vegetables",) * 3, (cards("V4"), (), ()), (1, 0, 0), (6, 5, 5)),
    )
    assert isinstance(events[2], DealStarted)


def test_t14_a_last_card_takes_its_trick_and_ends_the_deal() -> None:
    state = playing("F5 I1", "F4 I1", "F1", recipes=("fruits",) * 3)
    pot = play_out(state, "A F5=5, B F4=9")
    events = pot.when(2, play("F1")).events()
    assert events[:2] == (
        CardPlayed(C, cards("F1")[0], 10, "fruits", free=False, last_card=True, taker=C),
        DealScored(1, ("fruits",) * 3, ((), (), cards("F1 F4 F5")), (0, 0, 3), (5, 5, 8)),
    )
    given(GAME, pot.state, *events).seen_by(
        "spectator", deal=2, phase="choosing", active=None, scores=[5, 5, 8]
    )
