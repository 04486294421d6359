"""What viewers learn of hands that they do not see, in the smallest positions that tell."""

from domain.game import Seat
from domain.spellcaster import GAME
from domain.spellcaster.cards import Card
from domain.spellcaster.events import (
    CardDiscarded,
    CardPlayed,
    CardStolen,
    CardTaken,
    HandHinted,
)
from domain.spellcaster.knowledge import (
    NOTHING,
    card_left,
    card_stolen,
    card_taken,
    hand_hinted,
    told_to_all,
)
from domain.spellcaster.state import Hint, Knowledge
from domain.value import changed
from tests.domain.spellcaster.positions import position

A, B, C = Seat(0), Seat(1), Seat(2)


def test_a_world_that_the_hand_has_no_room_for_is_given_up_when_a_card_leaves_it() -> None:
    """A spectator thinks that B holds b01 and g01, or one of them; B's other card is played."""
    both, one = ((Card("b01"), B), (Card("g01"), B)), ((Card("b01"), B), (Card("g01"), C))
    known = Knowledge((both, one), ())
    state = position(3, hands={1: "b01 y01", 2: "g01"})
    state = changed(state, knowledge=(known,) * 4)
    after = card_left(state, B, Card("y01"))
    assert after[3].worlds == (one,)
    assert after[A].worlds == (one,)
    assert after[B] == known, "who holds the cards has nothing to learn"


def test_a_hint_takes_the_place_of_those_alone_that_it_implies() -> None:
    reds = Hint((B,), ("red",), 2, ())
    state = changed(position(2), knowledge=(Knowledge(((),), (reds,)),) * 3)
    more = hand_hinted(state, B, ("red",), 3)
    assert more[A].hints == (Hint((B,), ("red",), 3, ()),)
    again = hand_hinted(state, B, ("red",), 2)
    assert again[A].hints == (reds,)
    fewer = hand_hinted(state, B, ("red",), 1)
    assert fewer[A].hints == (reds, Hint((B,), ("red",), 1, ()))
    greens = hand_hinted(state, B, ("green",), 3)
    assert greens[A].hints == (reds, Hint((B,), ("green",), 3, ()))
    other = hand_hinted(state, A, ("red",), 3)
    assert other[B].hints == (reds, Hint((A,), ("red",), 3, ()))
    assert other[2].hints == (reds, Hint((A,), ("red",), 3, ()))
    assert more[B].hints == (reds,), "who holds the cards has nothing to learn"


def test_nothing_is_kept_once_there_is_nothing_left_to_know() -> None:
    state = position(hands={1: "b01"})
    seen = changed(state, knowledge=card_taken(state, B, Card("b01")))
    assert seen.knowledge[A].worlds == (((Card("b01"), B),),)
    assert seen.knowledge[B] == NOTHING, "who holds the card has nothing to learn"
    assert card_left(seen, B, Card("b01")) == ()


def test_nothing_is_kept_where_all_but_one_viewer_were_told_nothing() -> None:
    state = position(3, hands={1: "b01"})
    known = Knowledge((((Card("b01"), B),),), ())
    state = changed(state, knowledge=(known, NOTHING, NOTHING, NOTHING))
    assert told_to_all(state, A) == (known, NOTHING, NOTHING, NOTHING)
    assert told_to_all(state, C) == ()


def test_a_hint_follows_a_card_that_went_unseen_to_another_hand() -> None:
    """One of the hinted cards may have gone: the other hand's known cards are not it."""
    world = ((Card("b09"), C), (Card("y01"), A))
    both, other = Hint((A, B), ("blue",), 1, ()), Hint((C,), ("green",), 1, ())
    hinted = Hint((B,), ("red",), 2, (Card("g01"),))
    spectator = Knowledge((world,), (hinted, both, other))
    state = position(4, hands={0: "y01", 1: "r01 r03 g01", 2: "b09"})
    state = changed(state, knowledge=(*[NOTHING] * 4, spectator))
    told = card_stolen(state, A, B, Card("r01"))[4]
    assert told.worlds == (world,)
    assert told.hints == (
        Hint((B,), ("red",), 1, (Card("g01"),)),
        Hint((A, B), ("red",), 2, (Card("g01"), Card("y01"))),
        both,
        other,
    )


def test_a_card_that_leaves_a_hand_lowers_the_hints_of_that_hand_alone() -> None:
    reds = [Hint((seat,), ("red",), 2, ()) for seat in (B, C)]
    state = changed(position(4, hands={1: "r01 r03", 2: "r05 r06"}), knowledge=(NOTHING,) * 5)
    state = changed(state, knowledge=(*[NOTHING] * 4, Knowledge(((),), tuple(reds))))
    assert card_left(state, B, Card("r01"))[4].hints == (changed(reds[0], least=1), reds[1])


def test_a_card_that_arrives_is_told_apart_in_the_hints_of_that_hand_alone() -> None:
    reds = [Hint((seat,), ("red",), 1, ()) for seat in (B, C)]
    state = changed(position(4), knowledge=(*[NOTHING] * 4, Knowledge(((),), tuple(reds))))
    arrived = card_taken(state, B, Card("r01"))[4]
    assert arrived.hints == (changed(reds[0], apart=(Card("r01"),)), reds[1])


