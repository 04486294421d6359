"""How a follower hears that a feed has grown: channels that carry no data."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from selectors import EVENT_READ, DefaultSelector
from typing import Any, Final

from redis import Redis
from redis.exceptions import RedisError

from events import keys
from events.servers.connection import StoreUnavailable, home

_HEARD: Final = ("message", "smessage")


class Nudges:
    """The subscriptions of one follower, one on each server that owns some of its partitions.

    A nudge may be lost: sweeps find what it was about.
    """

    def __init__(self, client: Redis, *, sharded: bool = True) -> None:
        """Take a client of the store; servers older than 7 know no sharded channels."""
        self._client = client
        self._sharded = sharded
        self._channels: dict[str, int] = {}
        self._places: dict[str, Redis] = {}
        self._pubsubs: dict[Redis, Any] = {}

    def listen(self, partitions: Iterable[int]) -> None:
        """Hear of these partitions from now on."""
        channels = {keys.wake(partition): partition for partition in partitions}
        self._channels |= channels
        self._subscribe(channels)

    def ignore(self, partitions: Iterable[int]) -> None:
        """Hear of these partitions no more: whoever appends is told that nobody listens."""
        left: dict[Redis, list[str]] = {}
        for channel in map(keys.wake, partitions):
            if self._channels.pop(channel, None) is not None and channel in self._places:
                left.setdefault(self._places.pop(channel), []).append(channel)
        verb = "sunsubscribe" if self._sharded else "unsubscribe"
        with _asking():
            for server, channels in left.items():
                for channel in channels:
                    getattr(self._pubsubs[server], verb)(channel)

    def _subscribe(self, channels: Iterable[str]) -> None:
        wanted: dict[Redis, list[str]] = {}
        for channel in channels:
            server = self._places[channel] = home(self._client, channel)
            wanted.setdefault(server, []).append(channel)
        verb = "ssubscribe" if self._sharded else "subscribe"
        with _asking():
            for server, some in wanted.items():
                if server not in self._pubsubs:
                    self._pubsubs[server] = server.pubsub()  # type: ignore[no-untyped-call]
                for channel in some:
                    # One by one: in a cluster they lie in several slots.
                    getattr(self._pubsubs[server], verb)(channel)

    def wait(self, seconds: float) -> set[int]:
        """Answer the partitions nudged; wait for the first of them so long at most."""
        timeout = max(seconds, 0.0)
        if len(self._pubsubs) == 1:
            (only,) = self._pubsubs.values()
            return self._heard(only, timeout)
        heard = self._at_once()
        if not heard and timeout and self._wait_for_any(timeout):
            heard = self._at_once()
        return heard

    def _at_once(self) -> set[int]:
        return {each for pubsub in self._pubsubs.values() for each in self._heard(pubsub, 0.0)}

    def _wait_for_any(self, timeout: float) -> bool:
        with DefaultSelector() as selector:
            for pubsub in self._pubsubs.values():
                if pubsub.connection is not None and pubsub.connection.is_connected:
                    selector.register(pubsub.connection._sock, EVENT_READ)  # noqa: SLF001
            return bool(selector.select(timeout))

    def _heard(self, pubsub: Any, timeout: float) -> set[int]:
        heard: set[int] = set()
        while True:
            with _asking():
                message = pubsub.get_message(timeout=timeout)
            if message is None:
                return heard
            channel = message["channel"].decode()
            if message["type"] in _HEARD:
                if channel in self._channels:
                    heard.add(self._channels[channel])
                timeout = 0.0
            elif message["type"] == "sunsubscribe" and channel in self._places:
                # Its slot has moved; what was said meanwhile nobody has heard.
                heard.add(self._channels[channel])
                self._subscribe([channel])

    def close(self) -> None:
        """Be counted as a listener no more."""
        self._channels.clear()
        self._places.clear()
        with _asking():
            for each in self._pubsubs.values():
                each.close()
        self._pubsubs.clear()


@contextmanager
def _asking() -> Iterator[None]:
    try:
        yield
    except (RedisError, OSError) as error:
        raise StoreUnavailable(str(error)) from error
