"""The single door for people, bots and jobs: load, decide, append, and decide again on conflict."""

from collections.abc import Callable
from dataclasses import dataclass
from time import time
from typing import Final, TypeAlias

from domain.game import BadField, Refused
from domain.table import TABLE
from domain.table.commands import Command, Open, Play
from domain.table.state import Table
from domain.table.view import moves
from events import codec, keyframes, tracing
from events.kept import Kept
from events.loaded import BrokenHistory, Loaded, dice, fold, follow, leads_to, unopened
from events.recorded import Recorded
from events.servers.connection import OutcomeUnknown, StoreUnavailable
from events.store import (
    Appended,
    CommandKey,
    Conflict,
    Duplicate,
    EventStore,
    Looked,
    Mismatch,
    Unchanged,
)

Wish: TypeAlias = Callable[[Table], Command]
"""Makes a command from the table as it is; may raise Refused or BadField, may be asked again."""

TRIES: Final = 64
"""How often in a row others may be first before a command gives up."""


class UnknownTable(Exception):  # noqa: N818 - the glossary's words
    """Say that there is no table of this id."""


class UnknownVersion(Exception):  # noqa: N818 - the glossary's words
    """Say that the table has not this version; ``version`` is its newest."""

    def __init__(self, version: int) -> None:
        super().__init__(version)
        self.version = version


class StaleVersion(Exception):  # noqa: N818 - the glossary's words
    """Say that the table is not at the version its caller saw; ``version`` is where it is."""

    def __init__(self, version: int) -> None:
        super().__init__(version)
        self.version = version


class KeyReused(Exception):  # noqa: N818 - the glossary's words
    """Say that the player used this Idempotency-Key for another command at this table."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What an accepted command led to: the versions ``first`` to ``last``, and the table then.

    ``replayed``: the command had been accepted before, and nothing was stored now. ``listeners``:
    the followers that heard the nudge.
    """

    loaded: Loaded
    first: int
    last: int
    recorded: tuple[Recorded, ...]
    replayed: bool
    listeners: int


@dataclass(frozen=True, slots=True)
class _Request:
    table: str
    wish: Wish
    key: CommandKey
    expected: int | None
    trace: str | None
    opening: bool


@dataclass(frozen=True, slots=True)
class _Decided:
    recorded: tuple[Recorded, ...]
    after: Loaded


def _now() -> int:
    return int(time() * 1000)


