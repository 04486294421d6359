"""Deck lists that differ from ours in one card, and that card cast."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.resources import files
from typing import Any

import pytest

from domain.spellcaster.decks import DECKS, read_deck
from domain.spellcaster.state import State
from tests.domain.spellcaster.positions import activate, position

STANDARD: str = (files("domain.spellcaster") / "decks" / "standard.json").read_text("utf-8")


def changed_list(card: str, changes: dict[str, Any]) -> str:
    """Our list with some fields of one card changed."""
    return json.dumps(
        [each | (changes if each["id"] == card else {}) for each in json.loads(STANDARD)]
    )


@contextmanager
def listed_with(card: str, changes: dict[str, Any]) -> Iterator[str]:
    """Let tables name a list that differs from ours in one card."""
    with pytest.MonkeyPatch.context() as patch:
        deck = read_deck("tried", changed_list(card, changes))
        patch.setitem(DECKS, "tried", deck)
        yield deck.name


def cast(effect: list[Any], *picks: str, dice: Any = None, **where: Any) -> State:
    """Activate a red card with this effect and answer its choices."""
    where["piles"] = {"red": "r02:0"} | where.get("piles", {})
    with listed_with("r02", {"effect": effect, "asterisk": True}) as name:
        state = position(**where, deck_list=name)
        return activate(state, "red", *picks, dice=dice)
