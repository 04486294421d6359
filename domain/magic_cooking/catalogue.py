"""The words of this game, and its cards as people look them up."""

from domain.game import Language, View
from domain.magic_cooking.cards import CARDS, DECKS
from domain.texts import read_texts

TEXTS = read_texts("domain.magic_cooking")


def cards(language: Language) -> list[View]:
    """Answer every ingredient with its name, its facts and how many a deck has."""
    listed = {each.card: each for deck in DECKS.values() for each in deck.ingredients}
    return [
        {
            "id": card,
            "name": TEXTS.name(language, "cards", card),
            "copies": listed[card].copies,
            "stars": listed[card].stars,
            "takes_anything": listed[card].takes_anything,
            "gives_ordome": listed[card].gives_ordome,
        }
        for card in CARDS
    ]
