"""How the process hears that something has grown: sharded channels that carry no news."""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final

from redis.asyncio import Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import RedisError

from events.connection import StoreUnavailable

PATIENCE: Final = 2.0
"""Seconds until a subscription must stand."""
_WAIT: Final = 5.0
"""Seconds of silence after which it is tested whether the connection still stands."""
_PAUSE: Final = 0.2
"""Seconds between two attempts to reach the store."""
_HOME: Final = "abraxas:live"
"""A channel that nobody speaks on: a subscription without channels could not be listened to."""


class Nudges:
    """One subscription. Nudges may be lost, so ``lost`` is called whenever some may have been."""

    def __init__(
        self, url: str, heard: Callable[[str, str], None], lost: Callable[[], None]
    ) -> None:
        """Take the store's URL; ``heard`` is called with a channel and what was said there."""
        self._client = Redis.from_url(
            url, protocol=2, retry=Retry(NoBackoff(), 0), health_check_interval=_WAIT
        )
        self._heard = heard
        self._lost = lost
        self._channels: dict[str, asyncio.Event] = {}
        self._listeners: dict[str, int] = {}
        self._pubsub: Any = None

    async def hear(self, channel: str) -> None:
        """Hear of a channel from now on; raise StoreUnavailable if that cannot be had."""
        self._listeners[channel] = self._listeners.get(channel, 0) + 1
        stands = self._channels.get(channel)
        if stands is None:
            stands = self._channels[channel] = asyncio.Event()
            # Without a connection all channels are subscribed to once there is one.
            with suppress(RedisError, OSError):
                if self._pubsub is not None:
                    await self._pubsub.ssubscribe(channel)
        try:
            async with asyncio.timeout(PATIENCE):
                await stands.wait()
        except TimeoutError:
            await self.ignore(channel)
            raise StoreUnavailable("the store does not take subscriptions") from None

    async def ignore(self, channel: str) -> None:
        """Undo one ``hear``."""
        self._listeners[channel] -= 1
        if self._listeners[channel]:
            return
        del self._listeners[channel], self._channels[channel]
        with suppress(RedisError, OSError):
            if self._pubsub is not None:
                await self._pubsub.sunsubscribe(channel)

    async def run(self) -> None:
        """Listen, and begin anew whenever the connection breaks."""
        while True:
            pubsub: Any = self._client.pubsub()
            with suppress(RedisError, OSError):
                await pubsub.ssubscribe(_HOME, *self._channels)
                self._pubsub = pubsub
                await self._listen(pubsub)
            self._pubsub = None
            for stands in self._channels.values():
                stands.clear()
            with suppress(RedisError, OSError):
                await pubsub.aclose()
            await asyncio.sleep(_PAUSE)

    async def _listen(self, pubsub: Any) -> None:
        while True:
            message = await pubsub.get_message(timeout=_WAIT)
            if message is None:
                continue
            channel = message["channel"].decode()
            if message["type"] == "smessage":
                self._heard(channel, message["data"].decode())
            elif message["type"] == "ssubscribe":
                if channel == _HOME:
                    self._lost()
                elif channel in self._channels:
                    self._channels[channel].set()
            elif message["type"] == "sunsubscribe" and channel in self._channels:
                # Asked for again before the store had let go of it.
                await pubsub.ssubscribe(channel)

    async def close(self) -> None:
        """Let go of the store."""
        await self._client.aclose()
