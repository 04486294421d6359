"""Energy and sapphires: gains up to the supply, losses through wards, payments in full."""

from domain.spellcaster.amounts import pool
from domain.spellcaster.course import Course
from domain.spellcaster.events import (
    LossPrevented,
    ResourceGained,
    ResourceLost,
    ResourceMoved,
    ResourcePaid,
)
from domain.spellcaster.sides import side_of
from domain.spellcaster.state import State
from domain.spellcaster.terms import Resource
from domain.value import Value


class Warded(Value):
    """What is left of a loss, and the effects (by index) that it used up."""

    left: int
    spent: tuple[int, ...]


def gain(course: Course, side: int, resource: Resource, amount: int) -> None:
    """Take from the supply; a cap counts what both sides hold (ruling 14)."""
    state = course.state
    cap = state.options.supply_cap
    has = pool(state, side, resource)
    if cap is not None:
        amount = max(0, min(amount, cap - has - pool(state, 1 - side, resource)))
    if amount:
        course.tell(ResourceGained(side, resource, amount, has + amount))


def lose(course: Course, side: int, resource: Resource, amount: int) -> None:
    """Give to the supply what is there of what the wards leave (rulings 16, 38, 39)."""
    has = pool(course.state, side, resource)
    lost = min(_through_wards(course, side, resource, amount), has)
    if lost:
        course.tell(ResourceLost(side, resource, lost, has - lost))


def move(course: Course, giver: int, resource: Resource, amount: int) -> None:
    """Give to the other side what is there of what the wards leave (rulings 19, 38)."""
    has = pool(course.state, giver, resource)
    taken = min(_through_wards(course, giver, resource, amount), has)
    if taken:
        gains = pool(course.state, 1 - giver, resource) + taken
        course.tell(ResourceMoved(giver, 1 - giver, resource, taken, has - taken, gains))


def pay(course: Course, side: int, resource: Resource, amount: int) -> None:
    """Give the full amount to the supply, or nothing; no ward counts (rulings 17, 18, 38)."""
    has = pool(course.state, side, resource)
    if 0 < amount <= has:
        course.tell(ResourcePaid(side, resource, amount, has - amount))


def _through_wards(course: Course, side: int, resource: Resource, amount: int) -> int:
    if not course.state.effects or side == side_of(course.state.active):
        return amount
    warded = through_wards(course.state, side, resource, amount)
    if warded.left < amount:
        stopped = amount - warded.left
        course.tell(LossPrevented(side, resource, stopped, warded.spent))
    return warded.left


def through_wards(state: State, side: int, resource: Resource, amount: int) -> Warded:
    """Answer what a loss by a rival spell becomes: reductions first, then the oldest shield."""
    for ward in state.effects:
        if ward.side != side:
            continue
        if ward.kind == "all_loss":
            amount = 0
        elif ward.kind == "reduce_energy_loss_1" and resource == "energy":
            amount = max(0, amount - 1)
    shields = (
        i
        for i, ward in enumerate(state.effects)
        if ward.side == side and ward.kind == "next_loss_energy"
    )
    oldest = next(shields, None) if amount and resource == "energy" else None
    return Warded(amount, ()) if oldest is None else Warded(0, (oldest,))
