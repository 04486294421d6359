"""Everything on one machine: the store, the API and the workers, as one process tree."""

import sys
from collections.abc import Mapping
from dataclasses import replace
from http.client import HTTPConnection, HTTPException
from typing import Final

from events.servers.connection import StoreError
from events.servers.embedded import Embedded, EmbeddedFailed, has_room, launch, why_ended
from service.live.command import DRAIN as LIVE_DRAIN
from service.live.command import live_command
from service.processes.api import DRAIN, api_command
from service.processes.store_check import check_store
from service.processes.workers import WORKER_NAMES, worker_parts
from service.settings import ARCHIVE_AFTER, Settings, environment_of
from service.supervise.child import Part, Process, command
from service.supervise.claim import claim
from service.supervise.port import free_port, held
from service.supervise.refusal import CannotServe
from service.supervise.signals import Signals
from service.supervise.tree import GaveUp, Tree, tell

_PATIENCE: Final = 300.0
"""Seconds until everything must be ready: a long history takes its time to be loaded."""


def serve(settings: Settings) -> int:
    """Run everything until somebody asks to stop, and answer the exit code.

    Raise CannotServe, with nothing started, if this is not the place for it.
    """
    after = ARCHIVE_AFTER if settings.archive_after is None else settings.archive_after
    settings = replace(settings, data=settings.data.absolute(), archive_after=after)
    with claim(settings.data) as claimed, Signals() as signals:
        settings = replace(settings, port=free_port(settings.host, settings.port))
        settings = replace(settings, live_port=_live_port(settings))
        with held(settings.host, settings.port), held(settings.host, settings.stream_port):
            return _run(Tree(signals, claimed), settings)


def _run(tree: Tree, settings: Settings) -> int:
    store = _Store(settings)
    try:
        _bring_up(tree, store, settings)
        tree.keep(store.look)
    except GaveUp as end:
        if end.sentence:
            tell(end.sentence)
        return end.code
    finally:
        tree.stop(["API", "live updates"], WORKER_NAMES)
        store.tidy()
    return 0


def _bring_up(tree: Tree, store: "_Store", settings: Settings) -> None:
    if not settings.embedded:
        check_store(settings)
    else:
        tree.start(Part(name="store", spawn=store.spawn, ask=store.ask))
        if not tree.wait_until(store.answers, _PATIENCE, "The store"):
            return
    environment = environment_of(settings)
    tree.start(
        _api(settings, environment), _live(settings, environment), *worker_parts(environment)
    )
    if tree.wait_until(lambda: _ready(settings), _PATIENCE, "The API"):
        address = _address(settings)
        sys.stdout.write(
            f"Abraxas is ready on {address} (documentation: {address}/docs,"
            f" data: {settings.data}). Ctrl-C stops it.\n"
        )
        sys.stdout.flush()


class _Store:
    """Start the embedded store as a part of the tree, and ask it to stop by its own command."""

    def __init__(self, settings: Settings) -> None:
        self._data = settings.data
        self._running: Embedded | None = None
        self._admits = True

    def spawn(self, inherited: tuple[int, ...]) -> Process:  # noqa: ARG002 - it has its own lock
        try:
            self._admits = has_room(self._data)
            self._running = launch(self._data, wait=5.0, again=self._running is not None)
        except EmbeddedFailed as failure:
            raise CannotServe(str(failure)) from None
        return self._running.process

    def look(self) -> None:
        """Have the store refuse writes while its disk is all but full, and reads go on."""
        room = has_room(self._data)
        if self._running is None or room == self._admits:
            return
        try:
            self._running.admit_writes(admitted=room)
        except StoreError:
            # It is being started again, or is asked again in a second.
            return
        self._admits = room
        if room:
            tell(f"There is room on the disk of {self._data} again: moves are taken.")
        else:
            tell(f"The disk of {self._data} is all but full: no move is taken until there is room.")

    def answers(self) -> bool:
        if self._running is None:
            return False
        if self._running.process.poll() is not None:
            raise CannotServe(why_ended(self._running))
        return self._running.answers()

    def ask(self, process: Process) -> None:  # noqa: ARG002 - the tree's signature
        if self._running is not None:
            self._running.ask_to_stop()

    def tidy(self) -> None:
        """Remove what the server needed outside its data folder, now that it has ended."""
        if self._running is not None:
            self._running.stop()


def _api(settings: Settings, environment: Mapping[str, str]) -> Part:
    spawn = command(*api_command(settings.host, settings.port), **environment)
    return Part(name="API", spawn=spawn, grace=DRAIN + 2.0)


def _live(settings: Settings, environment: Mapping[str, str]) -> Part:
    spawn = command(*live_command(settings.host, settings.stream_port), **environment)
    return Part(name="live updates", spawn=spawn, grace=LIVE_DRAIN + 2.0)


def _live_port(settings: Settings) -> int:
    """Answer a free port for live updates; where none was asked for, any other will do."""
    if settings.live_port == settings.port:
        raise CannotServe(f"Port {settings.port} is the API's: choose another ABRAXAS_LIVE_PORT.")
    if settings.live_port is not None:
        return free_port(settings.host, settings.live_port)
    try:
        return free_port(settings.host, settings.stream_port)
    except CannotServe:
        return free_port(settings.host, 0)


def _ready(settings: Settings) -> bool:
    """Say whether the API answers and finds its store in order, and streams can be opened."""
    return _answers(settings, settings.port, "/readyz") and _answers(
        settings, settings.stream_port, "/livez"
    )


def _answers(settings: Settings, port: int, path: str) -> bool:
    connection = HTTPConnection(_near(settings.host), port, timeout=2)
    try:
        connection.request("GET", path)
        return connection.getresponse().status == 200
    except (OSError, HTTPException):
        return False
    finally:
        connection.close()


def _address(settings: Settings) -> str:
    host = _near(settings.host)
    return f"http://[{host}]:{settings.port}" if ":" in host else f"http://{host}:{settings.port}"


def _near(host: str) -> str:
    """Answer an address of this machine at which a listener on every address is found."""
    return {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)  # noqa: S104 - nothing binds it
