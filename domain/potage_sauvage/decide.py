"""(state, seat, command, dice) -> events, or Refused: the rulebook reads here."""

from collections.abc import Iterator
from operator import add
from typing import assert_never

from domain.dice import Dice
from domain.game import Refused, Seat, winners
from domain.potage_sauvage.cards import DECK, Card, Recipe, in_order
from domain.potage_sauvage.commands import ChooseRecipe, Command, PlayCard
from domain.potage_sauvage.events import (
    CardPlayed,
    CardsSetAside,
    DealScored,
    DealStarted,
    Event,
    GameEnded,
    HandDealt,
    RecipeChosen,
    RecipesRevealed,
)
from domain.potage_sauvage.evolve import evolve
from domain.potage_sauvage.moves import moves
from domain.potage_sauvage.pot import CLOSING_SUM, binding_after, sum_after
from domain.potage_sauvage.scoring import deal_points
from domain.potage_sauvage.state import DEALS, State, left_of, put


def start(state: State, dice: Dice) -> tuple[Event, ...]:
    """Deal for the first time."""
    return tuple(_deal(state, state.deal, state.dealer, dice))


def decide(state: State, seat: Seat, command: Command, dice: Dice) -> tuple[Event, ...]:
    """Answer what a command leads to; whatever is not among the moves is refused."""
    if command not in moves(state, seat):
        raise Refused(_why_not(state, seat, command))
    match command:
        case ChooseRecipe(recipe):
            return tuple(_choose(state, seat, recipe))
        case PlayCard(card):
            return tuple(_play(state, seat, card, dice))
        case _:
            assert_never(command)


def _why_not(state: State, seat: Seat, command: Command) -> str:
    """Answer the first reason that holds, in the order of the rules."""
    if state.phase == "over":
        return "game-over"
    match command:
        case ChooseRecipe():
            if state.phase != "choosing":
                return "wrong-phase"
            return "recipe-already-used" if state.chosen[seat] is None else "recipe-already-chosen"
        case PlayCard(card):
            if state.phase != "playing":
                return "wrong-phase"
            if state.active != seat:
                return "not-your-turn"
            return "must-follow-suit" if card in state.hands[seat] else "card-not-in-hand"
        case _:
            assert_never(command)


def _deal(state: State, deal: int, dealer: Seat, dice: Dice) -> Iterator[Event]:
    """Shuffle all 52 cards and deal, seat 0 first: 13 each, but 10 to five seats (A20, A21)."""
    seats = len(state.hands)
    size = 10 if seats == 5 else 13
    deck = dice.shuffle(DECK)
    aside = deck[seats * size :]
    yield DealStarted(deal, dealer, size, len(aside))
    for seat in range(seats):
        yield HandDealt(Seat(seat), in_order(deck[seat * size : (seat + 1) * size]))
    if aside:
        yield CardsSetAside(in_order(aside))


def _choose(state: State, seat: Seat, recipe: Recipe) -> Iterator[Event]:
    """Place a recipe; the last one placed turns all of them up."""
    yield RecipeChosen(seat, recipe)
    recipes = tuple(each for each in put(state.chosen, seat, recipe) if each is not None)
    if len(recipes) == len(state.hands):
        yield RecipesRevealed(recipes, leader=left_of(state.dealer, state))


def _play(state: State, seat: Seat, card: Card, dice: Dice) -> Iterator[Event]:
    """Add a card to the pot; the deal ends when an empty hand is to play (A15, A16)."""
    total = sum_after(state.trick.sum, card, leads=not state.trick.cards)
    led, free = binding_after(state.trick, card)
    played = CardPlayed(
        seat=seat,
        card=card,
        sum=total,
        led=led,
        free=free,
        last_card=len(state.hands[seat]) == 1,
        taker=seat if total >= CLOSING_SUM else None,  # A27
    )
    yield played
    state = evolve(state, played)
    if state.active is not None and not state.hands[state.active]:
        yield from _end_deal(state, dice)


def _end_deal(state: State, dice: Dice) -> Iterator[Event]:
    """Score captured cards alone (A17), then deal again or end the game."""
    recipes = tuple(recipe for recipe in state.chosen if recipe is not None)
    points = tuple(map(deal_points, recipes, state.captured))
    totals = tuple(map(add, state.scores, points))
    yield DealScored(state.deal, recipes, tuple(map(in_order, state.captured)), points, totals)
    if state.deal == DEALS:
        yield GameEnded(tuple(winners(totals)), totals)
    else:
        yield from _deal(state, state.deal + 1, left_of(state.dealer, state), dice)  # A3
