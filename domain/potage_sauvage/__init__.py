"""Potage Sauvage: a soup of insects, vegetables and fruits, cooked in five deals."""

from domain.game import Game, random_bot
from domain.potage_sauvage.bot import greedy
from domain.potage_sauvage.catalogue import TEXTS, cards, deck
from domain.potage_sauvage.commands import ChooseRecipe, Command, PlayCard
from domain.potage_sauvage.decide import decide, start
from domain.potage_sauvage.events import EVENTS, Event
from domain.potage_sauvage.evolve import evolve
from domain.potage_sauvage.moves import fallback, moves, to_move
from domain.potage_sauvage.options import Options
from domain.potage_sauvage.reshuffle import reshuffle
from domain.potage_sauvage.state import State, initial
from domain.potage_sauvage.view import is_over, result, view

__all__ = ["GAME"]

GAME: Game[State, Options, Command, Event] = Game(
    name="potage_sauvage",
    rules=1,
    seats=range(2, 6),
    options=Options,
    commands=(ChooseRecipe, PlayCard),
    events=EVENTS,
    initial=initial,
    start=start,
    decide=decide,
    evolve=evolve,
    moves=moves,
    to_move=to_move,
    fallback=fallback,
    view=view,
    reshuffle=reshuffle,
    is_over=is_over,
    result=result,
    deck=deck,
    cards=cards,
    bots={"random": random_bot, "greedy": greedy},
    texts=TEXTS,
    upcasts={},
)
