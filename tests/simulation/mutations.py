"""The product broken on purpose, one way at a time: what the simulation must find."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from hashlib import sha1
from typing import Any, Final
from unittest.mock import patch

import events.store
from events.servers.connection import OutcomeUnknown
from events.store import Appended, EventStore
from events.transact import Door
from workers import leases, scripts, share
from workers.batch import Batches
from workers.follow import Follower
from workers.scripts import Script


def _digest(body: bytes) -> str:
    return sha1(body, usedforsecurity=False).hexdigest()


def _without(body: bytes, line: bytes, instead: bytes) -> bytes:
    if body.count(line) != 1:
        raise ValueError(f"the script has no single {line!r}")
    return body.replace(line, instead)


@contextmanager
def _appends_with(line: bytes, instead: bytes) -> Iterator[None]:
    body = _without(events.store._SCRIPT, line, instead)
    with patch.multiple(events.store, _SCRIPT=body, _SHA=_digest(body)):
        yield


@contextmanager
def _commits_with(*changes: tuple[bytes, bytes]) -> Iterator[None]:
    body = scripts.COMMIT.body
    for line, instead in changes:
        body = _without(body, line, instead)
    with patch.object(share, "COMMIT", Script(body, _digest(body))):
        yield


def _duplicates_unseen() -> AbstractContextManager[None]:
    return _appends_with(b"if known then", b"if false then")


def _conflicts_unseen() -> AbstractContextManager[None]:
    return _appends_with(b"if version ~= ARGV[2] or hash ~= ARGV[3] then", b"if false then")


def _commits_without_comparing() -> AbstractContextManager[None]:
    return _commits_with(
        (b"~= ARGV[1] then", b"== 'nobody' then"), (b"~= ARGV[at + 1] then", b"== 'nowhere' then")
    )


@contextmanager
def _answers_before_the_append() -> Iterator[None]:
    append = EventStore.append

    def early(self: EventStore, table: str, **named: Any) -> Any:
        from tests.simulation.world import later

        later(lambda: append(self, table, **named))
        return Appended(1)

    with patch.object(EventStore, "append", early):
        yield


@contextmanager
def _never_sweeps() -> Iterator[None]:
    with patch.object(Follower, "_look", lambda *_: None):
        yield


@contextmanager
def _takes_a_lost_reply_for_success() -> Iterator[None]:
    append = EventStore.append

    def believing(self: EventStore, table: str, **named: Any) -> Any:
        try:
            return append(self, table, **named)
        except OutcomeUnknown:
            return Appended(1)

    with patch.object(EventStore, "append", believing):
        yield


@contextmanager
def _believes_its_memory() -> Iterator[None]:
    """A table that a process knows is answered as it knows it."""
    current = Door._current

    def believing(self: Door, table: str) -> Any:
        return self._kept.get(table) or current(self, table)

    with patch.object(Door, "_current", believing):
        yield


@contextmanager
def _settles_what_was_cut_short() -> Iterator[None]:
    end = Follower.end
    kept: dict[Follower, Any] = {}
    drain = Follower.drain

    def drains(self: Follower) -> None:
        kept[self] = dict(self.shares)
        drain(self)

    def ends(self: Follower) -> None:
        self.shares = self.shares or kept.pop(self, {})
        end(self)

    with patch.object(Follower, "drain", drains), patch.object(Follower, "end", ends):
        yield


@contextmanager
def _forgets_outboxes() -> Iterator[None]:
    """What an earlier follower had still to deliver is left alone."""

    def nothing(*_: Any) -> Sequence[Any]:
        return ()

    with patch.object(Batches, "_left_over", nothing):
        yield


@contextmanager
def _leases_for_everybody() -> Iterator[None]:
    """A lease is taken over while somebody holds it, under the token that it has."""
    body = b"return tonumber(redis.call('GET', KEYS[2]) or redis.call('INCR', KEYS[2]))"
    asked = scripts.ask

    def free(client: Any, *commands: Sequence[Any]) -> list[Any]:
        replies = asked(client, *commands)
        return [
            0 if command[0] == "EXISTS" else reply
            for command, reply in zip(commands, replies, strict=True)
        ]

    with (
        patch.object(leases, "ACQUIRE", Script(body, _digest(body))),
        patch.object(leases, "ask", free),
    ):
        yield


MUTATIONS: Final[dict[str, Callable[[], AbstractContextManager[None]]]] = {
    "append.lua knows no duplicates": _duplicates_unseen,
    "append.lua compares no versions": _conflicts_unseen,
    "commit.lua compares nothing": _commits_without_comparing,
    "answer before the append": _answers_before_the_append,
    "nothing is swept": _never_sweeps,
    "a lost reply is taken for success": _takes_a_lost_reply_for_success,
    "memory is believed": _believes_its_memory,
    "a cut batch is settled": _settles_what_was_cut_short,
    "outboxes are forgotten": _forgets_outboxes,
    "leases and tokens are shared": _leases_for_everybody,
}
