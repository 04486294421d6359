"""What the routes work with: made once by create_app, handed to each call."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from events.transact import Door
from service.health import Health
from service.identity.callers import Identity
from service.limits import Limits
from service.metrics import Meters
from workers.wake import Waker


@dataclass(frozen=True, slots=True)
class Parts:
    """The store's client, the door to tables, who is who, what is left to whom, and meters."""

    client: Any
    door: Door
    identity: Identity
    limits: Limits
    waker: Waker
    health: Health
    meters: Meters
    url: str | None
    """Where clients reach the API, if that is not the address that they ask at."""
    live_url: str | None
    live_port: int
    local_webhooks: bool
    """Whether webhooks may go to this machine."""
    document: Callable[[], dict[str, Any]]
    """Answers the description of the API."""
    document_yaml: Callable[[], str]
