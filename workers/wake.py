"""Nudges a sleeping follower after an append; carries no data."""

import logging
from collections.abc import Callable
from threading import Lock
from time import monotonic
from typing import Final

from redis import Redis
from redis.exceptions import RedisError

from workers.queues import ask_for_follower, ask_for_poster

_LOG: Final = logging.getLogger(__name__)

_QUIET_SECONDS: Final = 1.0


class Waker:
    """Asks for a follower where none is; one per process, safe to share between threads."""

    def __init__(self, rq_client: Redis, *, clock: Callable[[], float] = monotonic) -> None:
        """Take a client of RQ's server, and a clock in seconds."""
        self._client = rq_client
        self._clock = clock
        self._lock = Lock()
        self._next = float("-inf")

    def wake(self, listeners: int) -> None:
        """Enqueue a follow job if an append's reply says that nobody listens.

        At most one attempt a second, and none that fails is told: the command is stored, and
        whatever lags is found by the sweepers.
        """
        if listeners > 0 or not self._may_ask():
            return
        try:
            ask_for_follower(self._client)
        except (RedisError, OSError) as error:
            _LOG.warning("no follower could be asked for: %s", error)

    def post(self) -> None:
        """Enqueue a job that sends to webhooks; whatever fails is left to the sweepers."""
        try:
            ask_for_poster(self._client)
        except (RedisError, OSError) as error:
            _LOG.warning("nobody could be asked to send to webhooks: %s", error)

    def _may_ask(self) -> bool:
        with self._lock:
            now = self._clock()
            if now < self._next:
                return False
            self._next = now + _QUIET_SECONDS
            return True
