"""Whole tables of every game, small and large, played over HTTP by bots of both kinds."""

from pathlib import Path

import pytest

from domain.catalogue import games
from domain.game import AnyGame
from tests.e2e.server import abraxas, serving

pytestmark = pytest.mark.e2e


@pytest.mark.parametrize("game", games().values(), ids=lambda game: game.name)
def test_bots_play_whole_tables_and_every_view_is_the_fold_of_its_stream(
    tmp_path: Path, game: AnyGame
) -> None:
    sizes = sorted({game.seats[0], game.seats[len(game.seats) // 2], game.seats[-1]})
    with serving(tmp_path / "var") as server:
        for seats in sizes:
            for where in ("--server-bots", "--levels=greedy"):
                words = ("simulate", game.name, f"--seats={seats}", "--tables=1", where)
                ran = abraxas(*words, "--url", server.url)
                assert (ran.returncode, ran.stderr) == (0, "")
                assert ran.stdout.startswith(f"1 tables of {game.name} with {seats} seats: ")
        examined = abraxas("doctor", "--data", str(server.data))
        assert (examined.returncode, examined.stderr) == (0, "")
        assert f"{2 * len(sizes)} tables compared with their histories." in examined.stdout
