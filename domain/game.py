"""What a game is: the record that its package exports, and the words it shares with the table."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Literal, NewType, Protocol, Self, TypeAlias, TypeVar

from domain.dice import Dice
from domain.texts import Texts

Seat = NewType("Seat", int)
"""A 0-based place at a table."""

Viewer: TypeAlias = Seat | Literal["spectator", "arbiter"]
"""Who is looking. The arbiter looks once a table is over."""

Language: TypeAlias = Literal["en", "fr"]

View: TypeAlias = dict[str, Any]
"""What one viewer may see: plain JSON values (dict by string, list, str, int, bool, None)."""


class Refused(Exception):  # noqa: N818 - the glossary's word
    """Say that the rules forbid a command; ``code`` (kebab case) says why."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


class BadField(ValueError):  # noqa: N818 - the glossary's word
    """Say that a command or option is no sentence of the language: malformed or out of range."""

    def __init__(self, field: str, reason: str) -> None:
        super().__init__(f"{field}: {reason}" if field else reason)
        self.field = field
        self.reason = reason


class Options(Protocol):
    """What is agreed at opening: a value with a default for every field."""

    def settled(self, seats: int) -> Self:
        """Answer complete options for so many seats, or raise BadField."""


State = TypeVar("State")
Opts = TypeVar("Opts", bound=Options)
Command = TypeVar("Command")
Event = TypeVar("Event")

Bot: TypeAlias = Callable[[View, Sequence[Command], Dice], Command]
"""``choose(view, moves, dice)``: plays from the table view of its seat alone."""

Upcast: TypeAlias = Callable[[dict[str, Any]], dict[str, Any]]
"""Old fields of an event (both faces in one) -> the fields of the next schema number."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Game(Generic[State, Opts, Command, Event]):
    """Everything the plumbing needs to know of a game.

    The rules are ``start``, ``decide`` and ``evolve`` on a first state; the questions are
    ``moves``, ``to_move``, ``fallback``, ``view``, ``is_over`` and ``result``; ``reshuffle`` deals
    again what a viewer may not know. None of them changes its input, none rolls but by its dice.
    """

    name: str
    rules: int
    """Number of these rules; a table keeps the one it was opened with."""
    seats: range
    options: type[Opts]
    commands: tuple[type[Command], ...]
    events: tuple[type[Event], ...]
    initial: Callable[[int, Opts], State]
    """(seats, settled options) -> the state before anything was dealt."""
    start: Callable[[State, Dice], tuple[Event, ...]]
    """What happens when the last seat is taken: the first deal."""
    decide: Callable[[State, Seat, Command, Dice], tuple[Event, ...]]
    """Events of a command, or Refused; never an empty tuple."""
    evolve: Callable[[State, Event], State]
    moves: Callable[[State, Seat], tuple[Command, ...]]
    """Every legal command of a seat, each once, in a fixed order."""
    to_move: Callable[[State], tuple[Seat, ...]]
    """The seats the table waits for, ascending."""
    fallback: Callable[[State, Seat], Command]
    """The move that is sent for an absent seat of ``to_move``."""
    view: Callable[[State, Viewer], View]
    """What a viewer may see of the game; the arbiter of a running game sees ``open`` besides."""
    reshuffle: Callable[[State, Viewer, Dice], State]
    """A state drawn uniformly from all that agree with everything this viewer was told."""
    is_over: Callable[[State], bool]
    result: Callable[[State], View | None]
    """``winners`` (seats ascending) and what else the rules page says; None before the end."""
    deck: Callable[[Opts], tuple[str, ...]]
    """The cards of one deck in deck-list order: what a shuffle starts from."""
    cards: Callable[[Language], list[View]]
    """The catalogue of cards: ``id``, ``name`` and facts of each, in a language."""
    bots: Mapping[str, Bot[Command]]
    """Level -> bot; ``random`` and ``greedy`` at least."""
    texts: Texts
    upcasts: Mapping[tuple[str, int], Upcast]
    """(kind, old schema number) -> upcast to the next number."""


AnyGame: TypeAlias = Game[Any, Any, Any, Any]


def winners(scores: Sequence[int]) -> list[Seat]:
    """Answer the seats with the highest score, ascending: equal tops share."""
    return [Seat(seat) for seat, score in enumerate(scores) if score == max(scores)]


def random_bot(view: View, moves: Sequence[Command], dice: Dice) -> Command:  # noqa: ARG001
    """Choose any legal move, each as likely."""
    return moves[dice.pick(len(moves))]
