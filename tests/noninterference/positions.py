"""Pairs of tables that a viewer cannot tell apart, and how they go on without telling it more.

Why it is sound to drive them alike: a pair starts from a position and from the same position with
hidden cards dealt again, so what the viewer was told by then is one and the same. From there on
both take a command of the same seat at each step. Two measures say after each event whether the
pair still looks alike: the words of the rules (the faces of the event, worked out from its class,
and the view), and what dealing again for the viewer makes of both states with the same dice. Where
both say that it does not, the rules themselves told the difference, and the pair ends. Where they
disagree something is wrong: words that dealing again does not know of, or knowledge that nobody
was told. While both agree, every byte that leaves the house must agree too.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Final, TypeAlias, TypeVar, get_type_hints

from domain.dice import Dice, ScriptedDice, seeded
from domain.game import AnyGame, Seat, Viewer
from domain.sealed import audience, face_fields
from domain.selfplay import selfplay
from domain.table.state import Table
from domain.table.view import moves, reshuffle, viewers
from domain.value import fields
from domain.wire import read_options

DEALS: Final = 12
"""How many other deals are looked at for one in which others could make the same moves."""


TWISTS: Final = 60
"""How many other orders of shuffled cards are tried for one that tells the viewer the same."""


class Told(AssertionError):  # noqa: N818 - what went wrong is that it was told
    """Say that the rules' words and what dealing again keeps do not agree on what is known."""


T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Pair:
    """Two states of one game that ``viewer`` cannot tell apart."""

    game: AnyGame
    seats: int
    options: Any
    viewer: Viewer
    left: Any
    right: Any

    @property
    def hides(self) -> bool:
        """Answer whether anything hidden differs."""
        return bool(self.left != self.right)


Chance: TypeAlias = Callable[[], Dice]
"""Makes the dice of one decision, the same whenever it is asked."""


@dataclass(frozen=True, slots=True)
class Went:
    """What a decision led to: its events side by side, the pair after them, the dice it took."""

    events: tuple[tuple[Any, Any], ...]
    after: Pair
    chances: tuple[Chance, Chance]


@dataclass(frozen=True, slots=True)
class Step:
    """A command on each side by the same seat, and where it went."""

    seat: Seat
    left: Any
    right: Any
    went: Went

    @property
    def after(self) -> Pair:
        """Answer the pair after it."""
        return self.went.after


def options_of(game: AnyGame, dice: Dice) -> Mapping[str, Any]:
    """Answer options with every switch of the game one way or the other."""
    hints = get_type_hints(game.options)
    return {
        each.name: dice.pick(2) == 1 for each in fields(game.options) if hints[each.name] is bool
    }


def tables(game: AnyGame, seed: str) -> Iterator[Table]:
    """Answer every table of a game with some number of seats, some options and some bots."""
    dice = seeded(f"tables {game.name} {seed}")
    seats = game.seats[dice.pick(len(game.seats))]
    levels = tuple("greedy" if dice.pick(4) == 0 else "random" for _ in range(seats))
    options = options_of(game, dice)
    for step in selfplay(game, seats, options=options, levels=levels, seed=seed):
        if step.after.phase == "playing":
            yield step.after


def pairs(game: AnyGame, seed: str, every: int = 1) -> Iterator[Pair]:
    """Answer a pair from every so many-th table of a game, each for another viewer."""
    dice = seeded(f"pairs {game.name} {seed}")
    after = dice.pick(every)
    for number, table in enumerate(tables(game, seed)):
        if number % every != after:
            continue
        looking = viewers(table)
        pair = paired(table, looking[dice.pick(len(looking))], dice)
        if pair is not None:
            yield pair


def paired(table: Table, viewer: Viewer, dice: Dice) -> Pair | None:
    """Deal again; of several deals answer the one that could go on most alike, None without any."""
    found: list[tuple[int, int, Any]] = []
    for number in range(DEALS):
        other = reshuffle(table, viewer, dice)
        if other.play == table.play:
            continue
        alike = sum(
            len({*moves(table, seat)} & {*moves(other, seat)})
            for seat in map(Seat, range(len(table.chairs)))
            if seat != viewer
        )
        found.append((alike, -number, other.play))
    if not found:
        return None
    return Pair(
        table.playing,
        len(table.chairs),
        table.options,
        viewer,
        table.play,
        max(found, key=_first)[2],
    )


def _first(found: tuple[int, int, Any]) -> tuple[int, int]:
    return found[:2]


def told(event: Any, viewer: Viewer) -> Any:
    """Answer the words of the rules: the faces of an event that are for this viewer."""
    public, sealed = face_fields(type(event))
    names = public + (sealed if viewer in (audience(event) or ()) else ())
    return type(event).__name__, {name: getattr(event, name) for name in names}


def known(game: AnyGame, state: Any, viewer: Viewer) -> Any:
    """Answer what a viewer knows: the deal that the same dice make of it, whatever is hidden."""
    return game.reshuffle(state, viewer, seeded("known"))


def begun(game: AnyGame, seed: str) -> Went:
    """Deal for the first time on both sides, so that one viewer is told the same."""
    dice = seeded(f"begun {game.name} {seed}")
    seats = game.seats[dice.pick(len(game.seats))]
    options = read_options(game, options_of(game, dice), seats)
    viewer: Viewer = Seat(dice.pick(seats))
    first = game.initial(seats, options)
    pair = Pair(game, seats, options, viewer, first, first)
    chance = partial(seeded, dice.pick(1 << 30))
    went = _went(pair, chance, game.start, game.start, dice, alike=True)
    assert went is not None, "equal dice deal equal cards"
    return went


