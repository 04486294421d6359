"""What a seat may ask."""

from typing import Annotated, TypeAlias

from domain.potage_sauvage.cards import CARDS, Card, Recipe
from domain.value import Value
from domain.wire import OneOf


class ChooseRecipe(Value):
    """Place a recipe face down for this deal; it is final (A22)."""

    recipe: Recipe


class PlayCard(Value):
    """Add a card of one's hand to the pot."""

    card: Annotated[Card, OneOf(CARDS)]


Command: TypeAlias = ChooseRecipe | PlayCard
