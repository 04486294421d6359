"""Rule tests as sentences: ``given(GAME, state).when(seat, command).then(*events)``."""

from dataclasses import dataclass
from functools import reduce
from typing import Any

import pytest

from domain.dice import Dice, ScriptedDice, seeded
from domain.game import AnyGame, BadField, Refused, Seat, Viewer
from domain.scenario import as_json, walk


def given(game: AnyGame, state: Any, *events: Any) -> "Given":
    """Start from a state after some events."""
    return Given(game, reduce(game.evolve, events, state))


@dataclass(frozen=True)
class Given:
    """A position of a game."""

    game: AnyGame
    state: Any

    def when(self, seat: int, command: Any, dice: Dice | None = None) -> "When":
        """Let a seat ask for a command."""
        return When(self, Seat(seat), command, dice or seeded(0))

    def seen_by(self, viewer: Viewer | int, **expected: Any) -> "Given":
        """Expect values in a viewer's view of the game; ``__`` in a name walks as a dot does."""
        seen = as_json(self.game.view(self.state, viewer))  # type: ignore[arg-type]
        for path, value in expected.items():
            assert walk(seen, path.replace("__", ".")) == as_json(value), path
        return self

    def may(self, seat: int, *commands: Any) -> "Given":
        """Expect commands to be among the legal moves of a seat."""
        for command in commands:
            assert command in self.game.moves(self.state, Seat(seat)), command
        return self

    def may_not(self, seat: int, *commands: Any) -> "Given":
        """Expect commands not to be among the legal moves of a seat."""
        for command in commands:
            assert command not in self.game.moves(self.state, Seat(seat)), command
        return self


@dataclass(frozen=True)
class When:
    """A command asked of a position."""

    given: Given
    seat: Seat
    command: Any
    dice: Dice

    def events(self) -> tuple[Any, ...]:
        """Answer what happens."""
        game = self.given.game
        happened: tuple[Any, ...] = game.decide(
            self.given.state, self.seat, self.command, self.dice
        )
        return happened

    def then(self, *expected: Any) -> Given:
        """Expect exactly these events; with none, anything that is accepted."""
        happened = self.events()
        if expected:
            assert happened == expected
        return given(self.given.game, self.given.state, *happened)

    def then_among(self, *expected: Any) -> Given:
        """Expect these events among those that happen, in this order."""
        happened = iter(self.events())
        for each in expected:
            assert each in happened, each
        return self.then()

    def refused(self, code: str) -> Given:
        """Expect the rules to say no, with this code."""
        with pytest.raises(Refused) as refusal:
            self.events()
        assert refusal.value.code == code
        return self.given

    def bad_field(self, field: str, reason: str) -> Given:
        """Expect the command to be no sentence of the language, for this reason."""
        with pytest.raises(BadField) as bad:
            self.events()
        assert (bad.value.field, bad.value.reason) == (field, reason)
        return self.given


def scripted(*shuffles: Any, picks: Any = (), seed: int = 0) -> ScriptedDice:
    """Make dice that follow a script."""
    return ScriptedDice(shuffles, picks, seed)
