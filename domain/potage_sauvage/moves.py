"""Every legal command, the one source of legality."""

from domain.game import Seat
from domain.potage_sauvage.cards import FACES, Card
from domain.potage_sauvage.commands import ChooseRecipe, Command, PlayCard
from domain.potage_sauvage.state import State, Trick


def moves(state: State, seat: Seat) -> tuple[Command, ...]:
    """Answer every legal command of a seat: recipes in their order, cards in deck-list order."""
    if state.phase == "choosing" and state.chosen[seat] is None:
        return tuple(ChooseRecipe(recipe) for recipe in state.left[seat])
    if state.phase == "playing" and state.active == seat:
        playable = playable_cards(state.trick, state.hands[seat])
        return tuple(PlayCard(card) for card in dict.fromkeys(playable))
    return ()


def playable_cards(trick: Trick, hand: tuple[Card, ...]) -> tuple[Card, ...]:
    """Answer the cards of the led suit, or the whole hand where nothing binds it (A4, A5, A9).

    ``led`` is None in an empty pot and from the first waste card on.
    """
    following = tuple(card for card in hand if FACES[card].suit == trick.led)
    return following or hand


def to_move(state: State) -> tuple[Seat, ...]:
    """Answer the seats the table waits for: whoever has a move must make one."""
    seats = (Seat(each) for each in range(len(state.hands)))
    return tuple(seat for seat in seats if moves(state, seat))


def fallback(state: State, seat: Seat) -> Command:
    """Answer the move of an absent seat: its first."""
    return moves(state, seat)[0]
