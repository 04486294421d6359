"""One sitting: who sits where, the game they play, and how it ends; a decider around any game."""

from domain.decider import Decider
from domain.table.commands import Command
from domain.table.decide import Chance, decide
from domain.table.events import Event
from domain.table.evolve import evolve
from domain.table.state import NOWHERE, Table
from domain.texts import Texts, read_texts

TABLE: Decider[Table, Command, Event, Chance] = Decider(NOWHERE, decide, evolve)
TABLE_TEXTS: Texts = read_texts(__package__)