def on(pair: Pair, dice: Dice, chance: Chance | None = None, tries: int = 6) -> Step | None:
    """Go on by one command that tells the viewer the same on both sides; None if none is found."""
    game, viewer = pair.game, pair.viewer
    chance = chance or partial(seeded, dice.pick(1 << 30))
    waiting = game.to_move(pair.left)
    seat = waiting[dice.pick(len(waiting))]
    legal, other = game.moves(pair.left, seat), game.moves(pair.right, seat)
    for _ in range(tries):
        first = _any(legal, dice)
        candidates = [first] if first in other else []
        if seat != viewer:
            # What is chosen in secret may differ: a card of another hand, laid face down.
            candidates.insert(dice.pick(2), _any(other, dice))
        for second in candidates:
            ways = (_by(game, seat, first), _by(game, seat, second))
            went = _went(pair, chance, *ways, dice, alike=first == second)
            if went is not None:
                return Step(seat, first, second, went)
    return None


def _any(legal: Sequence[Any], dice: Dice) -> Any:
    """Pick a command: each kind is as likely, then each of its kind."""
    kinds = [*dict.fromkeys(map(type, legal))]
    kind = kinds[dice.pick(len(kinds))]
    wanted = [each for each in legal if type(each) is kind]
    return wanted[dice.pick(len(wanted))]


Decision: TypeAlias = Callable[[Any, Dice], tuple[Any, ...]]


def _by(game: AnyGame, seat: Seat, command: Any) -> Decision:
    return lambda state, dice: game.decide(state, seat, command, dice)


def _went(
    pair: Pair, chance: Chance, first: Decision, second: Decision, dice: Dice, *, alike: bool
) -> Went | None:
    """Decide on both sides; where cards are shuffled, shuffle others' cards another way."""
    kept = Kept(chance())
    lefts = first(pair.left, kept)
    together = Together(pair, lefts, alike=alike, dealt=bool(kept.orders))
    went = together.went(second(pair.right, chance()), (chance, chance))
    orders: list[Sequence[Any]] = [*kept.orders]
    for _ in range(TWISTS if went and orders else 0):
        which = dice.pick(len(orders))
        order = list(orders[which])
        i, j = dice.pick(len(order)), dice.pick(len(order))
        order[i], order[j] = order[j], order[i]
        twisted = [*orders[:which], order, *orders[which + 1 :]]
        other = partial(ScriptedDice, twisted, kept.picks, 0)
        found = together.went(second(pair.right, other()), (chance, other))
        if found is not None:
            went, orders = found, twisted
    return went


class Kept(Dice):
    """Keeps the shuffles and the picks that were asked for."""

    def __init__(self, dice: Dice) -> None:
        super().__init__(dice.pick)
        self.orders: list[tuple[Any, ...]] = []
        self.picks: list[int] = []
        self._shuffling = False

    def pick(self, n: int) -> int:
        """Answer a number, and keep it unless it is part of a shuffle."""
        answer = super().pick(n)
        if not self._shuffling:
            self.picks.append(answer)
        return answer

    def shuffle(self, cards: Sequence[T]) -> tuple[T, ...]:
        """Answer a new order and keep it."""
        self._shuffling = True
        order = super().shuffle(cards)
        self._shuffling = False
        self.orders.append(order)
        return order


@dataclass(frozen=True, slots=True)
class Together:
    """A decision's events on the left, to be compared with some on the right.

    ``alike``: it is the same command. ``dealt``: cards are being dealt, so that states between the
    events are no deals; what dealing again makes of them is compared at the end alone.
    """

    pair: Pair
    lefts: tuple[Any, ...]
    alike: bool
    dealt: bool

    def went(self, rights: tuple[Any, ...], chances: tuple[Chance, Chance]) -> Went | None:
        """Answer where events lead to; None where the rules tell a difference, or at the end."""
        game, viewer = self.pair.game, self.pair.viewer
        left, right = self.pair.left, self.pair.right
        events = tuple(zip(self.lefts, rights, strict=False))
        for number, (one, two) in enumerate(events, 1):
            left, right = game.evolve(left, one), game.evolve(right, two)
            if game.is_over(left) or game.is_over(right):
                return None
            said = told(one, viewer) == told(two, viewer)
            said = said and game.view(left, viewer) == game.view(right, viewer)
            if self.dealt and number < len(events):
                if not said:
                    return None
                continue
            same = known(game, left, viewer) == known(game, right, viewer)
            if said and not same:
                raise Told(
                    f"{game.name}, {viewer}: dealing again knows more than {one}, {two} tell"
                )
            more = not said and same and self.alike and not self.dealt
            if more and not _only_in_order(one, two, viewer):
                raise Told(
                    f"{game.name}, {viewer}: {one}, {two} tell more than dealing again knows"
                )
            if not said:
                return None
        if len(self.lefts) != len(rights):
            raise Told(f"{game.name}, {viewer}: one deal brings more events than the other")
        return Went(events, replace(self.pair, left=left, right=right), chances)


def _only_in_order(one: Any, two: Any, viewer: Viewer) -> bool:
    """Answer whether all that differs is an order: who draws two cards may read which came first.

    That is told of the deck as it was, and says nothing of any card that is hidden now.
    """
    words = (told(each, viewer) for each in (one, two))
    first, second = (
        (kind, {name: _sorted(value) for name, value in face.items()}) for kind, face in words
    )
    return first == second


def _sorted(value: Any) -> Any:
    return sorted(map(str, value)) if isinstance(value, tuple) else value
