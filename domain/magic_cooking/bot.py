"""Plays from the view alone: counts what it sees, takes what pays, casts where a spell tells."""

from collections.abc import Mapping, Sequence
from typing import assert_never

from domain.dice import Dice
from domain.game import Bot, View, random_bot
from domain.magic_cooking.cards import ABRAXAS, Card
from domain.magic_cooking.commands import AutoPass, Cast, Command, Lead, Pass, Reveal
from domain.magic_cooking.look import Look, look

RARELY = 40
"""One in so many choices of the random bot may change its standing pass."""
NEVER = -100.0
SAVED = 3.0
"""What a spell kept for later rounds is worth."""
WEB_SAVED = 1.0
"""What a Spiderweb kept in hand is worth."""
STOLEN = 1.5
"""What a stolen card is worth at the end: one more turn, one less for the other."""


def at_random(view: View, moves: Sequence[Command], dice: Dice) -> Command:
    """Choose any legal move, a change of the standing pass only now and then."""
    others = [move for move in moves if not isinstance(move, AutoPass)]
    if not others or dice.pick(RARELY) == 0:
        return random_bot(view, moves, dice)
    return random_bot(view, others, dice)


def greedy(view: View, moves: Sequence[Command], dice: Dice) -> Command:
    """Choose the move that promises most; equal ones are drawn."""
    seen = look(view)
    promises = [_promise(seen, move) for move in moves]
    top = max(promises)
    best = [move for move, promise in zip(moves, promises, strict=True) if promise == top]
    return best[dice.pick(len(best))]


BOTS: Mapping[str, Bot[Command]] = {"random": at_random, "greedy": greedy}


def _promise(seen: Look, move: Command) -> float:
    match move:
        case Reveal(card, None):
            return _of_reveal(seen, card)
        case Reveal(card, _):
            return seen.trick() + seen.worth((card,)) - seen.best_lead_risk(card) - _price(seen)
        case Lead(card):
            return -seen.risk_of_single(card)
        case Cast():
            return _of_cast(seen, move)
        case Pass():
            return 0.0
        case AutoPass():
            return NEVER
        case _:
            assert_never(move)


def _price(seen: Look) -> float:
    """Answer what a spell must bring to be cast now."""
    return 0.5 if seen.last_round else SAVED


def _of_reveal(seen: Look, card: Card) -> float:
    if not seen.matches(card):
        return -seen.risk_of_pile(card) if seen.lying else -seen.risk_of_single(card)
    gain = seen.trick() + seen.worth((card,))
    if seen.makes_abraxas(card, seen.lying, seen.layers):
        gain += ABRAXAS
    elif seen.ingredient(card).takes_anything:
        gain -= WEB_SAVED
    return gain - seen.best_lead_risk(card)


def _of_cast(seen: Look, cast: Cast) -> float:
    match cast.spell:
        case "permutation":
            return _of_permutation(seen, cast) - _price(seen)
        case "burn" if cast.counter is None:
            return _of_burn(seen, cast.card) - _price(seen)
        case "burn" | "in_full_light":
            return _of_counter(seen) - _price(seen)
        case "freeze" | "gust":
            return _of_stopping(seen) - _price(seen)
        case _:
            assert_never(cast.spell)


def _best_reveal(seen: Look) -> float:
    return max((_of_reveal(seen, card) for card in set(seen.hand)), default=0.0)


def _of_permutation(seen: Look, cast: Cast) -> float:
    """Weigh an exchange that lays the twin of a card in hand, or a theft near the end."""
    if cast.swap is None:
        at_the_end = seen.last_round and seen.play["draw_pile"] == 0
        return STOLEN if at_the_end else NEVER
    if not seen.my_turn or cast.card is None or seen.hand.count(cast.card) < 2:
        return NEVER
    at = seen.lying.index(cast.swap)
    lying = (*seen.lying[:at], cast.card, *seen.lying[at + 1 :])
    gain = seen.worth((*lying, cast.card)) + seen.hidden_worth()
    if seen.makes_abraxas(cast.card, lying, seen.layers):
        gain += ABRAXAS
    return gain - seen.best_lead_risk(cast.card) - max(0.0, _best_reveal(seen))


def _of_burn(seen: Look, card: Card | None) -> float:
    """Weigh burning another's spoils, or the card that keeps an Abraxas from this seat."""
    if card is None:
        return NEVER
    if seen.play["pending"] is not None:
        taken_by_other = seen.play["pending"]["seat"] != seen.seat
        return seen.worth((card,)) if taken_by_other else NEVER
    if not seen.my_turn:
        return NEVER
    at = seen.lying.index(card)
    lying = seen.lying[:at] + seen.lying[at + 1 :]
    layers = seen.layers[:at] + seen.layers[at + 1 :]
    if not any(seen.makes_abraxas(mine, lying, layers) for mine in seen.hand):
        return NEVER
    gain = ABRAXAS + seen.worth((*lying, *lying)) - seen.best_lead_risk(lying[0])
    return gain - max(0.0, _best_reveal(seen))


def _of_counter(seen: Look) -> float:
    """Weigh cancelling the top spell: if it takes from this seat, or gives to another."""
    top = seen.play["stack"][-1]
    pending = seen.play["pending"]
    mine = pending is not None and pending["seat"] == seen.seat
    match top["spell"]:
        case "freeze" | "gust":
            return seen.trick() if mine else NEVER
        case "falsification":
            return seen.trick()
        case "permutation":
            return STOLEN if top.get("victim") == seen.seat else NEVER
        case _:
            return NEVER


def _of_stopping(seen: Look) -> float:
    """Weigh taking the trick away from its capturer."""
    pending = seen.play["pending"]
    already = any(spell["spell"] in ("freeze", "gust") for spell in seen.play["stack"])
    if already or pending["seat"] == seen.seat:
        return NEVER
    return seen.trick()
