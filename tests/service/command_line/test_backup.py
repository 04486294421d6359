"""abraxas backup and restore: one file, to an empty store, refused in one sentence otherwise."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from events import keys
from events.servers.connection import connect
from events.servers.embedded import Embedded, start
from events.store import EventStore
from service.__main__ import main
from service.supervise.claim import claim
from tests.e2e.server import PATIENCE
from tests.events.tables import sitting


def run(*words: object, **environ: str) -> Result:
    return CliRunner().invoke(main, [str(word) for word in words], env=environ)


def refused(result: Result, sentence: str) -> None:
    assert (result.exit_code, result.stdout, result.stderr) == (2, "", f"abraxas: {sentence}\n")


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("data")


@pytest.fixture(scope="module")
def running(data: Path) -> Iterator[Embedded]:
    """Run a store with two tables."""
    with start(data) as embedded:
        with connect(embedded.url, timeout=PATIENCE) as client:
            for table in ("one", "two"):
                sitting(EventStore(client), table).steps(5)
        yield embedded


@pytest.fixture(scope="module")
def saved(running: Embedded, data: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("backups")
    result = run("backup", folder, "--data", data)
    assert result.exit_code == 0, result.output
    (file,) = folder.iterdir()
    assert result.stdout.startswith(f"{file} (")
    return file


def test_a_backup_is_named_by_its_time_and_for_its_owner_alone(saved: Path) -> None:
    assert saved.name.startswith("abraxas-20")
    assert saved.name.endswith("Z.jsonl.zst")
    assert saved.stat().st_mode & 0o777 == 0o600


def test_a_file_or_a_link_that_lies_in_the_way_gets_nothing(
    running: Embedded, data: Path, tmp_path: Path
) -> None:
    open_to_all, elsewhere = tmp_path / ".one.part", tmp_path / "elsewhere"
    open_to_all.touch(0o666)
    open_to_all.chmod(0o666)
    (tmp_path / ".two.part").symlink_to(elsewhere)
    for name in ("one", "two"):
        assert run("backup", tmp_path / name, "--data", data).exit_code == 0
        assert (tmp_path / name).stat().st_mode & 0o777 == 0o600
        assert not (tmp_path / name).is_symlink()
    assert not elsewhere.exists()


def test_a_folder_that_is_not_there_is_made_where_a_slash_says_so(
    running: Embedded, data: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "new"
    assert run("backup", f"{folder}/", "--data", data).exit_code == 0
    assert folder.stat().st_mode & 0o777 == 0o700
    assert len([*folder.iterdir()]) == 1
    far = f"{tmp_path}/far/away/"
    refused(run("backup", far, "--data", data), f"{far} cannot be made: No such file or directory.")


def test_a_backup_is_restored_into_the_store_of_a_new_folder(
    saved: Path, running: Embedded, tmp_path: Path
) -> None:
    result = run("restore", saved, "--data", tmp_path)
    assert result.exit_code == 0, result.output
    assert result.stdout.startswith("Restored 2 tables with ")
    assert result.stdout.endswith("every chain was verified.\n")
    with (
        start(tmp_path) as there,
        connect(there.url, timeout=PATIENCE) as new,
        connect(running.url, timeout=PATIENCE) as old,
    ):
        for table in ("one", "two"):
            events = EventStore(old).read(table)
            assert len(events) > 5
            assert EventStore(new).read(table) == events
        assert not new.exists(keys.restoring())


def test_a_restore_into_a_store_that_holds_something(saved: Path, running: Embedded) -> None:
    refused(
        run("restore", saved, REDIS_URL=running.url),
        "The store is not empty: a backup is restored into an empty one only.",
    )


def test_a_restore_into_the_folder_of_a_server_that_runs(saved: Path, tmp_path: Path) -> None:
    with claim(tmp_path):
        refused(
            run("restore", saved, "--data", tmp_path),
            f"Another server runs on the data folder {tmp_path}.",
        )


def test_a_backup_never_replaces_another(saved: Path, data: Path) -> None:
    before = saved.read_bytes()
    refused(
        run("backup", saved, "--data", data),
        f"{saved} is there already: a backup never replaces another.",
    )
    assert saved.read_bytes() == before


def test_a_backup_that_cannot_be_written(running: Embedded, tmp_path: Path) -> None:
    file = tmp_path / "nowhere" / "file"
    refused(
        run("backup", file, REDIS_URL=running.url),
        f"{file} cannot be written: No such file or directory.",
    )


@pytest.mark.parametrize(
    ("spoil", "wrong"),
    [
        (lambda whole: b"", "It is "),
        (lambda whole: b"no backup", "It is damaged ("),
        (lambda whole: whole[: len(whole) // 2], "It is "),
        (lambda whole: whole[:-9] + b"!" + whole[-8:], "It is damaged ("),
    ],
)
def test_a_file_that_is_no_whole_backup(
    saved: Path, tmp_path: Path, spoil: object, wrong: str
) -> None:
    assert callable(spoil)
    file = tmp_path / "spoilt"
    file.write_bytes(spoil(saved.read_bytes()))
    result = run("restore", file, "--data", tmp_path / "new")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith(f"abraxas: {file} is no backup that can be restored: {wrong}")
    assert result.stderr.count("\n") == 1
    assert not (tmp_path / "new").exists(), "nothing was started for it"


def test_a_damaged_table_is_told_and_left_out(tmp_path: Path) -> None:
    with start(tmp_path / "data") as store, connect(store.url, timeout=PATIENCE) as client:
        for table in ("whole", "broken"):
            sitting(EventStore(client), table).steps(2)
        client.xdel(keys.events("broken"), "2-0")
        result = run("backup", tmp_path / "file", REDIS_URL=store.url)
    assert result.exit_code == 1
    assert result.stderr.startswith("LEFT OUT  Table broken is damaged (BrokenHistory: ")
    assert run("restore", tmp_path / "file", "--data", tmp_path / "new").exit_code == 0


def test_a_backup_without_a_store(tmp_path: Path) -> None:
    refused(
        run("backup", tmp_path / "file", "--data", tmp_path),
        "REDIS_URL is not set, and abraxas serve, which brings its own store, does not run on the"
        f" data folder {tmp_path}.",
    )
    assert not (tmp_path / "file").exists()
