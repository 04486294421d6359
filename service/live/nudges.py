"""How the process hears that something has grown: sharded channels that carry no news."""

import asyncio
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Any, Final

from redis.asyncio import Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import RedisError

from events.servers.connection import StoreError, StoreUnavailable, connect, home_url

PATIENCE: Final = 2.0
"""Seconds until a subscription must stand."""
_WAIT: Final = 5.0
"""Seconds of silence after which it is tested whether the connection still stands."""
_PAUSE: Final = 0.2
"""Seconds between two attempts to reach the store."""
_HOME: Final = "abraxas:live"
"""A channel that nobody speaks on: a subscription without channels could not be listened to."""


class _Ear:
    """The subscription at one server."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.client = Redis.from_url(
            url, protocol=2, retry=Retry(NoBackoff(), 0), health_check_interval=_WAIT
        )
        self.pubsub: Any = self.client.pubsub()
        self.listening: asyncio.Task[None] | None = None

    async def close(self) -> None:
        if self.listening is not None and self.listening is not asyncio.current_task():
            self.listening.cancel()
        with suppress(RedisError, OSError):
            await self.pubsub.aclose()
            await self.client.aclose()


class Nudges:
    """Subscriptions at every server that owns a channel somebody hears of.

    Nudges may be lost, so ``lost`` is called whenever some may have been.
    """

    def __init__(
        self, url: str, heard: Callable[[str, str], None], lost: Callable[[], None]
    ) -> None:
        """Take the store's URL; ``heard`` is called with a channel and what was said there."""
        self._url = url
        # Knows which server owns what.
        self._store = connect(url)
        self._heard = heard
        self._lost = lost
        self._channels: dict[str, asyncio.Event] = {}
        self._listeners: dict[str, int] = {}
        self._ears: dict[str, _Ear] = {}
        self._places: dict[str, _Ear] = {}
        self._homeless: set[str] = set()
        self._silenced: set[str] = set()
        self._called = asyncio.Event()

    async def hear(self, channel: str) -> None:
        """Hear of a channel from now on; raise StoreUnavailable if that cannot be had."""
        self._listeners[channel] = self._listeners.get(channel, 0) + 1
        stands = self._channels.get(channel)
        if stands is None:
            stands = self._channels[channel] = asyncio.Event()
            self._seek([channel])
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
        self._homeless.discard(channel)
        self._silenced.discard(channel)
        ear = self._places.pop(channel, None)
        if ear is not None:
            with suppress(RedisError, OSError):
                await ear.pubsub.sunsubscribe(channel)

    def _seek(self, channels: Iterable[str]) -> None:
        self._homeless.update(channels)
        self._called.set()

    async def run(self) -> None:
        """See to it that every channel is listened to, wherever it lives by now."""
        while True:
            await self._called.wait()
            self._called.clear()
            while self._homeless:
                with suppress(StoreError, RedisError, OSError):
                    await self._settle()
                if self._homeless:
                    await asyncio.sleep(_PAUSE)

    async def _settle(self) -> None:
        """Subscribe to whatever has no subscription, each at the server that owns it."""
        channels = tuple(self._homeless)
        homes = await asyncio.to_thread(
            lambda: [home_url(self._store, self._url, channel) for channel in channels]
        )
        wanted: dict[str, list[str]] = {}
        for channel, url in zip(channels, homes, strict=True):
            if channel in self._homeless:
                wanted.setdefault(url, []).append(channel)
        for url, asked in wanted.items():
            ear = await self._ear(url)
            some = [each for each in asked if each in self._homeless]
            for channel in some:
                self._places[channel] = ear
            self._homeless.difference_update(some)
            await self._subscribe(ear, some)

    async def _ear(self, url: str) -> _Ear:
        ear = self._ears.get(url)
        if ear is None:
            ear = _Ear(url)
            try:
                await ear.pubsub.subscribe(_HOME)
            except (RedisError, OSError):
                await ear.close()
                raise
            self._ears[url] = ear
            ear.listening = asyncio.create_task(self._listen(ear))
        return ear

    async def _subscribe(self, ear: _Ear, channels: list[str]) -> None:
        try:
            for channel in channels:
                # One by one: in a cluster they lie in several slots.
                await ear.pubsub.ssubscribe(channel)
        except (RedisError, OSError):
            await self._broken(ear)

    async def _listen(self, ear: _Ear) -> None:
        with suppress(RedisError, OSError):
            while True:
                message = await ear.pubsub.get_message(timeout=_WAIT)
                if message is not None:
                    self._take(ear, message["type"], message["channel"].decode(), message["data"])
        await self._broken(ear)

    def _take(self, ear: _Ear, kind: str, channel: str, said: Any) -> None:
        if kind == "smessage":
            self._heard(channel, said.decode())
        elif kind == "ssubscribe" and self._places.get(channel) is ear:
            self._channels[channel].set()
            if channel in self._silenced:
                self._silenced.discard(channel)
                if not self._silenced:
                    self._lost()
        elif kind == "sunsubscribe" and self._places.get(channel) is ear:
            # Its slot has moved, or it was asked for again before the store had let go of it.
            self._silence([channel])

    def _silence(self, channels: list[str]) -> None:
        for channel in channels:
            self._places.pop(channel)
            self._channels[channel].clear()
        self._silenced.update(channels)
        self._seek(channels)

    async def _broken(self, ear: _Ear) -> None:
        """Seek another place for whatever was heard there."""
        if self._ears.get(ear.url) is ear:
            del self._ears[ear.url]
            self._silence([each for each, place in self._places.items() if place is ear])
            await ear.close()

    async def close(self) -> None:
        """Let go of the store."""
        ears, self._ears = list(self._ears.values()), {}
        for ear in ears:
            await ear.close()
        self._store.close()
