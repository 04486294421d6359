"""(state, event) -> state: never refuses, never rolls, never loses a case."""

from bisect import insort
from typing import assert_never

from domain.game import Seat
from domain.spellcaster import events as ev
from domain.spellcaster.cards import Card
from domain.spellcaster.colours import PLACES, Colour
from domain.spellcaster.events import Event
from domain.spellcaster.knowledge import card_left, card_stolen, card_taken, hand_hinted
from domain.spellcaster.state import Laid, Lasting, Pending, State
from domain.value import changed

Hands = tuple[tuple[Card, ...], ...]


def evolve(state: State, event: Event) -> State:  # noqa: C901 - one case for each kind
    """Apply one event."""
    match event:
        case ev.CardsDrawn(to, count, _, actions_left, cards):
            return changed(
                state,
                deck=state.deck[count:],
                hands=_with_cards(state.hands, to, cards),
                actions_left=actions_left,
            )
        case ev.CardPlayed(seat, card, pile, facing, _, actions_left):
            return changed(
                state,
                hands=_without_card(state.hands, seat, card),
                piles=_laid(state, pile, Laid(card, facing)),
                actions_left=actions_left,
                knowledge=card_left(state, seat, card),
            )
        case ev.SpellCast(_, card, _, _, actions_left):
            return changed(
                state,
                used=(*state.used, card),
                triggers=tuple(each for each in state.triggers if each != card),
                actions_left=actions_left,
            )
        case (
            ev.ResourceGained(side, resource, _, total)
            | ev.ResourceLost(side, resource, _, total)
            | ev.ResourcePaid(side, resource, _, total)
        ):
            pools = state.energy if resource == "energy" else state.sapphires
            pools = (total, pools[1]) if side == 0 else (pools[0], total)
            return _with_pools(state, resource, pools)
        case ev.ResourceMoved(giver, _, resource, _, given, taken):
            return _with_pools(state, resource, (given, taken) if giver == 0 else (taken, given))
        case ev.TurnBegun(seat, turn, spells):
            return changed(
                state,
                turn=turn,
                stage="spells",
                active=seat,
                actions_left=0,
                used=(),
                triggers=spells,
                effects=tuple(each for each in state.effects if each.until_turn_of != seat),
            )
        case ev.ActionsGained(_, _, actions_left):
            return changed(state, stage="actions", actions_left=actions_left, triggers=())
        case ev.ActionPassed(_, actions_left):
            return changed(state, actions_left=actions_left)
        case ev.CardDiscarded(owner, card):
            return changed(
                state,
                hands=_without_card(state.hands, owner, card),
                discard=(*state.discard, card),
                knowledge=card_left(state, owner, card),
            )
        case ev.DeckCardLost(card):
            return changed(state, deck=state.deck[1:], discard=(*state.discard, card))
        case ev.TopDiscarded(pile, card):
            return changed(state, piles=_cut(state, pile), discard=(*state.discard, card))
        case ev.TopTurned(pile, card, facing):
            bare = changed(state, piles=_cut(state, pile))
            return changed(bare, piles=_laid(bare, pile, Laid(card, facing)))
        case ev.CardTaken(to, card):
            return changed(
                state,
                discard=tuple(each for each in state.discard if each != card),
                hands=_with_cards(state.hands, to, (card,)),
                knowledge=card_taken(state, to, card),
            )
        case ev.CardStolen(thief, victim, card):
            return changed(
                state,
                hands=_with_cards(_without_card(state.hands, victim, card), thief, (card,)),
                knowledge=card_stolen(state, thief, victim, card),
            )
        case ev.LossPrevented(_, _, _, spent):
            kept = (each for i, each in enumerate(state.effects) if i not in spent)
            return changed(state, effects=tuple(kept)) if spent else state
        case ev.EffectBegun(kind, side, until, under, silenced):
            return changed(
                state, effects=(*state.effects, Lasting(kind, side, until, under, silenced))
            )
        case ev.HandHinted(owner, colours, least):
            return changed(state, knowledge=hand_hinted(state, owner, colours, least))
        case ev.ChoiceOffered(to, asking, asked, options, least, stack):
            return changed(
                state, pending=Pending(to, asking, asked, options, (), least), stack=stack
            )
        case ev.HandChoiceOffered(to, card, colours, least, stack, _):
            return changed(
                state, pending=Pending(to, card, "cards", (), colours, least), stack=stack
            )
        case ev.ChoiceMade():
            return changed(state, pending=None, stack=())
        case ev.LastTurnFlagged():
            return changed(state, end_after_turn=True)
        case ev.StarterChosen(starter):
            return changed(state, starter=starter)
        case ev.DeckShuffled(_, deck):
            return changed(state, deck=deck)
        case ev.HandDealt(to, count, cards):
            return changed(
                state, deck=state.deck[count:], hands=_with_cards(state.hands, to, cards)
            )
        case ev.MageConceded():
            return state
        case ev.WinnersDecided(winners, reason):
            return changed(
                state, stage="over", pending=None, stack=(), winners=winners, reason=reason
            )
        case _:
            assert_never(event)


def _with_pools(state: State, resource: str, pools: tuple[int, ...]) -> State:
    if resource == "energy":
        return changed(state, energy=pools)
    return changed(state, sapphires=pools)


def _with_cards(hands: Hands, to: Seat, cards: tuple[Card, ...]) -> Hands:
    hand = list(hands[to])
    for card in cards:
        insort(hand, card)
    return (*hands[:to], tuple(hand), *hands[to + 1 :])


def _without_card(hands: Hands, owner: Seat, card: Card) -> Hands:
    hand = tuple(each for each in hands[owner] if each != card)
    return (*hands[:owner], hand, *hands[owner + 1 :])


def _laid(state: State, pile: Colour, laid: Laid) -> tuple[tuple[Laid, ...], ...]:
    i = PLACES[pile]
    return (*state.piles[:i], (*state.piles[i], laid), *state.piles[i + 1 :])


def _cut(state: State, pile: Colour) -> tuple[tuple[Laid, ...], ...]:
    i = PLACES[pile]
    return (*state.piles[:i], state.piles[i][:-1], *state.piles[i + 1 :])
