"""The interpreter of the effect language: carries out steps until a mage must choose.

A spell in progress is a stack of frames, plain data that the state keeps while a choice is
pending. A step that asks is carried out again with one more answer each time; what an earlier
answer caused has happened by then, so only the newest is acted upon.
"""

from typing import assert_never

from domain.game import Seat
from domain.spellcaster import effects as fx
from domain.spellcaster import events as ev
from domain.spellcaster import pools
from domain.spellcaster.amounts import holds, mage_for, pool, side_for, worth
from domain.spellcaster.cards import Card, colour_of
from domain.spellcaster.colours import COLOURS, Colour
from domain.spellcaster.course import Course
from domain.spellcaster.effects import Block, Step, blocks
from domain.spellcaster.hints import hint_at_play, hint_before_offer
from domain.spellcaster.sides import (
    next_opponents,
    pile_of,
    playable,
    seat_of_turn,
    side_of,
    spell_of,
    unlocked,
)
from domain.spellcaster.state import Asked, Frame, State
from domain.spellcaster.targets import can_begin, can_pay, takeable, targets
from domain.spellcaster.terms import Count, Duration
from domain.value import Value, changed


class Ask(Value):
    """A step needs an answer; ``colours`` are those of a choice among cards of the hand."""

    seat: Seat
    kind: Asked
    options: tuple[str, ...]
    least: int = 1
    colours: tuple[Colour, ...] = ()


class Done(Value):
    """A step is over; ``frames`` are the blocks that come next, the first one last."""

    frames: tuple[Frame, ...] = ()
    x: int | None = None


def first_frame(card: Card) -> Frame:
    """Answer where a spell begins."""
    return Frame(card, (), 0, None, None, ())


def block_at(state: State, frame: Frame) -> Block:
    """Answer the block of steps that a frame stands in."""
    block = spell_of(state, frame.card).effect
    path = frame.path
    for step, inner in zip(path[::2], path[1::2], strict=True):
        block = blocks(block[step])[inner][1]
    return block


def resolve(course: Course, stack: tuple[Frame, ...]) -> None:
    """Carry out a stack of frames until it is empty or a choice is offered."""
    frames = list(stack)
    while frames:
        frame = frames[-1]
        block = block_at(course.state, frame)
        if frame.step == len(block):
            frames.pop()
            continue
        match perform(course, frame, block[frame.step]):
            case Ask() as ask if len(ask.options) == ask.least:
                frames[-1] = changed(frame, answers=(*frame.answers, ask.options))
            case Ask() as ask:
                _offer(course, ask, tuple(frames))
                return
            case Done(inner, x):
                x = frame.x if x is None else x
                frames[-1] = changed(frame, step=frame.step + 1, x=x, answers=())
                frames += inner


def _offer(course: Course, ask: Ask, stack: tuple[Frame, ...]) -> None:
    card = stack[-1].card
    if ask.colours:
        cards = tuple(Card(option) for option in ask.options)
        course.tell(ev.HandChoiceOffered(ask.seat, card, ask.colours, ask.least, stack, cards))
    else:
        course.tell(ev.ChoiceOffered(ask.seat, card, ask.kind, ask.options, ask.least, stack))


