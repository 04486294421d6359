"""The deck lists and their totals (section 1), and the options of a table."""

from collections import Counter
from typing import Any

import pytest

from domain.game import BadField
from domain.magic_cooking import GAME
from domain.magic_cooking.cards import CARDS, DECKS, MAGES, SPELLS, Deck, Ingredient, deck_cards
from domain.magic_cooking.options import Options
from domain.value import changed
from domain.wire import plain_options, read_options
from tests.domain.magic_cooking.positions import card, cards

STANDARD = DECKS["standard"]


def test_1_1_the_deck_has_49_cards_of_13_ingredients() -> None:
    assert len(CARDS) == 13
    copies = Counter(deck_cards("standard"))
    assert copies.total() == 49
    assert copies[card("albino")] == 1
    assert all(copies[each] == 4 for each in CARDS if each != card("albino"))


def test_1_2_sixteen_cards_carry_forty_stars() -> None:
    starred = {each.card: each.stars for each in STANDARD.ingredients if each.stars}
    assert starred == dict(zip(cards("crow root scale horn"), (1, 2, 3, 4), strict=True))


def test_1_3_one_ingredient_takes_anything_and_one_gives_a_title() -> None:
    assert [each.card for each in STANDARD.ingredients if each.takes_anything] == [card("web")]
    assert [each.card for each in STANDARD.ingredients if each.gives_ordome] == [card("albino")]


@pytest.mark.parametrize(
    "wrong",
    [{"kinds": 12}, {"cards": 48}, {"stars": 41}, {"ingredients": STANDARD.ingredients[1:]}],
)
def test_1_4_a_deck_list_that_misses_its_totals_is_not_loaded(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="deck list"):
        changed(STANDARD, **wrong)


def test_1_4_an_ingredient_is_listed_once() -> None:
    twice = (Ingredient(card("horn"), 2, 0), Ingredient(card("horn"), 2, 0))
    with pytest.raises(ValueError, match="deck list"):
        Deck(twice, kinds=2, cards=4, stars=0)


def test_every_mage_has_a_spell_of_its_own() -> None:
    assert tuple(SPELLS) == MAGES
    assert len(set(SPELLS.values())) == len(MAGES)


@pytest.mark.parametrize("seats", GAME.seats)
def test_there_are_as_many_rounds_as_seats_unless_the_table_says_otherwise(seats: int) -> None:
    assert Options().settled(seats).rounds == seats
    assert Options(rounds=1).settled(seats).rounds == 1


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"mages": ["brady"]}, "mages"),
        ({"mages": ["brady", "brady"]}, "mages"),
        ({"mages": ["brady", "merlin"]}, "mages"),
        ({"mages": "chosen"}, "mages"),
        ({"first_ordome": 2}, "first_ordome"),
        ({"first_ordome": -1}, "first_ordome"),
        ({"rounds": 0}, "rounds"),
        ({"rounds": 7}, "rounds"),
        ({"deck": "giant"}, "deck"),
        ({"spells_enabled": 1}, "spells_enabled"),
        ({"timer": 8}, "timer"),
    ],
)
def test_an_option_that_cannot_be_is_named(body: dict[str, Any], field: str) -> None:
    with pytest.raises(BadField) as bad:
        read_options(GAME, body, 2)
    assert bad.value.field.startswith(field)


def test_options_survive_the_wire() -> None:
    options = Options(mages=("moka", "from"), first_ordome=None, rounds=3).settled(2)
    assert read_options(GAME, plain_options(options), 2) == options
