"""How well the server can do its work, asked of the store at most once a second."""

from collections.abc import Callable
from threading import Lock
from time import monotonic
from typing import Any

from redis.exceptions import RedisError

from events.servers.connection import Durability, StoreError, StoreUnavailable, check_configuration
from events.store import EventStore
from workers.status import Status, status

FRESH_SECONDS = 1.0


class Health:
    """Ask the store whether it is there and well set up, and how far the followers are."""

    def __init__(
        self,
        client: Any,
        rq_client: Any,
        durability: Durability,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        self._client = client
        self._rq_client = rq_client
        self._durability = durability
        self._clock = clock
        self._lock = Lock()
        self._known: tuple[float, Status] | None = None

    def check(self) -> None:
        """Raise StoreUnavailable or WrongConfiguration if no command could be stored now."""
        try:
            EventStore(self._client).ping()
            check_configuration(self._client, self._durability)
        except (RedisError, OSError) as error:
            raise StoreUnavailable(str(error)) from error

    def status(self) -> Status:
        """Answer lag, parked tables and queues, not older than a second."""
        with self._lock:
            now = self._clock()
            if self._known is None or now - self._known[0] > FRESH_SECONDS:
                self._known = (now, status(self._client, self._rq_client))
            return self._known[1]

    def status_if_there(self) -> Status | None:
        """Answer the status, or None while the store is away."""
        try:
            self.check_reachable()
            return self.status()
        except (RedisError, OSError, StoreError):
            return None

    def check_reachable(self) -> None:
        """Raise a RedisError or OSError if the store does not answer."""
        self._client.ping()
