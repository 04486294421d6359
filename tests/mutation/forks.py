"""A pytest session that tests many mutants: it imports once, learns once, and forks for each."""

import gc
import os
import resource
import signal
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import _lru_cache_wrapper
from time import process_time
from typing import Any, Final, NoReturn

import pytest
from _pytest.runner import runtestprotocol
from coverage import Coverage
from hypothesis import Phase, settings

from tests.mutation.changes import ROOT, Change, Mutant

_PACKAGES: Final = ("domain", "events", "workers")
_PATIENCE: Final = 60.0
"""Seconds after which a mutant that waits for something, and does nothing, is taken for dead."""
_MEMORY: Final = 4 << 30
"""Bytes of address space of a mutant: one that grows for ever ends there."""
_THOROUGH: Final = 3
"""A mutant that survives its budget meets further tests, up to so many budgets."""

_PROGRESS: Final = 100
_CONTROLS: Final = 20
"""Tests that must pass in a child without any mutant."""

_QUIET: Final = (
    *("-qq", "--no-header", "--no-summary", "-p", "no:cacheprovider", "-o", "timeout=0"),
    *("-W", "ignore::pytest.PytestAssertRewriteWarning"),
)

# The same examples for every mutant, and no time for making a failure pretty.
settings.register_profile(
    "mutants",
    deadline=None,
    derandomize=True,
    database=None,
    phases=[Phase.explicit, Phase.generate],
)


@dataclass(frozen=True, slots=True)
class Verdict:
    """What became of a mutant, the test that killed it (or what else), seconds of CPU."""

    mutant: Mutant
    killed: bool
    by: str
    cost: float = 0.0


def try_all(
    mutants: Sequence[Mutant],
    asked: Sequence[str],
    budget: float,
    told: Callable[[Verdict], None] = lambda _: None,
) -> list[Verdict]:
    """Try mutants with the tests that pytest is asked for.

    ``budget`` is how many seconds of tests a mutant meets at first. Raise ValueError if a test
    fails without any mutant, or if none can be run.
    """
    forks = _Forks(mutants, budget, told)
    pytest.main([*_QUIET, *asked], plugins=[forks])
    if len(forks.verdicts) < len(mutants):
        raise ValueError(f"some test fails without any mutant: {forks.failed or 'no test runs'}")
    return forks.verdicts


_NOTHING: Final = Mutant(Change("", "", 0, "", ""), None, lambda: None)
"""What changes nothing."""


