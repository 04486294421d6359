"""Deck lists that differ from ours in one card."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.resources import files
from typing import Any

import pytest

from domain.spellcaster.decks import DECKS, read_deck

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
