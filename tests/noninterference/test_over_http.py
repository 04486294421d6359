"""Whatever a server tells of a table, it tells of every table that its reader cannot tell from it.

The short form reads some tables of each game. ``NONINTERFERENCE=200`` plays so many rounds of each
game and prints how much was compared.
"""

import os
from typing import Final

import pytest

from domain.catalogue import games
from domain.game import AnyGame
from tests.noninterference.rounds import alike, play
from tests.noninterference.worlds import Tally

ROUNDS: Final = int(os.environ.get("NONINTERFERENCE", "1"))

EVERY: Final = 23
"""One in so many positions of a game becomes a table."""
MOST: Final = 100 if ROUNDS > 1 else 2
"""How many tables a round has at most."""


@pytest.mark.timeout(60 + 900 * ROUNDS)
@pytest.mark.parametrize("game", [pytest.param(each, id=name) for name, each in games().items()])
def test_no_byte_of_any_answer_depends_on_hidden_cards(game: AnyGame) -> None:
    tally, positions, tables = Tally(), 0, 0
    for number in range(ROUNDS):
        with alike(tally) as worlds:
            done = play(worlds, game, f"http {number}", EVERY, MOST)
        positions += done.positions
        tables += len(done.tables)
        told = f"round {number + 1}: {tables} pairs of tables, {positions} positions"
        print(f"\n{game.name}, {told}, {tally.summary}", end="", flush=True)
    assert positions >= 3 * ROUNDS
    print(f"\n{tally}")
