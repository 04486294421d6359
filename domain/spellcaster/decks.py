"""The deck lists by name: each file of ``decks/``, read and checked when the game is loaded."""

import json
import re
from importlib.resources import files
from importlib.resources.abc import Traversable
from types import MappingProxyType

from domain.spellcaster.cards import INITIALS, STANDARD, Card, Deck, Spell
from domain.spellcaster.checks import check_deck, check_spell
from domain.spellcaster.colours import KINDS
from domain.spellcaster.steps import DeckRefused, read_block

FIELDS = {"id", "colour", "kind", "asterisk", "effect"}
REMARKS = {"name", "source", "confidence"}
"""What a deck list may say besides, for people."""


def read_deck(name: str, text: str) -> Deck:
    """Read a deck list from JSON; raise DeckRefused naming card and step of what is wrong."""
    try:
        cards = json.loads(text)
    except json.JSONDecodeError as reason:
        raise DeckRefused(f"deck {name}", f"is no JSON: {reason}") from None
    if not isinstance(cards, list):
        raise DeckRefused(f"deck {name}", "must be a list of cards")
    spells = [read_spell(card, f"deck {name}, card {i}") for i, card in enumerate(cards, 1)]
    check_deck(name, spells)
    return Deck(name, MappingProxyType({spell.card: spell for spell in spells}))


def read_spell(written: object, where: str) -> Spell:
    """Read one card of a deck list and check it; raise DeckRefused."""
    if not isinstance(written, dict) or not isinstance(written.get("id"), str):
        raise DeckRefused(where, "a card is an object with an id")
    card = Card(written["id"])
    for field in written.keys() - FIELDS - REMARKS:
        raise DeckRefused(card, f"{field!r} is no field of a card")
    for field in FIELDS - written.keys() - {"asterisk"}:
        raise DeckRefused(card, f"{field!r} is missing")
    colour, kind = written["colour"], written["kind"]
    if not re.fullmatch(r"[rgyb]\d\d", card) or INITIALS[card[0]] != colour:
        raise DeckRefused(card, f"an id is the initial of the colour ({colour!r}) and two digits")
    if kind not in KINDS:
        raise DeckRefused(card, f"unknown kind {kind!r}: one of {', '.join(KINDS)}")
    asterisk = written.get("asterisk", False)
    if not isinstance(asterisk, bool):
        raise DeckRefused(card, "'asterisk' must be true or false")
    effect = read_block(written["effect"], card)
    spell = Spell(card, colour, kind, asterisk, effect, written.get("name"))
    check_spell(spell)
    return spell


def read_decks(folder: Traversable) -> dict[str, Deck]:
    """Read every deck list of a folder, ours first; raise DeckRefused."""
    lists = {
        path.name.removesuffix(".json"): path
        for path in folder.iterdir()
        if path.name.endswith(".json")
    }
    names = sorted(lists, key=lambda name: (name != STANDARD, name))
    return {name: read_deck(name, lists[name].read_bytes().decode()) for name in names}


DECKS: dict[str, Deck] = read_decks(files("domain.spellcaster") / "decks")
"""Every deck list that a table may name, ours first."""

CARDS: tuple[Card, ...] = tuple(dict.fromkeys(c for deck in DECKS.values() for c in deck.cards))
"""The ids of all deck lists: the vocabulary of commands."""
