"""Commands a second with 1, 2 and 3 primaries: ``python -m tests.cluster.rates`` prints them."""

import argparse
import json
import os
import sys
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic, process_time, sleep

from events.servers.connection import connect
from events.store import EventStore
from tests.cluster.load import writing
from tests.cluster.nodes import Node, cluster

TICKS = os.sysconf("SC_CLK_TCK")


def cpu_seconds(node: Node) -> float:
    """Answer what a server has used of the processors."""
    assert node.process
    told = Path(f"/proc/{node.process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(told[11]) + int(told[12])) / TICKS


def write(url: str, seconds: float, threads: int, named: str) -> tuple[int, float]:
    """Write for so long, as one API process would; answer the commands and the CPU it took."""
    begun = process_time()
    with connect(url) as client, writing(EventStore(client), each=threads, named=named) as load:
        sleep(seconds)
    load.check()
    assert load.total("lost") == 0
    return load.acknowledged(), process_time() - begun


def measure(primaries: int, replicas: int, processes: int, seconds: float) -> dict[str, object]:
    """Measure one size of cluster."""
    with (
        TemporaryDirectory(prefix="abraxas-rates-") as folder,
        cluster(Path(folder), primaries=primaries, replicas=replicas) as nodes,
    ):
        url = f"{nodes.url}&replicas={replicas}"
        before = [cpu_seconds(each) for each in nodes.nodes]
        begun = monotonic()
        with ProcessPoolExecutor(processes, mp_context=get_context("spawn")) as pool:
            running = [pool.submit(write, url, seconds, 2, f"p{at}") for at in range(processes)]
            found = [each.result() for each in running]
        took = [cpu_seconds(each) - was for each, was in zip(nodes.nodes, before, strict=True)]
        wall = monotonic() - begun
    commands = sum(count for count, _ in found)
    return {
        "primaries": primaries,
        "replicas each": replicas,
        "processes": processes,
        "commands/s": round(commands / seconds),
        "CPU of a process per command (us)": _each(sum(cpu for _, cpu in found), commands),
        "CPU of its primary per command (us)": _each(sum(took[:primaries]), commands),
        "CPU of its replica per command (us)": _each(sum(took[primaries:]), commands),
        "wall (s)": round(wall, 1),
        "load": os.getloadavg()[0],
    }


def _each(seconds: float, commands: int) -> int:
    return round(seconds / commands * 1e6)


def main(arguments: Sequence[str]) -> int:
    """Read the command line, measure, print."""
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("--seconds", type=float, default=5.0)
    words.add_argument("--processes", type=int, default=os.cpu_count())
    told = words.parse_args(arguments)
    for replicas in (1, 0):
        for primaries in (1, 2, 3):
            found = measure(primaries, replicas, told.processes, told.seconds)
            sys.stdout.write(json.dumps(found) + "\n")
            sys.stdout.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
