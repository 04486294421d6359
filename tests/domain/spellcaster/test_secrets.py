"""What an event tells to whom: draws and thefts to those concerned, discards to everybody."""

from typing import Any

from domain.game import Seat, Viewer
from domain.sealed import audience, face_for
from domain.spellcaster import GAME
from domain.spellcaster.commands import Activate, Choose, Command, Draw
from domain.spellcaster.decide import start
from domain.spellcaster.events import (
    CardDiscarded,
    CardsDrawn,
    CardStolen,
    CardTaken,
    ChoiceOffered,
    DeckShuffled,
    HandChoiceOffered,
    HandDealt,
    HandHinted,
)
from domain.spellcaster.state import Options, State, first_state
from tests.domain.given import scripted
from tests.domain.spellcaster.positions import activate, begin, lock, position


def event_of(state: State, command: Command, kind: type) -> Any:
    """The event of a kind among those of a command."""
    (seat,) = GAME.to_move(state)
    return next(e for e in GAME.decide(state, seat, command, scripted()) if isinstance(e, kind))


def told(event: Any, field: str, *viewers: Viewer | int) -> list[bool]:
    return [field in face_for(event, viewer) for viewer in viewers]


def test_the_order_of_the_deck_is_told_to_nobody() -> None:
    events = start(first_state(3, Options()), scripted())
    shuffled = next(event for event in events if isinstance(event, DeckShuffled))
    assert audience(shuffled) == ()
    assert told(shuffled, "deck", 0, 1, 2, "spectator") == [False] * 4


def test_a_hand_is_dealt_to_the_eyes_of_its_mage() -> None:
    events = start(first_state(3, Options()), scripted())
    dealt = [event for event in events if isinstance(event, HandDealt)]
    assert [audience(event) for event in dealt] == [(0,), (1,), (2,)]
    assert told(dealt[1], "cards", 0, 1, 2, "spectator") == [False, True, False, False]


def test_drawn_cards_are_one_event_for_the_mage_who_draws() -> None:
    for command, state in (
        (Draw(), position()),
        (Activate("green"), position(piles={"green": "g12:0"})),
    ):
        drawn = event_of(state, command, CardsDrawn)
        assert told(drawn, "cards", 0, 1, "spectator") == [True, False, False]
        assert told(drawn, "count", 0, 1, "spectator") == [True, True, True]


def test_a_stolen_card_is_told_to_thief_and_victim() -> None:
    state = position(4, piles={"green": "g03:0"}, hands={1: "r01", 2: "b01"})
    stolen = event_of(state, Activate("green"), CardStolen)
    assert told(stolen, "card", 0, 1, 2, 3, "spectator") == [True, True, False, False, False]


def test_a_choice_from_a_hand_tells_its_options_to_the_chooser_alone() -> None:
    state = activate(position(piles={"red": "r08:0"}, hands={1: "g01 g02"}), "red")
    offered = event_of(state, Choose(("pay",)), HandChoiceOffered)
    assert told(offered, "options", 0, 1, "spectator") == [False, True, False]


def test_a_choice_from_the_discard_pile_is_public() -> None:
    state = position(piles={"yellow": "y14:0"}, discard="r05 b02")
    offered = event_of(state, Activate("yellow"), ChoiceOffered)
    assert told(offered, "options", 0, 1, "spectator") == [True, True, True]
    chosen = activate(state, "yellow")
    taken = event_of(chosen, Choose(("b02",)), CardTaken)
    assert face_for(taken, "spectator") == {"to": 0, "card": "b02"}


def test_a_discard_is_public() -> None:
    state = begin(position(piles={"green": "g08:0"}, hands={1: "r01 b02"}))
    discarded = event_of(state, Choose(("r01",)), CardDiscarded)
    assert face_for(discarded, "spectator") == {"owner": 1, "card": "r01"}


def test_where_nothing_is_locked_free_plays_tell_nothing_of_a_hand() -> None:
    state = position(piles={"green": "g14:0"}, hands={0: "r01 b01"})
    events = GAME.decide(state, Seat(0), Activate("green"), scripted())
    assert not any(isinstance(event, HandHinted) for event in events)
    locked = position(piles={"green": "g14:0"}, hands={0: "r01 b01"}, effects=(lock("red", 1, 1),))
    hinted = event_of(locked, Activate("green"), HandHinted)
    assert hinted == HandHinted(Seat(0), ("green", "yellow", "blue"), 1)
