"""A tree of processes is kept running, stopped in order, and never left behind."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest

from service.supervise.child import Part, Process, command
from service.supervise.refusal import CannotServe
from service.supervise.signals import Signals
from service.supervise.tree import BAD_SETUP, GaveUp, Tree

WRITES = """
import os, signal, sys, time
name, log = sys.argv[1:]
def write(what):
    with open(log, "a") as file:
        file.write(f"{name} {what} {os.getpid()}\\n")
def stop(*_):
    write("stopped")
    os._exit(0)
signal.signal(signal.SIGTERM, stop)
signal.signal(signal.SIGINT, stop)
write("started")
while True:
    signal.pause()
"""


# A shell starts with SIGINT ignored what it starts in the background, and so do we then.
ASK = signal.SIGTERM if signal.getsignal(signal.SIGINT) is signal.SIG_IGN else signal.SIGINT


def writing(name: str, log: Path, grace: float = 60) -> Part:
    spawn = command(sys.executable, "-S", "-c", WRITES, name, str(log))
    return Part(name=name, spawn=spawn, grace=grace)


def stubborn(log: Path, grace: float) -> Part:
    """Make a part that nobody asks to stop."""
    return replace(writing("stubborn", log, grace), ask=lambda process: None)


def ending(code: str) -> Part:
    return Part(name="part", spawn=command(sys.executable, "-S", "-c", code))


def lines(log: Path) -> list[list[str]]:
    return [line.split() for line in log.read_text().splitlines()] if log.exists() else []


def pids(log: Path, name: str) -> list[int]:
    return [int(pid) for who, what, pid in lines(log) if (who, what) == (name, "started")]


def until(holds: Callable[[], bool], seconds: float = 60) -> None:
    deadline = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < deadline, "it never came true"
        time.sleep(0.01)


@pytest.fixture
def log(tmp_path: Path) -> Path:
    return tmp_path / "log"


@pytest.fixture
def tree() -> Iterator[Tree]:
    with Signals() as signals:
        tree = Tree(signals)
        yield tree
        signals.asked_to_stop += 2
        tree.stop()


def test_what_dies_is_started_again(tree: Tree, log: Path) -> None:
    tree.start(writing("api", log))
    assert tree.wait_until(lambda: len(pids(log, "api")) == 1, 60, "it")
    os.kill(pids(log, "api")[0], signal.SIGKILL)
    assert tree.wait_until(lambda: len(pids(log, "api")) == 2, 60, "it")


def test_what_dies_at_once_is_started_ever_more_slowly(tree: Tree) -> None:
    times: list[float] = []
    part = ending("")

    def spawn(inherited: tuple[int, ...]) -> Process:
        times.append(time.monotonic())
        return part.spawn(inherited)

    tree.start(replace(part, spawn=spawn))
    assert tree.wait_until(lambda: len(times) >= 5, 100, "it")
    # How long a process takes to start and end comes on top.
    pauses = [later - earlier for earlier, later in pairwise(times[:5])]
    assert all(pause >= 0.1 * 2**at for at, pause in enumerate(pauses)), pauses


def test_what_cannot_be_started_again_is_tried_until_it_can(
    tree: Tree, log: Path, caplog: pytest.LogCaptureFixture
) -> None:
    part = writing("store", log)
    attempts: list[int] = []

    def spawn(inherited: tuple[int, ...]) -> Process:
        attempts.append(len(attempts))
        if attempts[-1] in (1, 2):
            raise CannotServe(f"Attempt {attempts[-1]} fails.")
        return part.spawn(inherited)

    tree.start(replace(part, spawn=spawn))
    assert tree.wait_until(lambda: len(pids(log, "store")) == 1, 60, "it")
    os.kill(pids(log, "store")[0], signal.SIGKILL)
    assert tree.wait_until(lambda: len(pids(log, "store")) == 2, 60, "it")
    assert [each.message for each in caplog.records if "fails" in each.message] == [
        "Attempt 1 fails.",
        "Attempt 2 fails.",
    ]


def test_what_cannot_be_started_at_first_ends_the_start(tree: Tree, log: Path) -> None:
    def spawn(inherited: tuple[int, ...]) -> Process:
        raise CannotServe("No.")

    with pytest.raises(CannotServe, match=r"^No\.$"):
        tree.start(Part(name="store", spawn=spawn))


def test_a_bad_setup_ends_the_start(tree: Tree) -> None:
    tree.start(ending(f"raise SystemExit({BAD_SETUP})"))
    with pytest.raises(GaveUp) as told:
        tree.wait_until(lambda: False, 60, "it")
    assert (told.value.sentence, told.value.code) == (None, BAD_SETUP)


def test_a_start_that_takes_too_long_is_told(tree: Tree, log: Path) -> None:
    tree.start(writing("api", log))
    with pytest.raises(GaveUp) as told:
        tree.wait_until(lambda: False, 0.1, "The server")
    assert told.value.sentence == "The server is not ready after 0 s."


def test_stages_stop_in_order_each_after_the_one_before(log: Path) -> None:
    with Signals() as signals:
        tree = Tree(signals)
        names = ("store", "api", "follower", "jobs")
        tree.start(*(writing(name, log) for name in names))
        assert tree.wait_until(lambda: len(lines(log)) == 4, 60, "they")
        os.kill(os.getpid(), signal.SIGTERM)
        tree.keep()
        tree.stop(["api"], ["follower", "jobs"])
    stopped = [who for who, what, _ in lines(log) if what == "stopped"]
    assert stopped[0] == "api"
    assert sorted(stopped[1:3]) == ["follower", "jobs"]
    assert stopped[3] == "store"


def test_what_does_not_stop_in_its_time_is_killed(
    log: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with Signals() as signals:
        tree = Tree(signals)
        tree.start(stubborn(log, 0.1))
        assert tree.wait_until(lambda: len(lines(log)) == 1, 60, "it")
        tree.stop()
    assert [what for _, what, _ in lines(log)] == ["started"]
    assert "The stubborn does not stop, so it is killed." in caplog.messages


def test_asking_twice_leaves_nobody_time(log: Path) -> None:
    with Signals() as signals:
        tree = Tree(signals)
        tree.start(stubborn(log, 60))
        assert tree.wait_until(lambda: len(lines(log)) == 1, 60, "it")
        for times in (1, 2):
            os.kill(os.getpid(), ASK)
            # Of two that wait at the same time, one is dropped.
            until(lambda: signals.asked_to_stop == times)  # noqa: B023 - asked at once
        begun = time.monotonic()
        tree.stop()
        assert time.monotonic() - begun < 30


SUPERVISES = """
import sys
from pathlib import Path
from service.supervise.claim import claim
from service.supervise.signals import Signals
from service.supervise.tree import Tree
from tests.service.supervise.test_tree import writing
log = Path(sys.argv[1])
with Signals() as signals, claim(log.parent / "var") as held:
    tree = Tree(signals, held)
    tree.start(writing("store", log), writing("api", log))
    tree.keep()
    tree.stop(["api"], ["store"])
