"""Steps at which something is hidden from a viewer, found by playing; each is found again."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import chain
from typing import Final

from domain.catalogue import games
from domain.dice import seeded
from domain.sealed import audience, face_fields
from tests.noninterference.channels import Watched
from tests.noninterference.positions import Pair, Step, Went, begun, on, pairs
from tests.noninterference.worlds import Worlds

FIRST: Final = {("magic_cooking", "CardStolen"): 27, ("spellcaster", "CardStolen"): 116}
"""Where to begin to look for what is rare."""

MOST: Final = 200
STEPS: Final = 8
EVERY: Final = 9


@dataclass(frozen=True, slots=True)
class Witness:
    """A first deal, or a pair and a step from it, at which an event hides something."""

    went: Went
    before: Pair | None = None
    step: Step | None = None

    def play(self, worlds: Worlds) -> Watched:
        """Let it happen in two worlds; answer the table."""
        stranger = worlds.guest("Stranger")
        if self.before is None or self.step is None:
            return Watched(worlds, worlds.deal(self.went), self.went.after, stranger)
        watched = Watched(worlds, worlds.seat(self.before), self.before, stranger)
        watched.send(self.step, "witness")
        return watched


def sealed_kinds() -> list[tuple[str, str]]:
    """Answer every kind of event of every game that hides something from somebody."""
    return [
        (name, kind.__name__)
        for name, game in games().items()
        for kind in game.events
        if face_fields(kind)[1]
    ]


def steps(name: str, number: int) -> Iterator[Witness]:
    """Answer everything that happens to the pairs of one game."""
    game = games()[name]
    went = begun(game, f"w{number}")
    yield Witness(went)
    for pair in pairs(game, f"w{number}", EVERY):
        dice, before = seeded(f"{number}"), pair
        for _ in range(STEPS):
            step = on(before, dice)
            if step is None:
                break
            yield Witness(step.went, before, step)
            before = step.after


def hides(went: Went, kind: str) -> bool:
    """Answer whether an event of a kind hides something that differs from a viewer with a seat."""
    viewer = went.after.viewer
    return not isinstance(viewer, str) and any(
        type(one).__name__ == kind and one != two and viewer not in (audience(one) or ())
        for one, two in went.events
    )


@cache
def witness(name: str, kind: str) -> Witness:
    """Answer a step at which an event of this kind hides something that differs."""
    first = FIRST.get((name, kind), 0)
    for number in chain(range(first, MOST), range(first)):
        for found in steps(name, number):
            if hides(found.went, kind):
                return found
    raise LookupError(f"no {kind} of {name} hides anything")
