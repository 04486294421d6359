"""Small positions of Spellcaster, written as a reader of the rules would lay them out."""

from collections.abc import Mapping
from functools import reduce
from typing import Any

from domain.dice import Dice, seeded
from domain.game import Seat
from domain.spellcaster import GAME
from domain.spellcaster.cards import Card
from domain.spellcaster.colours import COLOURS
from domain.spellcaster.commands import Activate, Choose, Command
from domain.spellcaster.course import Course
from domain.spellcaster.decks import CARDS
from domain.spellcaster.state import Laid, Lasting, Options, State, first_state
from domain.spellcaster.turn import begin_turn, go_on

TURNS = {2: (1, 2), 3: (1, 2, 3), 4: (1, 2, 3, 4)}
SPARE = 10


def cards(names: str) -> tuple[Card, ...]:
    """``"r01 g02"`` as cards."""
    return tuple(Card(name) for name in names.split())


def pile(laid: str) -> tuple[Laid, ...]:
    """``"r01:0 r02:1"`` as a pile: a card and the side it faces, top last."""
    pairs = (each.split(":") for each in laid.split())
    return tuple(Laid(Card(card), int(side)) for card, side in pairs)


def position(
    seats: int = 2,
    *,
    active: int = 0,
    hands: Mapping[int, str] | None = None,
    piles: Mapping[str, str] | None = None,
    deck: str | None = None,
    discard: str = "",
    energy: tuple[int, int] = (10, 10),
    sapphires: tuple[int, int] = (2, 2),
    actions: int = 2,
    used: str = "",
    effects: tuple[Lasting, ...] = (),
    turn: int | None = None,
    last_turn: bool = False,
    deck_list: str = "standard",
    **options: Any,
) -> State:
    """A position in the actions of a turn; without ``deck``, ten cards that lie nowhere else."""
    laid = tuple(pile((piles or {}).get(colour, "")) for colour in COLOURS)
    held = tuple(tuple(sorted(cards((hands or {}).get(seat, "")))) for seat in range(seats))
    seen = {each.card for each_pile in laid for each in each_pile} | {c for h in held for c in h}
    spare = [card for card in CARDS if card not in seen and card not in discard.split()]
    state = first_state(seats, Options(**options, deck=deck_list).settled(seats))
    return State(
        **{name: getattr(state, name) for name in State.__struct_fields__}
        | {
            "deck": tuple(spare[-SPARE:]) if deck is None else cards(deck),
            "discard": cards(discard),
            "hands": held,
            "piles": laid,
            "energy": energy,
            "sapphires": sapphires,
            "turn": TURNS[seats][active] if turn is None else turn,
            "stage": "actions",
            "active": Seat(active),
            "actions_left": actions,
            "used": cards(used),
            "effects": effects,
            "end_after_turn": last_turn,
        }
    )


def act(state: State, *commands: Command, dice: Dice | None = None) -> State:
    """Let the seats that the table waits for act, one after the other."""
    for command in commands:
        (seat,) = GAME.to_move(state)
        events = GAME.decide(state, seat, command, dice or seeded(0))
        state = reduce(GAME.evolve, events, state)
    return state


def activate(state: State, colour: Any, *picks: str, dice: Dice | None = None) -> State:
    """Activate a top and answer the choices that follow; ``""`` picks nothing."""
    answers = (Choose((pick,) if pick else ()) for pick in picks)
    return act(state, Activate(colour), *answers, dice=dice)


def begin(state: State, *picks: str, dice: Dice | None = None) -> State:
    """Begin the turn of a position's active mage, and answer the choices that follow."""
    course = Course(state, dice or seeded(0))
    begin_turn(course, state.turn)
    go_on(course)
    answers = (Choose((pick,) if pick else ()) for pick in picks)
    return act(course.state, *answers, dice=dice)


def asked(state: State) -> tuple[int, str, tuple[str, ...]] | None:
    """Who must choose, what kind of choice it is, and its options."""
    pending = state.pending
    if pending is None:
        return None
    shown = GAME.view(state, pending.seat)["pending"]
    return pending.seat, pending.kind, tuple(shown["options"])


def ward(kind: Any, side: int, until: int) -> Lasting:
    """A ward of a side until a seat's turn starts."""
    return Lasting(kind, side, Seat(until), None, None)


def lock(colour: Any, side: int, until: int) -> Lasting:
    """A lock made by a side until a seat's turn starts."""
    return Lasting("lock", side, Seat(until), colour, None)
