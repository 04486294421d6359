"""Every legal command of a seat, and why any other is refused."""

from typing import assert_never

from domain.game import Refused, Seat
from domain.spellcaster.cards import colour_of
from domain.spellcaster.colours import COLOURS, Colour
from domain.spellcaster.commands import Activate, Choose, Command, Concede, Draw, Pass, Play
from domain.spellcaster.sides import (
    locked_against,
    offered,
    pile_of,
    playable,
    side_of,
    spell_of,
)
from domain.spellcaster.state import State


def moves(state: State, seat: Seat) -> tuple[Command, ...]:
    """Answer every legal command of a seat, each once; conceding comes last."""
    if state.stage in ("setup", "over"):
        return ()
    if state.pending is not None:
        if seat != state.pending.seat:
            return (Concede(),)
        answers = [Choose((option,)) for option in offered(state)]
        none = [] if state.pending.least else [Choose(())]
        return (*answers, *none, Concede())
    if seat != state.active:
        return (Concede(),)
    return (*(_actions(state, seat) or [Pass()]), Concede())


def _actions(state: State, seat: Seat) -> list[Command]:
    draw: list[Command] = [Draw()] if state.deck else []
    plays = [Play(card) for card in playable(state, seat)]
    activations = [Activate(pile) for pile in COLOURS if _not_activated(state, seat, pile) is None]
    return [*draw, *plays, *activations]


def check(state: State, seat: Seat, command: Command) -> str | None:
    """Answer the code of the first reason to refuse a command (9.1), or None."""
    if state.stage == "over":
        return "game-over"
    if isinstance(command, Choose):
        return _not_chosen(state, seat, command)
    if isinstance(command, Concede):
        return None
    if state.stage != "actions" or state.pending is not None:
        return "wrong-phase"
    if seat != state.active:
        return "not-your-turn"
    match command:
        case Draw():
            return None if state.deck else "deck-empty"
        case Play(card):
            if card not in state.hands[seat]:
                return "card-not-in-hand"
            locked = colour_of(card) in locked_against(state, side_of(seat))
            return "pile-locked" if locked else None
        case Activate(pile):
            return _not_activated(state, seat, pile)
        case Pass():
            return "must-act" if _actions(state, seat) else None
        case _:
            assert_never(command)


def _not_chosen(state: State, seat: Seat, command: Choose) -> str | None:
    if state.pending is None:
        return "wrong-phase"
    if seat != state.pending.seat:
        return "not-your-choice"
    if not state.pending.least <= len(command.pick) <= 1:
        return "wrong-count"
    return None if set(command.pick) <= set(offered(state)) else "no-such-option"


def _not_activated(state: State, seat: Seat, pile: Colour) -> str | None:
    cards = pile_of(state, pile)
    if not cards:
        return "pile-empty"
    if cards[-1].facing != side_of(seat):
        return "pile-not-yours"
    if spell_of(state, cards[-1].card).kind != "incantation":
        return "not-an-incantation"
    return "already-used" if cards[-1].card in state.used else None


def to_move(state: State) -> tuple[Seat, ...]:
    """Answer the seat the table waits for: whoever must choose, else the active one."""
    if state.stage in ("setup", "over"):
        return ()
    return (state.pending.seat if state.pending is not None else state.active,)


def fallback(state: State, seat: Seat) -> Command:
    """Answer the move of an absent seat: optional things are left, else the first option."""
    if seat not in to_move(state):
        raise Refused("not-your-turn")
    pending = state.pending
    if pending is None:
        return moves(state, seat)[0]
    if not pending.least:
        return Choose(())
    declined = {"may": "no", "unless": "refuse"}
    return Choose((declined.get(pending.kind, offered(state)[0]),))
