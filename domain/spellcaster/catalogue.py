"""The catalogue of cards: names, facts and texts of each deck list, in a language."""

from domain.game import Language, View
from domain.spellcaster.cards import Deck, Spell
from domain.spellcaster.decks import DECKS
from domain.spellcaster.words import TEXTS, card_text


def cards(language: Language) -> list[View]:
    """Answer every card of every deck list; the note says that our list is not the printed one."""
    return [
        _facts(deck, spell, language) for deck in DECKS.values() for spell in deck.spells.values()
    ]


def _facts(deck: Deck, spell: Spell, language: Language) -> View:
    named = TEXTS.words[language]["cards"]
    facts: View = {
        "id": spell.card,
        "name": named.get(spell.card, spell.name or spell.card),
        "colour": spell.colour,
        "kind": spell.kind,
        "asterisk": spell.asterisk,
        "text": card_text(spell, language),
        "deck": deck.name,
    }
    return facts | ({"note": TEXTS.words[language]["note"]} if deck.ours else {})