def perform(course: Course, frame: Frame, step: Step) -> Ask | Done:  # noqa: C901
    """Carry out a step, or as much of it as needs no further answer."""
    state = course.state
    match step:
        case fx.Gain(who, resource, amount):
            pools.gain(course, side_for(state, who), resource, worth(state, amount, frame.x))
        case fx.Lose(who, resource, amount):
            side = side_for(state, who)
            there = pool(state, side, resource)
            pools.lose(course, side, resource, worth(state, amount, frame.x, there))
        case fx.Transfer(giver, _, resource, amount):
            side = side_for(state, giver)
            there = pool(state, side, resource)
            pools.move(course, side, resource, worth(state, amount, frame.x, there))
        case fx.Pay(who, resource, amount):
            side = side_for(state, who)
            there = pool(state, side, resource)
            pools.pay(course, side, resource, worth(state, amount, frame.x, there))
        case fx.Draw(who, count):
            draw(course, mage_for(state, who), worth(state, count, frame.x))
        case fx.Discard():
            return _discard(course, frame, step)
        case fx.LoseHand(who, count):
            return _discard_picked(course, frame, mage_for(state, who), count, frame.answers)
        case fx.LoseDeck(count):
            for card in state.deck[: worth(state, count, frame.x)]:
                course.tell(ev.DeckCardLost(card))
        case fx.PayAny(who, most):
            return _pay_any(course, frame, mage_for(state, who), most)
        case fx.TakeDiscard():
            return _take(course, frame, step)
        case fx.StealCard(count):
            return _steal(course, frame, count)
        case fx.May():
            return _may(course, frame, step)
        case fx.Unless():
            return _unless(state, frame, step)
        case fx.Choose(chooser, branches):
            if not frame.answers:
                options = tuple(str(i) for i in range(len(branches)))
                return Ask(mage_for(state, chooser), "choose_one", options)
            return Done((_inside(frame, int(frame.answers[0][0])),))
        case fx.If(condition):
            return Done((_inside(frame, 0 if holds(state, condition, frame.x) else 1),))
        case fx.FlipAll():
            for pile in unlocked(state, side_of(state.active)):
                _turn_top(course, pile)
        case fx.DiscardTop() | fx.Flip() | fx.Activate() | fx.Lock() | fx.Suppress():
            return _at_pile(course, frame, step)
        case fx.Play(most):
            return _play(course, frame, most)
        case fx.Actions(count):
            gained = worth(state, count, frame.x)
            course.tell(ev.ActionsGained(state.active, gained, state.actions_left + gained))
        case fx.Ward(kind, duration):
            until = _until(state, duration)
            course.tell(ev.EffectBegun(kind, side_of(state.active), until, None, None))
        case _:
            assert_never(step)
    return Done()


def draw(course: Course, to: Seat, count: int) -> None:
    """Draw by a spell: what is left if it is too little, and then this turn is the last (4.1)."""
    state = course.state
    cards = state.deck[:count]
    if cards:
        course.tell(ev.CardsDrawn(to, len(cards), "spell", state.actions_left, cards))
    if len(cards) < count and not state.end_after_turn:
        course.tell(ev.LastTurnFlagged(state.turn))


def _inside(frame: Frame, inner: int, payer: Seat | None = None) -> Frame:
    return Frame(frame.card, (*frame.path, frame.step, inner), 0, frame.x, payer, ())


def _discard(course: Course, frame: Frame, step: fx.Discard) -> Ask | Done:
    if frame.payer is not None:
        owner, picks = frame.payer, frame.answers
    elif step.who == "self":
        owner, picks = course.state.active, frame.answers
    elif not frame.answers:
        return _ask_mage(course.state)
    else:
        owner, picks = Seat(int(frame.answers[0][0])), frame.answers[1:]
    if step.by == "owner":
        return _discard_picked(course, frame, owner, step.count, picks)
    left = worth(course.state, step.count, frame.x, len(course.state.hands[owner]))
    for _ in range(min(left, len(course.state.hands[owner]))):
        course.tell(ev.CardDiscarded(owner, _random_card(course, owner)))
    return Done()


def _ask_mage(state: State) -> Ask | Done:
    """Let the active mage pick one of those opposing mages who hold a card."""
    holders = tuple(str(seat) for seat in sorted(next_opponents(state)) if state.hands[seat])
    return Ask(state.active, "mage", holders) if holders else Done()


def _random_card(course: Course, owner: Seat) -> Card:
    hand = course.state.hands[owner]
    return hand[course.dice.pick(len(hand))]


def _discard_picked(
    course: Course, frame: Frame, owner: Seat, count: Count, picks: tuple[tuple[str, ...], ...]
) -> Ask | Done:
    if picks:
        course.tell(ev.CardDiscarded(owner, Card(picks[-1][0])))
    hand = course.state.hands[owner]
    left = worth(course.state, count, frame.x, len(picks) + len(hand)) - len(picks)
    return Ask(owner, "cards", hand, colours=COLOURS) if left > 0 and hand else Done()


def _pay_any(course: Course, frame: Frame, owner: Seat, most: int) -> Ask | Done:
    answers = frame.answers
    if answers and not answers[-1]:
        return Done(x=len(answers) - 1)
    if answers:
        course.tell(ev.CardDiscarded(owner, Card(answers[-1][0])))
    if len(answers) == most or not course.state.hands[owner]:
        return Done(x=len(answers))
    return Ask(owner, "cards", course.state.hands[owner], least=0, colours=COLOURS)


def _take(course: Course, frame: Frame, step: fx.TakeDiscard) -> Ask | Done:
    to = mage_for(course.state, step.who)
    if frame.answers:
        course.tell(ev.CardTaken(to, Card(frame.answers[-1][0])))
    options = takeable(course.state, step.colour)
    everything = len(frame.answers) + len(options)
    left = worth(course.state, step.count, frame.x, everything) - len(frame.answers)
    return Ask(to, "cards", options) if left > 0 and options else Done()


