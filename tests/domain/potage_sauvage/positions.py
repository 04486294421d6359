"""Positions written as a player would: ``playing("V4 I1", "V5", "V1")`` and ``A V4=4, B V5=9``."""

from functools import reduce
from typing import Any

from domain.dice import Dice
from domain.game import Seat
from domain.potage_sauvage import GAME
from domain.potage_sauvage.cards import RECIPES, Card, Recipe, in_order
from domain.potage_sauvage.commands import ChooseRecipe, PlayCard
from domain.potage_sauvage.decide import start
from domain.potage_sauvage.events import CardPlayed
from domain.potage_sauvage.options import Options
from domain.potage_sauvage.state import State, initial
from domain.value import changed
from tests.domain.given import Given, given, scripted

INSECTS: Recipe = "insects"
A, B, C = Seat(0), Seat(1), Seat(2)

G1_HANDS = (
    "W1 W3 FH I1 I3 IH IR V1 V1 V2 V5 VH VR",
    "W2 W4 W5 F10 F1 F2 F3 F5 I10 I2 I2 I3 V10",
)
G1_TRICKS = (
    "B I10=0, A IH=0, B I3=3, A I1=4, B I2=6, A I3=9, B I2=11",
    "B F3=3, A FH=3, B F10=13",
    "B W4=4, A V2=6, B F5=11",
    "B F2=2, A VR=0, B F1=1, A W3=4, B W5=9, A W1=10",
    "A V1=1, B V10=11",
    "B W2=2, A IR=0",
)


def cards(text: str) -> tuple[Card, ...]:
    """Read cards in the order they are written."""
    return tuple(Card(each) for each in text.split())


def play(card: str) -> PlayCard:
    """Answer the command that plays a card."""
    return PlayCard(Card(card))


def dealt(seats: int = 2, dice: Dice | None = None, **options: int) -> State:
    """Answer a game whose first deal lies on the table."""
    first = initial(seats, Options(**options).settled(seats))
    return reduce(GAME.evolve, start(first, dice or scripted()), first)


def playing(
    *hands: str,
    active: int = 0,
    recipes: tuple[Recipe, ...] | None = None,
    captured: tuple[str, ...] | None = None,
    **fields: Any,
) -> State:
    """Answer a deal in play with these hands and an empty pot."""
    chosen = recipes or (INSECTS,) * len(hands)
    piles = captured or ("",) * len(hands)
    state = changed(
        initial(len(hands), Options()),
        phase="playing",
        active=Seat(active),
        chosen=chosen,
        left=tuple(tuple(each for each in RECIPES if each != recipe) for recipe in chosen),
        hands=tuple(in_order(cards(hand)) for hand in hands),
        captured=tuple(map(cards, piles)),
    )
    return changed(state, **fields)


def play_out(state: State, tricks: str) -> Given:
    """Play ``A V4=4, B V5=9``: each by its seat, in turn, and with the sum that is announced."""
    for each in tricks.replace("->", ",").split(","):
        letter, card, announced = each.replace("=", " ").split()
        seat = Seat("ABCDE".index(letter))
        assert state.active == seat, f"{each}: it is the turn of seat {state.active}"
        events = given(GAME, state).when(seat, play(card)).events()
        assert isinstance(events[0], CardPlayed)
        assert events[0].sum == int(announced), each
        state = reduce(GAME.evolve, events, state)
    return given(GAME, state)


def choose_all(state: State, *recipes: Recipe) -> State:
    """Let the seats choose their recipes, seat 0 first."""
    for seat, recipe in enumerate(recipes):
        state = given(GAME, state).when(seat, ChooseRecipe(recipe)).then().state
    return state


def g1() -> State:
    """Answer the worked deal of two seats once its recipes are revealed."""
    deal = scripted(cards(" ".join(G1_HANDS)))
    return choose_all(dealt(2, deal), "waste", "insects")
