"""One run: an installation, its players, its faults, and what must hold when all is calm again."""

import gc
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from copy import copy
from dataclasses import dataclass, field
from functools import cache
from hashlib import blake2b
from random import Random
from traceback import format_exc
from typing import Any, Final
from unittest.mock import patch

import workers.station
from domain.catalogue import games
from events import store
from service.identity.callers import Identity
from tests.simulation import checks
from tests.simulation.checks import Truth, Wrong
from tests.simulation.clockwork import Clockwork
from tests.simulation.faults import Event, Faults
from tests.simulation.players import Network, Player
from tests.simulation.processes import Api, Application, Surroundings, Worker, workers_of
from tests.simulation.schedule import Process, Schedule, Stuck
from tests.simulation.server import Server

CALM: Final = 90.0
"""Seconds after the last fault in which everything must have come to rest."""

REST: Final = 40.0
"""Seconds in which followers have then done everything: no slice ends meanwhile and mends it."""

_GAMES: Final = ("potage_sauvage",) * 6 + ("magic_cooking", "spellcaster")
_CLOCKWORK: Final = Clockwork()
_COLLECTED: Final = 50


@dataclass(slots=True)
class Result:
    """What a run came to; ``wrong`` is None if everything held."""

    seed: int
    wrong: str | None = None
    trace: str = ""
    injected: Counter[str] = field(default_factory=Counter)
    accepted: int = 0
    events: int = 0
    seconds: float = 0.0


@cache
def _applications() -> tuple[Application, ...]:
    return Application(), Application()


@cache
def _signed_up() -> tuple[dict[bytes, Any], tuple[tuple[str, str, str], ...]]:
    """Sign three players up, once for all runs; answer what is stored, and (name, id, token)."""
    schedule = Schedule(0)
    faults = Faults(Random(0), on=False)
    store = Server(schedule, faults, "store")
    process = Process("setup")
    found: list[tuple[str, str, str]] = []

    def sign_up() -> None:
        identity = Identity(
            Surroundings(schedule, faults, _CLOCKWORK, store, store).client(process, store)
        )
        for name in ("ann", "ben", "cat"):
            profile, token = identity.new_player(name, None)
            found.append((name, profile.player, token))

    with _CLOCKWORK.running(schedule, 0):
        schedule.start(process, sign_up)
        schedule.run(lambda: len(found) == 3, 60.0)
    return store.values, tuple(found)


