"""Deals again what a viewer may not know: every deal that agrees with what it was told, as likely.

Equal cards count as different ones here, as they do in a real deck.
"""

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from itertools import accumulate, product
from math import comb, prod
from operator import sub
from typing import NamedTuple, TypeAlias

from domain.dice import Dice
from domain.game import Seat, Viewer
from domain.potage_sauvage.cards import DECK, FACES, SUITS, Card, Recipe, Suit, in_order
from domain.potage_sauvage.state import State
from domain.value import changed

Counts: TypeAlias = tuple[int, ...]
"""Numbers of cards, by suit in the order of SUITS."""

Voids: TypeAlias = tuple[Suit, ...]
"""Suits that a hidden place is known not to hold; never waste, which nobody must follow."""


class Group(NamedTuple):
    """Hidden places with the same voids, and how many cards they hold together."""

    void: Voids
    size: int


def reshuffle(state: State, viewer: Viewer, dice: Dice) -> State:
    """Draw others' hands, the cards set aside and the choices that are still face down."""
    if viewer == "arbiter" or state.phase == "over":
        return state
    state = changed(state, chosen=_choices(state, viewer, dice))
    hidden = [Seat(seat) for seat in range(len(state.hands)) if seat != viewer]
    sizes = [*(len(state.hands[seat]) for seat in hidden), len(state.aside)]
    voids = [*(tuple(sorted(state.voids[seat])) for seat in hidden), ()]
    *drawn, aside = _draw(_unseen(state, viewer), sizes, voids, dice)
    hands = list(state.hands)
    for seat, hand in zip(hidden, drawn, strict=True):
        hands[seat] = hand
    return changed(state, hands=tuple(hands), aside=aside)


def _choices(state: State, viewer: Viewer, dice: Dice) -> tuple[Recipe | None, ...]:
    """Draw every choice that is face down for this viewer among what its seat has left."""
    if state.phase != "choosing":
        return state.chosen
    return tuple(
        chosen if chosen is None or seat == viewer else left[dice.pick(len(left))]
        for seat, (chosen, left) in enumerate(zip(state.chosen, state.left, strict=True))
    )


def _unseen(state: State, viewer: Viewer) -> tuple[Card, ...]:
    """Answer the cards of this deal that the viewer neither holds nor saw played."""
    seen = Counter(laid.card for laid in state.trick.cards)
    for pile in state.captured:
        seen.update(pile)
    if not isinstance(viewer, str):
        seen.update(state.hands[viewer])
    return tuple((Counter(DECK) - seen).elements())


def _draw(
    unseen: tuple[Card, ...], sizes: list[int], voids: list[Voids], dice: Dice
) -> list[tuple[Card, ...]]:
    """Deal the unseen cards to places of these sizes, each void of some suits.

    Places with the same voids are dealt to together, the most restricted first.
    """
    kinds = sorted(set(voids), key=lambda void: (-len(void), void))
    together = tuple(
        Group(void, sum(size for size, each in zip(sizes, voids, strict=True) if each == void))
        for void in kinds
    )
    piles = [dice.shuffle([c for c in unseen if FACES[c].suit == suit]) for suit in SUITS]
    cards: dict[Voids, list[Card]] = {}
    for at, group in enumerate(together):
        split = _pick_split(tuple(map(len, piles)), together[at:], dice)
        taken = [card for pile, n in zip(piles, split, strict=True) for card in pile[:n]]
        piles = [pile[n:] for pile, n in zip(piles, split, strict=True)]
        cards[group.void] = list(dice.shuffle(taken))
    drawn = []
    for size, void in zip(sizes, voids, strict=True):
        drawn.append(in_order(cards[void][:size]))
        del cards[void][:size]
    return drawn


def _pick_split(left: Counts, groups: tuple[Group, ...], dice: Dice) -> Counts:
    """Draw how many cards of each suit the first group gets, weighed by the deals with it."""
    if len(groups) == 1:
        return left
    splits, ways = zip(*_splits(left, groups), strict=True)
    ends = list(accumulate(ways))
    drawn: Counts = splits[bisect_right(ends, _below(ends[-1], dice))]
    return drawn


@lru_cache(maxsize=1 << 14)
def _ways(left: Counts, groups: tuple[Group, ...]) -> int:
    """Count the deals of these cards to these groups; the last group takes any card."""
    if len(groups) == 1:
        return 1
    if len(groups) == 2:
        void, size = groups[0]
        return comb(sum(n for suit, n in zip(SUITS, left, strict=True) if suit not in void), size)
    return sum(ways for _, ways in _splits(left, groups))


def _splits(left: Counts, groups: tuple[Group, ...]) -> Iterator[tuple[Counts, int]]:
    """Answer what the first group may get, by suit, and the number of deals with each."""
    void, size = groups[0]
    most = [0 if suit in void else min(n, size) for suit, n in zip(SUITS, left, strict=True)]
    for led in product(*(range(n + 1) for n in most[:-1])):
        waste = size - sum(led)
        if 0 <= waste <= most[-1]:
            split = (*led, waste)
            rest = tuple(map(sub, left, split))
            yield split, prod(map(comb, left, split)) * _ways(rest, groups[1:])


def _below(n: int, dice: Dice) -> int:
    """Pick a number below ``n``, however large, from picks of at most 32 bits."""
    digits = (n - 1).bit_length() // 32
    while True:
        number = dice.pick(((n - 1) >> 32 * digits) + 1)
        for _ in range(digits):
            number = number << 32 | dice.pick(1 << 32)
        if number < n:
            return number
