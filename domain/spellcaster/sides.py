"""Questions about sides, turn order and piles that several rooms ask."""

from collections.abc import Iterator

from domain.game import Seat
from domain.spellcaster.cards import Card, Spell, colour_of
from domain.spellcaster.colours import COLOURS, PLACES, Colour
from domain.spellcaster.decks import DECKS
from domain.spellcaster.state import Laid, State

SOLO = Seat(1)
"""The seat that plays alone when there are three."""


def side_of(seat: Seat) -> int:
    """Answer the side of a seat (1.1)."""
    return seat % 2


def seats_of(side: int, seats: int) -> tuple[Seat, ...]:
    """Answer the seats of a side, ascending."""
    return tuple(Seat(seat) for seat in range(side, seats, 2))


def opponents(seat: Seat, seats: int) -> tuple[Seat, ...]:
    """Answer the opposing seats, ascending."""
    return seats_of(1 - side_of(seat), seats)


def seat_of_turn(state: State, turn: int) -> Seat:
    """Answer who plays a turn (from 1): clockwise, or 0, 1, 2, 1 for three seats (2.3)."""
    if state.seats == 3:
        return Seat((0, 1, 2, 1)[(turn - 1) % 4])
    return Seat((state.starter + turn - 1) % state.seats)


def next_opponents(state: State) -> tuple[Seat, ...]:
    """Answer the mages who oppose the active one, from the one who plays next (6.3)."""
    coming = (seat_of_turn(state, state.turn + i) for i in range(1, 2 * state.seats))
    return tuple(dict.fromkeys(s for s in coming if side_of(s) != side_of(state.active)))


def spell_of(state: State, card: Card) -> Spell:
    """Answer what a card of the table's deck list does."""
    return DECKS[state.options.deck].spells[card]


def pile_of(state: State, colour: Colour) -> tuple[Laid, ...]:
    """Answer a pile, top last."""
    return state.piles[PLACES[colour]]


def tops(state: State) -> Iterator[tuple[Colour, Laid]]:
    """Answer the top of each pile that has one, in the order of colours."""
    for colour, pile in zip(COLOURS, state.piles, strict=True):
        if pile:
            yield colour, pile[-1]


def locked_against(state: State, side: int) -> tuple[Colour, ...]:
    """Answer the piles that a side may not play on, turn or discard from (ruling 42)."""
    if not state.effects:
        return ()
    locks = {each.pile for each in state.effects if each.kind == "lock" and each.side != side}
    return tuple(colour for colour in COLOURS if colour in locks)


def unlocked(state: State, side: int) -> tuple[Colour, ...]:
    """Answer the piles that no lock closes to a side."""
    locked = locked_against(state, side)
    return tuple(colour for colour in COLOURS if colour not in locked)


def playable(state: State, seat: Seat) -> tuple[Card, ...]:
    """Answer the cards of a hand that may be laid on their piles."""
    locked = locked_against(state, side_of(seat))
    hand = state.hands[seat]
    return tuple(card for card in hand if colour_of(card) not in locked) if locked else hand


def offered(state: State) -> tuple[str, ...]:
    """Answer the option ids of the pending choice."""
    pending = state.pending
    if pending is None:
        return ()
    if not pending.colours:
        return pending.options
    return tuple(card for card in state.hands[pending.seat] if colour_of(card) in pending.colours)


def valid_triggers(state: State) -> tuple[Colour, ...]:
    """Answer the piles whose active spell may still resolve at this turn's start (3.2)."""
    silenced = {each.card for each in state.effects}
    side = side_of(state.active)
    return tuple(
        colour
        for colour, top in tops(state)
        if top.card in state.triggers and top.facing == side and top.card not in silenced
    )