class World:
    """An installation with everything that happens to it, from a seed."""

    def __init__(self, seed: int) -> None:
        self.schedule = Schedule(seed)
        random = self.random = self.schedule.random
        self.faults = Faults.drawn(random)
        replicated = random.random() < 0.5
        self.store = Server(self.schedule, self.faults, "store", replicated=replicated)
        self.store.promises = frozenset((store._SCRIPT, store._SHA.encode()))
        self.rq = Server(self.schedule, self.faults, "rq")
        values, signed_up = _signed_up()
        self.store.values = {key: copy(value) for key, value in values.items()}
        around = Surroundings(self.schedule, self.faults, _CLOCKWORK, self.store, self.rq)
        self.apis = [Api(f"api {at}", around, each) for at, each in enumerate(_applications())]
        self.workers = workers_of(around, random.choice((1, 2, 2)))
        self.network = Network(self.schedule, self.faults, self.apis)
        self.ids = {name: player for name, player, _ in signed_up}
        self.storm = random.choice((1.0, 3.0, 8.0))
        pace = random.choice((0.0, self.storm / 4))
        self.players = [
            Player(name, token, self.network, random.choice((1, 2, 4)), pace)
            for name, _, token in signed_up
        ]
        self.slice = random.choice((2, 60))
        self.rewound = False
        self.still = len(self.players)
        self.open: list[str] = []
        self.truth = Truth(self.store)
        for process in self._processes():
            process.skew = random.choice((0.0, 0.0, random.uniform(-30, 30)))

    def _processes(self) -> Iterator[Process]:
        yield from (each.process for each in self.apis)
        yield from (each.process for each in self.workers)

    # What happens

    def run(self) -> None:
        """Play, through all faults, and check that everything holds once it is calm."""
        with patch.object(workers.station, "SLICE_SECONDS", self.slice):
            for player in self.players:
                self._start(player)
            for _ in range(self.faults.times if self.faults.events else 0):
                self.schedule.at(self.random.uniform(0.05, self.storm), self._happen)
            self.schedule.at(self.storm, self._calm)
            self.schedule.run(lambda: not self.still and not self.faults.on, self.storm + CALM)
            self._rest()
            self._check()

    def _start(self, player: Player) -> None:
        def play() -> None:
            first = player is self.players[0]
            if first or (player is self.players[2] and self.random.random() < 0.3):
                self._open(player)
            while not self.open:
                self.schedule.sleep(0.05)
            table = self.random.choice(self.open)
            player.sit(table)
            for each in tuple(self.open):
                player.play(each, lambda: self.schedule.now < self.storm + 1.0)
            self.still -= 1

        self.schedule.start(Process(player.name), play, seconds=self.random.random() * 0.2)

    def _open(self, player: Player) -> None:
        game = games()[self.random.choice(_GAMES)]
        seats = min(each for each in game.seats if each >= 2)
        seats = self.random.choice([each for each in game.seats if seats <= each <= 3] or [seats])
        bots = {
            seat: self.random.choice(sorted(game.bots))
            for seat in range(2 if self.random.random() < 0.7 else 1, seats)
        }
        table = None
        while table is None:
            table = player.open(game.name, seats, bots)
        self.open.append(table)

    def _happen(self) -> None:
        """Let one of the drawn events happen."""
        if not self.faults.on:
            return
        event: Event = self.faults.note(self.random.choice(self.faults.events))
        _HAPPENINGS[event](self)

    def lose_a_job(self) -> None:
        """Let a follower's process forget the next job that it takes."""
        self.a_follower().lose_jobs += 1

    def fall_asleep(self) -> None:
        """Stop a process for a while, perhaps for longer than its leases last."""
        until = self.schedule.now + self.random.uniform(0.5, 9.0)
        self.random.choice(tuple(self._processes())).asleep = until

    def jump(self) -> None:
        """Set a process' clock."""
        self.random.choice(tuple(self._processes())).skew += self.random.uniform(-3600, 3600)

    def jump_of_the_store(self) -> None:
        """Set the store's clock."""
        self.store.skew += self.random.uniform(-20, 20)

    def a_follower(self) -> Worker:
        """Choose a follower's process."""
        return self.random.choice(self.workers[:-1])

    def crash(self, process: Api | Worker) -> None:
        """End a process; it comes back before long."""
        if process.process.alive:
            skew = process.process.skew
            process.crash()

            def begin() -> None:
                process.begin()
                process.process.skew = skew

            self.schedule.at(self.random.uniform(0.0, 1.0), begin)

    def stop(self, server: Server, seconds: float, *, rewind: bool) -> None:
        """Let a server be away; what nobody was promised may be gone afterwards."""
        if not server.up:
            return
        writes = server.stop()
        # What is undone nobody asked for: a log of what was asked has none of it.
        if rewind and writes and server.log is None:
            undone = self.random.randint(1, writes)
            server.rewind(undone)
            self.rewound = True
            self.faults.injected["writes undone"] += undone
        self.schedule.at(seconds, server.begin)

    def _calm(self) -> None:
        self.faults.on = False

    def _rest(self) -> None:
        """Wait until followers and bots have done everything."""
        quiet = [False]

        def look() -> None:
            quiet[0] = checks.behind(self.store) is None and not self._waiting()
            self.schedule.at(0.2, look)

        look()
        try:
            self.schedule.run(lambda: quiet[0], REST)
        except Stuck as stuck:
            why = checks.behind(self.store) or self._waiting()
            raise Wrong(f"{why}: {stuck}") from stuck

    def _waiting(self) -> str | None:
        self.truth = Truth(self.store)
        table = checks.waits_for_a_bot(self.truth)
        return table and f"{table} waits for a bot"

    def _check(self) -> None:
        truth = self.truth
        checks.check_histories(truth)
        checks.check_feeds(truth)
        checks.check_sent(truth, self.network, self.ids)
        checks.check_seen(truth, self.network, rewound=self.rewound)
        checks.check_documents(truth)
        parked = tuple(checks.parked(self.store))
        if parked:
            raise Wrong(f"parked: {parked}")
        self._ask_again(truth)
        if self.network.broken:
            raise Wrong("; ".join(self.network.broken))

    def _ask_again(self, truth: Truth) -> None:
        """Repeat every accepted command, and read every list, through the API."""
        done: list[BaseException | None] = []

        def ask() -> None:
            try:
                for player in self.players:
                    for sent in player.mine:
                        if sent.accepted:
                            player.repeat(sent)
                checks.check_lists(truth, self.players, self.ids)
            except Wrong as wrong:
                done.append(wrong)
            else:
                done.append(None)

        self.schedule.start(Process("auditor"), ask)
        self.schedule.run(lambda: bool(done), CALM)
        if done[0] is not None:
            raise done[0]

    def end(self) -> None:
        """Leave nothing running."""
        for process in tuple(self._processes()):
            self.schedule.crash(process)


