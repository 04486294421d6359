"""What one viewer may see of a game: built up from nothing."""

from domain.game import View, Viewer, winners
from domain.potage_sauvage.cards import in_order
from domain.potage_sauvage.state import LastDeal, State, Trick


def view(state: State, viewer: Viewer) -> View:
    """Answer what a viewer sees; to the arbiter of a running game ``open`` shows what is hidden."""
    seen = {
        "deal": state.deal,
        "dealer": state.dealer,
        "phase": state.phase,
        "active": state.active,
        "scores": list(state.scores),
        "hand": None if isinstance(viewer, str) else list(state.hands[viewer]),
        "hand_sizes": [len(hand) for hand in state.hands],
        "recipes": {
            "chosen": [_chosen(state, seat, viewer) for seat in range(len(state.chosen))],
            "left": [list(recipes) for recipes in state.left],
        },
        "trick": _trick(state.trick),
        "piles": [len(pile) for pile in state.captured],
        "last_deal": _last_deal(state.last_deal),
    }
    if viewer == "arbiter" and state.phase != "over":
        seen["open"] = {
            "hands": [list(hand) for hand in state.hands],
            "aside": list(state.aside),
            "chosen": list(state.chosen),
            "piles": [list(in_order(pile)) for pile in state.captured],
        }
    return seen


def _chosen(state: State, seat: int, viewer: Viewer) -> str | None:
    chosen = state.chosen[seat]
    if chosen is None or state.phase == "playing" or seat == viewer:
        return chosen
    return "hidden"


def _trick(trick: Trick) -> View:
    return {
        "cards": [{"seat": laid.seat, "card": laid.card} for laid in trick.cards],
        "sum": trick.sum,
        "led": trick.led,
        "free": trick.free,
    }


def _last_deal(last: LastDeal | None) -> View | None:
    if last is None:
        return None
    return {
        "recipes": list(last.recipes),
        "captured": [list(pile) for pile in last.captured],
        "scores": list(last.scores),
    }


def is_over(state: State) -> bool:
    """Answer whether the fifth deal was scored."""
    return state.phase == "over"


def result(state: State) -> View | None:
    """Answer the winners and the final scores, None before the end."""
    if not is_over(state):
        return None
    return {"winners": list(winners(state.scores)), "scores": list(state.scores)}
