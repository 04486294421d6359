"""Builds a state from what one seat sees, so that a bot can try moves: hidden cards at random."""

from collections.abc import Iterator

from domain.dice import Dice
from domain.game import Seat, View
from domain.spellcaster import effects as fx
from domain.spellcaster.cards import Card
from domain.spellcaster.colours import COLOURS, PLACES
from domain.spellcaster.decks import DECKS
from domain.spellcaster.effects import Block, Step, blocks
from domain.spellcaster.resolve import able_to_avert
from domain.spellcaster.sides import offered, side_of, spell_of, tops
from domain.spellcaster.state import Frame, Laid, Lasting, Options, Pending, State, first_state
from domain.value import changed
from domain.wire import read_fields

PILE_STEPS = fx.DiscardTop | fx.Flip | fx.Activate | fx.Lock | fx.Suppress
PICKING = fx.Discard | fx.LoseHand | fx.PayAny | fx.Play | fx.TakeDiscard


def imagine(view: View, dice: Dice) -> State | None:
    """Answer a state that looks like this table view, or None if its choice cannot be placed.

    What a view does not tell of a suspended spell (how many cards were discarded for X, which
    card of a pile is silenced) is guessed.
    """
    state = _with_turn(_with_cards(view, dice), view["play"])
    told = view["play"]["pending"]
    if told is None:
        return state
    pending = Pending(
        Seat(told["seat"]), told["card"], told["kind"], tuple(told["options"]), (), told["min"]
    )
    card = pending.card
    if card is None:
        return changed(state, pending=pending)
    hand = state.hands[pending.seat]
    if pending.kind == "cards" and set(pending.options) <= set(hand):
        pending = changed(pending, options=(), colours=COLOURS)
    for stack in _standing(state, pending, card, spell_of(state, card).effect, ()):
        placed = changed(state, pending=pending, stack=stack)
        if set(told["options"]) <= set(offered(placed)):
            return placed
    return None


def _with_cards(view: View, dice: Dice) -> State:
    play = view["play"]
    me = Seat(view["viewer"]["seat"])
    options: Options = read_fields(Options, view["options"], optional_is_absent=False)
    seats = len(play["hand_sizes"])
    seen = {str(me): play["hand"], **play.get("hands", {})}
    piles = tuple(
        tuple(Laid(laid["card"], laid["facing"]) for laid in play["piles"][colour])
        for colour in COLOURS
    )
    known = {laid.card for pile in piles for laid in pile} | set(play["discard"])
    known |= {card for hand in seen.values() for card in hand}
    deck = DECKS[options.deck].cards
    hidden = list(dice.shuffle([card for card in deck if card not in known]))
    hands: list[tuple[Card, ...]] = []
    for seat, size in enumerate(play["hand_sizes"]):
        if str(seat) in seen:
            hands.append(tuple(seen[str(seat)]))
        else:
            hands.append(tuple(sorted(hidden[:size])))
            del hidden[:size]
    return changed(
        first_state(seats, options),
        deck=tuple(hidden),
        discard=tuple(play["discard"]),
        hands=tuple(hands),
        piles=piles,
    )


def _with_turn(state: State, play: View) -> State:
    active = Seat(play["active"])
    pending = play["pending"]
    starting = pending is not None and not play["actions_left"] and not _with_action(state, play)
    used = tuple(play["used"])
    return changed(
        state,
        starter=Seat((active - play["turn"] + 1) % state.seats),
        energy=tuple(side["energy"] for side in play["sides"]),
        sapphires=tuple(side["sapphires"] for side in play["sides"]),
        turn=play["turn"],
        stage="spells" if starting else "actions",
        active=active,
        actions_left=play["actions_left"],
        used=used,
        triggers=_triggers(state, active, used) if starting else (),
        effects=tuple(_lasting(state, effect) for effect in play["effects"]),
        end_after_turn=play["end_after_turn"],
    )


def _with_action(state: State, play: View) -> bool:
    """Answer whether an action was spent this turn: the newest spell is an incantation."""
    return bool(play["used"]) and spell_of(state, play["used"][-1]).kind == "incantation"


def _triggers(state: State, active: Seat, used: tuple[Card, ...]) -> tuple[Card, ...]:
    side = side_of(active)
    return tuple(
        top.card
        for _, top in tops(state)
        if top.facing == side
        and top.card not in used
        and spell_of(state, top.card).kind == "enchantment"
    )


def _lasting(state: State, told: View) -> Lasting:
    pile = told["pile"]
    cards = state.piles[PLACES[pile]] if told["kind"] == "suppress" else ()
    card = next((laid.card for laid in reversed(cards)), None)
    return Lasting(told["kind"], told["side"], Seat(told["until_turn_of"]), pile, card)


def _standing(
    state: State, pending: Pending, card: Card, block: Block, path: tuple[int, ...]
) -> Iterator[tuple[Frame, ...]]:
    """Answer where a spell may stand when it asks this: stacks of frames that would go on."""
    for i, step in enumerate(block):
        here = Frame(card, path, i, 0, None, ())
        if _asks(step, pending):
            yield (changed(here, answers=_answered(state, step, pending)),)
        for j, (word, inner) in enumerate(blocks(step)):
            after = [changed(here, step=i + 1)]
            if isinstance(step, fx.May) and word == "cost":
                after.append(Frame(card, (*path, i, 1), 0, 0, None, ()))
            for stack in _standing(state, pending, card, inner, (*path, i, j)):
                top = changed(stack[-1], payer=pending.seat) if word == "cost" else stack[-1]
                yield (*after, *stack[:-1], top)


def _asks(step: Step, pending: Pending) -> bool:
    match pending.kind:
        case "may":
            return isinstance(step, fx.May)
        case "unless":
            return isinstance(step, fx.Unless)
        case "choose_one":
            return isinstance(step, fx.Choose)
        case "pile":
            return isinstance(step, PILE_STEPS)
        case "mage":
            return isinstance(step, fx.Discard | fx.StealCard)
        case "cards" if pending.colours:
            optional = isinstance(step, fx.PayAny | fx.Play)
            return isinstance(step, PICKING) and (optional or pending.least == 1)
        case _:
            return isinstance(step, fx.TakeDiscard)


def _answered(state: State, step: Step, pending: Pending) -> tuple[tuple[str, ...], ...]:
    match step:
        case fx.Unless():
            able = able_to_avert(state, step, 0)
            asked = able.index(pending.seat) if pending.seat in able else 0
            return (("refuse",),) * asked
        case fx.Discard(who) if who == "rival" and pending.kind == "cards":
            return ((str(pending.seat),),)
        case fx.Play() if not pending.least:
            return (("played",),)
        case _:
            return ()
