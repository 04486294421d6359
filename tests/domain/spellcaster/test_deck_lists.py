"""Deck lists: ours, others, and what the static checks of section 4 refuse, each with its place."""

import json
from typing import Any

import pytest

from domain.game import BadField
from domain.spellcaster import GAME, decks
from domain.spellcaster.cards import Deck
from domain.spellcaster.decks import DECKS, read_deck
from domain.spellcaster.state import Options
from domain.spellcaster.steps import DeckRefused
from domain.spellcaster.words import card_text
from tests.domain.spellcaster.lists import STANDARD, changed_list, listed_with


def refused(card: str, effect: list[Any], **changes: Any) -> str:
    with pytest.raises(DeckRefused) as refusal:
        read_deck("tried", changed_list(card, {"effect": effect, **changes}))
    return str(refusal.value)


def test_our_list_has_fifteen_cards_of_each_colour_and_twelve_enchantments() -> None:
    spells = list(DECKS["standard"].spells.values())
    assert [spell.card for spell in spells] == [
        f"{initial}{number:02}" for initial in "rybg" for number in range(1, 16)
    ]
    enchantments = [spell.card for spell in spells if spell.kind == "enchantment"]
    assert [sum(c[0] == initial for c in enchantments) for initial in "rybg"] == [3, 4, 3, 2]
    asterisks = {spell.card for spell in spells if spell.asterisk}
    assert asterisks == {"r01", "r08", "r09", "y05", "y13", "b09", "g03", "g04", "g08"}


def test_the_catalogue_says_that_our_list_is_not_the_printed_one() -> None:
    for language in ("en", "fr"):
        catalogue = GAME.cards(language)
        assert len(catalogue) == 60
        assert all(card["note"] and card["deck"] == "standard" for card in catalogue)
        assert all(card["name"] != card["id"] for card in catalogue)


def test_another_list_is_read_by_name_and_played() -> None:
    with listed_with("r02", {"effect": [["lose", "rival", "energy", 3]]}) as name:
        deck: Deck = DECKS[name]
        assert not deck.ours
        assert card_text(deck.spells[deck.cards[1]], "en") == "Your rival loses 3 energy."
        assert GAME.deck(Options(deck=name)) == GAME.deck(Options())


def test_a_list_that_is_not_there_is_refused_with_those_that_are() -> None:
    with listed_with("r02", {}), pytest.raises(BadField) as bad:
        Options(deck="printed").settled(2)
    assert (bad.value.field, bad.value.reason) == ("deck", "must be one of standard, tried")


def test_remarks_for_people_are_allowed_in_a_list() -> None:
    text = changed_list("r01", {"name": "Imp", "source": "box", "confidence": "high"})
    assert read_deck("tried", text).spells[decks.CARDS[0]].name == "Imp"