def _steal(course: Course, frame: Frame, count: Count) -> Ask | Done:
    if not frame.answers:
        return _ask_mage(course.state)
    victim = Seat(int(frame.answers[0][0]))
    there = len(course.state.hands[victim])
    for _ in range(min(worth(course.state, count, frame.x, there), there)):
        card = _random_card(course, victim)
        course.tell(ev.CardStolen(course.state.active, victim, card))
    return Done()


def _may(course: Course, frame: Frame, step: fx.May) -> Ask | Done:
    state = course.state
    chooser = mage_for(state, step.chooser)
    if not frame.answers:
        if not can_pay(state, step.cost, chooser, frame.x):
            return Done()
        hint_before_offer(course, step.then)
        if not can_begin(state, step.then, frame.card):
            return Done()
        return Ask(chooser, "may", ("yes", "no"))
    if frame.answers[0] == ("no",):
        return Done()
    return Done((_inside(frame, 1), _inside(frame, 0, chooser)))


def _unless(state: State, frame: Frame, step: fx.Unless) -> Ask | Done:
    able = able_to_avert(state, step, frame.x)
    asked = len(frame.answers)
    if asked and frame.answers[-1] == ("pay",):
        return Done((_inside(frame, 0, able[asked - 1]),))
    if asked < len(able):
        return Ask(able[asked], "unless", ("pay", "refuse"))
    return Done((_inside(frame, 1),))


def able_to_avert(state: State, step: fx.Unless, x: int | None) -> tuple[Seat, ...]:
    """Answer who is asked to pay, in order; for a resource only who is next (6.3, ruling 48)."""
    if step.who == "self":
        mages: tuple[Seat, ...] = (state.active,)
    elif any(isinstance(each, fx.Discard) for each in step.cost):
        mages = next_opponents(state)
    else:
        mages = next_opponents(state)[:1]
    return tuple(mage for mage in mages if can_pay(state, step.cost, mage, x))


def _at_pile(
    course: Course,
    frame: Frame,
    step: fx.DiscardTop | fx.Flip | fx.Activate | fx.Lock | fx.Suppress,
) -> Ask | Done:
    state = course.state
    if not frame.answers:
        options = targets(state, step, frame.card) or ()
        chooser = step.chooser if isinstance(step, fx.DiscardTop | fx.Flip) else "self"
        return Ask(mage_for(state, chooser), "pile", options) if options else Done()
    pile = next(each for each in COLOURS if each == frame.answers[0][0])
    match step:
        case fx.DiscardTop():
            course.tell(ev.TopDiscarded(pile, pile_of(state, pile)[-1].card))
        case fx.Flip():
            _turn_top(course, pile)
        case fx.Activate():
            card = pile_of(state, pile)[-1].card
            course.tell(ev.SpellCast(state.active, card, pile, "copy", state.actions_left))
            return Done((first_frame(card),))
        case fx.Lock(_, duration):
            until = _until(state, duration)
            course.tell(ev.EffectBegun("lock", side_of(state.active), until, pile, None))
        case fx.Suppress(_, duration):
            card = pile_of(state, pile)[-1].card
            until = _until(state, duration)
            course.tell(ev.EffectBegun("suppress", side_of(state.active), until, pile, card))
    return Done()


def _turn_top(course: Course, pile: Colour) -> None:
    cards = pile_of(course.state, pile)
    if cards:
        course.tell(ev.TopTurned(pile, cards[-1].card, 1 - cards[-1].facing))


def _until(state: State, duration: Duration) -> Seat:
    """Answer at whose turn start an effect ends: the end of this turn is the start of the next."""
    if duration == "until_my_next_turn":
        return state.active
    return seat_of_turn(state, state.turn + 1)


def _play(course: Course, frame: Frame, most: int) -> Ask | Done:
    answers = frame.answers
    seat = course.state.active
    if answers and not answers[-1]:
        return Done()
    if answers:
        card = Card(answers[-1][0])
        left = course.state.actions_left
        course.tell(
            ev.CardPlayed(seat, card, colour_of(card), side_of(seat), free=True, actions_left=left)
        )
    if len(answers) == most:
        return Done()
    least = 0 if answers else 1
    hint_at_play(course, least)
    options = playable(course.state, seat)
    if not options:
        return Done()
    return Ask(seat, "cards", options, least, unlocked(course.state, side_of(seat)))
