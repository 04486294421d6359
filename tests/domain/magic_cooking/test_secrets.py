"""What nobody may know does not show, and what somebody has learned is kept (D22, D23)."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import permutations, product
from typing import Any

import pytest

from domain.dice import Dice, seeded
from domain.game import BadField, Refused, Seat, Viewer
from domain.magic_cooking import GAME
from domain.magic_cooking.cards import Card, in_deck_order
from domain.magic_cooking.commands import Cast, Command
from domain.magic_cooking.options import Options
from domain.magic_cooking.state import State, Traced
from domain.sealed import face_for
from domain.value import changed
from tests.domain.given import scripted
from tests.domain.magic_cooking.positions import (
    COUNTER,
    LIGHT,
    PASS,
    A,
    B,
    C,
    card,
    cards,
    everything,
    exchange,
    play,
    playing,
    reveal,
    steal,
)
from tests.domain.magic_cooking.test_invariants import random_game

OUTSIDER: Viewer = "spectator"


def viewers(state: State) -> list[Viewer]:
    return [*map(Seat, range(state.seats)), "spectator"]


@pytest.mark.parametrize("seats", GAME.seats)
def test_what_a_viewer_may_not_know_does_not_show_after_any_event(seats: int) -> None:
    dice = seeded(f"secrets {seats}")
    tried: dict[Command, None] = {}
    for number, (_, _, state) in enumerate(random_game(seats, seeded(f"hidden {seats}"))):
        for viewer in viewers(state):
            other = GAME.reshuffle(state, viewer, dice)
            assert GAME.view(other, viewer) == GAME.view(state, viewer)
            assert GAME.to_move(other) == GAME.to_move(state)
            assert everything(other) == everything(state)
            if isinstance(viewer, int):
                legal = GAME.moves(state, viewer)
                assert GAME.moves(other, viewer) == legal
                tried |= dict.fromkeys(legal)
                for command in list(tried)[number % 13 :: 13]:
                    assert answer(other, viewer, command) == answer(state, viewer, command)


def answer(state: State, seat: Seat, command: Command) -> str:
    try:
        events = GAME.decide(state, seat, command, seeded(0))
    except Refused as refusal:
        return refusal.code
    except BadField as bad:
        return bad.field
    return f"accepted, {type(events[0]).__name__}"


@pytest.mark.parametrize("seats", [2, 3, 6])
def test_the_public_faces_of_what_follows_depend_on_no_hidden_card_until_one_is_shown(
    seats: int,
) -> None:
    """Deal again for an outsider: a pass or a cast is told in the same words."""
    dice = seeded(f"told {seats}")
    state = None
    for _, _, state in random_game(seats, seeded(f"faces {seats}")):
        for seat in GAME.to_move(state):
            for command in GAME.moves(state, seat):
                if type(command).__name__ in ("Pass", "Cast"):
                    other = GAME.reshuffle(state, OUTSIDER, dice)
                    if command in GAME.moves(other, seat):
                        assert told(other, seat, command) == told(state, seat, command)
    assert state is not None


def told(state: State, seat: Seat, command: Command) -> list[Any]:
    events = GAME.decide(state, seat, command, seeded(0))
    return [(type(event).__name__, face_for(event, OUTSIDER)) for event in events]


def test_the_secret_cauldron_is_known_to_the_estueux_only() -> None:
    state = playing("horn tail", "wing", cauldron="horn", secret="web root scale", estueux=None)
    taken = play(state, (0, reveal("horn"))).state
    secrets = {viewer: secrets_of(taken, viewer) for viewer in (A, B, OUTSIDER)}
    assert secrets[A] == {cards("web root scale")}
    assert len(secrets[B]) > 1
    assert len(secrets[OUTSIDER]) > 1
    assert len(secrets_of(state, A)) > 1, "before the first capture nobody knows it"


def secrets_of(state: State, viewer: Viewer) -> set[tuple[Card, ...]]:
    return {GAME.reshuffle(state, viewer, seeded(seed)).secret for seed in range(40)}


def stolen() -> State:
    """Answer a round in which seat 0 has stolen the horn of seat 1."""
    state = playing(
        "tail eye", "horn crow", "wing shell", cauldron="nettle@1", mages="brady", draw="stool root"
    )
    after: State = play(state, (0, steal(1)), dice=scripted(picks=[1])).state
    assert after.traced == Traced(card("horn"), A, B, ())
    return after


def test_the_victim_knows_what_was_stolen_until_it_is_played() -> None:
    state = stolen()
    for seed in range(30):
        assert card("horn") in GAME.reshuffle(state, B, seeded(seed)).hands[A]
    played = play(state, (0, reveal("horn"))).state
    assert played.traced is not None
    assert played.traced.card is None
    hands = [GAME.reshuffle(played, B, seeded(seed)).hands[A] for seed in range(60)]
    assert all(card("horn") not in hand for hand in hands), "the only horn lies in the cauldron"
    assert len(set(hands)) > 3


def test_another_play_of_the_thief_keeps_what_the_victim_knows() -> None:
    played = play(stolen(), (0, reveal("tail"))).state
    assert all(
        card("horn") in GAME.reshuffle(played, B, seeded(seed)).hands[A] for seed in range(30)
    )


def test_others_do_not_know_what_was_stolen() -> None:
    state = stolen()
    for viewer in (C, OUTSIDER):
        again = [GAME.reshuffle(state, viewer, seeded(seed)) for seed in range(60)]
        assert {card("horn") in other.hands[A] for other in again} == {True, False}
        traced = [other.traced for other in again if other.traced]
        assert all(each.card in other.hands[A] for each, other in zip(traced, again, strict=True))
        assert len({each.card for each in traced}) > 3


def test_the_thief_knows_its_hand_and_what_is_gone_from_the_other() -> None:
    state = stolen()
    for seed in range(20):
        other = GAME.reshuffle(state, A, seeded(seed))
        assert other.hands[A] == state.hands[A]
        assert other.traced == state.traced


@pytest.mark.parametrize("answered", [None, LIGHT, COUNTER], ids=["resolved", "lit", "burned"])
def test_an_exchange_shows_everybody_a_card_of_the_hand(answered: Cast | None) -> None:
    mage = {None: "gordon", LIGHT: "from", COUNTER: "emilien"}[answered]
    state = playing(
        "horn tail", "crow web", cauldron="eye@1", mages=f"brady {mage}", draw="stool root shell"
    )
    after = play(state, (0, exchange("horn", "eye"))).state
    if answered is not None:
        after = play(after, (1, answered)).state
    known = card("eye") if answered is None else card("horn")
    for viewer in (B, OUTSIDER):
        for seed in range(30):
            assert known in GAME.reshuffle(after, viewer, seeded(seed)).hands[A]
    gone = play(after, (0, reveal("eye" if answered is None else "horn"))).state
    assert gone.traced is None


def test_an_offer_that_waits_on_the_stack_is_known_too() -> None:
    state = playing(
        "horn tail", "crow web", cauldron="eye@1", mages="brady from", draw="stool root shell"
    )
    waiting = play(state, (0, exchange("horn", "eye"))).state
    assert waiting.phase == "reaction"
    for seed in range(30):
        other = GAME.reshuffle(waiting, B, seeded(seed))
        assert card("horn") in other.hands[A]
        assert play(other, (1, PASS)).state.visible[0].card == card("horn")


class EveryRoll(Dice):
    """Answer one sequence of rolls, given in advance."""

    def __init__(self, answers: Sequence[int]) -> None:
        left = iter(answers)
        super().__init__(lambda n: next(left) % n)


def every_deal(state: State, viewer: Viewer, sizes: Sequence[int]) -> Counter[Any]:
    """Count what every sequence of rolls of these sizes leads to."""
    return Counter(
        hidden(GAME.reshuffle(state, viewer, EveryRoll(rolls)))
        for rolls in product(*(range(n) for n in sizes))
    )


def hidden(state: State) -> tuple[Any, ...]:
    return state.hands, state.draw_pile, state.secret


def dealt_by_hand(
    state: State, pool: tuple[Card, ...], deal: Callable[[tuple[Card, ...]], State]
) -> Counter[Any]:
    """Count what every order of the physical cards of a pool leads to."""
    orders = permutations(range(len(pool)))
    return Counter(hidden(deal(tuple(pool[i] for i in order))) for order in orders)


def sort(*words: Card) -> tuple[Card, ...]:
    return in_deck_order("standard", words)


def test_d23_every_physical_deal_is_as_likely_for_an_outsider() -> None:
    state = playing("horn", "horn tail", draw="eye", secret="crow", cauldron="wing@1")

    def deal(order: tuple[Card, ...]) -> State:
        a, b, c, secret, top = order
        hands = (sort(a), sort(b, c))
        return changed(state, hands=hands, secret=(secret,), draw_pile=(top,))

    pool = cards("horn horn tail eye crow")
    assert every_deal(state, OUTSIDER, (5, 4, 3, 2)) == dealt_by_hand(state, pool, deal)


def test_d23_and_for_the_estueux_who_knows_two_places() -> None:
    state = playing("horn", "horn tail", draw="eye eye", secret="crow", cauldron="wing@1")

    def deal(order: tuple[Card, ...]) -> State:
        b, c, *top = order
        return changed(state, hands=(state.hands[A], sort(b, c)), draw_pile=tuple(top))

    pool = cards("horn tail eye eye")
    assert every_deal(state, A, (4, 3, 2)) == dealt_by_hand(state, pool, deal)


def test_d23_and_for_the_victim_who_knows_one_card_of_the_thief() -> None:
    traced = Traced(card("horn"), A, B, ())
    state = playing(
        "horn horn", "tail", draw="eye", secret="crow", cauldron="wing@1", traced=traced
    )

    def deal(order: tuple[Card, ...]) -> State:
        other, secret, top = order
        hands = (sort(card("horn"), other), state.hands[B])
        return changed(state, hands=hands, secret=(secret,), draw_pile=(top,))

    pool = cards("horn eye crow")
    assert every_deal(state, B, (3, 2)) == dealt_by_hand(state, pool, deal)


def test_d23_which_card_was_stolen_is_as_likely_as_the_choices_since_allow() -> None:
    """Of three cards one was stolen and one was played: it is gone in a third of all cases."""
    traced = Traced(card("horn"), A, B, ((3, card("tail")),))
    state = playing("horn eye", "wing", draw="", secret="", cauldron="crow@1 tail@0", traced=traced)
    found: Counter[Any] = Counter()
    # Three unknown cards, then the choice at the play, then the choice among the two cards left.
    for rolls in product(range(3), range(2), range(3), range(2)):
        other = GAME.reshuffle(state, OUTSIDER, EveryRoll(rolls)).traced
        assert other is not None
        assert other.plays == traced.plays
        found[other.card] += 1
    assert found == {None: 12, card("horn"): 8, card("eye"): 8, card("wing"): 8}


def test_d22_an_equal_card_played_by_the_thief_counts_as_the_stolen_one() -> None:
    traced = Traced(card("horn"), A, B, ((2, card("horn")),))
    state = playing("horn", "wing", secret="", cauldron="crow@1", traced=traced)
    other = GAME.reshuffle(state, OUTSIDER, EveryRoll((1, 1, 0)))
    assert other.hands[A] == cards("horn")
    assert other.traced == changed(traced, card=None)


def test_what_was_learned_ends_with_the_round() -> None:
    state = playing("wing", "", cauldron="tail@1", traced=Traced(card("wing"), A, B, ()))
    assert play(state, (0, reveal("wing"))).state.traced is None


def games_with_steals() -> Iterator[State]:
    """Yield positions of random games in which something is traced."""
    options = Options(mages=("brady", "from", "emilien"))
    for seed in range(6):
        for _, _, state in random_game(3, seeded(f"steal {seed}"), options):
            if state.traced is not None:
                yield state


def test_a_traced_card_is_in_its_holders_hand_for_everybody_who_knows_it() -> None:
    dice = seeded("traced")
    seen = 0
    for state in games_with_steals():
        for viewer in viewers(state):
            other = GAME.reshuffle(state, viewer, dice)
            for each in (state, other):
                if each.traced and each.traced.card is not None:
                    seen += 1
                    assert each.traced.card in each.hands[each.traced.holder]
    assert seen > 100


def test_a_card_that_all_saw_go_to_a_hand_is_known_there_until_it_is_played() -> None:
    state = playing("tail eye", "wing", cauldron="horn@1", mages="brady")
    known = play(state, (0, exchange("tail", "horn"))).state
    assert known.traced == Traced(card("horn"), A, None, ())
    assert play(known, (0, reveal("eye"))).state.traced == known.traced
    assert play(known, (0, reveal("horn"))).state.traced is None


def test_what_a_thief_plays_is_kept_with_the_choice_that_there_was() -> None:
    state = playing("tail eye", "wing crow", cauldron="horn@1", mages="brady")
    robbed = play(state, (0, steal(1)), dice=scripted(picks=[0])).state
    assert robbed.traced is not None
    stolen = robbed.traced.card
    assert stolen in cards("wing crow")
    assert robbed.traced == Traced(stolen, A, B, ())
    other = play(robbed, (0, reveal("eye"))).state
    assert other.traced == Traced(stolen, A, B, ((3, card("eye")),))
