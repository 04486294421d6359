"""Everything that can happen is told in both languages, and every state can be stored."""

import msgspec
import pytest

from domain.catalogue import games
from domain.dice import seeded
from domain.game import Seat, Viewer
from domain.magic_cooking import GAME
from domain.magic_cooking.cards import CARDS, MAGES, SPELLS
from domain.magic_cooking.events import CardStolen, LeftoversTaken, SpellCast
from domain.magic_cooking.state import State
from domain.sealed import face_for
from domain.texts import LANGUAGES
from tests.domain.magic_cooking.positions import A, B, C, card, cards
from tests.domain.magic_cooking.test_invariants import random_game


def said(language: str, event: object, viewer: Viewer = "spectator") -> str:
    sentence = GAME.texts.tell(language, type(event).__name__, face_for(event, viewer))
    assert sentence is not None
    return sentence


def test_every_event_that_happens_has_a_whole_sentence_for_every_viewer() -> None:
    viewers: list[Viewer] = [*map(Seat, range(6)), "spectator"]
    told = set()
    for seed in range(8):
        for _, event, _ in random_game(6, seeded(f"words {seed}")):
            told.add(type(event))
            for language in LANGUAGES:
                for viewer in viewers:
                    sentence = said(language, event, viewer)
                    assert sentence.endswith((".", "!"))
                    assert "None" not in sentence
                    assert "_" not in sentence, "every name has its word"
    assert told >= {*GAME.events} - {LeftoversTaken}


def test_only_those_who_know_are_told_which_card_was_stolen() -> None:
    stolen = CardStolen(A, B, card("horn"))
    assert said("en", stolen, A) == "Seat 1 draws Unicorn Horn from the hand of seat 2."
    assert said("en", stolen, C) == "Seat 1 draws a card from the hand of seat 2."
    assert "Corne De Licorne" in said("fr", stolen, B)
    assert "Corne De Licorne" not in said("fr", stolen)


def test_spells_are_told_with_their_targets() -> None:
    cast = SpellCast(A, "burn", None, None, None, counter=True)
    assert said("en", cast) == "Seat 1 casts Burn on the spell that was just cast."
    gust = SpellCast(A, "gust", None, None, None, counter=False)
    assert said("fr", gust) == "La place 1 lance Bourrasque sur le pli."


def test_leftovers_without_a_capturer_are_told_too() -> None:
    assert "removed" in said("en", LeftoversTaken(None, cards("horn tail")))
    assert "mises de côté" in said("fr", LeftoversTaken(None, cards("horn tail")))


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_card_mage_and_spell_has_a_name(language: str) -> None:
    words = GAME.texts.words[language]
    assert tuple(words["cards"]) == CARDS
    assert tuple(words["mages"]) == MAGES
    assert tuple(words["spells"]) == tuple(SPELLS.values())


def test_the_catalogue_tells_the_facts_of_every_card() -> None:
    english, french = GAME.cards("en"), GAME.cards("fr")
    assert english[1] == {
        "id": "spiderweb",
        "name": "Spiderweb",
        "copies": 4,
        "stars": 0,
        "takes_anything": True,
        "gives_ordome": False,
    }
    assert french[5]["name"] == "Corne De Licorne"
    assert sum(each["copies"] * each["stars"] for each in english) == 40


def test_every_state_of_a_game_can_be_stored_and_read_again() -> None:
    for _, _, state in random_game(4, seeded("stored")):
        assert msgspec.json.decode(msgspec.json.encode(state), type=State) == state


def test_the_catalogue_of_games_finds_it() -> None:
    assert games()["magic_cooking"] is GAME
