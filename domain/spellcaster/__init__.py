"""Spellcaster: two sides of mages duel with sixty spells for energy and sapphires."""

from domain.game import Game
from domain.spellcaster.bot import look_ahead, random_move
from domain.spellcaster.catalogue import cards
from domain.spellcaster.commands import COMMANDS, Command
from domain.spellcaster.decide import decide, start
from domain.spellcaster.decks import DECKS
from domain.spellcaster.events import EVENTS, Event
from domain.spellcaster.evolve import evolve
from domain.spellcaster.moves import fallback, moves, to_move
from domain.spellcaster.reshuffle import reshuffle
from domain.spellcaster.state import Options, State, first_state
from domain.spellcaster.view import is_over, result, view
from domain.spellcaster.words import TEXTS

__all__ = ["GAME"]

GAME: Game[State, Options, Command, Event] = Game(
    name="spellcaster",
    rules=1,
    seats=range(2, 5),
    options=Options,
    commands=COMMANDS,
    events=EVENTS,
    initial=first_state,
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
    deck=lambda options: DECKS[options.deck].cards,
    cards=cards,
    bots={"random": random_move, "greedy": look_ahead},
    texts=TEXTS,
    upcasts={},
)
