"""Who follows what: leases of blocks, and a fair share for every living follower.

A lease only avoids wasted work. What makes writing safe is its fencing token, which every commit
is compared with.
"""

from collections.abc import Iterable
from typing import Final

from redis import Redis

from events import keys
from workers.scripts import ACQUIRE, ENROL, RELEASE, RENEW, Call, ask, run

LEASE_SECONDS: Final = 6.0
"""How long a lease lasts that nobody renews."""

RENEWAL_SECONDS: Final = 2.0
"""How often a follower renews."""

BLOCKS: Final = keys.PARTITIONS // keys.BLOCK


def partitions(block: int) -> range:
    """Answer the partitions that a lease of a block covers."""
    return range(block * keys.BLOCK, (block + 1) * keys.BLOCK)


class Leases:
    """The blocks that one follower holds: ``held`` is block -> fencing token."""

    def __init__(self, client: Redis, follower: str, *, seconds: float = LEASE_SECONDS) -> None:
        """Take the name of a follower that no other ever had."""
        self._client = client
        self._follower = follower
        self._milliseconds = int(seconds * 1000)
        self.held: dict[int, int] = {}
        self._share = BLOCKS

    def enrol(self) -> int:
        """Say that the follower is alive, learn how many are; answer its fair share of blocks."""
        call = Call(ENROL, (keys.followers(),), (self._follower, self._milliseconds))
        alive = max(1, run(self._client, call)[0])
        self._share = -(-BLOCKS // alive)
        return self._share

    def acquire(self) -> dict[int, int]:
        """Take free blocks up to the fair share; answer the new ones with their tokens."""
        wanted = self._share - len(self.held)
        if wanted <= 0:
            return {}
        leases = [("EXISTS", keys.lease(block)) for block in range(BLOCKS)]
        free = [block for block, taken in enumerate(ask(self._client, *leases)) if not taken]
        calls = [
            Call(
                ACQUIRE,
                (keys.lease(block), keys.fence(block)),
                (self._follower, self._milliseconds),
            )
            for block in free[:wanted]
        ]
        tokens = zip(free, run(self._client, *calls), strict=False)
        taken = {block: token for block, token in tokens if token is not None}
        self.held |= taken
        return taken

    def surplus(self) -> tuple[int, ...]:
        """Answer the blocks beyond the fair share: others are waiting for them."""
        return tuple(sorted(self.held)[self._share :])

    def renew(self) -> tuple[int, ...]:
        """Keep what is held; answer the blocks that were lost meanwhile and are held no more."""
        held = tuple(self.held)
        calls = [
            Call(RENEW, (keys.lease(block),), (self._mark(block), self._milliseconds))
            for block in held
        ]
        kept = zip(held, run(self._client, *calls), strict=True)
        lost = tuple(block for block, renewed in kept if not renewed)
        for block in lost:
            del self.held[block]
        return lost

    def release(self, blocks: Iterable[int]) -> None:
        """Give up blocks, so that others may have them at once."""
        given = [block for block in blocks if block in self.held]
        calls = [Call(RELEASE, (keys.lease(block),), (self._mark(block),)) for block in given]
        for block in given:
            del self.held[block]
        run(self._client, *calls)

    def leave(self) -> None:
        """Give up everything and be counted no more."""
        self.release(tuple(self.held))
        run(self._client, Call(ENROL, (keys.followers(),), (self._follower, 0)))

    def _mark(self, block: int) -> str:
        return f"{self._follower} {self.held[block]}"
