"""What a bot makes of a view: cards counted, and what a trick or a lead is worth."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from domain.game import View
from domain.magic_cooking.cards import ABRAXAS, Card, Ingredient, facts
from domain.value import Value

OF_A_CARD = 0.25
"""What one more card is worth: its share in the majority."""


class Look(Value):
    """The table as one seat sees it, with the copies of each card that it sees nowhere."""

    seat: int
    play: View
    deck: str
    hand: tuple[Card, ...]
    lying: tuple[Card, ...]
    layers: tuple[int | None, ...]
    unseen: Counter[Card]

    @property
    def last_round(self) -> bool:
        """Tell whether a spell kept now is a spell lost."""
        return bool(self.play["round"] == self.play["rounds"])

    @property
    def my_turn(self) -> bool:
        """Tell whether this seat is about to reveal a card."""
        return bool(self.play["phase"] == "turn" and self.play["active"] == self.seat)

    def ingredient(self, card: Card) -> Ingredient:
        """Answer the facts of a card."""
        return facts(self.deck)[card]

    def worth(self, cards: Sequence[Card]) -> float:
        """Answer what a pile gains by some cards."""
        return sum(self.ingredient(card).stars + OF_A_CARD for card in cards)

    def hidden_worth(self) -> float:
        """Answer what the hidden cards of the cauldron promise."""
        unseen = max(1, self.unseen.total())
        mean = self.worth(tuple(self.unseen.elements())) / unseen
        return mean * float(self.play["cauldron"]["hidden"])

    def matches(self, card: Card) -> bool:
        """Tell whether a card of the hand would take the cauldron."""
        web = self.ingredient(card).takes_anything
        return bool(self.lying) and (web or card in self.lying)

    def makes_abraxas(self, card: Card, lying: Sequence[Card], layers: Sequence[object]) -> bool:
        """Tell whether a card would make an Abraxas on these cards and those who laid them."""
        if self.play["cauldron"]["hidden"]:
            return False
        return list(lying) == [card] and layers[0] != self.seat

    def next_size(self) -> int:
        """Answer how many cards the next seat with cards will choose from."""
        sizes: list[int] = self.play["hand_sizes"]
        others = [*sizes[self.seat + 1 :], *sizes[: self.seat]]
        return next((size for size in others if size), 0)

    def chance(self, copies: int) -> float:
        """Answer how likely the next seat holds one of so many unseen copies."""
        unseen = max(1, self.unseen.total())
        return 1.0 - (1.0 - min(1.0, copies / unseen)) ** self.next_size()

    def risk_of_single(self, card: Card) -> float:
        """Answer what it costs to leave a card alone in the cauldron: the next seat's Abraxas."""
        single = self.chance(self.unseen[card]) * (ABRAXAS + self.worth((card, card)))
        webs = self.chance(sum(n for each, n in self.unseen.items() if self._web(each)))
        return single + webs * self.worth((card,))

    def best_lead_risk(self, without: Card) -> float:
        """Answer the smallest risk among the leads left after a card of the hand was played."""
        rest = list(self.hand)
        if without in rest:
            rest.remove(without)
        return min((self.risk_of_single(card) for card in set(rest)), default=0.0)

    def risk_of_pile(self, card: Card) -> float:
        """Answer what it costs to add a card to a cauldron that the next seat may take."""
        pile = (*self.lying, card)
        takers = sum(
            copies for each, copies in self.unseen.items() if each in pile or self._web(each)
        )
        return self.chance(takers) * (self.worth(pile) + self.hidden_worth())

    def trick(self) -> float:
        """Answer what the pending trick, or the cauldron as it lies, would bring its capturer."""
        pending = self.play["pending"]
        played = () if pending is None or pending["card"] is None else (pending["card"],)
        ten = ABRAXAS if pending is not None and pending["abraxas"] else 0
        return self.worth((*self.lying, *played)) + self.hidden_worth() + ten

    def _web(self, card: Card) -> bool:
        return self.ingredient(card).takes_anything


def look(view: View) -> Look:
    """Read a table's view."""
    play: dict[str, Any] = view["play"]
    deck: str = view["options"]["deck"]
    cauldron = play["cauldron"]
    pending = play["pending"]
    seen = Counter(play["hand"])
    seen.update(laid["card"] for laid in cauldron["visible"])
    seen.update(cauldron["secret"] or ())
    seen.update(play["removed"])
    seen.update([pending["card"]] if pending else [])
    unseen = Counter({each.card: each.copies for each in facts(deck).values()})
    unseen.subtract(seen)
    return Look(
        seat=view["viewer"]["seat"],
        play=play,
        deck=deck,
        hand=tuple(play["hand"]),
        lying=tuple(laid["card"] for laid in cauldron["visible"]),
        layers=tuple(laid["by"] for laid in cauldron["visible"]),
        unseen=+unseen,
    )
