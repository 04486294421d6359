"""A bell that one task waits for; an asyncio.Event under a timeout costs several times as much."""

import asyncio


class Bell:
    """Rung when there is something to look at; it stays rung until it is cleared."""

    __slots__ = ("_rung", "_waiter")

    def __init__(self) -> None:
        self._rung = False
        self._waiter: asyncio.Future[bool] | None = None

    def ring(self) -> None:
        """Wake whoever waits, or whoever will."""
        self._rung = True
        self._tell(rung=True)

    def clear(self) -> None:
        """Let the next wait wait."""
        self._rung = False

    async def heard(self, seconds: float) -> bool:
        """Wait until it is rung; answer whether it was in time."""
        if self._rung:
            return True
        loop = asyncio.get_running_loop()
        self._waiter = loop.create_future()
        timer = loop.call_later(seconds, self._late)
        try:
            return await self._waiter
        finally:
            timer.cancel()
            self._waiter = None

    def _late(self) -> None:
        self._tell(rung=False)

    def _tell(self, *, rung: bool) -> None:
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(rung)
