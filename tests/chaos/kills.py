"""kill -9 of any process at random, under a torrent: ``python -m tests.chaos.kills --kills 1000``.

It goes on until there were so many kills and so many acknowledged commands, or until the minutes
are up, and then holds everything that was acknowledged against the store.
"""

import argparse
import os
import random
import signal
import sys
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Thread
from time import monotonic
from typing import Final

from abraxas_client import Client
from events.servers.embedded import url
from tests.chaos.torrent import Table, Torrent
from tests.e2e.ledger import Ledger
from tests.e2e.server import Server, abraxas, serving, until

PARTS: Final = ("store", "api", "api worker", "live", "follow", "jobs")
LISTENERS: Final = 2


@dataclass(slots=True)
class Listener:
    """Follows tables of a torrent on streams, and counts what it was told.

    A gap, a repeat or a disorder ends it; ``failed`` says why.
    """

    url: str
    torrent: Torrent
    number: int
    patience: float
    """Seconds for which it asks for a server that is away."""
    table: str = ""
    heard: int = 0
    """The last version of the table."""
    notices: int = 0
    failed: Exception | None = None
    _client: Client = field(init=False)

    def __post_init__(self) -> None:
        self._client = Client(self.url, timeout=20, patience=self.patience)
        Thread(target=self._run, daemon=True).start()

    def leave(self) -> None:
        """Ask for nothing more: other tests would hear it. What is under way ends by itself."""
        self._client.close()

    def _run(self) -> None:
        """Follow one table after another, each to its end."""
        try:
            self._client.sign_up()
            for at in range(self.number, 10**9, LISTENERS):
                until(lambda: self._may_go_on(at), "another table", 10**6)  # noqa: B023
                if len(self.torrent.tables) <= at:
                    return
                self._follow(self.torrent.tables[at])
        except Exception as error:  # noqa: BLE001 - told by whoever waits
            self.failed = error

    def _may_go_on(self, at: int) -> bool:
        return len(self.torrent.tables) > at or self.torrent.stopping

    def _follow(self, table: Table) -> None:
        self.heard, self.table = 0, table.id
        for notice in self._client.follow(table.id, after=0):
            assert notice["version"] == self.heard + 1, (table, self.heard, notice["version"])
            self.heard += 1
            self.notices += 1
            if table.whole and self.heard == table.version:
                return

    def is_current(self) -> bool:
        """Say whether it has heard everything of its table; raise what ended it."""
        if self.failed:
            raise self.failed
        known = {each.id: each.version for each in self.torrent.tables}
        return not self.table or self.heard == known[self.table]


@dataclass(slots=True)
class Run:
    """A server under a torrent."""

    server: Server
    torrent: Torrent
    flowing: Future[None]
    listeners: list[Listener]
    kills: Counter[str] = field(default_factory=Counter)

    def kill(self, part: str) -> bool:
        """Kill a part as it is now; False if it is not there, because of an earlier kill."""
        pid = self.server.pid(part)
        if not pid:
            return False
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
            self.kills[part] += 1
        return True

    def wait(self, commands: int) -> None:
        """Wait until so many commands more were acknowledged, or fail as the torrent did."""
        wanted = self.torrent.ledger.count + commands
        until(
            lambda: self.flowing.done() or self.torrent.ledger.count >= wanted,
            f"{commands} commands more",
            180,
        )
        if self.flowing.done():
            self.flowing.result()

    def check(self, server: Server | None = None) -> None:
        """Let every command come to its end, and hold all of them against the store."""
        self.check_at(url((server or self.server).data))

    def check_at(self, store: str) -> None:
        """Do the same with a store that is elsewhere."""
        self.torrent.stopping = True
        self.flowing.result(120)
        self.torrent.ledger.check_at(store, store)
        for each in self.listeners:
            until(each.is_current, "the streams have told everything", 60)

    def told(self) -> str:
        """Answer what happened, in a few lines."""
        torrent = self.torrent
        return (
            f"{torrent.ledger.count} commands acknowledged at {len(torrent.tables)} tables,"
            f" {torrent.repeated} of them told again, {torrent.reads} views,"
            f" {sum(each.notices for each in self.listeners)} notices on streams\n"
            f"{self.kills.total()} kills: {dict(sorted(self.kills.items()))}\n"
            f"clients saw {dict(sorted(torrent.seen.items()))};"
            f" longest time without an acknowledgement {torrent.longest:.1f} s"
        )


@contextmanager
def pouring(
    server: Server, comers: int, players: int, seed: str, streams: int = 0, patience: float = 60
) -> Iterator[Run]:
    """Pour commands over a server until this is left."""
    torrent = Torrent(server.port, Ledger(), random.Random(seed))
    listeners = [Listener(server.url, torrent, number, patience) for number in range(streams)]
    with ThreadPoolExecutor(1) as pool:
        run = Run(server, torrent, pool.submit(torrent.run, comers, players), listeners)
        try:
            yield run
        except BaseException:
            # What is under way may never count: of a server that takes no moves, say.
            torrent.abandoned = True
            raise
        finally:
            torrent.stopping = True
            for each in listeners:
                each.leave()


def _arguments(words: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.chaos.kills")
    parser.add_argument("--kills", type=int, default=1_000)
    parser.add_argument("--commands", type=int, default=1_000_000)
    parser.add_argument("--minutes", type=float, default=24 * 60.0)
    parser.add_argument("--between", type=int, default=1_000, help="moves between two kills")
    parser.add_argument("--seed", default=str(random.SystemRandom().randrange(10**6)))
    return parser.parse_args(words)


def main(words: list[str]) -> int:
    """Kill until everything was reached; print the figures, fail at the first loss."""
    asked = _arguments(words)
    dice = random.Random(asked.seed)
    begun = monotonic()
    with (
        TemporaryDirectory() as folder,
        serving(Path(folder) / "var", ABRAXAS_LOG="error") as server,
        # Whoever kills faster than a busy machine starts again keeps it away for long.
        pouring(server, 40, 8, asked.seed, LISTENERS, patience=900) as run,
    ):
        ledger = run.torrent.ledger
        while monotonic() - begun < 60 * asked.minutes and (
            ledger.count < asked.commands or run.kills.total() < asked.kills
        ):
            # What was killed may take its time on a busy machine: a cycle ends with moves.
            run.wait(asked.between)
            if run.kills.total() < asked.kills:
                run.kill(dice.choice(PARTS))
        seconds = monotonic() - begun
        assert run.kills.total() < 10 * len(PARTS) or {*run.kills} == {*PARTS}, run.kills
        run.torrent.stopping = True
        run.flowing.result(120)
        print(f"seed {asked.seed}, {seconds:.0f} s, load {os.getloadavg()[0]:.1f}")
        print(run.told(), flush=True)
        run.check()
        examined = abraxas("doctor", "--data", str(server.data), seconds=1_800)
        print(examined.stdout.strip().splitlines()[-1])
        print("lost 0, doubled 0, reordered 0", flush=True)
        return examined.returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
