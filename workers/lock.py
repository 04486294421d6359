"""A lock that one process holds at a time; it runs out a minute after it was kept last."""

from dataclasses import dataclass, field
from typing import Final
from uuid import uuid4

from redis import Redis

from workers.scripts import RELEASE, RENEW, Call, ask, run

_MILLISECONDS: Final = 60_000


@dataclass(frozen=True, slots=True)
class Lock:
    """A lock under a key; ``token`` is what it says as long as it is ours."""

    client: Redis
    key: str
    token: str = field(default_factory=lambda: uuid4().hex)

    def take(self) -> bool:
        """Take it if nobody has it; answer whether it is ours."""
        taken = ("SET", self.key, self.token, "NX", "PX", _MILLISECONDS)
        return bool(ask(self.client, taken)[0])

    def keep(self) -> bool:
        """Keep it for another minute; answer whether it is still ours."""
        return bool(run(self.client, Call(RENEW, (self.key,), (self.token, _MILLISECONDS)))[0])

    def release(self) -> None:
        """Let others have it, if it is still ours."""
        run(self.client, Call(RELEASE, (self.key,), (self.token,)))
