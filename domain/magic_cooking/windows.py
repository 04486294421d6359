"""Who may answer with a spell, and whom the table waits for (3.1)."""

from typing import assert_never

from domain.game import Seat
from domain.magic_cooking.state import State


def castable(state: State, seat: Seat) -> bool:
    """Tell whether a seat's spell may still be declared in this round."""
    return (
        state.options.spells_enabled
        and state.estueux is not None
        and not state.locked
        and not state.spent[seat]
    )


def could_answer(state: State, seat: Seat) -> bool:
    """Tell whether a seat's spell could act in a reaction window opened now."""
    if not castable(state, seat):
        return False
    spell = state.spell_of(seat)
    match spell:
        case "in_full_light":
            return bool(state.stack)
        case "burn":
            return bool(state.stack) or state.taking
        case "freeze" | "gust":
            return state.taking
        case "permutation" | "falsification" | None:
            return False
        case _:
            assert_never(spell)


def answering(state: State) -> tuple[Seat, ...]:
    """Answer who could act in a window and neither has passed in it nor passes by itself."""
    return tuple(
        seat
        for seat in map(Seat, range(state.seats))
        if not state.auto_pass[seat] and seat not in state.passed and could_answer(state, seat)
    )


def waiting_for(state: State) -> tuple[Seat, ...]:
    """Answer the seats the table waits for, ascending."""
    match state.phase:
        case "turn" | "lead":
            return () if state.active is None else (state.active,)
        case "reaction":
            return answering(state)
        case "over":
            return ()
        case _:
            assert_never(state.phase)
