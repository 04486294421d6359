"""How a follower hears that a feed has grown: channels that carry no data."""

from collections.abc import Iterable
from typing import Any, Final

from redis import Redis
from redis.exceptions import RedisError

from events import keys
from events.connection import StoreUnavailable

_HEARD: Final = ("message", "smessage")


class Nudges:
    """The subscription of one follower. A nudge may be lost: sweeps find what it was about."""

    def __init__(self, client: Redis, *, sharded: bool = True) -> None:
        """Take a client of the store; servers older than 7 know no sharded channels."""
        self._pubsub: Any = client.pubsub()  # type: ignore[no-untyped-call]
        self._sharded = sharded
        self._channels: dict[str, int] = {}

    def listen(self, partitions: Iterable[int]) -> None:
        """Hear of these partitions from now on."""
        channels = {keys.wake(partition): partition for partition in partitions}
        self._channels |= channels
        if channels:
            self._do("ssubscribe" if self._sharded else "subscribe", *channels)

    def ignore(self, partitions: Iterable[int]) -> None:
        """Hear of these partitions no more: whoever appends is told that nobody listens."""
        channels = [keys.wake(partition) for partition in partitions]
        for channel in channels:
            self._channels.pop(channel, None)
        if channels:
            self._do("sunsubscribe" if self._sharded else "unsubscribe", *channels)

    def wait(self, seconds: float) -> set[int]:
        """Answer the partitions nudged; wait for the first of them so long at most."""
        heard: set[int] = set()
        timeout = max(seconds, 0.0)
        while (message := self._do("get_message", timeout=timeout)) is not None:
            if message["type"] in _HEARD:
                partition = self._channels.get(message["channel"].decode())
                if partition is not None:
                    heard.add(partition)
                timeout = 0.0
        return heard

    def close(self) -> None:
        """Be counted as a listener no more."""
        self._channels.clear()
        self._do("close")

    def _do(self, name: str, *arguments: Any, **named: Any) -> Any:
        try:
            return getattr(self._pubsub, name)(*arguments, **named)
        except (RedisError, OSError) as error:
            raise StoreUnavailable(str(error)) from error
