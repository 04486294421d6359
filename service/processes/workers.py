"""The two processes that work after the fact: one follows the feed, one does RQ's other jobs."""

import sys
from collections.abc import Iterable, Mapping
from typing import Final

from service.supervise.child import Part, command
from service.supervise.signals import Signals
from service.supervise.tree import Tree

QUEUES: Final = ("follow", "jobs")
WORKER_NAMES: Final = tuple(f"{queue} worker" for queue in QUEUES)


def worker_parts(environment: Mapping[str, str], queues: Iterable[str] = QUEUES) -> list[Part]:
    """Answer one process for each queue."""
    return [
        Part(
            name=f"{queue} worker",
            spawn=command(sys.executable, "-P", "-m", "workers", queue, **environment),
        )
        for queue in queues
    ]


def run_workers(environment: Mapping[str, str], queues: Iterable[str] = QUEUES) -> None:
    """Run a process for each queue until somebody asks to stop."""
    with Signals() as signals:
        tree = Tree(signals)
        tree.start(*worker_parts(environment, queues))
        tree.keep()
        tree.stop(WORKER_NAMES)
