"""What a seat may ask."""

from dataclasses import dataclass
from typing import Annotated, TypeAlias

from domain.potage_sauvage.cards import CARDS, Card, Recipe
from domain.wire import OneOf


@dataclass(frozen=True, slots=True)
class ChooseRecipe:
    """Place a recipe face down for this deal; it is final (A22)."""

    recipe: Recipe


@dataclass(frozen=True, slots=True)
class PlayCard:
    """Add a card of one's hand to the pot."""

    card: Annotated[Card, OneOf(CARDS)]


Command: TypeAlias = ChooseRecipe | PlayCard
