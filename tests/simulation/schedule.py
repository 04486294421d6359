"""Simulated time: tasks of several processes take turns, in an order that a seed alone decides."""

from collections.abc import Callable
from heapq import heappop, heappush
from itertools import count
from random import Random
from typing import Any, Final

from greenlet import getcurrent, greenlet

TIMED_OUT: Final = object()
"""What a task is told whose wait has ended by itself."""


class Crashed(BaseException):
    """End a task in the middle of whatever it does: nothing in the product may catch it."""


class Stuck(AssertionError):  # noqa: N818 - a run says it of itself
    """Say that something should have come to rest, and did not."""


class Process:
    """What loses its memory at once when it crashes; its tasks run one at a time.

    ``skew`` (seconds) is how far its clock is off; until ``asleep`` it is stopped, as by SIGSTOP.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self.alive = True
        self.skew = 0.0
        self.asleep = 0.0
        self.tasks: dict[Task, None] = {}
        self.ends: list[Callable[[], None]] = []
        """What the rest of the world notices when it is gone."""


class Task:
    """One thread of a process."""

    __slots__ = ("failure", "greenlet", "process", "turn")

    def __init__(self, process: Process, run: Callable[[], None]) -> None:
        self.process = process
        self.turn = 0
        self.failure: BaseException | None = None
        self.greenlet = greenlet(self._runs(run))
        process.tasks[self] = None

    def _runs(self, run: Callable[[], None]) -> Callable[[Any], None]:
        def body(_: Any) -> None:
            try:
                run()
            except Crashed:
                pass
            except BaseException as error:  # noqa: BLE001 - told by the scheduler
                self.failure = error
            finally:
                self.process.tasks.pop(self, None)

        return body


class Schedule:
    """The one clock and the one order of everything that happens."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.now = 0.0
        self.events = 0
        self.current: Task | None = None
        self._hub = getcurrent()
        self._order = count()
        self._heap: list[tuple[float, int, Callable[..., None], tuple[Any, ...]]] = []

    def at(self, seconds: float, action: Callable[..., None], *arguments: Any) -> None:
        """Let something happen after so many seconds."""
        heappush(self._heap, (self.now + seconds, next(self._order), action, arguments))

    def start(self, process: Process, run: Callable[[], None], seconds: float = 0.0) -> Task:
        """Start a task of a process."""
        task = Task(process, run)
        self.at(seconds, self.wake, task, 0, None)
        return task

    def wait(self, seconds: float | None = None) -> Any:
        """Let others go on until this task is woken; answer what with, or TIMED_OUT."""
        task = self.here()
        task.turn += 1
        if seconds is not None:
            self.at(seconds, self.wake, task, task.turn, TIMED_OUT)
        return self._hub.switch()

    def sleep(self, seconds: float) -> None:
        """Let this task wait for nothing else."""
        self.wait(max(seconds, 0.0))

    def here(self) -> Task:
        """Answer the task that runs."""
        task = self.current
        if task is None or not task.process.alive:
            raise Crashed
        return task

    def wake(self, task: Task, turn: int, value: Any) -> None:
        """Let a task go on, unless it does something else by now."""
        if task.turn != turn or not task.process.alive or task.greenlet.dead:
            return
        if task.process.asleep > self.now:
            self.at(task.process.asleep - self.now, self.wake, task, turn, value)
            return
        self.current = task
        task.greenlet.switch(value)
        self.current = None
        if task.failure is not None:
            raise task.failure

    def crash(self, process: Process) -> None:
        """End a process at once; only for what the schedule itself does, not for tasks."""
        process.alive = False
        for task in tuple(process.tasks):
            task.turn += 1
            self.current = task
            if task.greenlet:
                task.greenlet.throw(Crashed)
            self.current = None
        process.tasks.clear()
        ends, process.ends = process.ends, []
        for end in ends:
            end()

    def run(self, done: Callable[[], bool], limit: float) -> None:
        """Let things happen until all is done; raise Stuck if that takes more seconds."""
        end = self.now + limit
        while not done():
            if not self._heap:
                raise Stuck("nothing is left that could happen")
            now, _, action, arguments = heappop(self._heap)
            if now > end:
                raise Stuck(f"not done after {limit:.0f} simulated seconds")
            self.now = now
            self.events += 1
            action(*arguments)
