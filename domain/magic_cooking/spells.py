"""How the spells on the stack resolve, the last one first (3.2, 3.3)."""

from typing import Literal, TypeAlias, assert_never

from domain.magic_cooking.events import (
    CardBurned,
    CardDisguised,
    CardsExchanged,
    CardStolen,
    SpellCancelled,
    SpellFizzled,
    SpellsLocked,
    TrickBlown,
    TrickFrozen,
)
from domain.magic_cooking.state import Stacked
from domain.magic_cooking.story import Story, certain

Fate: TypeAlias = Literal["stands", "frozen", "blown"]
"""What the spells made of the trick that was being taken."""


def resolve_stack(story: Story) -> Fate:
    """Resolve every spell of the stack, top first."""
    fate: Fate = "stands"
    while story.state.stack:
        top = story.state.stack[-1]
        match top.spell:
            case "permutation":
                _permute(story, top)
            case "falsification":
                _disguise(story, top)
            case "burn" if top.counter:
                _cancel(story, top)
            case "burn":
                _burn(story, top)
            case "in_full_light":
                _cancel(story, top)
                story.tell(SpellsLocked(top.seat))
            case "freeze":
                fate = "frozen" if _freeze(story, top) else fate
            case "gust":
                fate = "blown" if _blow(story, top) else fate
            case _:
                assert_never(top.spell)
    return fate


def _permute(story: Story, spell: Stacked) -> None:
    if spell.victim is not None:
        hand = story.state.hands[spell.victim]
        card = hand[story.dice.pick(len(hand))]
        story.tell(CardStolen(spell.seat, spell.victim, card))
    else:
        story.tell(CardsExchanged(spell.seat, certain(spell.card), certain(spell.swap)))


def _disguise(story: Story, spell: Stacked) -> None:
    story.tell(CardDisguised(spell.seat, certain(spell.card), certain(spell.imitated)))


def _cancel(story: Story, spell: Stacked) -> None:
    """Strike the spell right below: it was the top one when this was cast."""
    below = story.state.stack[-2]
    story.tell(SpellCancelled(spell.seat, spell.spell, below.seat, below.spell))


def _burn(story: Story, spell: Stacked) -> None:
    """Burn the card if it still lies face up, in the cauldron or as the played card."""
    state, card = story.state, certain(spell.card)
    if state.lies_visible(card) or (state.pending and state.pending.card == card):
        story.tell(CardBurned(spell.seat, card))
    else:
        story.tell(SpellFizzled(spell.seat, spell.spell))


def _freeze(story: Story, spell: Stacked) -> bool:
    pending = story.state.pending
    if pending is None:
        story.tell(SpellFizzled(spell.seat, spell.spell))
        return False
    story.tell(TrickFrozen(spell.seat, pending.seat, certain(pending.card)))
    return True


def _blow(story: Story, spell: Stacked) -> bool:
    pending = story.state.pending
    if pending is None:
        story.tell(SpellFizzled(spell.seat, spell.spell))
        return False
    cards = (*(laid.card for laid in story.state.visible), certain(pending.card))
    story.tell(TrickBlown(spell.seat, pending.seat, cards))
    return True
