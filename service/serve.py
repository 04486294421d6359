"""Everything on one machine: the store, the API and the workers, as one process tree."""

import sys
from collections.abc import Mapping
from dataclasses import replace
from http.client import HTTPConnection, HTTPException
from typing import Final

from events.embedded import Embedded, EmbeddedFailed, launch
from service.api_process import DRAIN, api_command
from service.settings import Settings, environment_of
from service.store_check import check_store
from service.supervise.child import Part, Process, command
from service.supervise.claim import claim
from service.supervise.port import free_port
from service.supervise.refusal import CannotServe
from service.supervise.signals import Signals
from service.supervise.tree import GaveUp, Tree, tell
from service.worker_processes import WORKER_NAMES, worker_parts

_PATIENCE: Final = 30.0
"""Seconds until everything must be ready."""


def serve(settings: Settings, host: str, port: int) -> int:
    """Run everything until somebody asks to stop, and answer the exit code.

    Raise CannotServe, with nothing started, if this is not the place for it.
    """
    settings = replace(settings, data=settings.data.absolute())
    with claim(settings.data) as held, Signals() as signals:
        port = free_port(host, port)
        tree = Tree(signals, held)
        try:
            _bring_up(tree, settings, host, port)
            tree.keep()
        except GaveUp as end:
            if end.sentence:
                tell(end.sentence)
            return end.code
        finally:
            tree.stop(["API"], WORKER_NAMES)
    return 0


def _bring_up(tree: Tree, settings: Settings, host: str, port: int) -> None:
    if settings.embedded:
        store = _Store(settings)
        tree.start(Part(name="store", spawn=store.spawn, ask=store.ask))
        tree.wait_until(store.answers, _PATIENCE, "The store")
    else:
        check_store(settings)
    environment = environment_of(settings)
    tree.start(_api(host, port, environment), *worker_parts(environment))
    if tree.wait_until(lambda: _ready(host, port), _PATIENCE, "The API"):
        address = f"http://{_in_url(host)}:{port}"
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

    def spawn(self, inherited: tuple[int, ...]) -> Process:  # noqa: ARG002 - it has its own lock
        try:
            self._running = launch(self._data, wait=5.0)
        except EmbeddedFailed as failure:
            raise CannotServe(str(failure)) from None
        return self._running.process

    def answers(self) -> bool:
        return self._running is not None and self._running.answers()

    def ask(self, process: Process) -> None:  # noqa: ARG002 - the tree's signature
        if self._running is not None:
            self._running.ask_to_stop()


def _api(host: str, port: int, environment: Mapping[str, str]) -> Part:
    spawn = command(*api_command(host, port), **environment)
    return Part(name="API", spawn=spawn, grace=DRAIN + 2.0)


def _ready(host: str, port: int) -> bool:
    """Say whether the API answers and finds its store in order."""
    near = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)  # noqa: S104 - not bound here
    connection = HTTPConnection(near, port, timeout=2)
    try:
        connection.request("GET", "/readyz")
        return connection.getresponse().status == 200
    except (OSError, HTTPException):
        return False
    finally:
        connection.close()


def _in_url(host: str) -> str:
    return f"[{host}]" if ":" in host else host
