"""What a step can act on: piles that a target allows, costs that can be paid."""

from domain.game import Seat
from domain.spellcaster import effects as fx
from domain.spellcaster.amounts import mage_for, pool, worth
from domain.spellcaster.cards import Card, colour_of
from domain.spellcaster.colours import COLOURS, Colour
from domain.spellcaster.effects import Block, Step
from domain.spellcaster.sides import locked_against, pile_of, playable, side_of, spell_of
from domain.spellcaster.state import Laid, State
from domain.spellcaster.terms import Target


def targets(state: State, step: Step, card: Card) -> tuple[Colour, ...] | None:
    """Answer the piles a step may choose from, or None if it chooses no pile."""
    match step:
        case fx.DiscardTop(chooser, target) | fx.Flip(chooser, target):
            side = side_of(mage_for(state, chooser))
            closed = locked_against(state, side)
        case fx.Activate(target) | fx.Lock(target) | fx.Suppress(target):
            side, closed = side_of(state.active), ()
        case _:
            return None
    return tuple(
        colour
        for colour in COLOURS
        if colour not in closed and _allows(state, target, colour, card, side)
    )


def _allows(state: State, target: Target, colour: Colour, card: Card, side: int) -> bool:
    pile = pile_of(state, colour)
    if target.empty == bool(pile):
        return False
    if target.colour not in (None, colour) or target.not_colour == colour:
        return False
    if target.other_pile and colour == colour_of(card):
        return False
    return not pile or _top_fits(state, target, pile[-1], card, side)


def _top_fits(state: State, target: Target, top: Laid, card: Card, side: int) -> bool:
    if target.facing is not None and (top.facing == side) != (target.facing == "self"):
        return False
    if (target.not_this and top.card == card) or (target.unused and top.card in state.used):
        return False
    return target.kind is None or spell_of(state, top.card).kind == target.kind


def can_begin(state: State, block: Block, card: Card) -> bool:
    """Answer whether the first step of an optional block has something to act on."""
    match block[0]:
        case fx.Play():
            return bool(playable(state, state.active))
        case fx.TakeDiscard(_, _, colour):
            return bool(takeable(state, colour))
        case step:
            return targets(state, step, card) != ()


def takeable(state: State, colour: Colour | None) -> tuple[Card, ...]:
    """Answer the cards of the discard pile that may be taken, by id."""
    return tuple(sorted(c for c in state.discard if colour in (None, colour_of(c))))


def can_pay(state: State, cost: Block, payer: Seat, x: int | None) -> bool:
    """Answer whether a mage can pay a cost as a whole (rulings 17, 35, 49)."""
    owed = {"energy": 0, "sapphire": 0}
    cards = 0
    for step in cost:
        match step:
            case fx.Pay(_, resource, amount):
                owed[resource] += worth(state, amount, x)
            case fx.Discard(_, count):
                cards += worth(state, count, x)
            case _:
                raise ValueError(f"{step} is no cost")
    side = side_of(payer)
    pools = all(pool(state, side, resource) >= amount for resource, amount in owed.items())
    return pools and len(state.hands[payer]) >= cards
