"""What viewers learn of hands they do not see: cards seen on their way, colours that must be there.

Only what ``reshuffle`` needs and no view shows. A card that everybody saw go to a hand may be the
one that is stolen from it later: then several worlds are possible for whoever did not see the
theft.
"""

from collections.abc import Callable

from domain.game import Seat
from domain.spellcaster.cards import Card, colour_of
from domain.spellcaster.colours import Colour
from domain.spellcaster.sides import seats_of, side_of
from domain.spellcaster.state import Hint, Knowledge, State, World
from domain.value import changed

NOTHING = Knowledge(((),), ())


def seen_hands(state: State, viewer: int) -> tuple[Seat, ...]:
    """Answer whose hands a viewer sees; a spectator's number is the number of seats."""
    if viewer >= state.seats:
        return ()
    seat = Seat(viewer)
    return seats_of(side_of(seat), state.seats) if state.options.partners_see_hands else (seat,)


def card_left(state: State, owner: Seat, card: Card) -> tuple[Knowledge, ...]:
    """Answer what is known once everybody has seen a card leave a hand."""
    if not state.knowledge:
        return ()
    return _each(state, lambda known, seen: _left(state, known, seen, owner, card))


def card_taken(state: State, to: Seat, card: Card) -> tuple[Knowledge, ...]:
    """Answer what is known once everybody has seen a card go to a hand."""
    return _each(state, lambda known, seen: _arrived(known, seen, to, card))


def card_stolen(state: State, thief: Seat, victim: Seat, card: Card) -> tuple[Knowledge, ...]:
    """Answer what is known once a random card went from hand to hand."""

    def learn(known: Knowledge, seen: tuple[Seat, ...]) -> Knowledge:
        if thief in seen or victim in seen:
            left = _left(state, known, seen, victim, card)
            return _arrived(left, seen, thief, card)
        return _moved_unseen(state, known, thief, victim)

    return _each(state, learn)


def hand_hinted(
    state: State, owner: Seat, colours: tuple[Colour, ...], least: int
) -> tuple[Knowledge, ...]:
    """Answer what is known once everybody can tell what a hand holds at least."""

    def learn(known: Knowledge, seen: tuple[Seat, ...]) -> Knowledge:
        if owner in seen:
            return known
        others = (each for each in known.hints if not _implied(each, owner, colours, least))
        return changed(known, hints=(*others, Hint((owner,), colours, least, ())))

    return _each(state, learn)


def told_to_all(state: State, viewer: int) -> tuple[Knowledge, ...]:
    """Answer what is known if everybody but one viewer was told no more than a spectator.

    It agrees with the hands as they are, if these agree with what that viewer knows.
    """
    if not state.knowledge:
        return ()
    public = state.knowledge[state.seats]
    after = tuple(
        known if each == viewer else _from(state, public, seen_hands(state, each))
        for each, known in enumerate(state.knowledge)
    )
    return () if all(known == NOTHING for known in after) else after


def _from(state: State, public: Knowledge, seen: tuple[Seat, ...]) -> Knowledge:
    """Answer what a spectator's knowledge says of other hands to who sees some of them."""
    held = {card: seat for seat in seen for card in state.hands[seat]}
    worlds = {
        tuple(pair for pair in world if pair[1] not in seen)
        for world in public.worlds
        if all(held.get(card) == (seat if seat in seen else None) for card, seat in world)
    }
    hints = (hint for hint in public.hints if not set(hint.seats) & set(seen))
    return Knowledge(tuple(sorted(worlds)), tuple(hints))


def _implied(hint: Hint, owner: Seat, colours: tuple[Colour, ...], least: int) -> bool:
    return hint == Hint((owner,), colours, hint.least, ()) and hint.least <= least


def _each(
    state: State, learn: Callable[[Knowledge, tuple[Seat, ...]], Knowledge]
) -> tuple[Knowledge, ...]:
    before = state.knowledge or (NOTHING,) * (state.seats + 1)
    after = tuple(learn(known, seen_hands(state, viewer)) for viewer, known in enumerate(before))
    return () if all(known == NOTHING for known in after) else after


def _left(
    state: State, known: Knowledge, seen: tuple[Seat, ...], owner: Seat, card: Card
) -> Knowledge:
    if owner in seen:
        return known
    kept = len(state.hands[owner]) - 1
    worlds = (_without(world, owner, card) for world in known.worlds)
    possible = {world for world in worlds if world is not None and _count(world, owner) <= kept}
    hints = (_lowered(hint, card) if owner in hint.seats else hint for hint in known.hints)
    return Knowledge(tuple(sorted(possible)), tuple(hint for hint in hints if hint.least > 0))


def _without(world: World, owner: Seat, card: Card) -> World | None:
    """Answer the world without the card, or None if there it lay in another hand."""
    if any(each == card and seat != owner for each, seat in world):
        return None
    return tuple(pair for pair in world if pair[0] != card)


def _count(world: World, owner: Seat) -> int:
    return sum(seat == owner for _, seat in world)


def _lowered(hint: Hint, card: Card) -> Hint:
    if card in hint.apart:
        return changed(hint, apart=tuple(each for each in hint.apart if each != card))
    return changed(hint, least=hint.least - (colour_of(card) in hint.colours))


def _arrived(known: Knowledge, seen: tuple[Seat, ...], to: Seat, card: Card) -> Knowledge:
    if to in seen:
        return known
    worlds = {tuple(sorted((*world, (card, to)))) for world in known.worlds}
    hints = tuple(
        changed(hint, apart=(*hint.apart, card)) if to in hint.seats else hint
        for hint in known.hints
    )
    return Knowledge(tuple(sorted(worlds)), hints)


def _moved_unseen(state: State, known: Knowledge, thief: Seat, victim: Seat) -> Knowledge:
    worlds: set[World] = set()
    for world in known.worlds:
        if _count(world, victim) < len(state.hands[victim]):
            worlds.add(world)
        for card, seat in world:
            if seat == victim:
                moved = ((each, thief if each == card else at) for each, at in world)
                worlds.add(tuple(sorted(moved)))
    hints: list[Hint] = []
    for hint in known.hints:
        if victim in hint.seats and thief not in hint.seats:
            # The card is in one of the two hands; cards known to be older there are not it.
            older = {card for world in known.worlds for card, seat in world if seat == thief}
            seats = tuple(sorted((*hint.seats, thief)))
            hints.append(changed(hint, least=hint.least - 1))
            hints.append(changed(hint, seats=seats, apart=(*hint.apart, *sorted(older))))
        else:
            hints.append(hint)
    return Knowledge(tuple(sorted(worlds)), tuple(hint for hint in hints if hint.least > 0))
