"""What a generator of clients makes of openapi.yaml, without a hand edit, plays a move."""

import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
DOCUMENT = HERE.parents[2] / "openapi.yaml"

IMPORT_ALL = """
import importlib, pkgutil
import generic_abraxas
modules = [*pkgutil.walk_packages(generic_abraxas.__path__, "generic_abraxas.")]
for module in modules:
    importlib.import_module(module.name)
print(len(modules))
"""

PLAY = """
import sys
from generic_abraxas import AuthenticatedClient, Client
from generic_abraxas.api.players import create_player
from generic_abraxas.api.seats import send_command
from generic_abraxas.api.tables import get_table, open_table
from generic_abraxas.models import NewPlayer, NewTable, NewTableBots

url, game = sys.argv[1:]
guest = create_player.sync(client=Client(url), body=NewPlayer(name="Generic"))
client = AuthenticatedClient(url, token=guest.token)
wanted = NewTable(game=game, seats=2, bots=NewTableBots.from_dict({"1": "greedy"}))
table = open_table.sync(client=client, body=wanted).id
while 0 not in (view := get_table.sync(table, client=client)).to_move:
    pass
move = view.moves[0]
played = send_command.sync(table, client=client, body=move, idempotency_key="generic-1")
print(view.version, played.version)
"""


@pytest.fixture(scope="module")
def generated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("generated")
    command = [sys.executable, "-m", "openapi_python_client", "generate", "--fail-on-warning"]
    command += ["--path", str(DOCUMENT), "--config", str(HERE / "generator.yml")]
    ran = subprocess.run(
        [*command, "--output-path", str(folder), "--overwrite"],
        capture_output=True,
        text=True,
        timeout=500,
    )
    assert ran.returncode == 0, ran.stdout
    return folder


def run(folder: Path, program: str, *words: str) -> list[int]:
    ran = subprocess.run(
        [sys.executable, "-P", "-c", program, *words],
        env={"PYTHONPATH": str(folder)},
        capture_output=True,
        text=True,
        timeout=500,
    )
    assert ran.returncode == 0, ran.stderr
    return [int(number) for number in ran.stdout.split()]


@pytest.mark.e2e
def test_every_module_of_it_can_be_imported(generated: Path) -> None:
    (modules,) = run(generated, IMPORT_ALL)
    assert modules > 100


@pytest.mark.e2e
def test_it_plays_a_move(generated: Path, url: str, two_seats: str) -> None:
    before, after = run(generated, PLAY, url, two_seats)
    assert after > before
