"""Dealing again what a viewer may not know: exactly uniform, within everything it was told."""

from collections import Counter
from collections.abc import Iterator
from itertools import combinations

import pytest

from domain.dice import seeded
from domain.game import Seat, Viewer
from domain.potage_sauvage import GAME
from domain.potage_sauvage.cards import DECK, FACES, Card, Suit, in_order
from domain.potage_sauvage.commands import ChooseRecipe
from domain.potage_sauvage.reshuffle import _below
from domain.potage_sauvage.state import State
from domain.selfplay import selfplay
from domain.table.view import viewers
from domain.value import changed
from tests.domain.given import given
from tests.domain.potage_sauvage.positions import A, cards, dealt, play_out, playing

Deal = tuple[tuple[Card, ...], ...]


def small(voids: tuple[tuple[Suit, ...], ...]) -> State:
    """Answer a position with seven unseen cards, two of them equal, in two hands and aside."""
    unseen = cards("I1 I1 V2 V3 F4 W1 W2")
    state = playing("VH", "I1 V2", "V3 F4", aside=unseen[5:] + unseen[:1])
    seen = Counter(DECK) - Counter((*unseen, *state.hands[A]))
    state = changed(state, captured=(tuple(seen.elements()), (), ()))
    return changed(state, voids=voids)


def consistent_deals(state: State) -> Iterator[Deal]:
    """Yield every deal of the physical cards that A cannot exclude, the slow and plain way."""
    unseen = [*state.hands[1], *state.hands[2], *state.aside]
    everything = range(len(unseen))
    for second in combinations(everything, len(state.hands[1])):
        rest = [i for i in everything if i not in second]
        for third in combinations(rest, len(state.hands[2])):
            hands = ([unseen[i] for i in second], [unseen[i] for i in third])
            aside = [unseen[i] for i in rest if i not in third]
            held = ({FACES[card].suit for card in hand} for hand in hands)
            if not any(
                suits & set(void) for suits, void in zip(held, state.voids[1:], strict=True)
            ):
                yield tuple(map(in_order, (*hands, aside)))


@pytest.mark.parametrize(
    "voids",
    [
        ((), (), ()),
        ((), ("insects",), ()),
        ((), ("fruits",), ("fruits",)),
        ((), ("insects",), ("vegetables",)),
        ((), ("insects", "fruits"), ("vegetables",)),
    ],
)
def test_every_deal_that_a_viewer_cannot_exclude_is_as_likely(
    voids: tuple[tuple[Suit, ...], ...],
) -> None:
    state = small(voids)
    deals = Counter(consistent_deals(state))
    draws, dice = 6000, seeded(str(voids))
    drawn = Counter(
        (*other.hands[1:], other.aside)
        for other in (GAME.reshuffle(state, A, dice) for _ in range(draws))
    )
    assert set(drawn) <= set(deals)
    expected = {deal: draws * n / deals.total() for deal, n in deals.items()}
    chi_square = sum((drawn[deal] - n) ** 2 / n for deal, n in expected.items())
    freedom = len(deals) - 1
    # Mean and variance of chi-square are known; a wrong weight is off by far more than this.
    assert chi_square < freedom + 4 * (2 * freedom) ** 0.5


def test_a_seat_that_did_not_follow_is_known_to_be_void_for_the_whole_deal() -> None:
    state = playing("V1 V3 I1", "I2 F3 F4", "V2 F1 F2")
    pot = play_out(state, "A V1=1, B I2=3, C V2=5")
    assert pot.state.voids == ((), ("vegetables",), ())
    for seed in range(20):
        hand = GAME.reshuffle(pot.state, "spectator", seeded(seed)).hands[1]
        assert all(FACES[card].suit != "vegetables" for card in hand)


def test_nothing_is_learned_from_a_free_pot() -> None:
    state = playing("W1 V3 I1", "I2 F3 F4", "V2 F1 F2")
    assert play_out(state, "A W1=1, B I2=3, C V2=5").state.voids == ((), (), ())


def test_choices_that_are_face_down_are_drawn_again_among_what_is_left() -> None:
    state = dealt(3)
    for seat, recipe in ((0, "waste"), (1, "fruits")):
        state = given(GAME, state).when(seat, ChooseRecipe(recipe)).then().state  # type: ignore[arg-type]
    dice = seeded(0)
    others = [GAME.reshuffle(state, A, dice) for _ in range(2000)]
    assert {other.chosen[0] for other in others} == {"waste"}
    assert {other.chosen[2] for other in others} == {None}
    counts = Counter(other.chosen[1] for other in others)
    assert len(counts) == 5
    assert all(abs(n - 400) < 80 for n in counts.values())


def test_the_arbiter_keeps_the_state_as_it_is() -> None:
    state = dealt(4)
    assert GAME.reshuffle(state, "arbiter", seeded(0)) == state


@pytest.mark.parametrize("seats", GAME.seats)
def test_dealing_again_keeps_sizes_cards_and_voids(seats: int) -> None:
    dice = seeded(seats)
    for number, step in enumerate(selfplay(GAME, seats, seed="sizes")):
        state: State = step.after.play
        watching: tuple[Viewer, ...] = viewers(step.after)
        viewer = watching[number % len(watching)]
        other = GAME.reshuffle(state, viewer, dice)
        assert [len(hand) for hand in other.hands] == [len(hand) for hand in state.hands]
        assert in_order((*sum(other.hands, ()), *other.aside)) == in_order(
            (*sum(state.hands, ()), *state.aside)
        )
        assert GAME.view(other, viewer) == GAME.view(state, viewer)
        for seat in map(Seat, range(seats)):
            held = {FACES[card].suit for card in other.hands[seat]}
            assert not held & set(state.voids[seat])


@pytest.mark.parametrize("n", [1, 2, 2**32, 2**32 + 1, 3**50])
def test_a_large_number_is_picked_from_picks_that_fit_any_dice(n: int) -> None:
    dice = seeded(n)
    picked = [_below(n, dice) for _ in range(200)]
    assert all(0 <= each < n for each in picked)
    assert max(picked) >= n * 9 // 10
    assert all(sides <= 2**32 for sides, _ in dice.rolls)
