"""A round: tables of a game in two worlds, driven alike and read by all who may read them."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from typing import Any, Final

import pytest

from domain.dice import Dice, seeded
from domain.game import AnyGame
from tests.noninterference.channels import Watched, deliveries, subscribe
from tests.noninterference.fate import Fate
from tests.noninterference.positions import Pair, begun, on, pairs
from tests.noninterference.worlds import Tally, Worlds

STEPS: Final = 6
"""How many commands a table is driven at most."""

TRIED: Final = 6
"""How many commands are tried at each position that must not count."""


@dataclass
class Round:
    """The tables of one game in two worlds; ``positions`` counts those that were looked at."""

    worlds: Worlds
    tables: list[Watched]
    positions: int = 0


@contextmanager
def alike(
    tally: Tally, patches: Callable[[pytest.MonkeyPatch], None] = lambda _: None
) -> Iterator[Worlds]:
    """Make two worlds of one fate, in which something may be patched."""
    with pytest.MonkeyPatch.context() as patch:
        fate = Fate()
        fate.install(patch.setattr)
        patches(patch)
        yield Worlds(fate, tally)


def play(worlds: Worlds, game: AnyGame, seed: str, every: int, most: int = 100) -> Round:
    """Deal a table anew and open one at every so many-th position; drive them and read all.

    There are ``most`` tables at most.
    """
    stranger = worlds.guest("Stranger")
    done = Round(worlds, [])
    dice = seeded(f"round {game.name} {seed}")
    hooked = []
    for pair, table in islice(opened(worlds, game, seed, every), most):
        watched = Watched(worlds, table, pair, stranger)
        done.tables.append(watched)
        hooked.append(subscribe(worlds, watched))
        drive(watched, dice, done)
    done.tables[dice.pick(len(done.tables))].lists()
    for watched, made in zip(done.tables, hooked, strict=True):
        deliveries(worlds, made)
        for reader in watched.some(dice):
            watched.fork(reader, dice)
    done.tables[-1].operator()
    return done


def opened(worlds: Worlds, game: AnyGame, seed: str, every: int) -> Iterator[tuple[Pair, str]]:
    """Answer tables and how they stand."""
    went = begun(game, seed)
    yield went.after, worlds.deal(went)
    for pair in pairs(game, seed, every):
        yield pair, worlds.seat(pair)


def drive(watched: Watched, dice: Dice, done: Round) -> None:
    """Look at a table, try what does not count, and go on, as often as both sides can."""
    commands = watched.commands()
    for number in range(STEPS):
        done.positions += 1
        watched.others_look()
        for reader in watched.some(dice):
            watched.look(reader, dice)
        watched.refused(tried(commands, dice))
        watched.bots()
        step = on(watched.pair, dice)
        if step is None:
            break
        watched.send(step, f"move-{number}")
    for reader in watched.some(dice):
        watched.look(reader, dice)
        watched.read_back(reader)


def tried(commands: tuple[Any, ...], dice: Dice) -> list[Any]:
    """Pick some commands to try."""
    return [commands[dice.pick(len(commands))] for _ in range(TRIED)]
