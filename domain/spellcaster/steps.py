"""Reads the steps of a card from its deck list, and names card and step of whatever is wrong."""

from collections.abc import Mapping, Sequence
from typing import Any, TypeVar, cast, get_args

from domain.spellcaster import effects as fx
from domain.spellcaster.colours import COLOURS, KINDS, Colour
from domain.spellcaster.effects import Block, Step
from domain.spellcaster.expressions import Unreadable, read_amount, read_condition
from domain.spellcaster.terms import Count, Duration, Resource, Target, WardKind, Who

T = TypeVar("T", bound=str)

TARGETS: Mapping[str, Target] = {
    "enchantment": Target(kind="enchantment"),
    "any_other": Target(not_this=True),
    "other_pile": Target(other_pile=True),
    "any_other_top": Target(kind="incantation", not_this=True, unused=True),
    "pile_facing_me": Target(facing="self"),
    "enchantment_facing_rival": Target(kind="enchantment", facing="rival"),
}
"""The targets that have a name; any other is an object with the fields of ``Target``."""

OPERATIONS: Mapping[str, str] = {
    "gain": "who, resource, amount",
    "lose": "who, resource, amount",
    "pay": "who, resource, amount",
    "transfer": "from, to, resource, amount",
    "draw": "who, amount",
    "discard": "who, count, owner or random",
    "lose_cards": "self, hand, count; or deck, deck, amount",
    "pay_any": "who, hand, most, X",
    "take_discard": "who, count, and a colour if only one will do",
    "steal_card": "rival, self, count, random",
    "may": "chooser, cost, then",
    "unless": "who, cost, else",
    "choose": "chooser, branches",
    "if": "condition, then, else",
    "discard_top": "who, target",
    "flip": "who, 1, target",
    "flip_all": "nothing",
    "activate": "self, target",
    "play": "self, most",
    "actions": "self, amount",
    "ward": "self, kind, duration",
    "lock": "self, target, duration",
    "suppress": "self, target, duration",
}
"""What may stand in a card, and the arguments of each operation."""


class DeckRefused(ValueError):  # noqa: N818 - a list is refused, as a command is
    """Say which card, and which step of it, is why a deck list cannot be used."""

    def __init__(self, where: str, reason: str) -> None:
        super().__init__(f"{where}: {reason}")
        self.where = where
        self.reason = reason


def read_block(written: object, where: str) -> Block:
    """Read a list of steps, or raise DeckRefused."""
    if not isinstance(written, list):
        raise DeckRefused(where, "steps must be a list")
    return tuple(read_step(step, f"{where}, step {i}") for i, step in enumerate(written, 1))


def read_step(written: object, where: str) -> Step:
    """Read one step, or raise DeckRefused."""
    if not isinstance(written, list) or not written or not isinstance(written[0], str):
        raise DeckRefused(where, "a step is a list that starts with its operation")
    if written[0] not in OPERATIONS:
        raise DeckRefused(where, f"unknown operation {written[0]!r}")
    try:
        step = _step(written, where)
    except Unreadable as reason:
        raise DeckRefused(where, str(reason)) from None
    if step is None:
        raise DeckRefused(where, f"{written[0]!r} takes {OPERATIONS[written[0]]}")
    return step


