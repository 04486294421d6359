"""Why a command is refused, the first reason that holds: the one source of what is legal."""

from collections.abc import Iterator
from typing import assert_never

from domain.game import Seat
from domain.magic_cooking.cards import Card, Spell
from domain.magic_cooking.commands import AutoPass, Cast, Command, Lead, Pass, Reveal
from domain.magic_cooking.state import State
from domain.magic_cooking.windows import castable, waiting_for


def refusal(state: State, seat: Seat, command: Command) -> str | None:
    """Answer the code of the first rule that forbids a command, None if it is legal."""
    return next(_refusals(state, seat, command), None)


def _refusals(state: State, seat: Seat, command: Command) -> Iterator[str]:
    if state.phase == "over":
        yield "game-over"
    match command:
        case Reveal():
            yield from _own_turn(state, seat, "turn")
            if command.as_ is not None:
                yield from _spell(state, seat, "falsification")
            yield from _held(state, seat, command.card)
            if command.as_ is not None and not state.lies_visible(command.as_):
                yield "ingredient-not-visible"
        case Lead():
            yield from _own_turn(state, seat, "lead")
            yield from _held(state, seat, command.card)
        case Cast():
            yield from _cast(state, seat, command)
        case Pass():
            if state.phase != "reaction":
                yield "wrong-phase"
            if seat not in waiting_for(state):
                yield "not-waiting-for-you"
        case AutoPass():
            pass
        case _:
            assert_never(command)


def _own_turn(state: State, seat: Seat, phase: str) -> Iterator[str]:
    if state.phase != phase:
        yield "wrong-phase"
    if seat != state.active:
        yield "not-your-turn"


def _held(state: State, seat: Seat, card: Card | None) -> Iterator[str]:
    if card not in state.hands[seat]:
        yield "card-not-in-hand"


def _spell(state: State, seat: Seat, spell: Spell) -> Iterator[str]:
    if not state.options.spells_enabled:
        yield "spells-disabled"
    if state.spell_of(seat) != spell:
        yield "not-your-spell"
    if state.spent[seat]:
        yield "spell-already-spent"
    if state.estueux is None:
        yield "before-first-capture"
    if not castable(state, seat):
        yield "spells-locked"


def _cast(state: State, seat: Seat, cast: Cast) -> Iterator[str]:
    idle = cast.spell in ("permutation", "burn") and state.phase == "turn"
    reaction = cast.spell != "permutation" and state.phase == "reaction"
    if not idle and not reaction:
        yield "wrong-phase"
    yield from _spell(state, seat, cast.spell)
    if reaction and seat not in waiting_for(state):
        yield "not-waiting-for-you"
    if cast.swap is not None:
        yield from _held(state, seat, cast.card)
    if not _has_target(state, seat, cast):
        yield "no-such-target"


def _has_target(state: State, seat: Seat, cast: Cast) -> bool:
    match cast.spell:
        case "permutation":
            if cast.victim is not None:
                return cast.victim != seat and bool(state.hands[cast.victim])
            return cast.swap is not None and state.lies_visible(cast.swap)
        case "burn":
            if cast.card is None:
                return bool(state.stack)
            played = state.pending.card if state.pending and state.pending.taking else None
            return not state.stack and (state.lies_visible(cast.card) or cast.card == played)
        case "in_full_light":
            return bool(state.stack)
        case "freeze" | "gust":
            return state.taking
        case _:
            assert_never(cast.spell)
