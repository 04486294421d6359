"""What viewers learn of hands that they do not see, in the smallest positions that tell."""

from domain.game import Seat
from domain.spellcaster.cards import Card
from domain.spellcaster.knowledge import card_left
from domain.spellcaster.state import Knowledge
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
