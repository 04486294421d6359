"""Whole tables of every game, small and large, played over HTTP by bots of both kinds."""

import os
from collections.abc import Iterator

import pytest

from domain.catalogue import games
from domain.game import AnyGame
from tests.e2e.server import Server, abraxas, serving

pytestmark = pytest.mark.e2e

EVERY_SIZE = "CHAOS_TABLES" in os.environ
"""Play tables of a size in between, too."""


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Server, list[int]]]:
    """Run one server for this file; answer it, and the sizes of the tables played on it."""
    with serving(tmp_path_factory.mktemp("played") / "var") as server:
        yield server, []


@pytest.mark.parametrize("game", games().values(), ids=lambda game: game.name)
def test_bots_play_whole_tables_and_every_view_is_the_fold_of_its_stream(
    served: tuple[Server, list[int]], game: AnyGame
) -> None:
    server, played = served
    between = [game.seats[len(game.seats) // 2]] if EVERY_SIZE else []
    for seats in sorted({game.seats[0], *between, game.seats[-1]}):
        for where in ("--server-bots", "--levels=greedy"):
            words = ("simulate", game.name, f"--seats={seats}", "--tables=1", where)
            ran = abraxas(*words, "--url", server.url)
            assert (ran.returncode, ran.stderr) == (0, "")
            assert ran.stdout.startswith(f"1 tables of {game.name} with {seats} seats: ")
            played.append(seats)
    examined = abraxas("doctor", "--data", str(server.data))
    assert (examined.returncode, examined.stderr) == (0, "")
    assert f"{len(played)} tables compared with their histories." in examined.stdout
