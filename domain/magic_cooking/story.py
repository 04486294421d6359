"""What a decision tells: events one after the other, each on the state that the last one left."""

from typing import TypeVar

from domain.dice import Dice
from domain.magic_cooking.events import Event
from domain.magic_cooking.evolve import evolve
from domain.magic_cooking.state import State

T = TypeVar("T")


class Story:
    """Hold the state so far, the events that led to it, and the dice."""

    __slots__ = ("dice", "events", "state")

    def __init__(self, state: State, dice: Dice) -> None:
        self.state = state
        self.dice = dice
        self.events: list[Event] = []

    def tell(self, event: Event) -> None:
        """Let an event become true."""
        self.events.append(event)
        self.state = evolve(self.state, event)


def certain(value: T | None) -> T:
    """Answer a value that the rules have made sure of; raise ValueError if it is missing."""
    if value is None:
        raise ValueError("the rules had made sure of this value")
    return value
