"""The embedded store: it starts, keeps what it acknowledged, and leaves nothing behind."""

import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from events.servers import embedded
from events.servers.connection import call, check_configuration, connect
from events.servers.embedded import EmbeddedFailed, launch, start, url
from tests.e2e.server import PATIENCE, until

HERE = Path(__file__).parents[3]


def answers(address: str) -> bool:
    return bool(call(connect(address, timeout=PATIENCE), ("PING",)) == [b"PONG"])


def test_it_keeps_what_was_written_for_the_next_start(tmp_path: Path) -> None:
    with start(tmp_path) as first:
        call(connect(first.url, timeout=PATIENCE), ("SET", "word", "kept"))
    assert first.process.poll() == 0
    with start(tmp_path) as second:
        assert call(connect(second.url, timeout=PATIENCE), ("GET", "word")) == [b"kept"]


def test_it_is_configured_to_lose_nothing(tmp_path: Path) -> None:
    with start(tmp_path) as running:
        check_configuration(connect(running.url, timeout=PATIENCE), "always")


def test_it_listens_on_a_private_socket_alone(tmp_path: Path) -> None:
    with start(tmp_path) as running:
        assert connect(running.url, timeout=PATIENCE).config_get("port") == {"port": "0"}
        assert running.url == url(tmp_path)
        assert (tmp_path / "store.sock").stat().st_mode & 0o777 == 0o700


@pytest.mark.parametrize(
    "name", ["with blank", "q'uote", 'double"quote', "é", "back\\slash", "%41#?"]
)
def test_any_folder_will_do(tmp_path: Path, name: str) -> None:
    with start(tmp_path / name) as running:
        assert answers(running.url)
        assert answers(url(tmp_path / name))


def test_a_long_path_puts_the_socket_in_a_short_temporary_folder(tmp_path: Path) -> None:
    data = tmp_path / ("long" * 20) / ("longer" * 20)
    with start(data) as running:
        assert answers(running.url)
        assert running.scratch is not None
        assert running.scratch.stat().st_mode & 0o777 == 0o700
        assert (data / "appendonlydir").is_dir()
    assert not running.scratch.exists()


def test_a_temporary_folder_of_somebody_else_is_not_used(tmp_path: Path) -> None:
    data = tmp_path / ("long" * 20) / ("longer" * 20)
    with start(data) as running:
        scratch = running.scratch
    assert scratch is not None
    scratch.mkdir(mode=0o755)
    try:
        with pytest.raises(EmbeddedFailed, match="not its own"):
            start(data)
    finally:
        shutil.rmtree(scratch)


def test_a_launched_one_answers_in_its_own_time(tmp_path: Path) -> None:
    running = launch(tmp_path)
    try:
        while not running.answers():
            assert running.process.poll() is None
    finally:
        running.stop()
    assert not running.answers()


def test_a_store_left_behind_is_ended_first(tmp_path: Path) -> None:
    with start(tmp_path) as left:
        call(connect(left.url, timeout=PATIENCE), ("SET", "word", "kept"))
        with start(tmp_path) as running:
            assert left.process.wait(PATIENCE) is not None
            assert call(connect(running.url, timeout=PATIENCE), ("GET", "word")) == [b"kept"]


def test_a_folder_that_is_not_given_up_is_told(tmp_path: Path) -> None:
    with start(tmp_path):
        (tmp_path / "store.pid").write_text("nobody")
        with pytest.raises(EmbeddedFailed, match="Another store keeps its data"):
            start(tmp_path, wait=0.1)


def test_it_ends_with_whoever_started_it(tmp_path: Path) -> None:
    program = (
        "import sys, time; from pathlib import Path; from events.servers.embedded import start\n"
        "print(start(Path(sys.argv[1])).process.pid, flush=True); time.sleep(60)"
    )
    parent = subprocess.Popen(
        [sys.executable, "-c", program, str(tmp_path)], stdout=subprocess.PIPE, text=True, cwd=HERE
    )
    assert parent.stdout is not None
    store = int(parent.stdout.readline())
    parent.kill()
    parent.wait()
    parent.stdout.close()
    with start(tmp_path) as running:
        assert answers(running.url)
        assert running.process.pid != store


def test_on_a_full_disk_no_key_that_runs_out_is_noted_down(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The disk may have no byte left for it, and a server that cannot write ends."""
    with start(tmp_path) as running:
        writing = connect(running.url, timeout=PATIENCE)
        call(writing, ("SET", "stays", "y"), ("SET", "runs out", "x", "PX", "300"))
    monkeypatch.setattr(embedded, "has_room", lambda _: False)
    with start(tmp_path) as running:
        (file,) = (tmp_path / "appendonlydir").glob("*.incr.aof")
        size = file.stat().st_size
        client = connect(running.url, timeout=PATIENCE)
        until(lambda: call(client, ("GET", "runs out"), ("GET", "stays")) == [None, b"y"], "gone")
        # Ten times a second a server looks for what has run out.
        later = client.info("server")["uptime_in_seconds"] + 2
        until(lambda: client.info("server")["uptime_in_seconds"] >= later, "it has looked")
        assert (client.dbsize(), file.stat().st_size) == (2, size)
        running.admit_writes(admitted=True)
        until(lambda: client.dbsize() == 1, "it is deleted once there is room")


def test_signals_to_the_whole_group_do_not_end_it_before_its_writers(tmp_path: Path) -> None:
    with start(tmp_path) as running:
        for each in (signal.SIGINT, signal.SIGTERM):
            running.process.send_signal(each)
        assert answers(running.url)
        running.ask_to_stop()
        assert running.process.wait(PATIENCE) == 0


def test_a_store_that_does_not_stop_is_killed(tmp_path: Path) -> None:
    running = start(tmp_path)
    running.process.send_signal(signal.SIGSTOP)
    running.stop(0.1)
    assert running.process.poll() == -signal.SIGKILL


def test_a_killed_store_may_be_stopped(tmp_path: Path) -> None:
    running = start(tmp_path)
    running.process.kill()
    running.process.wait()
    running.stop()


def test_a_folder_that_cannot_be_written_is_told_in_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    with pytest.raises(EmbeddedFailed) as failed:
        start(tmp_path / "file")
    assert str(failed.value).startswith("The embedded store cannot start: ")
    assert "\n" not in str(failed.value)


def test_a_store_that_ends_at_once_says_why(tmp_path: Path) -> None:
    with start(tmp_path) as running:
        call(connect(running.url, timeout=PATIENCE), ("SET", "word", "kept"))
    (log,) = (tmp_path / "appendonlydir").glob("*.incr.aof")
    log.write_bytes(b"damaged" + log.read_bytes())
    with pytest.raises(EmbeddedFailed, match="is damaged: what follows its first 0 of"):
        start(tmp_path)


def test_a_store_that_does_not_answer_in_time_is_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(embedded.Embedded, "answers", lambda _: False)
    with pytest.raises(EmbeddedFailed, match="does not answer"):
        start(tmp_path, wait=0.2)
    monkeypatch.undo()
    with start(tmp_path) as running:
        assert answers(running.url)
