"""Deals again what a viewer may not know: each state that agrees with what it was told, as likely.

Weights are whole numbers of states, so nothing is rounded; colours are dealt one by one only where
hints say something of them.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from math import comb, factorial, prod

from domain.dice import Dice
from domain.game import Seat, Viewer
from domain.spellcaster.cards import Card, colour_of
from domain.spellcaster.colours import COLOURS, Colour
from domain.spellcaster.knowledge import NOTHING, seen_hands, told_to_all
from domain.spellcaster.state import Hint, State, World
from domain.value import Value, changed

Counts = tuple[int, ...]
"""How many cards of each colour, in the order of colours."""


class Way(Value):
    """A class of equally likely states: where known cards are, colours of hinted hands."""

    weight: int
    world: World
    colours: tuple[tuple[Seat, Counts], ...]


def reshuffle(state: State, viewer: Viewer, dice: Dice) -> State:
    """Answer a state drawn uniformly from all that agree with what this viewer was told."""
    if viewer == "arbiter":
        return state
    number = state.seats if viewer == "spectator" else viewer
    seen = seen_hands(state, number)
    hidden_from = [Seat(seat) for seat in range(state.seats) if seat not in seen]
    known = state.knowledge[number] if state.knowledge else NOTHING
    way = _weighted(list(_ways(state, known.worlds, known.hints, hidden_from)), dice)
    fixed = dict(way.world)
    pool = [card for seat in hidden_from for card in state.hands[seat] if card not in fixed]
    rest = list(dice.shuffle(sorted([*pool, *state.deck])))
    hands = list(state.hands)
    for seat in hidden_from:
        hands[seat] = tuple(card for card, at in way.world if at == seat)
    for seat, counts in way.colours:
        hands[seat] = (*hands[seat], *_take_colours(rest, counts))
    if way.colours:
        # The colours taken from the front are missing there: the order counts no more.
        rest = list(dice.shuffle(rest))
    for seat in hidden_from:
        missing = len(state.hands[seat]) - len(hands[seat])
        hands[seat] = tuple(sorted((*hands[seat], *rest[:missing])))
        del rest[:missing]
    dealt = changed(state, hands=tuple(hands), deck=tuple(rest))
    # What others have learned names cards where they truly are: of that only what all know is left.
    return changed(dealt, knowledge=told_to_all(dealt, number))


def _ways(
    state: State, worlds: Sequence[World], hints: Sequence[Hint], hidden_from: Sequence[Seat]
) -> Iterator[Way]:
    if len(worlds) == 1 and not hints:
        yield Way(1, worlds[0], ())
        return
    hinted = [seat for seat in hidden_from if any(seat in hint.seats for hint in hints)]
    cards = [card for seat in hidden_from for card in state.hands[seat]]
    for world in worlds:
        fixed = dict(world)
        free = {
            seat: len(state.hands[seat]) - sum(at == seat for at in fixed.values())
            for seat in hidden_from
        }
        if min(free.values()) < 0:
            continue
        colours = Counter(colour_of(c) for c in [*cards, *state.deck] if c not in fixed)
        there = tuple(colours[colour] for colour in COLOURS)
        others = [free[seat] for seat in hidden_from if seat not in hinted]
        left = sum(there) - sum(free[seat] for seat in hinted)
        alike = factorial(left) // prod(factorial(size) for size in others)
        for ways, split in _splits(there, [(seat, free[seat]) for seat in hinted]):
            if all(_agrees(hint, world, dict(split)) for hint in hints):
                yield Way(ways * alike, world, split)


def _splits(
    there: Counts, sizes: Sequence[tuple[Seat, int]]
) -> Iterator[tuple[int, tuple[tuple[Seat, Counts], ...]]]:
    """Answer each way to give hands their colours, with the number of ways to pick the cards."""
    if not sizes:
        yield 1, ()
        return
    (seat, size), *others = sizes
    for counts in _counts(there, size):
        ways = prod(comb(n, k) for n, k in zip(there, counts, strict=True))
        left = tuple(n - k for n, k in zip(there, counts, strict=True))
        for more, rest in _splits(left, others):
            yield ways * more, ((seat, counts), *rest)


def _counts(there: Counts, size: int) -> Iterator[Counts]:
    if not there:
        if size == 0:
            yield ()
        return
    for k in range(min(there[0], size) + 1):
        for rest in _counts(there[1:], size - k):
            yield (k, *rest)


def _agrees(hint: Hint, world: World, split: Mapping[Seat, Counts]) -> bool:
    wanted = [colour in hint.colours for colour in COLOURS]
    found = sum(
        count
        for seat in hint.seats
        for count, want in zip(split[seat], wanted, strict=True)
        if want
    )
    found += sum(
        at in hint.seats and colour_of(card) in hint.colours and card not in hint.apart
        for card, at in world
    )
    return found >= hint.least


def _weighted(ways: Sequence[Way], dice: Dice) -> Way:
    """Answer one of the ways, each as likely as it has states; a pick asks below 2 to the 30."""
    if len(ways) == 1:
        return ways[0]
    total = sum(way.weight for way in ways)
    if not total:
        raise ValueError("no state agrees with what was told")
    picked = total
    while picked >= total:
        picked = 0
        for bits in _chunks(total.bit_length()):
            picked = (picked << bits) | dice.pick(1 << bits)
    for way in ways[:-1]:
        if picked < way.weight:
            return way
        picked -= way.weight
    return ways[-1]


def _chunks(bits: int) -> Iterator[int]:
    while bits > 0:
        yield min(bits, 30)
        bits -= 30


def _take_colours(rest: list[Card], counts: Counts) -> list[Card]:
    """Take the first so many cards of each colour from a shuffled list."""
    taken = []
    missing: dict[Colour, int] = dict(zip(COLOURS, counts, strict=True))
    for card in tuple(rest):
        if missing[colour_of(card)]:
            missing[colour_of(card)] -= 1
            taken.append(card)
            rest.remove(card)
    return taken
