"""The words of this game, and its cards as people look them up."""

from domain.game import Language, View
from domain.potage_sauvage.cards import DECK, FACES, Card
from domain.potage_sauvage.options import Options
from domain.texts import read_texts

TEXTS = read_texts("domain.potage_sauvage")


def deck(options: Options) -> tuple[Card, ...]:  # noqa: ARG001 - they change no card
    """Answer what every deal shuffles, in deck-list order."""
    return DECK


def cards(language: Language) -> list[View]:
    """Answer every kind of card with its name, its facts and how many a deck has."""
    return [
        {
            "id": card,
            "name": TEXTS.name(language, "cards", card),
            "suit": face.suit,
            "kind": face.kind,
            "value": face.value,
            "copies": face.copies,
        }
        for card, face in FACES.items()
    ]