@dataclass(eq=False)
class _Forks:
    """The plugin of the session."""

    mutants: Sequence[Mutant]
    budget: float
    told: Callable[[Verdict], None]
    verdicts: list[Verdict] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)
    _caches: Sequence[Any] = ()
    _costs: dict[int, float] = field(default_factory=dict)
    _kills: dict[int, int] = field(default_factory=dict)
    _last: dict[tuple[str, str], int] = field(default_factory=dict)
    """(file, function) -> the test that killed there last."""

    def pytest_pycollect_makemodule(self) -> None:
        """Undo what a conftest asked of hypothesis."""
        settings.load_profile("mutants")

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Learn what each test reaches, then try the mutants."""
        reached = self._learn(session.items)
        if self.failed:
            return True
        self._caches = _caches()
        # Nothing that is there is collected again, neither here nor in a mutant.
        gc.collect()
        gc.freeze()
        if self._fails_in_a_child(session.items):
            return True
        for mutant in self.mutants:
            verdict = self._try(mutant, self._sorted(mutant, reached), session.items)
            self.verdicts.append(verdict)
            self.told(verdict)
            if len(self.verdicts) % _PROGRESS == 0:
                killed = sum(each.killed for each in self.verdicts)
                print(f"{killed} of the first {len(self.verdicts)} killed", flush=True)
        return True

    def _learn(self, items: Sequence[pytest.Item]) -> dict[str, dict[int, list[str]]]:
        """Run every test once; answer for each file and line the numbers of those that reach it."""
        files = {each.change.file for each in self.mutants if each.lines}
        with _covering([str(ROOT / file) for file in files]) as coverage:
            for number, item in enumerate(items):
                if coverage:
                    coverage.switch_context(str(number))
                begun = process_time()
                after = items[number + 1] if number + 1 < len(items) else None
                reports = runtestprotocol(item, log=False, nextitem=after)
                if all(each.passed for each in reports):
                    self._costs[number] = process_time() - begun + 0.0005
                elif any(each.failed for each in reports):
                    self.failed.append(item.nodeid)
        if coverage is None:
            return {}
        data = coverage.get_data()
        return {file: data.contexts_by_lineno(str(ROOT / file)) for file in files}

    def _sorted(self, mutant: Mutant, reached: dict[str, dict[int, list[str]]]) -> list[int]:
        """Answer the tests that reach a mutant, those first that kill much and cost little."""
        change = mutant.change
        tests: Iterable[int] = self._costs
        if mutant.lines:
            lines = reached[change.file]
            # The line of a `def` is run when its module is imported.
            body = (test for line in mutant.lines[1:] for test in lines.get(line, ()))
            tests = {int(test) for test in lines.get(change.line) or body if test}
        last = self._last.get((change.file, change.function))
        return sorted(
            (test for test in tests if test in self._costs),
            key=lambda test: (test != last, self._costs[test] / (self._kills.get(test, 0) + 0.2)),
        )

    def _fails_in_a_child(self, items: Sequence[pytest.Item]) -> bool:
        """See whether tests pass in a child that is no mutant: or every verdict would be wrong."""
        quick = self._sorted(_NOTHING, {})[:_CONTROLS]
        said, _ = self._fork(_NOTHING, quick, items)
        if said != "survived":
            self.failed.append(items[int(said)].nodeid if said.isdigit() else said)
        return said != "survived"

    def _try(self, mutant: Mutant, tests: Sequence[int], items: Sequence[pytest.Item]) -> Verdict:
        if not tests:
            return Verdict(mutant, killed=False, by="no test")
        spent, cost, said = 0.0, 0.0, ""
        left = tests
        for budget in (self.budget, self.budget * _THOROUGH):
            some: list[int] = []
            for test in left:
                spent += self._costs[test]
                if some and spent > budget:
                    break
                some.append(test)
            left = left[len(some) :]
            said, more = self._fork(mutant, some, items)
            cost += more
            if said != "survived" or not left:
                break
        if said == "survived":
            return Verdict(mutant, killed=False, by=said, cost=cost)
        if not said.isdigit():
            return Verdict(mutant, killed=True, by=said or "time", cost=cost)
        killer = int(said)
        if killer not in self._kills and self._fork(_NOTHING, [killer], items)[0] != "survived":
            # Whoever fails alone and without a mutant would go first and kill all that follow.
            print(f"fails alone, and does not count: {items[killer].nodeid}", flush=True)
            del self._costs[killer]
            return self._try(mutant, [each for each in tests if each != killer], items)
        self._kills[killer] = self._kills.get(killer, 0) + 1
        self._last[mutant.change.file, mutant.change.function] = killer
        return Verdict(mutant, killed=True, by=items[killer].nodeid, cost=cost)

    def _fork(
        self, mutant: Mutant, tests: Sequence[int], items: Sequence[pytest.Item]
    ) -> tuple[str, float]:
        """Let a child be the mutant; answer its last word, none if it had no time, and its CPU."""
        reading, writing = os.pipe()
        sys.stdout.flush()
        sys.stderr.flush()
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        child = os.fork()
        if child == 0:
            os.close(reading)
            self._be(mutant, tests, items, writing)
        os.close(writing)
        with suppress(OSError):
            os.setpgid(child, child)
        # It must have an end, and so must whatever it started.
        signal.signal(signal.SIGALRM, lambda *_: os.killpg(child, signal.SIGKILL))
        signal.setitimer(signal.ITIMER_REAL, _PATIENCE + 10 * _THOROUGH * self.budget)
        with os.fdopen(reading) as pipe:
            said = pipe.read()
        os.waitpid(child, 0)
        signal.setitimer(signal.ITIMER_REAL, 0)
        with suppress(ProcessLookupError):
            os.killpg(child, signal.SIGKILL)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return said, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    def _be(
        self, mutant: Mutant, tests: Sequence[int], items: Sequence[pytest.Item], writing: int
    ) -> NoReturn:
        """Become the mutant: run tests until one fails, say which, and end."""
        said = "crash"
        try:
            os.setpgid(0, 0)
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, 1)
            os.dup2(nowhere, 2)
            resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
            for each in self._caches:
                each.cache_clear()
            mutant.apply()
            said = self._said(tests, items)
        finally:
            os.write(writing, said.encode())
            os._exit(0)

    def _said(self, tests: Sequence[int], items: Sequence[pytest.Item]) -> str:
        for number, test in enumerate(tests):
            # Who goes in circles is ended by the system, and says nothing.
            signal.setitimer(signal.ITIMER_PROF, 1 + 10 * self._costs[test])
            after = items[tests[number + 1]] if number + 1 < len(tests) else None
            if any(each.failed for each in runtestprotocol(items[test], log=False, nextitem=after)):
                return str(test)
        return "survived"


@contextmanager
def _covering(paths: Sequence[str]) -> Iterator[Coverage | None]:
    """Take note of the lines that are run, if there are any of Python."""
    if not paths:
        yield None
        return
    coverage = Coverage(data_file=None, config_file=False, include=paths)
    coverage.start()
    try:
        yield coverage
    finally:
        coverage.stop()


def _caches() -> list[Any]:
    """Find every cache of ours: a mutant must not live on remembered answers."""
    return [
        each
        for each in gc.get_objects()
        if isinstance(each, _lru_cache_wrapper) and each.__module__.startswith(_PACKAGES)
    ]