_HAPPENINGS: Final[dict[Event, Callable[[World], None]]] = {
    "crash of an API process": lambda w: w.crash(w.random.choice(w.apis)),
    "crash of a follower": lambda w: w.crash(w.a_follower()),
    "crash of the jobs worker": lambda w: w.crash(w.workers[-1]),
    "restart of the store": lambda w: w.stop(
        w.store, w.random.uniform(0.0, 0.5), rewind=w.random.random() < 0.5
    ),
    "failover that rewinds": lambda w: w.stop(w.store, w.random.uniform(0.0, 0.2), rewind=True),
    "absence of the store": lambda w: w.stop(w.store, w.random.uniform(0.5, 3.0), rewind=False),
    "flush of RQ": lambda w: w.rq.flush(),
    "absence of RQ": lambda w: w.stop(w.rq, w.random.uniform(0.1, 2.0), rewind=False),
    "loss of leases": lambda w: w.store.end_leases(),
    "stop of a process": World.fall_asleep,
    "jump of a clock": World.jump,
    "jump of the store's clock": World.jump_of_the_store,
    "loss of a job": World.lose_a_job,
}


def later(work: Callable[[], object]) -> None:
    """Let the process that runs now do something a little later, whatever comes of it."""

    def carry_out() -> None:
        with suppress(Exception):
            work()

    schedule = _CLOCKWORK._now()
    schedule.start(schedule.here().process, carry_out, seconds=0.005)


@contextmanager
def simulated() -> Iterator[None]:
    """Let runs happen in this process; nothing else may use the product meanwhile."""
    with _CLOCKWORK.installed():
        _applications()
        _signed_up()
        # Collecting what runs leave behind takes a tenth of their time: it is done now and then.
        gc.collect()
        gc.freeze()
        gc.disable()
        try:
            yield
        finally:
            gc.enable()
            gc.unfreeze()


def run(seed: int, *, traced: bool = False) -> Result:
    """Run one seed; ``traced`` asks for a digest of everything that the store was asked."""
    if seed % _COLLECTED == _COLLECTED - 1:
        gc.collect()
    world = World(seed)
    if traced:
        world.store.trace = blake2b(digest_size=8)
    return run_world(world, seed)


def run_world(world: World, seed: int) -> Result:
    """Run an installation that was just made."""
    result = Result(seed)
    with _CLOCKWORK.running(world.schedule, seed):
        try:
            world.run()
        except AssertionError as wrong:
            result.wrong = str(wrong)
        except Exception:  # noqa: BLE001 - whatever nobody foresaw, it belongs to the seed
            result.wrong = format_exc()
        finally:
            world.end()
    result.trace = "" if world.store.trace is None else world.store.trace.hexdigest()
    result.injected = world.faults.injected
    result.accepted = sum(each.accepted for each in world.network.sent)
    result.events = world.schedule.events
    result.seconds = world.schedule.now
    return result
