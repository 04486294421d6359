"""The one shape all rules have: a first state, decide, evolve; and the fold of a history."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import reduce
from typing import Generic, TypeVar

State = TypeVar("State")
Command = TypeVar("Command")
Event = TypeVar("Event")
Chance = TypeVar("Chance")


@dataclass(frozen=True, slots=True)
class Decider(Generic[State, Command, Event, Chance]):
    """Hold a first state, ``decide(state, command, chance)`` and ``evolve(state, event)``.

    ``decide`` raises ``Refused`` when the rules say no; ``evolve`` never refuses.
    """

    initial: State
    decide: Callable[[State, Command, Chance], tuple[Event, ...]]
    evolve: Callable[[State, Event], State]

    def fold(self, events: Iterable[Event], state: State | None = None) -> State:
        """Apply a history to a state (the first one if none is given)."""
        return reduce(self.evolve, events, self.initial if state is None else state)
