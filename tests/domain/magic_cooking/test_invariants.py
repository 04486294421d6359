"""The invariants (a) to (h) of the game after every event of random games, spells on.

Any seat may cast at any time here, pass, or set a standing pass. ``RANDOM_GAMES`` in the
environment says how many games are played for each seat count.
"""

import os
from collections import Counter
from collections.abc import Iterator

import pytest

from domain.dice import Dice, seeded
from domain.game import Seat
from domain.magic_cooking import GAME
from domain.magic_cooking.cards import facts
from domain.magic_cooking.commands import AutoPass, Cast, Command, Reveal
from domain.magic_cooking.events import (
    CardPlaced,
    CardRevealed,
    CauldronLed,
    Event,
    MagesDealt,
    RoundScored,
    RoundStarted,
    SpellCast,
    TrickFrozen,
    TrickMade,
    TurnStarted,
    WindowOpened,
)
from domain.magic_cooking.options import Options
from domain.magic_cooking.state import State, initial
from tests.domain.magic_cooking.positions import card, held_by

GAMES = int(os.environ.get("RANDOM_GAMES", "12"))
every_seat_count = pytest.mark.parametrize("seats", GAME.seats)
FACTS = facts("standard")


def random_game(
    seats: int, dice: Dice, options: Options | None = None
) -> Iterator[tuple[State, Event, State]]:
    """Yield every event of a game with the states before and after it."""
    state = initial(seats, (options or Options()).settled(seats))
    events = GAME.start(state, dice)
    while True:
        for event in events:
            after = GAME.evolve(state, event)
            yield state, event, after
            state = after
        if GAME.is_over(state):
            return
        seat, command = something(state, dice)
        events = GAME.decide(state, seat, command, dice)


def something(state: State, dice: Dice) -> tuple[Seat, Command]:
    """Answer a legal move: of any seat now and then a cast or a standing pass, else of a turn."""
    kind = dice.pick(24)
    wanted = is_standing_pass if kind == 0 else is_spell if kind < 3 else anything
    if state.phase == "reaction" and kind < 12:
        wanted = is_spell
    seats = GAME.to_move(state) if wanted is anything else tuple(map(Seat, range(state.seats)))
    offers = [
        (seat, moves) for seat in seats if (moves := [*filter(wanted, GAME.moves(state, seat))])
    ]
    if not offers:
        return something(state, dice)
    seat, moves = offers[dice.pick(len(offers))]
    return seat, moves[dice.pick(len(moves))]


def anything(command: Command) -> bool:
    return not isinstance(command, AutoPass)


def is_standing_pass(command: Command) -> bool:
    return isinstance(command, AutoPass)


def is_spell(command: Command) -> bool:
    return isinstance(command, Cast) or (isinstance(command, Reveal) and command.as_ is not None)


class Watch:
    """Check the invariants from event to event of one game."""

    def __init__(self, *, spells: bool) -> None:
        self.spells = spells
        self.used: Counter[str] = Counter()
        self.finished: Seat | None = None

    def see(self, before: State, event: Event, after: State) -> None:
        dealt = before.round and not isinstance(event, RoundScored | RoundStarted)
        if dealt and after.phase != "over":
            assert held_by(after) == 49, "(a)"
        assert (after.hidden > 0) == (bool(after.secret) and after.estueux is None), "(d)"
        match event:
            case TurnStarted():
                self.turn(after)
            case CardPlaced(by) | CauldronLed(by) | TrickFrozen(_, by):
                self.finished = by
            case RoundScored():
                self.score(before, event)
            case SpellCast(_, spell):
                self.cast(before, spell)
            case CardRevealed(_, _, imitated) if imitated is not None:
                self.cast(before, "falsification")
            case RoundStarted() | MagesDealt():
                self.finished = None
            case _:
                pass

    def turn(self, state: State) -> None:
        assert self.spells or state.visible, "(b)"
        if self.finished is not None and state.draw_pile:
            assert len(state.hands[self.finished]) == 4, "(c)"
        self.finished = None
        assert state.active is not None
        assert state.hands[state.active], "who has the turn has a card"

    def score(self, before: State, event: RoundScored) -> None:
        stars = sum(FACTS[each].stars for each in before.removed)
        assert sum(event.stars) + stars == 40, "(e)"
        captured = [each for pile in event.captured for each in pile]
        assert [*captured, *before.removed].count(card("albino")) == 1, "(f)"
        assert len(captured) + len(before.removed) == 49

    def cast(self, before: State, spell: str) -> None:
        self.used[spell] += 1
        assert self.used[spell] == 1, "(g)"
        assert before.estueux is not None, "(h)"
        assert not before.locked, "(h)"


@every_seat_count
def test_invariants_hold_after_every_event_and_every_game_ends(seats: int) -> None:
    spells: Counter[str] = Counter()
    for seed in range(GAMES):
        watch = Watch(spells=True)
        last = None
        for before, event, after in random_game(seats, seeded(f"invariants {seats} {seed}")):
            watch.see(before, event, after)
            last = after
        assert last is not None
        assert last.round == seats
        spells += watch.used
    assert spells, "spells were cast"


@every_seat_count
def test_b_without_spells_a_turn_never_starts_on_an_empty_cauldron(seats: int) -> None:
    options = Options(spells_enabled=False)
    for seed in range(max(3, GAMES // 4)):
        watch = Watch(spells=False)
        for before, event, after in random_game(seats, seeded(f"plain {seats} {seed}"), options):
            watch.see(before, event, after)
        assert not watch.used


@every_seat_count
def test_moves_never_run_out_for_those_the_table_waits_for(seats: int) -> None:
    state = initial(seats, Options().settled(seats))
    dice = seeded(f"waiting {seats}")
    for event in GAME.start(state, dice):
        state = GAME.evolve(state, event)
    while not GAME.is_over(state):
        waiting = GAME.to_move(state)
        assert waiting
        assert not any(state.auto_pass[seat] for seat in waiting if state.phase == "reaction")
        for seat in waiting:
            assert GAME.fallback(state, seat) in GAME.moves(state, seat)
        seat, command = something(state, dice)
        for event in GAME.decide(state, seat, command, dice):
            state = GAME.evolve(state, event)


@every_seat_count
def test_every_trick_asks_whoever_could_stop_it_whatever_was_passed_before(seats: int) -> None:
    asked = 0
    for seed in range(GAMES):
        could: tuple[Seat, ...] = ()
        for _, event, after in random_game(seats, seeded(f"asked {seats} {seed}")):
            if could:
                assert event == WindowOpened(could)
                assert GAME.to_move(after) == could
                asked += 1
            could = stoppers(after) if isinstance(event, TrickMade) else ()
    assert asked


def stoppers(state: State) -> tuple[Seat, ...]:
    """Answer who has a spell left for a trick with nothing cast on it, and no standing pass."""
    if state.estueux is None or state.locked:
        return ()
    return tuple(
        Seat(seat)
        for seat, mage in enumerate(state.mages)
        if mage in ("emilien", "gordon", "moka")
        and not state.spent[seat]
        and not state.auto_pass[seat]
    )
