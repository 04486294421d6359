"""(state, event) -> state: never refuses, never rolls, never loses a case."""

from typing import assert_never

from domain.potage_sauvage.cards import FACES
from domain.potage_sauvage.events import (
    CardPlayed,
    CardsSetAside,
    DealScored,
    DealStarted,
    Event,
    GameEnded,
    HandDealt,
    RecipeChosen,
    RecipesRevealed,
)
from domain.potage_sauvage.state import EMPTY_POT, Laid, LastDeal, State, Trick, left_of, put
from domain.value import changed


def evolve(state: State, event: Event) -> State:
    """Apply one event."""
    match event:
        case CardPlayed():
            return _played(state, event)
        case RecipeChosen(seat, recipe):
            return changed(state, chosen=put(state.chosen, seat, recipe))
        case RecipesRevealed():
            return _revealed(state, event)
        case DealStarted(deal, dealer):
            return changed(state, deal=deal, dealer=dealer)
        case HandDealt(to, cards):
            return changed(state, hands=put(state.hands, to, cards))
        case CardsSetAside(cards):
            return changed(state, aside=cards)
        case DealScored():
            return _scored(state, event)
        case GameEnded():
            return changed(state, phase="over")
        case _:
            assert_never(event)


def _revealed(state: State, event: RecipesRevealed) -> State:
    """Start to play; the recipes stay in sight and leave the game."""
    left = tuple(
        tuple(each for each in recipes if each != chosen)
        for recipes, chosen in zip(state.left, event.recipes, strict=True)
    )
    return changed(state, phase="playing", active=event.leader, left=left)


def _played(state: State, event: CardPlayed) -> State:
    seat, card, led = event.seat, event.card, state.trick.led
    hand = state.hands[seat]
    place = hand.index(card)
    cards = (*state.trick.cards, Laid(seat, card))
    voids = state.voids
    if led is not None and led != FACES[card].suit and led not in voids[seat]:
        voids = put(voids, seat, (*voids[seat], led))
    captured = state.captured
    if event.taker is None:
        trick, active = Trick(cards, event.sum, event.led, event.free), left_of(seat, state)
    else:
        pile = (*captured[event.taker], *(laid.card for laid in cards))
        captured = put(captured, event.taker, pile)
        trick, active = EMPTY_POT, event.taker
    return changed(
        state,
        active=active,
        hands=put(state.hands, seat, hand[:place] + hand[place + 1 :]),
        trick=trick,
        captured=captured,
        voids=voids,
    )


def _scored(state: State, event: DealScored) -> State:
    """Clear the table; what was left in hands is never shown."""
    nothing: tuple[tuple[()], ...] = ((),) * len(state.hands)
    return changed(
        state,
        phase="choosing",
        active=None,
        scores=event.totals,
        chosen=(None,) * len(state.hands),
        hands=nothing,
        aside=(),
        trick=EMPTY_POT,
        captured=nothing,
        voids=nothing,
        last_deal=LastDeal(event.recipes, event.captured, event.points),
    )