def test_what_all_were_told_of_hands_is_nothing_new_to_who_sees_them() -> None:
    reds = [Hint((seat,), ("red",), 1, ()) for seat in (B, C)]
    public = Knowledge(((),), tuple(reds))
    state = changed(position(4), knowledge=(*[NOTHING] * 4, public))
    told = told_to_all(state, A)
    assert told == (
        NOTHING,
        Knowledge(((),), (reds[1],)),
        Knowledge(((),), (reds[0],)),
        public,
        public,
    )


def test_a_theft_that_was_not_seen_may_have_taken_any_card_of_that_hand_and_no_other() -> None:
    world = ((Card("b01"), B), (Card("g01"), C))
    state = position(4, hands={1: "b01 y01", 2: "g01"})
    state = changed(state, knowledge=(*[NOTHING] * 4, Knowledge((world,), ())))
    told = card_stolen(state, A, B, Card("y01"))
    assert told[4].worlds == (((Card("b01"), A), (Card("g01"), C)), world)
    alone = changed(state, hands=((), (Card("b01"),), (Card("g01"),), ()))
    only = card_stolen(alone, A, B, Card("b01"))
    assert only[4].worlds == (((Card("b01"), A), (Card("g01"), C)),)


def test_a_hint_that_is_used_up_is_forgotten() -> None:
    hint = Hint((B,), ("red",), 1, ())
    state = position(hands={1: "r01 b01"})
    state = changed(state, knowledge=(NOTHING, NOTHING, Knowledge(((),), (hint,))))
    assert card_left(state, B, Card("b01"))[2].hints == (hint,)
    assert card_left(state, B, Card("r01")) == ()


def test_a_card_that_is_told_apart_leaves_a_hint_as_it_is() -> None:
    hint = Hint((B,), ("red",), 1, (Card("r01"), Card("r03")))
    state = position(hands={1: "r01 r03 r05"})
    state = changed(state, knowledge=(NOTHING, NOTHING, Knowledge(((),), (hint,))))
    left = card_left(state, B, Card("r01"))[2]
    assert left.hints == (Hint((B,), ("red",), 1, (Card("r03"),)),)


def test_who_was_told_nothing_yet_is_each_seat_and_the_spectator() -> None:
    state = position(3, hands={1: "r01"})
    assert len(card_taken(state, B, Card("r01"))) == 4
    assert told_to_all(state, A) == card_left(state, B, Card("r01")) == ()


def test_a_world_where_the_card_lay_in_another_hand_is_given_up_when_it_leaves_one() -> None:
    here = ((Card("b01"), B), (Card("g01"), B))
    there = ((Card("b01"), C), (Card("g01"), C))
    state = position(4, hands={1: "b01 g01 y01"})
    state = changed(state, knowledge=(*[NOTHING] * 4, Knowledge((here, there), ())))
    assert card_left(state, B, Card("b01"))[4].worlds == (((Card("g01"), B),),)


def test_what_all_were_told_says_more_to_who_sees_one_of_the_hands() -> None:
    one, other = ((Card("b01"), B), (Card("g01"), C)), ((Card("b01"), C), (Card("g01"), B))
    state = position(4, hands={1: "b01", 2: "g01"})
    state = changed(state, knowledge=(*[NOTHING] * 4, Knowledge((one, other), ())))
    nothing, of_c, of_b, nobodys, spectators = told_to_all(state, A)
    assert nothing == NOTHING
    assert of_c.worlds == (((Card("g01"), C),),)
    assert of_b.worlds == (((Card("b01"), B),),)
    assert nobodys.worlds == spectators.worlds == (one, other)


def test_a_hint_of_one_card_is_forgotten_of_the_hand_it_may_have_left() -> None:
    hint = Hint((B,), ("red",), 1, ())
    state = position(4, hands={1: "r01 g01"})
    state = changed(state, knowledge=(*[NOTHING] * 4, Knowledge(((),), (hint,))))
    assert card_stolen(state, A, B, Card("g01"))[4].hints == (Hint((A, B), ("red",), 1, ()),)


def test_whatever_all_see_of_a_hand_is_learned_as_it_happens() -> None:
    card, other, hint = Card("b01"), Card("y01"), Hint((B,), ("red",), 1, ())
    public = Knowledge((((card, B),),), (hint,))
    state = position(4, hands={1: "b01 r01"}, discard="y01")
    state = changed(state, knowledge=(*[NOTHING] * 4, public))
    for event, learned in (
        (CardPlayed(B, card, "blue", 1, free=False, actions_left=1), card_left(state, B, card)),
        (CardDiscarded(B, card), card_left(state, B, card)),
        (CardTaken(B, other), card_taken(state, B, other)),
        (CardStolen(A, B, card), card_stolen(state, A, B, card)),
        (HandHinted(B, ("red",), 2), hand_hinted(state, B, ("red",), 2)),
    ):
        assert GAME.evolve(state, event).knowledge == learned != state.knowledge
