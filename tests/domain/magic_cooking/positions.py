"""Positions written as a player would say them: ``playing("horn web", "tail", cauldron="horn@1")``.

A card is a short word, ``@1`` says who laid it; spells are spent unless mages are named.
"""

from collections import Counter
from collections.abc import Sequence
from functools import reduce
from typing import Any

from domain.dice import Dice
from domain.game import Seat
from domain.magic_cooking import GAME
from domain.magic_cooking.cards import CARDS, MAGES, Card, Mage, in_deck_order
from domain.magic_cooking.commands import Cast, Command, Lead, Pass, Reveal
from domain.magic_cooking.options import Options
from domain.magic_cooking.rounds import start
from domain.magic_cooking.state import Laid, State, initial
from domain.value import changed
from tests.domain.given import Given, given, scripted

WORDS = (
    "crow", "web", "albino", "root", "scale", "horn", "slime", "tail", "eye", "wing", "stool",
    "nettle", "shell",
)  # fmt: skip
NAMES = dict(zip(WORDS, CARDS, strict=True))
A, B, C, D = Seat(0), Seat(1), Seat(2), Seat(3)
PASS = Pass()
COUNTER = Cast("burn", counter=True)
LIGHT = Cast("in_full_light")
FREEZE = Cast("freeze")
GUST = Cast("gust")


def card(word: str) -> Card:
    """Read one card."""
    return NAMES[word]


def cards(text: str) -> tuple[Card, ...]:
    """Read cards in the order they are written."""
    return tuple(map(card, text.split()))


def laid(text: str) -> tuple[Laid, ...]:
    """Read ``horn@1 tail``: face-up cards and who laid them."""
    pairs = [each.partition("@") for each in text.split()]
    return tuple(Laid(card(word), Seat(int(by)) if by else None) for word, _, by in pairs)


def reveal(word: str, imitated: str | None = None) -> Reveal:
    """Answer the command that plays a card, perhaps as another."""
    return Reveal(card(word), None if imitated is None else card(imitated))


def lead(word: str) -> Lead:
    """Answer the command that lays a new cauldron."""
    return Lead(card(word))


def steal(victim: int) -> Cast:
    """Answer Permutation on a hand."""
    return Cast("permutation", victim=Seat(victim))


def exchange(word: str, swap: str) -> Cast:
    """Answer Permutation of a hand card and a face-up one."""
    return Cast("permutation", card=card(word), swap=card(swap))


def burn(word: str) -> Cast:
    """Answer Burn on a card."""
    return Cast("burn", card=card(word))


def playing(
    *hands: str,
    cauldron: str = "",
    mages: str = "",
    draw: str = "",
    secret: str = "slime slime slime",
    piles: Sequence[str] = (),
    options: Options | None = None,
    active: int = 0,
    estueux: int | None = 0,
    last: int | None = 0,
    **fields: Any,
) -> State:
    """Answer a turn in round 1 with these hands and this cauldron, after the first capture."""
    seats = len(hands)
    named: list[Any] = mages.split()
    others = [mage for mage in MAGES if mage not in named]
    by_seat: list[Mage] = [*named, *others][:seats]
    state = changed(
        initial(seats, (options or Options()).settled(seats)),
        mages=tuple(by_seat),
        spent=tuple(mage not in named for mage in by_seat),
        round=1,
        ordome=A,
        active=Seat(active),
        hands=tuple(in_deck_order("standard", cards(hand)) for hand in hands),
        visible=laid(cauldron),
        draw_pile=cards(draw),
        secret=cards(secret),
        piles=tuple(cards(pile) for pile in piles) or ((),) * seats,
        estueux=None if estueux is None else Seat(estueux),
        last_capturer=None if last is None else Seat(last),
    )
    return changed(state, **fields)


def dealt(seats: int = 2, dice: Dice | None = None, **options: Any) -> State:
    """Answer a game whose first round lies on the table."""
    first = initial(seats, Options(**options).settled(seats))
    return reduce(GAME.evolve, start(first, dice or scripted()), first)


def play(state: State, *moves: tuple[int, Command], dice: Dice | None = None) -> Given:
    """Let the seats do these things one after the other."""
    position = given(GAME, state)
    for seat, move in moves:
        position = position.when(seat, move, dice).then()
    return position


def all_pass(state: State) -> Given:
    """Let everybody the table waits for pass, until the window is closed."""
    position = given(GAME, state)
    while position.state.phase == "reaction":
        position = position.when(GAME.to_move(position.state)[0], PASS).then()
    return position


def everything(state: State) -> Counter[Card]:
    """Count the cards of every zone."""
    zones = (*state.hands, state.draw_pile, state.secret, *state.piles, state.removed)
    found = Counter(each for zone in zones for each in zone)
    found.update(each.card for each in state.visible)
    if state.pending is not None and state.pending.card is not None:
        found[state.pending.card] += 1
    return found


def held_by(state: State) -> int:
    """Count every card of every zone."""
    return everything(state).total()


def kinds(state: State, seat: int, command: Command) -> list[type]:
    """Answer which kinds of events a command leads to, in order."""
    return [type(event) for event in given(GAME, state).when(seat, command).events()]
