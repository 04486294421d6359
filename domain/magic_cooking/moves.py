"""Every legal command of a seat: the plausible ones, less those that the rules refuse."""

from collections.abc import Iterator
from typing import assert_never

from domain.game import Seat
from domain.magic_cooking.cards import Card
from domain.magic_cooking.commands import AutoPass, Cast, Command, Lead, Pass, Reveal
from domain.magic_cooking.refusals import refusal
from domain.magic_cooking.state import State
from domain.magic_cooking.windows import castable, waiting_for


def moves(state: State, seat: Seat) -> tuple[Command, ...]:
    """Answer every legal command of a seat, each once, in a fixed order."""
    return tuple(each for each in _plausible(state, seat) if refusal(state, seat, each) is None)


def fallback(state: State, seat: Seat) -> Command:
    """Answer what is sent for an absent seat: a pass, else its first card (R40, R47)."""
    match state.phase:
        case "lead":
            return Lead(state.hands[seat][0])
        case "turn":
            return Reveal(state.hands[seat][0])
        case "reaction" | "over":
            return Pass()
        case _:
            assert_never(state.phase)


def _plausible(state: State, seat: Seat) -> Iterator[Command]:
    if seat in waiting_for(state):
        hand = tuple(dict.fromkeys(state.hands[seat]))
        match state.phase:
            case "turn":
                yield from map(Reveal, hand)
            case "lead":
                yield from map(Lead, hand)
            case "reaction" | "over":
                yield Pass()
            case _:
                assert_never(state.phase)
    if castable(state, seat):
        yield from _spells(state, seat)
    yield AutoPass(enabled=True)
    yield AutoPass(enabled=False)


def _spells(state: State, seat: Seat) -> Iterator[Command]:
    hand = tuple(dict.fromkeys(state.hands[seat]))
    lying = tuple(dict.fromkeys(laid.card for laid in state.visible))
    spell = state.spell_of(seat)
    match spell:
        case "permutation":
            yield from (Cast(spell, victim=Seat(victim)) for victim in range(state.seats))
            yield from (Cast(spell, card=card, swap=swap) for card in hand for swap in lying)
        case "falsification":
            yield from (Reveal(card, as_) for card in hand for as_ in lying)
        case "burn":
            yield Cast(spell, counter=True)
            burnable = dict.fromkeys((*lying, *_played(state)))
            yield from (Cast(spell, card=card) for card in burnable)
        case "in_full_light" | "freeze" | "gust":
            yield Cast(spell)
        case None:
            return
        case _:
            assert_never(spell)


def _played(state: State) -> tuple[Card, ...]:
    pending = state.pending
    return () if pending is None or pending.card is None else (pending.card,)
