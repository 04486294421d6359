"""A decision while it is made: the events so far, the state they lead to, and the dice."""

from domain.dice import Dice
from domain.spellcaster.events import Event
from domain.spellcaster.evolve import evolve
from domain.spellcaster.state import State


class Course:
    """Collect the events of one decision and show the state after them."""

    __slots__ = ("dice", "events", "state")

    def __init__(self, state: State, dice: Dice) -> None:
        self.state = state
        self.dice = dice
        self.events: list[Event] = []

    def tell(self, event: Event) -> None:
        """Let an event happen."""
        self.events.append(event)
        self.state = evolve(self.state, event)