@pytest.mark.parametrize(
    ("effect", "message"),
    [
        ([["summon", "self", 1]], "r02, step 1: unknown operation 'summon'"),
        ([["draw", "self", 1], ["gain", "self", 1]], "r02, step 2: 'gain' takes who, resource, am"),
        ([["gain", "everybody", "energy", 1]], "r02, step 1: unknown side 'everybody'"),
        ([["gain", "self", "gold", 1]], "r02, step 1: unknown resource 'gold'"),
        ([["gain", "self", "energy", "colors(self)"]], "r02, step 1: 'colors(self)' has 'colors'"),
        ([["gain", "self", "energy", -1]], "r02, step 1: an amount cannot be -1"),
        ([["gain", "self", "energy", None]], "r02, step 1: None is no amount"),
        ([["gain", "self", "energy", "all"]], "r02, step 1: 'all' has no meaning here"),
        ([["discard_top", "self", "anything"]], "r02, step 1: unknown target 'anything'"),
        ([["flip", "self", 1, {"tone": "red"}]], "r02, step 1: no target can be {'tone'"),
        ([["flip", "self", 1, {"empty": True}]], "r02, step 1: an empty pile has no top"),
        ([["activate", "self", "enchantment"]], "r02, step 1: only an unused incantation"),
        ([["suppress", "self", "other_pile", "until_my_next_turn"]], "r02, step 1: only an ench"),
        ([["lock", "self", "pile_facing_me", "for_ever"]], "r02, step 1: unknown duration"),
        ([["ward", "self", "everything", "until_my_next_turn"]], "r02, step 1: unknown ward"),
        ([["ward", "rival", "all_loss", "until_my_next_turn"]], "r02, step 1: only self can do"),
        ([["lose", "rival", "energy", "X"]], "r02, step 1: X is used before a step has set it"),
        (
            [["choose", "self", [[["pay_any", "self", "hand", 2, "X"]], [["draw", "self", "X"]]]]],
            "r02, step 1, branch 1, step 1: X is used before",
        ),
        (
            [["may", "self", [["gain", "self", "energy", 1]], [["draw", "self", 1]]]],
            "r02, step 1, cost, step 1: a cost is made of pay and discard only",
        ),
        (
            [["may", "self", [["pay", "rival", "energy", 1]], [["draw", "self", 1]]]],
            "r02, step 1, cost, step 1: the cost is paid by self, not by rival",
        ),
        (
            [["may", "self", [["pay", "self", "energy", "all"]], [["draw", "self", 1]]]],
            "r02, step 1, cost, step 1: a cost cannot be 'all'",
        ),
        ([["may", "nobody", [], [["draw", "self", 1]]]], "r02, step 1: a choice needs a chooser"),
        ([["unless", None, [], [["draw", "self", 1]]]], "r02, step 1: a choice needs a chooser"),
        ([["choose", "all", [[], []]]], "r02, step 1: a choice needs a chooser"),
        ([["discard_top", None, "enchantment"]], "r02, step 1: a choice needs a chooser"),
        ([["may", "self", [], []]], "r02, step 1: 'then' has no step"),
        (
            [["unless", "self", [["pay", "self", "energy", 1]], [["draw", "self", "X"]]]],
            "r02, step 1, else, step 1: X is used before",
        ),
        (
            [["if", "deck<2", [["draw", "self", 1]], [["draw", "self", "X"]]]],
            "r02, step 1, else, step 1: X is used before",
        ),
        (
            [["if", "deck<2", [["draw", "self", "X"]], []]],
            "r02, step 1, then, step 1: X is used before",
        ),
        ([["unless", "self", [], [["draw", "self", 1]]]], "r02, step 1: 'unless' needs a cost"),
        ([["if", "energy(self)", [["draw", "self", 1]], []]], "r02, step 1: 'energy(self)' has"),
        ([["if", "all<2", [["draw", "self", 1]], []]], "r02, step 1: 'all' has no meaning here"),
        ([["discard", "self", "deck", "owner"]], "r02, step 1: cards are counted by a number"),
        ([["discard", "self", 1, "rival"]], "r02, step 1: 'discard' takes who, count, owner"),
        ([["discard", "everybody", 1, "owner"]], "r02, step 1: unknown side 'everybody'"),
        ([["pay_any", "everybody", "hand", 1, "X"]], "r02, step 1: unknown side 'everybody'"),
        ([["transfer", "self", "rival", "gold", 1]], "r02, step 1: unknown resource 'gold'"),
        ([["take_discard", "self", 1, "purple"]], "r02, step 1: unknown colour 'purple'"),
        ([["suppress", "self", "enchantment", "ever"]], "r02, step 1: unknown duration 'ever'"),
        ([["pay_any", "self", "hand", 0, "X"]], "r02, step 1: 'pay_any' takes who, hand, most"),
        ([["play", "self", 0]], "r02, step 1: 'play' takes self, most"),
        (
            [["may", "self", [["draw"]], [["draw", "self", 1]]]],
            "r02, step 1, cost, step 1: 'draw' takes who, amount",
        ),
        (
            [["unless", "self", [["draw"]], [["draw", "self", 1]]]],
            "r02, step 1, cost, step 1: 'draw' takes who, amount",
        ),
        ([["unless", "self", [["pay", "self", "energy", 1]], []]], "r02, step 1: 'else' has no"),
        ([["if", "deck<2", [], []]], "r02, step 1: 'then' has no step"),
        ([["choose", "self", [[["draw", "self", 1]], []]]], "r02, step 1: 'branch 1' has no step"),
        ([["draw", "self", "min(deck,"]], "r02, step 1: 'min(deck,' has 'the end' where an amount"),
        ([["draw", "self", "min(deck 1)"]], "r02, step 1: 'min(deck 1)' has '1' where , is expect"),
        ([["draw", "self", "deck)"]], "r02, step 1: 'deck)' has ')' where the end is expected"),
        ([["draw", "self", "all-1"]], "r02, step 1: 'all' has no meaning here"),
        ([["draw", "self", "1-all"]], "r02, step 1: 'all' has no meaning here"),
        (["draw"], "r02, step 1: a step is a list that starts with its operation"),
        ([], "r02: the card has no step"),
        ({"draw": 1}, "r02: steps must be a list"),
    ],
)
def test_a_bad_step_is_refused_with_card_and_step(effect: list[Any], message: str) -> None:
    assert refused("r02", effect).startswith(message)