def _step(written: Sequence[Any], where: str) -> Step | None:  # noqa: C901 - one language, one match
    match written:
        case ["gain", who, resource, amount]:
            return fx.Gain(_who(who, where), _resource(resource, where), read_amount(amount))
        case ["lose", who, resource, amount]:
            return fx.Lose(_who(who, where), _resource(resource, where), read_amount(amount))
        case ["pay", who, resource, amount]:
            return fx.Pay(_who(who, where), _resource(resource, where), read_amount(amount))
        case ["transfer", giver, taker, resource, amount] if giver != taker:
            return fx.Transfer(
                _who(giver, where),
                _who(taker, where),
                _resource(resource, where),
                read_amount(amount),
            )
        case ["draw", who, count]:
            return fx.Draw(_who(who, where), read_amount(count))
        case ["discard", who, count, ("owner" | "random") as by]:
            return fx.Discard(_who(who, where), _count(count), by)
        case ["lose_cards", "self", "hand", count]:
            return fx.LoseHand("self", _count(count))
        case ["lose_cards", "deck", "deck", count]:
            return fx.LoseDeck(read_amount(count))
        case ["pay_any", who, "hand", int(most), "X"] if most > 0:
            return fx.PayAny(_who(who, where), most)
        case ["take_discard", who, count, *colour] if len(colour) < 2:
            wanted = _one_of(COLOURS, colour[0], where, "colour") if colour else None
            return fx.TakeDiscard(_who(who, where), _count(count), cast("Colour | None", wanted))
        case ["steal_card", "rival", "self", count, "random"]:
            return fx.StealCard(_count(count))
        case ["may", who, cost, then]:
            chooser = _chooser(who, where)
            return fx.May(chooser, read_block(cost, f"{where}, cost"), _then(then, where, "then"))
        case ["unless", who, cost, otherwise]:
            chooser = _chooser(who, where)
            paid = read_block(cost, f"{where}, cost")
            return fx.Unless(chooser, paid, _then(otherwise, where, "else"))
        case ["choose", who, list(branches)] if len(branches) > 1:
            chooser = _chooser(who, where)
            return fx.Choose(
                chooser,
                tuple(_then(each, where, f"branch {i}") for i, each in enumerate(branches)),
            )
        case ["if", condition, then, otherwise]:
            return fx.If(
                read_condition(condition),
                _then(then, where, "then"),
                read_block(otherwise, f"{where}, else"),
            )
        case ["discard_top", who, target]:
            return fx.DiscardTop(_chooser(who, where), _target(target, where))
        case ["flip", who, 1, target]:
            return fx.Flip(_chooser(who, where), _target(target, where))
        case ["flip_all"]:
            return fx.FlipAll()
        case ["activate", who, target]:
            _only_self(who, where)
            return fx.Activate(_target(target, where))
        case ["play", who, int(most)] if most > 0:
            _only_self(who, where)
            return fx.Play(most)
        case ["actions", who, count]:
            _only_self(who, where)
            return fx.Actions(read_amount(count))
        case ["ward", who, kind, duration]:
            _only_self(who, where)
            ward = _one_of(get_args(WardKind), kind, where, "ward")
            return fx.Ward(cast("WardKind", ward), _duration(duration, where))
        case ["lock", who, target, duration]:
            _only_self(who, where)
            return fx.Lock(_target(target, where), _duration(duration, where))
        case ["suppress", who, target, duration]:
            _only_self(who, where)
            return fx.Suppress(_target(target, where), _duration(duration, where))
        case _:
            return None


def _one_of(allowed: tuple[str, ...], written: object, where: str, what: str) -> str:
    if written not in allowed:
        raise DeckRefused(where, f"unknown {what} {written!r}: one of {', '.join(allowed)}")
    return str(written)


def _who(written: object, where: str) -> Who:
    return cast("Who", _one_of(get_args(Who), written, where, "side"))


def _chooser(written: object, where: str) -> Who:
    if written not in get_args(Who):
        raise DeckRefused(where, f"a choice needs a chooser, self or rival, not {written!r}")
    return cast("Who", written)


def _only_self(written: object, where: str) -> None:
    if written != "self":
        raise DeckRefused(where, f"only self can do this, not {written!r}")


def _resource(written: object, where: str) -> Resource:
    return cast("Resource", _one_of(get_args(Resource), written, where, "resource"))


def _duration(written: object, where: str) -> Duration:
    return cast("Duration", _one_of(get_args(Duration), written, where, "duration"))


def _count(written: object) -> Count:
    amount = read_amount(written)
    if not isinstance(amount, Count):
        raise Unreadable(f"cards are counted by a number, X or all, not by {written!r}")
    return amount


def _then(written: object, where: str, word: str) -> Block:
    if not written:
        raise DeckRefused(where, f"{word!r} has no step")
    return read_block(written, f"{where}, {word}")


def _target(written: object, where: str) -> Target:
    if isinstance(written, str):
        if written not in TARGETS:
            raise DeckRefused(where, f"unknown target {written!r}: one of {', '.join(TARGETS)}")
        return TARGETS[written]
    if not isinstance(written, dict) or not all(_fits(*pair) for pair in written.items()):
        raise DeckRefused(where, f"no target can be {written!r}")
    return Target(**written)


def _fits(name: str, value: object) -> bool:
    match name:
        case "kind":
            return value in KINDS
        case "facing":
            return value in get_args(Who)
        case "colour" | "not_colour":
            return value in COLOURS
        case "other_pile" | "not_this" | "unused" | "empty":
            return isinstance(value, bool)
        case _:
            return False
