"""The deck lists, the mages and their spells, as data that is checked when it is loaded."""

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import Final, Literal, NewType, TypeAlias

from domain.value import Value

Card = NewType("Card", str)
"""An ingredient card, by its wire code; equal copies are equal values."""

Mage: TypeAlias = Literal["brady", "emilien", "enrico", "from", "gordon", "moka"]
Spell: TypeAlias = Literal[
    "permutation", "burn", "falsification", "in_full_light", "freeze", "gust"
]

MAGES: Final[tuple[Mage, ...]] = ("brady", "emilien", "enrico", "from", "gordon", "moka")
SPELLS: Final[Mapping[Mage, Spell]] = MappingProxyType(
    {
        "brady": "permutation",
        "emilien": "burn",
        "enrico": "falsification",
        "from": "in_full_light",
        "gordon": "freeze",
        "moka": "gust",
    }
)
"""The one spell of each mage."""

HAND: Final = 4
"""Cards dealt to a hand, and the size a hand is drawn up to."""
SECRET: Final = 3
"""Cards of the Secret Cauldron."""
ABRAXAS: Final = 10
"""Points of an Abraxas."""
MAJORITY: Final = 3
"""Points of the sole owner of the most cards."""


class Ingredient(Value):
    """A kind of card: how many copies a deck has, the stars of each, and its two powers."""

    card: Card
    copies: int
    stars: int
    takes_anything: bool = False
    gives_ordome: bool = False


class Deck(Value):
    """A deck list in its order, with the totals it must have: kinds, cards and stars.

    Raise ValueError where the list and its totals differ, or where an ingredient is listed twice.
    """

    ingredients: tuple[Ingredient, ...]
    kinds: int
    cards: int
    stars: int

    def __post_init__(self) -> None:
        found = (
            len({each.card for each in self.ingredients}),
            sum(each.copies for each in self.ingredients),
            sum(each.copies * each.stars for each in self.ingredients),
        )
        if found != (self.kinds, self.cards, self.stars) or len(self.ingredients) != self.kinds:
            raise ValueError(f"kinds, cards and stars of the deck list are {found}")


DECKS: Final[Mapping[str, Deck]] = MappingProxyType(
    {
        "standard": Deck(
            ingredients=(
                Ingredient(Card("crow_feather"), 4, 1),
                Ingredient(Card("spiderweb"), 4, 0, takes_anything=True),
                Ingredient(Card("albino_crow_feather"), 1, 0, gives_ordome=True),
                Ingredient(Card("mandrake_root"), 4, 2),
                Ingredient(Card("dragon_scale"), 4, 3),
                Ingredient(Card("unicorn_horn"), 4, 4),
                Ingredient(Card("toad_slime"), 4, 0),
                Ingredient(Card("rat_tail"), 4, 0),
                Ingredient(Card("newt_eye"), 4, 0),
                Ingredient(Card("bat_wing"), 4, 0),
                Ingredient(Card("toadstool"), 4, 0),
                Ingredient(Card("nettle"), 4, 0),
                Ingredient(Card("snail_shell"), 4, 0),
            ),
            kinds=13,
            cards=49,
            stars=40,
        ),
    }
)
"""Deck lists by name: another one is one more literal."""

CARDS: Final[tuple[Card, ...]] = tuple(
    dict.fromkeys(each.card for deck in DECKS.values() for each in deck.ingredients)
)
"""Every ingredient of every deck list."""


@cache
def deck_cards(name: str) -> tuple[Card, ...]:
    """Answer the cards of a deck list, copy by copy: what a shuffle starts from."""
    return tuple(each.card for each in DECKS[name].ingredients for _ in range(each.copies))


@cache
def facts(name: str) -> Mapping[Card, Ingredient]:
    """Answer the ingredients of a deck list by card."""
    return MappingProxyType({each.card: each for each in DECKS[name].ingredients})


@cache
def _places(name: str) -> Mapping[Card, int]:
    return {each.card: at for at, each in enumerate(DECKS[name].ingredients)}


def in_deck_order(name: str, cards: tuple[Card, ...]) -> tuple[Card, ...]:
    """Answer the cards in the order of their deck list."""
    return tuple(sorted(cards, key=_places(name).__getitem__))
