"""How much a bot likes a position: pools, cards, and what the tops of the piles will do.

Figures are in energy points; they were tuned by play and are no part of the rules.
"""

from collections.abc import Mapping
from typing import assert_never

from domain.spellcaster import effects as fx
from domain.spellcaster import terms
from domain.spellcaster.amounts import controlled
from domain.spellcaster.cards import Spell
from domain.spellcaster.effects import Block, Step
from domain.spellcaster.sides import seats_of, side_of, spell_of, tops
from domain.spellcaster.state import State
from domain.spellcaster.terms import Amount
from domain.spellcaster.turn import WINNING_SAPPHIRES

WON = 1000.0
CARD = 0.6
ACTION = 0.6
ENCHANTMENT = 1.6
INCANTATION = 0.55
STEADY: Mapping[type, float] = {
    fx.StealCard: 1.4,
    fx.DiscardTop: 1.2,
    fx.Flip: 1.2,
    fx.FlipAll: 0.5,
    fx.Activate: 1.5,
    fx.Play: 1.2,
    fx.Ward: 1.2,
    fx.Lock: 0.8,
    fx.Suppress: 0.8,
    fx.LoseDeck: 0.0,
    fx.PayAny: -1.0,
}
"""What a step is worth to the mage who resolves it, where no amount says it."""


def liking(state: State, side: int) -> float:
    """Answer how much a side likes a position."""
    if state.stage == "over":
        if not state.winners:
            return 0.0
        return WON if side_of(state.winners[0]) == side else -WON
    return _side(state, side) - _side(state, 1 - side)


def _side(state: State, side: int) -> float:
    sapphires = state.sapphires[side]
    pools = state.energy[side] - 8 / (state.energy[side] + 1)
    pools += sapphires + 8 / (1 + max(0, WINNING_SAPPHIRES - sapphires))
    cards = CARD * sum(len(state.hands[seat]) for seat in seats_of(side, state.seats))
    spells = 0.0
    for _, top in tops(state):
        if top.facing == side:
            spell = spell_of(state, top.card)
            weight = ENCHANTMENT if spell.kind == "enchantment" else INCANTATION
            spells += weight * _spell(state, spell)
    mine = side == side_of(state.active)
    return pools + cards + spells + (ACTION * state.actions_left if mine else 0.0)


def _spell(state: State, spell: Spell) -> float:
    return max(0.0, _block(state, spell.effect))


def _block(state: State, block: Block) -> float:
    return sum(_step(state, step) for step in block)


def _step(state: State, step: Step) -> float:
    match step:
        case fx.Gain(who, _, amount):
            return _sign(who) * _about(state, amount)
        case fx.Lose(who, _, amount) | fx.Pay(who, _, amount):
            return -_sign(who) * _about(state, amount)
        case fx.Transfer(_, taker, _, amount):
            return 2 * _sign(taker) * _about(state, amount)
        case fx.Draw(who, count) | fx.TakeDiscard(who, count):
            return CARD * _sign(who) * _about(state, count)
        case fx.Discard(who, count) | fx.LoseHand(who, count):
            return -CARD * _sign(who) * _about(state, count)
        case fx.Actions(count):
            return ACTION * _about(state, count)
        case fx.May(chooser, cost, then):
            gain = _block(state, cost) + _block(state, then)
            return max(0.0, gain) if chooser == "self" else min(0.0, gain)
        case fx.Unless(who, cost, otherwise):
            paid, unpaid = _block(state, cost), _block(state, otherwise)
            return max(paid, unpaid) if who == "self" else min(paid, unpaid)
        case fx.Choose(chooser, branches):
            found = [_block(state, branch) for branch in branches]
            return max(found) if chooser == "self" else min(found)
        case fx.If(_, then, otherwise):
            return (_block(state, then) + _block(state, otherwise)) / 2
        case (
            fx.StealCard()
            | fx.DiscardTop()
            | fx.Flip()
            | fx.FlipAll()
            | fx.Activate()
            | fx.Play()
            | fx.Ward()
            | fx.Lock()
            | fx.Suppress()
            | fx.LoseDeck()
            | fx.PayAny()
        ):
            return STEADY[type(step)]
        case _:
            assert_never(step)


def _sign(who: str) -> int:
    return 1 if who == "self" else -1


def _about(state: State, amount: Amount) -> float:
    match amount:
        case terms.Number(value):
            return value
        case terms.Colours():
            return max(1.0, controlled(state, side_of(state.active)))
        case _:
            return 2.0
