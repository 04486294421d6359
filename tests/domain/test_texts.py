"""Sentences: fields, vocabularies, alternatives, and what was not told."""

from domain.texts import Texts, tell

WORDS = {
    "none": "nothing",
    "cards": {"I5": "the five of insects"},
    "events": {
        "CardPlayed": "Seat {seat:seat} plays {card:cards}; the pot is at {sum}.",
        "HandDealt": [
            {"when": {"cards": {"told": True}}, "say": "You are dealt {cards:cards}."},
            {"when": {"size": 1}, "say": "Seat {owner:seat} is dealt a card."},
            {"say": "Seat {owner:seat} is dealt {size} cards."},
        ],
        "TrickTaken": "{trick.cards.0:cards} was led.",
    },
    "refusals": {"not-your-turn": "Wait."},
}
TEXTS = Texts({"en": WORDS, "fr": WORDS})


def test_a_sentence_names_fields_cards_and_seats() -> None:
    told = {"seat": 0, "card": "I5", "sum": 5}
    assert TEXTS.tell("en", "CardPlayed", told) == (
        "Seat 1 plays the five of insects; the pot is at 5."
    )


def test_what_was_not_told_is_not_said() -> None:
    assert TEXTS.tell("en", "HandDealt", {"owner": 1, "size": 13}) == "Seat 2 is dealt 13 cards."
    assert TEXTS.tell("en", "HandDealt", {"owner": 1, "size": 1}) == "Seat 2 is dealt a card."
    told = {"owner": 1, "size": 2, "cards": ["I5", "W1"]}
    assert TEXTS.tell("en", "HandDealt", told) == "You are dealt the five of insects, W1."


def test_an_empty_list_is_said_as_nothing() -> None:
    told = {"owner": 1, "size": 0, "cards": []}
    assert TEXTS.tell("en", "HandDealt", told) == "You are dealt nothing."


def test_a_dot_walks_into_what_was_told() -> None:
    told = {"trick": {"cards": ["I5"]}}
    assert TEXTS.tell("en", "TrickTaken", told) == "the five of insects was led."


def test_the_first_room_that_knows_a_kind_tells_it() -> None:
    empty = Texts({"en": {}, "fr": {}})
    assert tell((empty, TEXTS), "fr", "CardPlayed", {"seat": 1, "card": "W1", "sum": 0}) == (
        "Seat 2 plays W1; the pot is at 0."
    )
    assert tell((empty,), "en", "Unheard", {}) == "Unheard"


def test_a_refusal_has_a_sentence_or_none() -> None:
    assert TEXTS.refusal("en", "not-your-turn") == "Wait."
    assert TEXTS.refusal("en", "unknown") is None
