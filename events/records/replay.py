"""Plays a full history again by the game's own rules: its shuffles, picks and every move.

A record has no commands. What was asked is found among the moves: the one that leads, with the
rolls that were recorded, to exactly the events that were recorded.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, get_args

import msgspec

from domain.dice import Dice
from domain.game import AnyGame, BadField, Refused, Seat
from domain.table import TABLE
from domain.table.commands import Command, Leave, Open, Play, Sit
from domain.table.events import (
    DiceRolled,
    Event,
    PositionSet,
    SeatLeft,
    SeatTaken,
    TableForked,
    TableOpened,
)
from domain.table.state import NOWHERE, Origin, Table, Visibility
from domain.table.view import moves, view, viewers
from domain.value import fields
from domain.wire import read_options
from events import codec
from events.recorded import Recorded

DEPARTURES: Final[Mapping[str, str]] = {
    "deck-differs": "the deck is not the one that the game is played with",
    "unknown-game": "no game of this name is known here",
    "unknown-event": "no event of this kind and schema is known here",
    "not-by-the-rules": "by the rules no command leads from the lines before to this one",
}
"""What the reason of an Unplayable means."""

_BROKEN: Final = (
    ArithmeticError,
    AssertionError,
    AttributeError,
    LookupError,
    RuntimeError,
    TypeError,
    ValueError,
    msgspec.MsgspecError,
    Refused,
    codec.UnknownKind,
)
"""What decoding and rules may run into when they are fed what no table ever wrote."""


class Unplayable(Exception):  # noqa: N818 - what was read, not a defect
    """Say at which version a history leaves the rules (0: the deck), and why: a code."""

    def __init__(self, version: int, reason: str) -> None:
        super().__init__(f"version {version}: {reason}")
        self.version = version
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Replayed:
    """The table that a history leads to, and how many commands were decided again.

    ``decided`` is None if the rules have another number now: the events were applied only.
    """

    state: Table
    decided: int | None


def replay(recorded: Sequence[Recorded], deck: Sequence[str]) -> Replayed:
    """Play a whole history again; raise Unplayable where it leaves the rules.

    ``deck`` is what the shuffles of its record start from.
    """
    game = _game(recorded[0])
    events = tuple(_decoded(recorded, game))
    again = events[0].rules == game.rules
    if again and tuple(deck) != _deck(game, events[0]):
        raise Unplayable(0, "deck-differs")
    history = _History(game, recorded, events, tuple(_rolled(events)))
    state, version, decided = NOWHERE, 0, 0
    while version < len(events):
        try:
            length = history.decision(state, version) if again else 1
            state = TABLE.fold(events[version : version + length], state)
            if state.origin is not None:
                _show(state)
        except _BROKEN as error:
            raise Unplayable(version + 1, "not-by-the-rules") from error
        version, decided = version + length, decided + 1
    return Replayed(state, decided if again else None)


def _rolled(events: tuple[Event, ...]) -> list[DiceRolled]:
    ahead, found = DiceRolled(()), []
    for event in reversed(events):
        ahead = event if isinstance(event, DiceRolled) else ahead
        found.append(ahead)
    return found[::-1]


def _game(first: Recorded) -> AnyGame:
    try:
        return codec.opened_game(first)
    except KeyError as error:
        raise Unplayable(1, "unknown-game") from error
    except _BROKEN as error:
        raise Unplayable(1, "unknown-event") from error


def _decoded(recorded: Sequence[Recorded], game: AnyGame) -> Iterator[Event]:
    for each in recorded:
        try:
            yield codec.decode(each, game)
        except _BROKEN as error:
            raise Unplayable(each.version, "unknown-event") from error


def _deck(game: AnyGame, opened: TableOpened) -> tuple[str, ...]:
    try:
        return game.deck(read_options(game, opened.options, opened.seats))
    except BadField as error:
        raise Unplayable(1, "not-by-the-rules") from error


def _show(state: Table) -> None:
    """Look at a fork from every seat: the position it starts from was not come to by rules."""
    if state.play is not None:
        for viewer in (*viewers(state), "arbiter"):
            view(state, viewer)


@dataclass(frozen=True, slots=True)
class _History:
    game: AnyGame
    recorded: Sequence[Recorded]
    events: tuple[Event, ...]
    rolled: tuple[DiceRolled, ...]
    """For each event the next rolls from there on."""

    def decision(self, state: Table, start: int) -> int:
        """Answer how many events from ``start`` on are one decision; raise ValueError if none is.

        Several commands may begin alike: the longest is taken, unless the clock went on behind it.
        """
        longest = 0
        for command in self._commands(state, start):
            longest = max(longest, self._led_to(state, start, command))
            if longest and self._pauses(start + longest):
                break
        if longest == 0:
            raise ValueError("no command leads there")
        return longest

    def _pauses(self, end: int) -> bool:
        return end == len(self.events) or self.recorded[end].at > self.recorded[end - 1].at

    def _commands(self, state: Table, start: int) -> Iterator[Command]:
        """Answer who may have asked for what, the likeliest first."""
        match self.events[start]:
            case TableOpened() as opened:
                yield self._opening(opened)
            case SeatTaken(seat, player, bot, entropy):
                yield Sit(player, seat, bot, entropy)
            case SeatLeft(seat, player):
                yield Leave(player, seat)
            case DiceRolled():
                yield from self._plays(state, self.events[start + 1])
            case event:
                yield from self._plays(state, event)

    def _opening(self, opened: TableOpened) -> Open:
        if opened.visibility not in get_args(Visibility):
            raise ValueError(opened.visibility)
        origin = position = None
        match self.events[1:3]:
            case (TableForked(table, version), PositionSet(state)):
                origin, position = Origin(table, version), state
            case _:
                pass
        return Open(
            game=self.game,
            seats=opened.seats,
            options=read_options(self.game, opened.options, opened.seats),
            visibility=opened.visibility,  # type: ignore[arg-type]
            opener=opened.opener,
            key=opened.key,
            sitting=(),
            origin=origin,
            position=position,
        )

    def _plays(self, state: Table, event: Event) -> list[Play]:
        seats = range(len(state.chairs))
        acting = [event.seat] if getattr(event, "seat", None) in seats else seats
        plays = [Play(Seat(seat), move) for seat in acting for move in moves(state, Seat(seat))]
        return sorted(plays, key=lambda play: -_likeness(play.command, event))

    def _led_to(self, state: Table, start: int, command: Command) -> int:
        """Answer how many events a command leads to, 0 if not to those that were recorded."""
        rolling = _rolling(self.rolled[start])
        try:
            happened = TABLE.decide(state, command, lambda _: Dice(rolling))
        except (Refused, BadField, _OtherRolls):
            return 0
        same = start + len(happened) <= len(self.events) and all(
            self._same(number, event) for number, event in enumerate(happened, start)
        )
        return len(happened) if same else 0

    def _same(self, number: int, event: Event) -> bool:
        """Compare the event, and if no upcast stands between, its record to the last byte."""
        if event != self.events[number]:
            return False
        was = self.recorded[number]
        (now,) = codec.record(self.game, was.table, number, was.at, (event,))
        return now.schema != was.schema or now == was


class _OtherRolls(Exception):  # noqa: N818 - a command that was not the one
    """A command asked for other rolls than those that were recorded."""


def _rolling(rolled: DiceRolled) -> Callable[[int], int]:
    rolls = iter(rolled.rolls)

    def roll(n: int) -> int:
        sides, k = next(rolls, (0, 0))
        if sides != n:
            raise _OtherRolls
        return k

    return roll


def _likeness(command: Any, event: Event) -> int:
    """Count what a command and what happened say in the same words."""
    return sum(
        getattr(event, each.name, None) == getattr(command, each.name) for each in fields(command)
    )