"""


def supervise(log: Path) -> "subprocess.Popen[bytes]":
    """Start a supervisor that hears SIGINT, even if these tests run where nobody does."""
    return subprocess.Popen(
        [sys.executable, "-c", SUPERVISES, str(log)],
        start_new_session=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )


def ended(pid: int) -> bool:
    """Say whether a process is gone, or only waits to be buried."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except (FileNotFoundError, ProcessLookupError):
        return True


def test_an_interrupt_of_the_whole_group_still_stops_in_order(log: Path) -> None:
    """As Ctrl-C does; of SIGTERM to everybody at once each makes its own end."""
    with supervise(log) as supervisor:
        until(lambda: len(lines(log)) == 2)
        os.killpg(supervisor.pid, signal.SIGINT)
        assert supervisor.wait(timeout=60) == 0
    assert [who for who, what, _ in lines(log) if what == "stopped"] == ["api", "store"]


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux ties a child to its parent")
def test_the_children_of_a_killed_supervisor_die_with_it(log: Path) -> None:
    with supervise(log) as supervisor:
        until(lambda: len(lines(log)) == 2)
        supervisor.kill()
    children = pids(log, "store") + pids(log, "api")
    until(lambda: all(ended(child) for child in children))


def test_after_a_kill_the_next_supervisor_starts_afresh(log: Path) -> None:
    with supervise(log) as killed:
        until(lambda: len(lines(log)) == 2)
        killed.kill()
    with supervise(log) as supervisor:
        until(lambda: len(lines(log)) == 4)
        supervisor.terminate()
        assert supervisor.wait(timeout=60) == 0


def test_a_supervisor_that_waits_uses_no_time(log: Path) -> None:
    with supervise(log) as supervisor:
        until(lambda: len(lines(log)) == 2)
        # It may have to come to its rest first: whoever never rests uses time in every half second.
        until(lambda: used_in_half_a_second(supervisor.pid) <= 1)
        supervisor.terminate()


def used_in_half_a_second(pid: int) -> int:
    before = cpu_ticks(pid)
    time.sleep(0.5)
    return cpu_ticks(pid) - before


def cpu_ticks(pid: int) -> int:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return int(fields[11]) + int(fields[12])
