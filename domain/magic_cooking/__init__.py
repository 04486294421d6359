"""Magic Cooking: mages take tricks out of a cauldron, and six spells bend the rules."""

from domain.game import Game
from domain.magic_cooking.bot import BOTS
from domain.magic_cooking.cards import deck_cards
from domain.magic_cooking.catalogue import TEXTS, cards
from domain.magic_cooking.commands import COMMANDS, Command
from domain.magic_cooking.decide import decide
from domain.magic_cooking.events import EVENTS, Event
from domain.magic_cooking.evolve import evolve
from domain.magic_cooking.moves import fallback, moves
from domain.magic_cooking.options import Options
from domain.magic_cooking.reshuffle import reshuffle
from domain.magic_cooking.rounds import start
from domain.magic_cooking.state import State, initial
from domain.magic_cooking.view import is_over, result, view
from domain.magic_cooking.windows import waiting_for

__all__ = ["GAME"]

GAME: Game[State, Options, Command, Event] = Game(
    name="magic_cooking",
    rules=1,
    seats=range(2, 7),
    options=Options,
    commands=COMMANDS,
    events=EVENTS,
    initial=initial,
    start=start,
    decide=decide,
    evolve=evolve,
    moves=moves,
    to_move=waiting_for,
    fallback=fallback,
    view=view,
    reshuffle=reshuffle,
    is_over=is_over,
    result=result,
    deck=lambda options: deck_cards(options.deck),
    cards=cards,
    bots=BOTS,
    texts=TEXTS,
    upcasts={},
)
