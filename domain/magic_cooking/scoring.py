"""What a round brings (2.10) and who deals next (2.11)."""

from domain.game import Seat, winners
from domain.magic_cooking.cards import ABRAXAS, MAJORITY, Card, facts, in_deck_order
from domain.magic_cooking.events import RoundScored
from domain.magic_cooking.state import State
from domain.magic_cooking.story import certain


def score(state: State) -> RoundScored:
    """Answer the result of a round whose cards are all captured or removed."""
    values = facts(state.options.deck)
    captured = tuple(_captured(state, Seat(seat)) for seat in range(state.seats))
    stars = tuple(sum(values[card].stars for card in pile) for pile in captured)
    sizes = [len(pile) for pile in captured]
    bonus = tuple(
        MAJORITY if size == max(sizes) and sizes.count(size) == 1 else 0 for size in sizes
    )
    scores = tuple(
        star + three + ABRAXAS * times
        for star, three, times in zip(stars, bonus, state.abraxas, strict=True)
    )
    return RoundScored(
        round=state.round,
        stars=stars,
        bonus=bonus,
        abraxas=state.abraxas,
        scores=scores,
        uscul=tuple(winners(scores)),
        captured=captured,
        totals=tuple(old + new for old, new in zip(state.scores, scores, strict=True)),
    )


def next_ordome(state: State, scored: RoundScored) -> Seat:
    """Answer who captured the card that gives the title; without it the Ordome stays (R9)."""
    values = facts(state.options.deck)
    for seat, pile in enumerate(scored.captured):
        if any(values[card].gives_ordome for card in pile):
            return Seat(seat)
    return certain(state.ordome)


def _captured(state: State, seat: Seat) -> tuple[Card, ...]:
    secret = state.secret if seat == state.estueux else ()
    return in_deck_order(state.options.deck, state.piles[seat] + secret)
