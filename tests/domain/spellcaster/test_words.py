"""Card texts: rendered from the effects, in both languages."""

import pytest

from domain.spellcaster import GAME
from domain.spellcaster.cards import Card
from domain.spellcaster.decks import DECKS, read_spell
from domain.spellcaster.words import TEXTS, card_text


@pytest.mark.parametrize(
    ("card", "english", "french"),
    [
        (
            "r01",
            "Your rival loses 4 energy. Your rival draws 2 cards.",
            "L'adversaire perd 4 points d'énergie. L'adversaire pioche 2 cartes.",
        ),
        (
            "r12",
            "If you control yellow, your rival loses 2 energy; otherwise, your rival",
            "Si vous contrôlez la couleur jaune, l'adversaire perd 2 points d'énergie ; sinon,",
        ),
        (
            "r15",
            "You discard up to 3 cards (X is how many). Your rival loses X energy.",
            "Vous défaussez jusqu'à 3 cartes (X est leur nombre). L'adversaire perd X points",
        ),
        (
            "b09",
            "Your rival may discard 1 card; otherwise, you gain 3 sapphires.",
            "L'adversaire peut défausser 1 carte ; sinon, vous gagnez 3 saphirs.",
        ),
        (
            "g05",
            "You may turn the card on top of another pile to the other side.",
            "Vous pouvez retourner vers l'autre camp la carte placée sur une autre pile.",
        ),
    ],
)
def test_a_card_says_what_it_does(card: str, english: str, french: str) -> None:
    spell = DECKS["standard"].spells[Card(card)]
    assert card_text(spell, "en").startswith(english)
    assert card_text(spell, "fr").startswith(french)


@pytest.mark.parametrize("language", ["en", "fr"])
def test_every_phrase_that_a_card_needs_is_there(language: str) -> None:
    for card in GAME.cards(language):  # type: ignore[arg-type]
        assert card["text"].endswith(".")
        assert not any(mark in card["text"] for mark in ("{", "}", ".say", ".do")), card


@pytest.mark.parametrize("language", ["en", "fr"])
def test_every_step_of_the_language_can_be_said(language: str) -> None:
    cost = [["pay", "self", "energy", 1], ["discard", "self", 2, "random"]]
    draw = [["draw", "self", 1]]
    tops = ["enchantment", "any_other", "other_pile", {"colour": "red"}, {"not_colour": "red"}]
    amounts = ["colours(self)", "hand(rival)", "energy(self)", "sapphire(rival)", "deck"]
    amounts += ["deck-1", "min(deck,2)", "max(deck,hand(self))"]
    conditions = ["energy(self)<2", "2>=deck", "not empty(red)", "controls(rival,blue)"]
    conditions += ["top(red,enchantment) and deck!=3", "deck=1 or deck>5", "deck<=3"]
    until = "until_end_of_turn"
    effect = [
        *([op, who, "energy", 2] for op in ("gain", "lose", "pay") for who in ("self", "rival")),
        *(
            ["gain", "self", resource, each]
            for each in amounts
            for resource in ("energy", "sapphire")
        ),
        ["lose", "self", "energy", "all"],
        ["lose", "self", "sapphire", "all"],
        ["transfer", "self", "rival", "sapphire", 1],
        ["transfer", "rival", "self", "energy", 1],
        ["draw", "rival", "deck"],
        ["discard", "rival", "all", "owner"],
        ["lose_cards", "self", "hand", 2],
        ["lose_cards", "deck", "deck", 2],
        ["pay_any", "self", "hand", 3, "X"],
        ["take_discard", "self", "X"],
        ["take_discard", "rival", 2, "green"],
        ["steal_card", "rival", "self", 2, "random"],
        *(["may", who, [], [["draw", who, 2], ["flip_all"]]] for who in ("self", "rival")),
        ["may", "self", cost, draw],
        ["unless", "self", cost, draw],
        ["choose", "rival", [draw, [["if", "deck>1", draw, []]]]],
        *(["if", each, draw, draw] for each in conditions),
        *(["discard_top", "self", each] for each in tops),
        *(["flip", "rival", 1, each] for each in tops),
        ["flip_all"],
        ["activate", "self", "any_other_top"],
        ["play", "self", 2],
        ["actions", "self", 1],
        ["actions", "self", "deck"],
        *(["ward", "self", kind, until] for kind in TEXTS.words["en"]["effects"]),
        ["lock", "self", {"empty": True}, until],
        ["lock", "self", {"kind": "incantation", "facing": "rival", "not_this": True}, until],
        ["lock", "self", {"unused": True, "colour": "blue"}, until],
        ["suppress", "self", "enchantment_facing_rival", until],
    ]
    card = {"id": "r16", "colour": "red", "kind": "incantation", "asterisk": True}
    for step in (*effect, *([each, "self", [], [step]] for each in ("may",) for step in effect)):
        prefix = [["pay_any", "self", "hand", 1, "X"]]
        spell = read_spell(card | {"effect": [*prefix, step]}, "tried")
        said = card_text(spell, language)
        assert not any(mark in said for mark in ("{", "}", ".say", ".do", ".one", ".many")), said
        assert not any(f"{word}." in said[:-1] for word in ("self", "rival")), said