@pytest.mark.parametrize(
    "step",
    [
        ["gain", "self", "energy", "X"],
        ["lose", "self", "energy", "2-X"],
        ["pay", "self", "energy", "max(X,1)"],
        ["transfer", "self", "rival", "energy", "min(1,X)"],
        ["draw", "self", "X-1"],
        ["discard", "self", "X", "owner"],
        ["lose_cards", "self", "hand", "X"],
        ["lose_cards", "deck", "deck", "X"],
        ["take_discard", "self", "X"],
        ["steal_card", "rival", "self", "X", "random"],
        ["actions", "self", "X"],
        ["if", "X<2", [["draw", "self", 1]], []],
        ["if", "2<X", [["draw", "self", 1]], []],
        ["if", "not 2<X", [["draw", "self", 1]], []],
        ["if", "deck<2 and X<2", [["draw", "self", 1]], []],
        ["if", "X<2 or deck<2", [["draw", "self", 1]], []],
    ],
    ids=str,
)
def test_x_is_used_only_where_a_step_before_has_set_it(step: list[Any]) -> None:
    paid = ["pay_any", "self", "hand", 2, "X"]
    branches = ["choose", "self", [[paid], [["draw", "self", 1]]]]
    for before in ([], [["draw", "self", 1]], [branches]):
        place = len(before) + 1
        message = f"r02, step {place}: X is used before a step has set it"
        assert refused("r02", [*before, step]) == message
        assert refused("r02", [*before, step, paid]) == message
    read_deck("tried", changed_list("r02", {"effect": [paid, step], "asterisk": True}))
    inside = ["if", "deck<2", [step], [step]]
    after = [paid, ["draw", "self", 1], inside]
    read_deck("tried", changed_list("r02", {"effect": after, "asterisk": True}))


def test_x_is_set_before_it_is_a_cost() -> None:
    for word in ("may", "unless"):
        effect = [word, "self", [["pay", "self", "energy", "X"]], [["draw", "self", 1]]]
        where = "r02, step 1, cost, step 1"
        assert refused("r02", [effect]) == f"{where}: X is used before a step has set it"


@pytest.mark.parametrize(
    "step",
    [
        ["gain", "self", "energy", "all"],
        ["draw", "self", "max(1,all)"],
        ["lose_cards", "deck", "deck", "all"],
        ["actions", "self", "all"],
        ["if", "deck<all", [["draw", "self", 1]], []],
    ],
    ids=str,
)
def test_all_of_what_has_no_end_means_nothing(step: list[Any]) -> None:
    assert refused("r02", [step]) == "r02, step 1: 'all' has no meaning here"


@pytest.mark.parametrize(
    ("step", "message"),
    [
        (["activate", "self", {"kind": "incantation"}], "only an unused incantation can be acti"),
        (["activate", "self", {"unused": True}], "only an unused incantation can be activated"),
        (["discard_top", "self", {"empty": True}], "an empty pile has no top"),
        (["flip", "self", 1, {"empty": True}], "an empty pile has no top"),
        (
            ["suppress", "self", {"kind": "enchantment", "empty": True}, "until_my_next_turn"],
            "only an enchantment can be suppressed",
        ),
        (["suppress", "self", {}, "until_my_next_turn"], "only an enchantment can be suppressed"),
    ],
    ids=str,
)
def test_a_target_is_something_that_can_be_acted_on(step: list[Any], message: str) -> None:
    assert refused("r02", [step]).startswith(f"r02, step 1: {message}")
    said = refused("r02", [["draw", "self", 1], ["may", "self", [], [step]]])
    assert said.startswith(f"r02, step 2, then, step 1: {message}")


