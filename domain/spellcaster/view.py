"""What one viewer may see, built up from nothing (9.2)."""

from domain.game import Seat, View, Viewer
from domain.spellcaster.colours import COLOURS
from domain.spellcaster.sides import offered, seats_of, side_of
from domain.spellcaster.state import Pending, State


def view(state: State, viewer: Viewer) -> View:
    """Answer what a viewer sees; the arbiter of a running game sees every hidden zone besides."""
    seat = None if isinstance(viewer, str) else viewer
    seen: View = {
        "turn": state.turn,
        "phase": _phase(state),
        "active": state.active,
        "actions_left": state.actions_left,
        "sides": [
            {
                "seats": list(seats_of(side, state.seats)),
                "energy": state.energy[side],
                "sapphires": state.sapphires[side],
            }
            for side in (0, 1)
        ],
        "hand": None if seat is None else list(state.hands[seat]),
        "hand_sizes": [len(hand) for hand in state.hands],
        "deck": len(state.deck),
        "discard": list(state.discard),
        "piles": {
            colour: [{"card": laid.card, "facing": laid.facing} for laid in pile]
            for colour, pile in zip(COLOURS, state.piles, strict=True)
        },
        "used": list(state.used),
        "effects": [
            {
                "kind": each.kind,
                "side": each.side,
                "until_turn_of": each.until_turn_of,
                "pile": each.pile,
            }
            for each in state.effects
        ],
        "pending": _pending(state, seat),
        "end_after_turn": state.end_after_turn,
    }
    if state.options.partners_see_hands:
        seen["hands"] = _partners(state, seat)
    if viewer == "arbiter" and state.stage != "over":
        seen["open"] = {
            "hands": [list(hand) for hand in state.hands],
            "deck": list(state.deck),
        }
    return seen


def is_over(state: State) -> bool:
    """Answer whether the game has ended."""
    return state.stage == "over"


def result(state: State) -> View | None:
    """Answer winners and reason; no winners is a draw; None before the end."""
    if state.stage != "over":
        return None
    return {"winners": list(state.winners), "reason": state.reason}


def _phase(state: State) -> str:
    if state.stage == "over":
        return "over"
    return "actions" if state.pending is None else "choice"


def _pending(state: State, seat: Seat | None) -> View | None:
    pending = state.pending
    if pending is None:
        return None
    return {
        "seat": pending.seat,
        "card": pending.card,
        "kind": pending.kind,
        "options": _options(state, pending, seat),
        "min": pending.least,
        "max": 1,
    }


def _options(state: State, pending: Pending, seat: Seat | None) -> list[str] | None:
    """Answer the options, or None where they would name cards of a hidden hand."""
    if pending.colours and seat != pending.seat:
        return None
    return list(offered(state))


def _partners(state: State, seat: Seat | None) -> View:
    if seat is None:
        return {}
    mates = seats_of(side_of(seat), state.seats)
    return {str(mate): list(state.hands[mate]) for mate in mates if mate != seat}
