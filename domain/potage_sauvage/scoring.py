"""What captured cards are worth under a recipe."""

from collections.abc import Sequence
from typing import assert_never

from domain.potage_sauvage.cards import FACES, Card, Recipe


def worth(recipe: Recipe, card: Card) -> int:
    """Answer what one captured card adds, whatever its value (A8): +1, 0 or -1."""
    face = FACES[card]
    match recipe:
        case "multicolour":
            return -1  # A7
        case "waste":
            return (face.suit == "waste") - (face.kind == "herb")  # A6
        case "insects" | "vegetables" | "fruits":
            return (face.suit == recipe) - (face.suit == "waste")
        case _:
            assert_never(recipe)


def deal_points(recipe: Recipe, captured: Sequence[Card]) -> int:
    """Answer a seat's points for a deal; they may be negative (A18)."""
    start = 5 if recipe == "multicolour" else 0
    return start + sum(worth(recipe, card) for card in captured)
