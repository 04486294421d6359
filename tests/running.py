"""A clock for promises about time, which no machine breaks that is busy with something else."""

from pathlib import Path
from time import monotonic
from typing import Final

_WAITED: Final = Path("/proc/thread-self/schedstat")


def own_seconds() -> float:
    """Answer a moment in seconds that passed for this thread.

    While it could run and others are run instead, no time passes. Elsewhere than on Linux all
    time counts.
    """
    now = monotonic()
    return now - int(_WAITED.read_text().split()[1]) / 1e9 if _WAITED.exists() else now
