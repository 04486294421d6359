"""A store on many servers: each command goes to the one that owns its slot, wherever that is now.

Which server owns what is asked of any server that answers, and asked again when one is away or
says that a slot has moved. Nothing is sent twice unless a server said that it did not act.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from random import sample
from threading import Lock
from time import monotonic
from typing import Any, Final
from urllib.parse import urlsplit

from redis import Redis
from redis.exceptions import AskError, MovedError, ResponseError

from events.servers.exchange import OutcomeUnknown, StoreError, StoreUnavailable, Trip, exchange
from events.servers.slots import SLOTS, Address, Range, command_slot, read_ranges, slot_of, units

REDIRECTIONS: Final = 4
"""How often a command follows a slot that moves."""

_ASK_AGAIN: Final = 0.2
"""Seconds between two questions who owns what, while a server is away or slots move."""
_AWAY: Final = 0.5
"""Seconds for which a server that did not answer is not asked again."""
_PROBE: Final = 0.1
"""Seconds that a server has to show that it is back."""


class Replicated(Redis):
    """A client of a server with replicas: so many must have a move on disk, too."""

    replicas = 0


@dataclass(slots=True)
class Server:
    """One server of a cluster; ``away_until`` is 0 while it answers."""

    address: Address
    url: str
    client: Redis
    probe: Redis
    away_until: float = 0.0

    def close(self) -> None:
        """Close its connections."""
        self.client.close()
        self.probe.close()


@dataclass(slots=True)
class _Group:
    """What goes to one server in one trip, and where its replies belong."""

    server: Server
    commands: list[Sequence[Any]] = field(default_factory=list)
    places: list[tuple[int, int, int]] = field(default_factory=list)
    """Of each unit: where its replies begin in this trip, and where in the answer, to where."""

    def add(self, commands: Sequence[Sequence[Any]], start: int, end: int, *, asking: bool) -> None:
        if asking:
            self.commands.append(("ASKING",))
        self.places.append((len(self.commands), start, end))
        self.commands += commands[start:end]


class Cluster(Replicated):
    """A client of a whole cluster, shared between threads; nothing is opened before the first call.

    Methods of the library reach the owner of their key, or every owner if they have none. Several
    commands at once are for ``together``.
    """

    def __init__(self, url: str, connect: Callable[..., Redis], timeout: float) -> None:
        """Take the URL of any of its servers, and how to make a client of one."""
        self._url = url
        self._connect = connect
        self._timeout = timeout
        self._seed = connect(url, timeout)
        super().__init__(connection_pool=self._seed.connection_pool)
        self._lock = Lock()
        self._servers: dict[Address, Server] = {}
        self._owners: list[Server] = []
        self._ranges: tuple[Range, ...] = ()
        self._stale = True
        self._next = 0.0

    def owner(self, slot: int | None = None) -> Server:
        """Answer the server that owns a slot, or one that answers; raise StoreUnavailable."""
        if self._stale:
            self._ask_if_due()
        if not self._owners:
            raise StoreUnavailable("no server of the cluster answers")
        if slot is not None:
            return self._there(self._owners[slot])
        there = [each for each in self._primaries() if not each.away_until]
        return there[0] if there else self._there(self._owners[0])

    def home(self, key: str) -> Server:
        """Answer the server that owns a key or a sharded channel; raise StoreUnavailable."""
        return self.owner(slot_of(key))

    def primaries(self) -> tuple[Server, ...]:
        """Answer every server that owns slots; raise StoreUnavailable if it cannot be told."""
        self.owner()
        return self._primaries()

    def ranges(self) -> tuple[Range, ...]:
        """Answer who owns what, asked now; raise StoreUnavailable."""
        self._refresh()
        return self._ranges

    def server(self, address: Address) -> Server:
        """Answer a server by its address, whether it owns anything or not."""
        with self._lock:
            return self._server(address)

    def together(self, commands: Sequence[Sequence[Any]]) -> list[Any]:
        """Send commands, each to its owner, one trip to each; answer their plain replies.

        An error reply is among them. Raise StoreUnavailable if nothing was carried out,
        OutcomeUnknown if that cannot be told.
        """
        replies: list[Any] = [None] * len(commands)
        waiting: list[tuple[int, int]] = list(units(commands))
        told: dict[int, Server] = {}
        acted = False
        for _ in range(REDIRECTIONS):
            try:
                groups = self._grouped(commands, waiting, told)
                found = self._round(groups)
            except StoreUnavailable as error:
                if acted:
                    raise OutcomeUnknown(str(error)) from error
                raise
            waiting, told = [], {}
            for group, answered in zip(groups, found, strict=True):
                for at, start, end in group.places:
                    replies[start:end] = answered[at : at + end - start]
                    reply = replies[start]
                    if isinstance(reply, AskError):
                        waiting.append((start, end))
                        self._redirected(reply, start, told, group.server)
                    else:
                        acted = True
            if not waiting:
                break
        return replies

    def _grouped(
        self,
        commands: Sequence[Sequence[Any]],
        waiting: Sequence[tuple[int, int]],
        told: Mapping[int, Server],
    ) -> list[_Group]:
        groups: dict[Address, _Group] = {}
        for start, end in waiting:
            asking = told.get(start)
            server = asking or self.owner(command_slot(commands[start]))
            group = groups.setdefault(server.address, _Group(server))
            group.add(commands, start, end, asking=asking is not None)
        return list(groups.values())

    def _round(self, groups: Sequence[_Group]) -> list[list[Any]]:
        """Send everything, then read everything: servers work at the same time."""
        trips: list[Trip] = []
        try:
            for group in groups:
                with self._minding(group.server):
                    trips.append(Trip(group.server.client.connection_pool))
            for trip, group in zip(trips, groups, strict=True):
                with self._minding(group.server):
                    trip.send(group.commands)
            found = []
            for trip, group in zip(trips, groups, strict=True):
                with self._minding(group.server):
                    found.append(trip.read())
        except StoreUnavailable as error:
            if any(trip.sent for trip in trips) and len(groups) > 1:
                # What went to the others may have been carried out.
                raise OutcomeUnknown(str(error)) from error
            raise
        finally:
            for trip in trips:
                trip.end()
        return found

    @contextmanager
    def _minding(self, server: Server) -> Iterator[None]:
        try:
            yield
        except StoreError:
            self._lost(server)
            raise

    def _lost(self, server: Server) -> None:
        """Take note that a server did not answer."""
        server.away_until = monotonic() + _AWAY
        self._stale = True

    def _there(self, server: Server) -> Server:
        """Answer a server that is not known to be away: waiting for it would hold up others."""
        if not server.away_until:
            return server
        if monotonic() >= server.away_until:
            try:
                exchange(server.probe.connection_pool, [("PING",)])
            except StoreError:
                server.away_until = monotonic() + _AWAY
            else:
                server.away_until = 0.0
                return server
        raise StoreUnavailable(f"the store's server at {_text(server.address)} is away")

    def _redirected(self, error: AskError, start: int, told: dict[int, Server], by: Server) -> None:
        host, port = error.node_addr
        with self._lock:
            server = self._server((host or by.address[0], port))
            if isinstance(error, MovedError):
                self._owners[error.slot_id] = server
                self._stale = True
            else:
                told[start] = server

    def _ask_if_due(self) -> None:
        now = monotonic()
        with self._lock:
            if now < self._next and self._owners:
                return
            self._next = now + _ASK_AGAIN
        try:
            self._refresh()
        except StoreUnavailable:
            # What is known is better than nothing: servers that are there go on.
            if not self._owners:
                raise

    def _refresh(self) -> None:
        """Ask one server after the other who owns what, those that are away last."""
        known = list(self._servers.values())
        order = sorted(sample(known, len(known)), key=lambda each: each.away_until > 0)
        asked = [(each.address[0], each.client, each) for each in order if not each.away_until]
        seed = urlsplit(self._url).hostname or ""
        reason: Exception = StoreUnavailable("no server of the cluster answers")
        for host, client, server in [*asked, (seed, self._seed, None)]:
            try:
                reply = exchange(client.connection_pool, [("CLUSTER", "SLOTS")])[0]
                if isinstance(reply, ResponseError):
                    raise StoreUnavailable(str(reply))
                return self._learn(read_ranges(reply, host))
            except StoreError as error:
                reason = error
                if server is not None:
                    self._lost(server)
        raise StoreUnavailable(str(reason)) from reason

    def _learn(self, ranges: tuple[Range, ...]) -> None:
        """Take over who owns what; slots that nobody owns stay with whom they were last."""
        if not ranges:
            raise StoreUnavailable("the cluster has no slots yet")
        with self._lock:
            owners = self._owners[:] or [self._server(ranges[0].owner)] * SLOTS
            for each in ranges:
                owner = self._server(each.owner)
                owners[each.first : each.last + 1] = [owner] * (each.last + 1 - each.first)
            named = {address for each in ranges for address in (each.owner, *each.replicas)}
            self._owners = owners
            self._ranges = ranges
            for address in self._servers.keys() - named - {each.address for each in owners}:
                self._servers.pop(address).close()
        self._stale = any(each.away_until for each in self._primaries())

    def _server(self, address: Address) -> Server:
        server = self._servers.get(address)
        if server is None:
            url = _url_at(self._url, address)
            server = self._servers[address] = Server(
                address,
                url,
                self._connect(url, self._timeout),
                self._connect(url, _PROBE),
            )
        return server

    def _primaries(self) -> tuple[Server, ...]:
        return tuple({each.address: each for each in self._owners}.values())

    def execute_command(self, *arguments: Any, **options: Any) -> Any:
        """Run one command of the library at the owner of its key; without one, at every owner."""
        slot = command_slot(arguments)
        if slot is None:
            clients: list[Any] = [each.client for each in self.primaries()]
            replies = [each.execute_command(*arguments, **options) for each in clients]
            return replies[0]
        server = self.owner(slot)
        client: Any = server.client
        try:
            return client.execute_command(*arguments, **options)
        except MovedError as moved:
            self._redirected(moved, 0, {}, server)
            client = self.owner(slot).client
            return client.execute_command(*arguments, **options)

    def scan_iter(self, *arguments: Any, **named: Any) -> Iterator[Any]:
        """Answer the keys of every server."""
        for each in self.primaries():
            yield from each.client.scan_iter(*arguments, **named)

    def close(self) -> None:
        """Close the connections to every server."""
        with self._lock:
            for each in self._servers.values():
                each.close()
            self._seed.close()


def _url_at(url: str, address: Address) -> str:
    parts = urlsplit(url)
    user, marked, _ = parts.netloc.rpartition("@")
    return parts._replace(netloc=f"{user}{marked}{_text(address)}").geturl()


def _text(address: Address) -> str:
    host, port = address
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
