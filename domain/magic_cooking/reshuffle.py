"""Deal again what a viewer may not know, each physical deal as likely as another.

Everything a viewer was told beyond its view is in the state: captured cards lay face up before,
the Secret Cauldron is kept apart for the Estueux, and ``traced`` is the card that Permutation
brought into a hand under somebody's eyes. Nothing else that is hidden was ever shown, and no rule
makes a choice depend on hidden cards, so all other hidden places are alike.
"""

from domain.dice import Dice
from domain.game import Seat, Viewer
from domain.magic_cooking.cards import Card, in_deck_order
from domain.magic_cooking.state import State, Traced
from domain.value import changed


def reshuffle(state: State, viewer: Viewer, dice: Dice) -> State:
    """Answer a state drawn uniformly from all that agree with what this viewer was told."""
    if viewer == "arbiter" or state.phase == "over":
        return state
    pinned = [_pinned(state, Seat(seat), viewer) for seat in range(state.seats)]
    unknown = [len(hand) - len(known) for hand, known in zip(state.hands, pinned, strict=True)]
    sees_secret = viewer == state.estueux
    pool = dice.shuffle(_pool(state, pinned, sees_secret=sees_secret))
    hands = []
    for known, count in zip(pinned, unknown, strict=True):
        dealt, pool = pool[:count], pool[count:]
        hands.append(in_deck_order(state.options.deck, known + dealt))
    secret = state.secret
    if not sees_secret:
        secret, pool = pool[: len(secret)], pool[len(secret) :]
    return changed(
        state,
        hands=tuple(hands),
        secret=secret,
        draw_pile=pool,
        traced=_retraced(state, viewer, tuple(hands), dice),
    )


def _pinned(state: State, seat: Seat, viewer: Viewer) -> tuple[Card, ...]:
    """Answer the cards of a hand that the viewer knows."""
    if seat == viewer:
        return state.hands[seat]
    traced = state.traced
    if traced is None or traced.card is None or traced.holder != seat:
        return ()
    return (traced.card,) if _knows(traced, viewer) else ()


def _knows(traced: Traced, viewer: Viewer) -> bool:
    return traced.victim is None or viewer in (traced.holder, traced.victim)


def _pool(state: State, pinned: list[tuple[Card, ...]], *, sees_secret: bool) -> tuple[Card, ...]:
    """Answer the unknown cards in deck-list order: the result depends on no hidden order."""
    cards = [*state.draw_pile]
    for hand, known in zip(state.hands, pinned, strict=True):
        rest = list(hand)
        for card in known:
            rest.remove(card)
        cards += rest
    if not sees_secret:
        cards += state.secret
    return in_deck_order(state.options.deck, tuple(cards))


def _retraced(
    state: State, viewer: Viewer, hands: tuple[tuple[Card, ...], ...], dice: Dice
) -> Traced | None:
    """Draw again which card was stolen, for those who did not see it.

    The stolen card was as likely as any other of the hand to be the one played at each play since;
    if it was never played it is any card of the hand. A thief who has played an equal card since is
    taken to have played the stolen one, as for those who know it.
    """
    traced = state.traced
    if traced is None or _knows(traced, viewer):
        return traced
    if any(dice.pick(choices) == 0 for choices, _ in traced.plays):
        return changed(traced, card=None)
    hand = hands[traced.holder]
    card = hand[dice.pick(len(hand))]
    played = any(card == other for _, other in traced.plays)
    return changed(traced, card=None if played else card)
