"""What an amount is worth and whether a condition holds, now."""

from operator import eq, ge, gt, le, lt, ne
from typing import assert_never

from domain.game import Seat
from domain.spellcaster import terms
from domain.spellcaster.sides import next_opponents, pile_of, side_of, spell_of, tops
from domain.spellcaster.state import State
from domain.spellcaster.terms import Amount, Condition, Who

COMPARED = {"<": lt, "<=": le, "=": eq, "!=": ne, ">=": ge, ">": gt}


def side_for(state: State, who: Who) -> int:
    """Answer the side that a card calls self or rival."""
    mine = side_of(state.active)
    return mine if who == "self" else 1 - mine


def mage_for(state: State, who: Who) -> Seat:
    """Answer the mage who decides or draws: the active one, or the opposing one who is next."""
    return state.active if who == "self" else next_opponents(state)[0]


def pool(state: State, side: int, resource: str) -> int:
    """Answer what a side has of a resource."""
    return (state.energy if resource == "energy" else state.sapphires)[side]


def controlled(state: State, side: int) -> int:
    """Count the piles that face a side, by facing only (ruling 41)."""
    return sum(top.facing == side for _, top in tops(state))


def worth(state: State, amount: Amount, x: int | None, everything: int = 0) -> int:
    """Answer an amount; ``everything`` is what ``all`` stands for."""
    match amount:
        case terms.Number(value):
            return value
        case terms.Bound():
            return x or 0
        case terms.All():
            return everything
        case terms.Colours(who):
            return controlled(state, side_for(state, who))
        case terms.HandSize(who):
            return len(state.hands[mage_for(state, who)])
        case terms.Pool(who, resource):
            return pool(state, side_for(state, who), resource)
        case terms.DeckSize():
            return len(state.deck)
        case terms.Difference(left, right) | terms.Smaller(left, right) | terms.Larger(left, right):
            a, b = worth(state, left, x, everything), worth(state, right, x, everything)
            return _combined(amount, a, b)
        case _:
            assert_never(amount)


def _combined(amount: terms.Difference | terms.Smaller | terms.Larger, a: int, b: int) -> int:
    match amount:
        case terms.Difference():
            return max(a - b, 0)
        case terms.Smaller():
            return min(a, b)
        case terms.Larger():
            return max(a, b)


def holds(state: State, condition: Condition, x: int | None) -> bool:
    """Answer whether a condition holds."""
    match condition:
        case terms.Compare(left, comparison, right):
            return bool(COMPARED[comparison](worth(state, left, x), worth(state, right, x)))
        case terms.Controls(who, colour):
            side = side_for(state, who)
            return any(each == colour and top.facing == side for each, top in tops(state))
        case terms.PileEmpty(colour):
            return not pile_of(state, colour)
        case terms.TopIs(colour, kind):
            pile = pile_of(state, colour)
            return bool(pile) and spell_of(state, pile[-1].card).kind == kind
        case terms.Both(left, right):
            return holds(state, left, x) and holds(state, right, x)
        case terms.Either(left, right):
            return holds(state, left, x) or holds(state, right, x)
        case terms.Not(inner):
            return not holds(state, inner, x)
        case _:
            assert_never(condition)
