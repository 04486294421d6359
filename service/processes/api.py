"""The process of the HTTP API: granian with one worker, the same wherever it is started."""

import os
import sys
from collections.abc import Callable
from functools import partial
from typing import Any, Final

from events.tracing import start_tracing
from service.processes.pace import Paced
from service.settings import settings_from_env
from service.supervise.child import die_with, open_many
from workers.logs import log_config, start_log

DRAIN: Final = 8
"""Seconds that requests in flight have to be answered once the process is asked to stop."""

AT_ONCE: Final = 24
"""Requests that are worked on at once: so many commands share a sync of the store's disk."""

CONNECTIONS: Final = 1024
"""Clients that are heard at once, each in a thread of its own while it sends or reads slowly."""

_PART: Final = "api"


def api_command(host: str, port: int) -> tuple[str, ...]:
    """Answer the command of the process; its settings come from the environment."""
    return (sys.executable, "-P", "-m", "service.processes.api", host, str(port))


def run_wsgi(load: Callable[[], Any], host: str, port: int) -> None:
    """Serve a WSGI application until SIGTERM or SIGINT, then answer what is in flight.

    ``load`` is called in the worker process; a worker that dies is replaced at once. While one
    request waits for the store's disk others go on, and one sync of the disk serves them all; what
    a second process would cost and bring is in docs/performance.md. Who sends or reads slowly
    waits in a thread of its own and takes nobody's turn.
    """
    # Whoever only wants the command does not pay for the server.
    from granian.constants import HTTPModes, Interfaces
    from granian.log import LogLevels, logger
    from granian.server import Server

    # It warns of more threads than cores: ours wait for clients and for a disk.
    logger.addFilter(lambda told: "Python threads" not in told.getMessage())

    Server(
        "",
        address=host,
        port=port,
        interface=Interfaces.WSGI,
        http=HTTPModes.http1,
        workers=1,
        backpressure=CONNECTIONS,
        blocking_threads=CONNECTIONS,
        respawn_failed_workers=True,
        workers_kill_timeout=DRAIN,
        log_level=LogLevels.warning,
        log_dictconfig=log_config(_PART, os.environ),
    ).serve(target_loader=partial(_load, load, os.getpid()), wrap_loader=False)


def _load(load: Callable[[], Any], parent: int) -> Any:
    # The port is shared with SO_REUSEPORT: a worker without its parent would go on taking requests.
    die_with(parent)
    open_many()
    start_log(_PART, os.environ)
    start_tracing(_PART, os.environ)
    return Paced(load(), AT_ONCE)


def run_api(host: str, port: int) -> None:
    """Serve the API with the settings of the environment until SIGTERM or SIGINT."""
    # Imported before the worker is forked, so that one that dies is replaced in no time.
    import service.app  # noqa: F401

    run_wsgi(_api, host, port)


def _api() -> Any:
    from service.app import create_app

    return create_app(settings_from_env(os.environ))


if __name__ == "__main__":
    run_api(sys.argv[1], int(sys.argv[2]))
