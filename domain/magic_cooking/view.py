"""What one viewer may see: built up from nothing."""

from domain.game import Seat, View, Viewer, winners
from domain.magic_cooking.state import LastRound, Pending, Stacked, State
from domain.magic_cooking.windows import waiting_for


def view(state: State, viewer: Viewer) -> View:
    """Answer what a viewer sees; the arbiter of a running game sees ``open`` besides."""
    seat = None if isinstance(viewer, str) else viewer
    seats = [Seat(each) for each in range(state.seats)]
    seen: View = {
        "round": state.round,
        "rounds": state.options.rounds,
        "phase": state.phase,
        "active": state.active,
        "ordome": state.ordome,
        "estueux": state.estueux,
        "last_capturer": state.last_capturer,
        "mages": [
            {"mage": mage, "spent": state.spent[each]} for each, mage in enumerate(state.mages)
        ],
        "hand": None if seat is None else list(state.hands[seat]),
        "hand_sizes": [len(hand) for hand in state.hands],
        "cauldron": _cauldron(state, seat),
        "draw_pile": len(state.draw_pile),
        "piles": [state.pile_size(each) for each in seats],
        "abraxas": list(state.abraxas),
        "scores": list(state.scores),
        "removed": list(state.removed),
        "locked": state.locked,
        "pending": None if state.pending is None else _pending(state.pending),
        "stack": [_stacked(spell) for spell in state.stack],
        "waiting_for": list(waiting_for(state)),
        "last_round": None if state.last_round is None else _last_round(state.last_round),
    }
    if viewer == "arbiter" and state.phase != "over":
        seen["open"] = _open(state)
    return seen


def _cauldron(state: State, seat: Seat | None) -> View:
    sees_secret = seat is not None and seat == state.estueux
    return {
        "visible": [{"card": laid.card, "by": laid.by} for laid in state.visible],
        "hidden": state.hidden,
        "secret": list(state.secret) if sees_secret else None,
    }


def _pending(pending: Pending) -> View:
    return {
        "seat": pending.seat,
        "card": pending.card,
        "as": pending.imitated,
        "abraxas": pending.abraxas,
    }


def _stacked(spell: Stacked) -> View:
    targets = {
        "victim": spell.victim,
        "card": spell.card,
        "as": spell.imitated,
        "swap": spell.swap,
        "counter": spell.counter or None,
    }
    shown = {name: value for name, value in targets.items() if value is not None}
    return {"seat": spell.seat, "spell": spell.spell, **shown}


def _last_round(last: LastRound) -> View:
    return {
        "stars": list(last.stars),
        "bonus": list(last.bonus),
        "abraxas": list(last.abraxas),
        "scores": list(last.scores),
        "uscul": list(last.uscul),
        "captured": [list(pile) for pile in last.captured],
    }


def _open(state: State) -> View:
    return {
        "hands": [list(hand) for hand in state.hands],
        "draw_pile": list(state.draw_pile),
        "secret": list(state.secret),
        "piles": [
            [*pile, *(state.secret if seat == state.estueux else ())]
            for seat, pile in enumerate(state.piles)
        ],
    }


def is_over(state: State) -> bool:
    """Tell whether the last round is over."""
    return state.phase == "over"


def result(state: State) -> View | None:
    """Answer the winners, who share equal totals (R10), and the totals; None before the end."""
    if not is_over(state):
        return None
    return {"winners": winners(state.scores), "scores": list(state.scores)}
