"""abraxas rebuild: says what it did, and refuses in one sentence."""

from pathlib import Path

from click.testing import CliRunner, Result

from events import keys
from events.servers.connection import connect
from events.servers.embedded import start
from events.store import EventStore
from service.__main__ import main
from tests.e2e.server import PATIENCE
from tests.events.tables import sitting
from workers.projections import tables


def run(*words: object, **environ: str) -> Result:
    return CliRunner().invoke(main, [str(word) for word in words], env=environ)


def test_an_unknown_projection() -> None:
    result = run("rebuild", "moon")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == (
        "abraxas: There is no projection moon; there are keyframes, lobby, players, tables.\n"
    )


def test_a_rebuild_and_one_that_meets_a_broken_history(tmp_path: Path) -> None:
    with start(tmp_path) as store, connect(store.url, timeout=PATIENCE) as client:
        sitting(EventStore(client), "one").steps(3)
        result = run("rebuild", "tables", "--keep=0", "--data", tmp_path)
        assert result.exit_code == 0, result.output
        assert result.stdout == (
            "Switched; the old one is kept for 0 s.\n"
            "Rebuilt tables from 1 tables (0 lists), 1 of them compared.\n"
        )
        assert client.hexists(tables.document("one"), "s")

        client.xdel(keys.events("one"), "4-0")
        result = run("rebuild", "tables", "--keep=0", "--data", tmp_path)
        assert (result.exit_code, result.stdout) == (2, "")
        assert result.stderr == (
            "abraxas: tables cannot be drawn at event 5 of table one: BrokenHistory.\n"
        )
