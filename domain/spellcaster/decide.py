"""(state, seat, command, dice) -> events, or Refused: the rulebook reads here."""

from typing import assert_never

from domain.dice import Dice
from domain.game import Refused, Seat
from domain.spellcaster import events as ev
from domain.spellcaster.cards import colour_of
from domain.spellcaster.colours import COLOURS
from domain.spellcaster.commands import Activate, Choose, Command, Concede, Draw, Pass, Play
from domain.spellcaster.course import Course
from domain.spellcaster.decks import DECKS
from domain.spellcaster.events import Event
from domain.spellcaster.hints import hint_all_locked
from domain.spellcaster.moves import check
from domain.spellcaster.resolve import first_frame
from domain.spellcaster.sides import opponents, pile_of, side_of
from domain.spellcaster.state import State
from domain.spellcaster.turn import cast, go_on, run
from domain.value import changed

HAND = 3
SOLO_HAND = 6


def start(state: State, dice: Dice) -> tuple[Event, ...]:
    """Choose the starter, deal, and begin the first turn (2.1, 2.2)."""
    course = Course(state, dice)
    course.tell(ev.StarterChosen(_starter(state, dice)))
    deck = dice.shuffle(DECKS[state.options.deck].cards)
    course.tell(ev.DeckShuffled(len(deck), deck))
    for seat in range(state.seats):
        size = SOLO_HAND if (state.seats, seat) == (3, 1) else HAND
        course.tell(ev.HandDealt(Seat(seat), size, course.state.deck[:size]))
    go_on(course)
    return tuple(course.events)


def _starter(state: State, dice: Dice) -> Seat:
    if state.options.starter is not None:
        return state.options.starter
    return Seat(0 if state.seats == 3 else dice.pick(state.seats))


def decide(state: State, seat: Seat, command: Command, dice: Dice) -> tuple[Event, ...]:
    """Answer what happens, or raise Refused with the first reason that holds (9.1)."""
    return tuple(carry_out(state, seat, command, dice).events)


def carry_out(state: State, seat: Seat, command: Command, dice: Dice) -> Course:
    """Answer what happens and where it leads, or raise Refused."""
    refusal = check(state, seat, command)
    if refusal is not None:
        raise Refused(refusal)
    course = Course(state, dice)
    left = state.actions_left - 1
    match command:
        case Draw():
            course.tell(ev.CardsDrawn(seat, 1, "action", left, state.deck[:1]))
        case Play(card):
            side = side_of(seat)
            course.tell(
                ev.CardPlayed(seat, card, colour_of(card), side, free=False, actions_left=left)
            )
        case Activate(pile):
            card = pile_of(state, pile)[-1].card
            course.tell(ev.SpellCast(seat, card, pile, "action", left))
            run(course, (first_frame(card),))
        case Choose(pick):
            _choose(course, pick)
        case Pass():
            hint_all_locked(course, 0)
            course.tell(ev.ActionPassed(seat, left))
        case Concede():
            course.tell(ev.MageConceded(seat))
            course.tell(ev.WinnersDecided(opponents(seat, state.seats), "concede"))
        case _:
            assert_never(command)
    go_on(course)
    return course


def _choose(course: Course, pick: tuple[str, ...]) -> None:
    pending, stack = course.state.pending, course.state.stack
    if pending is None:
        raise ValueError("nothing is to be chosen")
    course.tell(ev.ChoiceMade(pending.seat, pending.card, pending.kind, pick))
    if pending.kind == "next_enchantment":
        cast(course, next(colour for colour in COLOURS if colour == pick[0]))
    else:
        top = changed(stack[-1], answers=(*stack[-1].answers, pick))
        run(course, (*stack[:-1], top))
