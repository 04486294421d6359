"""What the command refuses is told in one sentence, with exit code 2."""

import socket
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from events.servers.embedded import Embedded, start
from service.__main__ import main
from tests.e2e.server import PATIENCE


def run(*words: str, **environ: str) -> Result:
    return CliRunner().invoke(main, words, env=environ, prog_name="abraxas")


@pytest.fixture
def taken() -> Iterator[int]:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        yield listener.getsockname()[1]


def assert_refused(result: Result, sentence: str) -> None:
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == f"abraxas: {sentence}\n"


@pytest.mark.parametrize("name", ["serve", "api", "worker", "settings", "doctor"])
def test_a_bad_setting(name: str) -> None:
    assert_refused(
        run(name, ABRAXAS_LIMITS="no"), "ABRAXAS_LIMITS must be one of on, off, not 'no'."
    )


def test_serving_on_a_taken_port(tmp_path: Path, taken: int) -> None:
    assert_refused(
        run("serve", "--port", str(taken), "--data", str(tmp_path)),
        f"Port {taken} is taken: choose another one with --port.",
    )


def test_serving_from_a_folder_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    assert_refused(
        run("serve", "--data", str(tmp_path / "file" / "var")),
        f"The data folder {tmp_path}/file/var cannot be written to: Not a directory.",
    )


def test_serving_with_a_store_that_does_not_answer(tmp_path: Path) -> None:
    assert_refused(
        run("serve", "--port=0", "--data", str(tmp_path), REDIS_URL="redis://me:pw@127.0.0.1:1/0"),
        "The store at redis://me:***@127.0.0.1:1/0 does not answer: Connection refused.",
    )


@pytest.mark.parametrize("name", ["api", "worker", "doctor"])
def test_a_part_without_a_store(name: str, tmp_path: Path) -> None:
    assert_refused(
        run(name, ABRAXAS_DATA=str(tmp_path)),
        "REDIS_URL is not set, and abraxas serve, which brings its own store, does not run on the"
        f" data folder {tmp_path}.",
    )


@pytest.fixture(scope="module")
def forgetful(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Embedded]:
    from events.servers.connection import connect

    with start(tmp_path_factory.mktemp("store")) as store:
        with connect(store.url, timeout=PATIENCE) as client:
            client.config_set("appendfsync", "everysec")
        yield store


@pytest.mark.parametrize("words", [("serve", "--port=0"), ("api", "--port=0"), ("worker",)])
def test_a_store_that_could_lose_moves(
    words: tuple[str, ...], forgetful: Embedded, tmp_path: Path
) -> None:
    result = run(*words, REDIS_URL=forgetful.url, ABRAXAS_DATA=str(tmp_path))
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith("abraxas: The store could lose acknowledged moves: ")
    assert "appendfsync everysec" in result.stderr
    assert result.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("nothing", "--seats=2"), "There is no game called nothing; there are "),
        (("potage_sauvage", "--seats=6"), "potage_sauvage has 2 to 5 seats, not 6."),
        (
            ("potage_sauvage", "--seats=2", "--levels=clever"),
            "There is no bot 'clever'; there are greedy, random.",
        ),
        (("potage_sauvage", "--seats=2", "--url=here"), "here is no address of a server"),
        (
            ("potage_sauvage", "--seats=2", "--url=http://127.0.0.1:1"),
            "Nothing answers at http://127.0.0.1:1 (connection refused).",
        ),
    ],
)
def test_a_simulation_that_cannot_be(words: tuple[str, ...], sentence: str) -> None:
    result = run("simulate", *words)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith(f"abraxas: {sentence}")
    assert result.stderr.count("\n") == 1


def test_a_command_that_is_none() -> None:
    result = run("fly")
    assert result.exit_code == 2
    assert "No such command 'fly'" in result.stderr
