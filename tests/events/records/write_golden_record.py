"""Writes a golden record.

``python -m tests.events.records.write_golden_record GAME SEATS SEED > FILE``
"""

import sys

from domain.catalogue import games
from tests.events.histories import finished, recorded_as

if __name__ == "__main__":
    name, seats, seed = sys.argv[1:]
    sys.stdout.buffer.write(recorded_as(finished(games()[name], int(seats), seed, "greedy")))
