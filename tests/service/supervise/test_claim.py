"""A data folder belongs to one server, and to the last child of a killed one."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from service.supervise.claim import claim
from service.supervise.refusal import CannotServe
from tests.e2e.server import PATIENCE

WAITS_FOR_EVER = [sys.executable, "-S", "-c", "import sys; sys.stdin.read()"]
DEAF = [
    *WAITS_FOR_EVER[:-1],
    "import signal, sys; signal.signal(signal.SIGTERM, signal.SIG_IGN); print('deaf', flush=True);"
    + WAITS_FOR_EVER[-1],
]


def leave_behind(data: Path, command: list[str]) -> "subprocess.Popen[str]":
    """Start a child under a claim that ends while the child goes on, as after a kill -9."""
    with claim(data) as held:
        child = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            pass_fds=(held.descriptor,),
            text=True,
        )
        held.note([child.pid])
    return child


def test_a_second_server_is_refused(tmp_path: Path) -> None:
    told = r"^Another server runs on the data folder .*var\.$"
    with claim(tmp_path / "var"), pytest.raises(CannotServe, match=told), claim(tmp_path / "var"):
        pytest.fail("both hold the folder")
    with claim(tmp_path / "var"):
        pass


def test_a_folder_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    told = r"^The data folder .*file/var cannot be written to: "
    with pytest.raises(CannotServe, match=told), claim(tmp_path / "file" / "var"):
        pytest.fail("a folder in a file")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_may_not_be_written_is_told(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    with pytest.raises(CannotServe, match="cannot be written to"), claim(tmp_path):
        pytest.fail("a folder without the right to write")


def test_leftovers_that_stop_by_themselves_are_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # A tenth of it is all the time that they have: too little on a busy machine.
    monkeypatch.setattr("service.supervise.claim._PATIENCE", 10 * PATIENCE)
    with leave_behind(tmp_path, WAITS_FOR_EVER) as child:
        assert child.stdin
        child.stdin.close()
        with claim(tmp_path):
            assert child.wait(timeout=PATIENCE) == 0


@pytest.mark.parametrize("command", [WAITS_FOR_EVER, DEAF])
def test_leftovers_are_ended(
    tmp_path: Path, command: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("service.supervise.claim._PATIENCE", 4.0)
    with leave_behind(tmp_path, command) as child:
        if command is DEAF:
            assert child.stdout
            assert child.stdout.readline() == "deaf\n"
        with claim(tmp_path):
            assert child.wait(timeout=PATIENCE) < 0


def test_a_stranger_with_a_leftover_number_is_not_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("service.supervise.claim._PATIENCE", 0.5)
    with claim(tmp_path) as held:
        kept = os.dup(held.descriptor)
        stranger = subprocess.Popen(WAITS_FOR_EVER, stdin=subprocess.PIPE, process_group=0)
        held.note([stranger.pid])
    told = "Processes of an earlier server still hold"
    with stranger, pytest.raises(CannotServe, match=told), claim(tmp_path):
        pytest.fail("the folder is still held")
    os.close(kept)
    assert stranger.returncode == 0