def test_every_step_of_a_cost_is_a_cost_of_who_pays() -> None:
    pay, then = ["pay", "self", "energy", 1], [["draw", "self", 1]]
    for word in ("may", "unless"):
        for wrong, message in (
            (["draw", "self", 1], "a cost is made of pay and discard only"),
            (["discard", "self", "all", "owner"], "a cost cannot be 'all'"),
            (["pay", "self", "energy", "max(1,all)"], "a cost cannot be 'all'"),
            (["discard", "rival", 1, "owner"], "the cost is paid by self, not by rival"),
        ):
            said = refused("r02", [[word, "self", [pay, wrong], then]], asterisk=True)
            assert said == f"r02, step 1, cost, step 2: {message}"
        read_deck("tried", changed_list("r02", {"effect": [[word, "self", [pay, pay], then]]}))
    said = refused("r02", [["unless", "rival", [pay], then]], asterisk=True)
    assert said == "r02, step 1, cost, step 1: the cost is paid by rival, not by self"


@pytest.mark.parametrize(
    "step",
    [["actions", "self", 1], ["activate", "self", "any_other_top"], ["play", "self", 1]],
    ids=lambda step: step[0],
)
def test_an_enchantment_does_nothing_that_needs_actions(step: list[Any]) -> None:
    said = refused("r03", [["draw", "self", 1], ["may", "self", [], [step]]])
    assert said.startswith(f"r03, step 2, then, step 1: an enchantment cannot use '{step[0]}'")


@pytest.mark.parametrize(
    "step",
    [
        ["draw", "rival", 1],
        ["discard", "rival", 1, "owner"],
        ["steal_card", "rival", "self", 1, "random"],
        ["unless", "rival", [["pay", "rival", "energy", 1]], [["draw", "self", 1]]],
        ["choose", "rival", [[["draw", "self", 1]], [["draw", "self", 2]]]],
        ["may", "rival", [], [["draw", "self", 1]]],
        ["flip", "rival", 1, "other_pile"],
        ["take_discard", "rival", 1],
        ["pay_any", "rival", "hand", 1, "X"],
        ["discard_top", "rival", "other_pile"],
    ],
    ids=lambda step: step[0],
)
def test_a_rivals_hand_or_decision_needs_the_asterisk(step: list[Any]) -> None:
    assert refused("r02", [step]) == "r02, step 1: a rival's hand or decision needs the asterisk"
    read_deck("tried", changed_list("r02", {"effect": [step], "asterisk": True}))


@pytest.mark.parametrize(
    ("card", "changes", "message"),
    [
        ("r02", {"id": "r01"}, "r01: the id stands more than once in deck tried"),
        ("r02", {"id": "x02"}, "x02: an id is the initial of the colour ('red') and two digits"),
        ("r02", {"id": "g99"}, "g99: an id is the initial of the colour ('red') and two digits"),
        ("r02", {"kind": "charm"}, "r02: unknown kind 'charm': one of incantation, enchantment"),
        ("r02", {"cost": 3}, "r02: 'cost' is no field of a card"),
        ("r02", {"asterisk": 1}, "r02: 'asterisk' must be true or false"),
        (
            "r02",
            {"id": "g16", "colour": "green"},
            "deck tried: has 14 red cards, not 15",
        ),
    ],
)
def test_a_bad_card_is_refused_by_its_id(card: str, changes: dict[str, Any], message: str) -> None:
    with pytest.raises(DeckRefused) as refusal:
        read_deck("tried", changed_list(card, changes))
    assert str(refusal.value) == message


def test_a_card_without_an_asterisk_need_not_say_so() -> None:
    listed = json.loads(STANDARD)
    for card in listed:
        if not card.get("asterisk"):
            card.pop("asterisk", None)
    deck = read_deck("tried", json.dumps(listed))
    assert deck.spells == DECKS["standard"].spells


def test_a_list_of_another_length_or_form_is_refused() -> None:
    listed = json.loads(STANDARD)
    for written, message in (
        (json.dumps(listed[:59]), "deck tried: has 59 cards, not 60"),
        ("{", "deck tried: is no JSON"),
        ("{}", "deck tried: must be a list of cards"),
        ("[3]", "deck tried, card 1: a card is an object with an id"),
        (json.dumps([{"id": "r01", "colour": "red", "kind": "incantation"}]), "r01: 'effect' is"),
    ):
        with pytest.raises(DeckRefused) as refusal:
            read_deck("tried", written)
        assert str(refusal.value).startswith(message)