class Door:
    """Decides commands and keeps the tables it met lately; one per process, safe for threads."""

    def __init__(
        self, store: EventStore, *, cache_size: int = 10_000, clock: Callable[[], int] = _now
    ) -> None:
        """Take a store, how many tables to keep, and a clock in milliseconds since 1970."""
        self.store = store
        self._clock = clock
        self._kept = Kept(cache_size)

    def transact(
        self,
        table: str,
        wish: Wish,
        key: CommandKey,
        *,
        expected: int | None = None,
        trace: str | None = None,
    ) -> Outcome:
        """Carry out what a player, bot or job wishes.

        ``expected`` is the version its caller saw. Raise Refused, BadField, StaleVersion,
        KeyReused, UnknownTable; StoreUnavailable if nothing was stored, OutcomeUnknown if that is
        unknown. Whatever is refused is refused of the newest state, and of a new command only.
        """
        return self._carry_out(_Request(table, wish, key, expected, trace, opening=False))

    def open(
        self, table: str, command: Open, key: CommandKey, *, trace: str | None = None
    ) -> Outcome:
        """Open a table under an id that its opener and key were turned into.

        Raise like ``transact``; of equal keys only the first opens.
        """
        return self._carry_out(_Request(table, lambda _: command, key, None, trace, opening=True))

    def load(self, table: str, version: int | None = None) -> Loaded:
        """Answer a table as it is now (one round trip), or as it was at a version.

        Raise UnknownTable, UnknownVersion, StoreUnavailable.
        """
        now = self._current(table)
        if version is None or version == now.version:
            return now
        if not 0 < version < now.version:
            raise UnknownVersion(now.version)
        return self._at(table, version)

    def cached(self, table: str) -> Loaded | None:
        """Answer a table as this process saw it last, without asking the store."""
        return self._kept.get(table)

    def keep(self, loaded: Loaded) -> None:
        """Remember a table that somebody else in this process has folded."""
        self._kept.put(loaded)

    def _carry_out(self, request: _Request) -> Outcome:
        with tracing.span("transact", **{"abraxas.table": request.table}):
            return self._settled(request)

    def _settled(self, request: _Request) -> Outcome:
        seen = loaded = self._kept.get(request.table) or unopened(request.table)
        fresh = False
        for _ in range(TRIES):
            decided = None
            try:
                decided = self._decided(request, loaded, seen)
            except (Refused, BadField, StaleVersion, UnknownTable):
                # It may be a repeat of what was accepted, or the table may have moved on.
                if fresh:
                    raise
            match self._sent(request, loaded, decided):
                case Outcome() as outcome:
                    return outcome
                case Duplicate(first, last):
                    return self._replayed(request.table, first, last)
                case Mismatch():
                    raise KeyReused(request.table)
                case Unchanged():
                    fresh = True
                case Conflict() as conflict:
                    caught_up = self._caught_up(loaded, conflict)
                    loaded = caught_up or unopened(request.table)
                    fresh = caught_up is not None
        raise StoreUnavailable(f"table {request.table} changed {TRIES} times in a row")

    def _decided(self, request: _Request, loaded: Loaded, seen: Loaded) -> _Decided:
        if loaded.version == 0 and not request.opening:
            raise UnknownTable(request.table)
        command = request.wish(loaded.state)
        expected = request.expected
        # A table that is over stays as it is: the rules say so, whatever version was seen.
        if expected not in (None, loaded.version) and loaded.state.phase != "over":
            self._check_stale(expected, command, loaded, seen)
        events = TABLE.decide(loaded.state, command, dice)
        game = command.game if isinstance(command, Open) else loaded.state.playing
        at = max(self._clock(), loaded.at)
        recorded = codec.record(game, request.table, loaded.version, at, events, request.trace)
        return _Decided(recorded, follow(loaded, recorded, events))

    def _check_stale(self, expected: int, command: Command, loaded: Loaded, seen: Loaded) -> None:
        """Let a stale move pass if its seat could do the same then as now."""
        if not isinstance(command, Play) or not 0 < expected < loaded.version:
            raise StaleVersion(loaded.version)
        then = seen if seen.version == expected else self._at(loaded.table, expected)
        if moves(then.state, command.seat) != moves(loaded.state, command.seat):
            raise StaleVersion(loaded.version)

    def _sent(
        self, request: _Request, loaded: Loaded, decided: _Decided | None
    ) -> Outcome | Looked:
        """Append what was decided, or ask whether the table and the command are still new."""
        after, after_hash = loaded.version, loaded.hash.hex()
        try:
            if decided is None:
                return self.store.look(
                    request.table, after=after, after_hash=after_hash, command=request.key
                )
            with tracing.span("append"):
                answer = self.store.append(
                    request.table,
                    after=after,
                    after_hash=after_hash,
                    recorded=decided.recorded,
                    head=decided.after.hash.hex(),
                    phase=decided.after.state.phase,
                    command=request.key,
                )
        except OutcomeUnknown:
            self._kept.drop(request.table)
            raise
        if not isinstance(answer, Appended):
            return answer
        self._kept.put(decided.after)
        return Outcome(
            loaded=decided.after,
            first=after + 1,
            last=decided.after.version,
            recorded=decided.recorded,
            replayed=False,
            listeners=answer.listeners,
        )

    def _replayed(self, table: str, first: int, last: int) -> Outcome:
        try:
            recorded = self.store.read(table, first - 1, last - first + 1)
            loaded = self.load(table, last)
        except StoreUnavailable as error:
            raise OutcomeUnknown(str(error)) from error
        return Outcome(loaded, first, last, recorded, replayed=True, listeners=1)

    def _current(self, table: str) -> Loaded:
        known = self._kept.get(table) or keyframes.newest(self.store, table)
        return self._current_from(table, known or unopened(table))

    def _current_from(self, table: str, loaded: Loaded) -> Loaded:
        answer = self.store.look(table, after=loaded.version, after_hash=loaded.hash.hex())
        if isinstance(answer, Conflict):
            caught_up = self._caught_up(loaded, answer)
            return caught_up or self._current_from(table, unopened(table))
        if loaded.version == 0:
            raise UnknownTable(table)
        self._kept.put(loaded)
        return loaded

    def _caught_up(self, loaded: Loaded, conflict: Conflict) -> Loaded | None:
        """Fold what was missing; None if what was kept is no part of the stored history.

        That happens when a store was restored from a copy. Raise BrokenHistory if the whole
        stored history does not lead to the stored hash.
        """
        if loaded.version > 0 and leads_to(loaded, conflict.tail).hex() != conflict.hash:
            self._kept.drop(loaded.table)
            return None
        caught_up = fold(loaded, conflict.tail)
        if caught_up.hash.hex() != conflict.hash:
            raise BrokenHistory(f"table {loaded.table}: its events do not lead to its hash")
        self._kept.put(caught_up)
        return caught_up

    def _at(self, table: str, version: int) -> Loaded:
        start = keyframes.nearest(self.store, table, version) or unopened(table)
        if start.version == version:
            return start
        return fold(start, self.store.read(table, start.version, version - start.version))
