"""How the process of live updates is started; whoever only starts it need not import it."""

import sys
from typing import Final

DRAIN: Final = 5
"""Seconds that streams have to end once the process is asked to stop."""


def live_command(host: str, port: int) -> tuple[str, ...]:
    """Answer the command of the process; its settings come from the environment."""
    return (sys.executable, "-P", "-m", "service.live", host, str(port))
