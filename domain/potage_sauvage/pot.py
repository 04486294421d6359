"""What the pot becomes when a card is added."""

from domain.potage_sauvage.cards import FACES, Card, Suit
from domain.potage_sauvage.state import Trick

CLOSING_SUM = 10


def sum_after(total: int, card: Card, *, leads: bool) -> int:
    """Answer the sum of a pot once a card was added; 10 and more closes the trick (A27)."""
    face = FACES[card]
    if face.kind == "reset":
        return 0  # led or not (A10, A11)
    if leads and face.value == 10:
        return 0  # for the whole trick (A12)
    return total + face.value


def binding_after(trick: Trick, card: Card) -> tuple[Suit | None, bool]:
    """Answer the led suit and whether the pot is free, once a card was added.

    The first card sets the led suit (A10) and no later one changes it (A13, A14), but waste ends
    it, even when led (A5).
    """
    suit = FACES[card].suit
    if trick.free or suit == "waste":
        return None, True
    return trick.led if trick.cards else suit, False
