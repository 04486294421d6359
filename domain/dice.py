"""Chance as it enters the rules: rolls that are answered by whoever runs the game, and kept."""

from collections.abc import Callable, Sequence
from random import Random
from typing import TypeVar

T = TypeVar("T")


class Dice:
    """Answer the two questions of chance that rules may ask, and keep every roll as ``(n, k)``."""

    __slots__ = ("_roll", "rolls")

    def __init__(self, roll: Callable[[int], int]) -> None:
        """Take ``roll(n)``, which answers a number from 0 to n - 1, each as likely."""
        self._roll = roll
        self.rolls: list[tuple[int, int]] = []

    def pick(self, n: int) -> int:
        """Answer a number from 0 to ``n - 1``; a pick among one is a roll too."""
        answer = self._roll(n)
        self.rolls.append((n, answer))
        return answer

    def shuffle(self, cards: Sequence[T]) -> tuple[T, ...]:
        """Answer the cards in a new order, index 0 on top: rolls of m, m - 1, ... 2.

        A roll of n that answers k exchanges the cards at n - 1 and k.
        """
        deck = list(cards)
        for n in range(len(deck), 1, -1):
            k = self.pick(n)
            deck[n - 1], deck[k] = deck[k], deck[n - 1]
        return tuple(deck)


def seeded(seed: int | str) -> Dice:
    """Make dice for tests, simulations and bots, the same for the same seed."""
    return Dice(Random(seed).randrange)  # noqa: S311 - tables use keyed dice, never these


class ScriptedDice(Dice):
    """Answer shuffles and picks from a script first, then from a seed.

    A scripted shuffle names the first cards, top first; the rest follow in the order given. The
    rolls kept are those that lead to it, so that a scripted history verifies like any other.
    """

    __slots__ = ("_picks", "_shuffles")

    def __init__(
        self, shuffles: Sequence[Sequence[object]], picks: Sequence[int], seed: int | str
    ) -> None:
        super().__init__(seeded(seed).pick)
        self._shuffles = list(reversed(shuffles))
        self._picks = list(reversed(picks))

    def pick(self, n: int) -> int:
        """Answer the next scripted number; raise ValueError if it is not below ``n``."""
        if not self._picks:
            return super().pick(n)
        return self._keep(n, self._picks.pop())

    def shuffle(self, cards: Sequence[T]) -> tuple[T, ...]:
        """Answer the next scripted order; raise ValueError if it names a card that is not there."""
        if not self._shuffles:
            picks, self._picks = self._picks, []
            shuffled = super().shuffle(cards)
            self._picks = picks
            return shuffled
        rest = list(cards)
        top = []
        for card in self._shuffles.pop():
            at = next((i for i, other in enumerate(rest) if other == card), None)
            if at is None:
                raise ValueError(f"shuffle names {card!r}, which is not in the deck")
            top.append(rest.pop(at))
        target = (*top, *rest)
        deck = list(cards)
        for n in range(len(deck), 1, -1):
            k = self._keep(n, deck.index(target[n - 1]))
            deck[n - 1], deck[k] = deck[k], deck[n - 1]
        return target

    def _keep(self, n: int, answer: int) -> int:
        if not 0 <= answer < n:
            raise ValueError(f"a pick among {n} cannot be {answer}")
        self.rolls.append((n, answer))
        return answer
