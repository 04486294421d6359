"""Many tables at once: each thread has its own connection and its own guests."""

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from threading import Event

from domain.dice import seeded
from domain.game import AnyGame
from service.simulate.client import Client
from service.simulate.play import Heard, Played, play, sign_up, watch


@dataclass(frozen=True, slots=True, kw_only=True)
class Simulation:
    """Describe what is played; the levels move one seat on from table to table.

    With ``server_bots`` the server's own bots hold the seats, and the simulation looks on.
    """

    game: AnyGame
    levels: tuple[str, ...]
    tables: int
    at_once: int = 8
    server_bots: bool = False
    patience: float = 60.0


@dataclass(frozen=True, slots=True)
class Outcome:
    """Hold what was played, and in how many seconds."""

    played: tuple[Played, ...]
    seconds: float


class _Stopped(Exception):  # noqa: N818 - an end, not a defect
    """End a thread because another one failed."""


def simulate(
    url: str,
    simulation: Simulation,
    heard: Heard = lambda *_: None,
    done: Callable[[Played], object] = lambda _: None,
) -> Outcome:
    """Play every table to the end; raise Unreachable or Unexpected if that is not possible.

    ``heard`` is told what the server acknowledges and ``done`` of each table that is over, both
    from several threads.
    """
    numbers: SimpleQueue[int] = SimpleQueue()
    for number in range(simulation.tables):
        numbers.put(number)
    stop = Event()

    def heard_unless_stopped(table: str, version: int, hash_: str) -> None:
        heard(table, version, hash_)
        if stop.is_set():
            raise _Stopped

    begun = time.monotonic()
    threads = min(simulation.at_once, simulation.tables)
    with ThreadPoolExecutor(threads) as pool:
        running = [
            pool.submit(_play_some, url, simulation, numbers, heard_unless_stopped, done)
            for _ in range(threads)
        ]
        try:
            played = [each for thread in as_completed(running) for each in thread.result()]
        except BaseException:
            stop.set()
            raise
    return Outcome(tuple(played), time.monotonic() - begun)


def _play_some(
    url: str,
    simulation: Simulation,
    numbers: "SimpleQueue[int]",
    heard: Heard,
    done: Callable[[Played], object],
) -> list[Played]:
    """Play tables until none is left to begin."""
    client = Client(url, patience=simulation.patience)
    guests = 1 if simulation.server_bots else len(simulation.levels)
    tokens = sign_up(client, [f"Bot {seat}" for seat in range(guests)])
    played = []
    try:
        while True:
            number = numbers.get_nowait()
            levels = _moved_on(simulation.levels, number)
            if simulation.server_bots:
                table = watch(client, simulation.game, levels, tokens[0], heard)
            else:
                dice = seeded(f"simulation {number}")
                table = play(client, simulation.game, levels, tokens, dice, heard)
            done(table)
            played.append(table)
    except Empty:
        return played
    finally:
        client.close()


def _moved_on(levels: tuple[str, ...], places: int) -> tuple[str, ...]:
    """Let no level keep the better seat."""
    places %= len(levels)
    return levels[-places:] + levels[:-places] if places else levels
