"""How long a start takes, and what an idle server costs: ``python -m tests.benchmarks.start``.

The data folder holds 10,000 tables in the middle of a game; TABLES=1000 in the environment: so
many; STARTS and IDLE: how often it is started, and how many seconds it is watched.
"""

import json
import os
import tempfile
from pathlib import Path
from statistics import median
from time import perf_counter, sleep

from tests.benchmarks.api import Hall
from tests.benchmarks.flat import copies
from tests.e2e.server import Server, serving

TABLES = int(os.environ.get("TABLES", "10000"))
MOVES = 60
STARTS = int(os.environ.get("STARTS", "5"))
IDLE = float(os.environ.get("IDLE", "10"))


def spent(server: Server) -> float:
    """Answer the seconds of CPU that all processes of a server have taken."""
    ticks = 0
    for process in server.tree():
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
        ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")


def main() -> None:
    """Print the figures as JSON."""
    with tempfile.TemporaryDirectory() as folder:
        with serving(Path(folder), ABRAXAS_LOG="warning") as server:
            hall = Hall(server.port, 1)
            for _ in range(MOVES):
                hall.done(hall.moves(1), 201)
            copies(server.data, hall.tables[0].rpartition("/")[2], TABLES - 1)
        ready = []
        work = []
        for _ in range(STARTS):
            begun = perf_counter()
            with serving(Path(folder), ABRAXAS_LOG="warning") as server:
                ready.append(perf_counter() - begun)
                work.append(spent(server))
        with serving(Path(folder), ABRAXAS_LOG="warning") as server:
            sleep(3.0)
            before, begun = spent(server), perf_counter()
            sleep(IDLE)
            idle = (spent(server) - before) / (perf_counter() - begun)
    print(json.dumps({
        "tables": TABLES, "ready_s": median(ready), "cpu_s": median(work), "idle_core": idle,
        "load": os.getloadavg()[0],
    }))  # fmt: skip


if __name__ == "__main__":
    main()
