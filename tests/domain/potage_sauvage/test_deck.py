"""The deck: 52 cards whose totals the rules give."""

from collections import Counter

from domain.game import Language
from domain.potage_sauvage import GAME
from domain.potage_sauvage.cards import DECK, FACES, SUITS
from domain.potage_sauvage.options import Options
from tests.domain.potage_sauvage.positions import cards


def test_the_deck_has_52_cards_worth_150() -> None:
    assert len(DECK) == 52
    assert sum(FACES[card].value for card in DECK) == 150


def test_each_soup_suit_has_fourteen_cards_and_waste_ten() -> None:
    suits = Counter(FACES[card].suit for card in DECK)
    assert [suits[suit] for suit in SUITS] == [14, 14, 14, 10]


def test_there_are_forty_small_numbers_three_tens_six_herbs_and_three_resets() -> None:
    kinds = Counter((FACES[card].kind, FACES[card].value == 10) for card in DECK)
    assert kinds == {
        ("number", False): 40,
        ("number", True): 3,
        ("herb", False): 6,
        ("reset", False): 3,
    }


def test_the_deck_list_runs_by_suit_then_value_then_ten_herb_reset() -> None:
    listed = cards(
        "I1 I1 I2 I2 I3 I3 I4 I4 I5 I5 I10 IH IH IR "
        "V1 V1 V2 V2 V3 V3 V4 V4 V5 V5 V10 VH VH VR "
        "F1 F1 F2 F2 F3 F3 F4 F4 F5 F5 F10 FH FH FR "
        "W1 W1 W2 W2 W3 W3 W4 W4 W5 W5"
    )
    assert GAME.deck(Options()) == listed


def test_the_catalogue_names_each_card_in_both_languages() -> None:
    languages: tuple[Language, ...] = ("en", "fr")
    for language in languages:
        listed = GAME.cards(language)
        assert [card["id"] for card in listed] == list(FACES)
        assert sum(card["copies"] for card in listed) == 52
        assert all(card["name"] != card["id"] for card in listed)
        assert len({card["name"] for card in listed}) == len(FACES)
