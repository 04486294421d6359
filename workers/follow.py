"""The follower: owns partitions by lease, hears nudges, keeps projections up and plays bots.

What it was not told it finds by sweeping. What it remembers is only to save work: it may be killed
between any two lines.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from itertools import islice
from time import monotonic, time
from typing import Final
from uuid import uuid4

from events import keys
from events.store import EventStore
from events.transact import Door
from workers.batch import FEEDS, Batches
from workers.bots import Bots
from workers.leases import RENEWAL_SECONDS, Leases, partitions
from workers.nudges import Nudges
from workers.projections import PROJECTIONS
from workers.projections.shape import Projection
from workers.share import Share
from workers.sittings import Sittings

BATCH_SECONDS: Final = 0.005
"""A batch begins this long after the one before at the earliest, so that news comes together."""

DELIVERY_SECONDS: Final = 0.02
"""How long news for lists waits for a batch to go with."""

SWEEP_SECONDS: Final = 1.0
"""How often every feed is looked at, nudged or not."""

RETRY_SECONDS: Final = 60.0
"""How often parked tables are tried again; a new event of theirs tries them too."""

LONGEST_WAIT: Final = 0.25
"""How long a follower sleeps at most before it asks whether to stop."""


def _now() -> int:
    return int(time() * 1000)


class Follower:
    """One follower from its first lease to its last; raises StoreError when the store is away."""

    def __init__(
        self,
        store: EventStore,
        *,
        projections: Sequence[Projection] = PROJECTIONS,
        sittings: Sittings | None = None,
        stop: Callable[[], bool] = lambda: False,
        posted: Callable[[], None] = lambda: None,
    ) -> None:
        """Take a store, and the question asked between batches: whether to stop.

        ``posted`` is called whenever webhooks have something new to send.
        """
        self.name = uuid4().hex
        self._store = store
        self._stop = stop
        self._leases = Leases(store.client, self.name)
        self._nudges = Nudges(store.client, sharded=store.sharded_nudges)
        sittings = sittings or Sittings(store)
        self._bots = Bots(Door(store, cache_size=sittings.size), sittings)
        self._batches = Batches(store, projections, sittings, self._bots, posted)
        self.shares: dict[int, Share] = {}
        self._nudged: dict[int, None] = {}
        self._renewed = self._swept = self._retried = monotonic()
        self._drained = 0.0

    def run(self, seconds: float) -> None:
        """Follow for so long, or until it should stop."""
        end = monotonic() + seconds
        try:
            self.begin()
            while not self._stop() and monotonic() < end:
                self.hear(self._pause(end))
                if self._nudged and monotonic() >= self._drained + BATCH_SECONDS:
                    self.drain()
                elif self._batches.news and monotonic() >= self._drained + DELIVERY_SECONDS:
                    self.deliver()
                self.play()
                self.tend()
        except BaseException:
            # Of a batch that was cut short shares know more than was applied: they settle nothing.
            self.shares.clear()
            raise
        finally:
            self.end()

    def _pause(self, end: float) -> float:
        """Answer how long there is nothing to do but listen."""
        now = monotonic()
        if self._bots and not self._bots.resting():
            return 0.0
        if self._nudged:
            return self._drained + BATCH_SECONDS - now
        if self._batches.news:
            return self._drained + DELIVERY_SECONDS - now
        return min(LONGEST_WAIT, self._swept + SWEEP_SECONDS - now, end - now)

    def begin(self) -> None:
        """Take leases of a fair share, and what they cover."""
        self._leases.enrol()
        self._take(self._leases.acquire())

    def end(self) -> None:
        """Give everything up, so that the next follower has it at once."""
        try:
            self.deliver()
            self._lose(self._batches.settle(self.shares.values(), _now()))
            self._leases.leave()
        finally:
            self._nudges.close()
            self.shares.clear()

    def hear(self, seconds: float) -> None:
        """Wait so long at most for a nudge."""
        self._nudge(self._nudges.wait(seconds))

    def drain(self) -> None:
        """Apply one batch of what is new in the feeds nudged about."""
        self._drained = monotonic()
        picked = tuple(islice(self._nudged, FEEDS))
        for partition in picked:
            del self._nudged[partition]
        more, lost = self._batches.drain([self.shares[each] for each in picked], _now())
        self._nudge(share.partition for share in more)
        self._lose(lost)

    def deliver(self) -> None:
        """Bring news to its lists that no batch came to take along."""
        self._batches.deliver()

    def busy(self) -> bool:
        """Answer whether it knows of something to apply, to deliver or to play."""
        return bool(self._nudged or self._bots or self._batches.news)

    def play(self) -> int:
        """Let bots play for a moment; answer how many moves they made."""
        return self._bots.step(_now())

    def tend(self) -> None:
        """Do what is due by the clock: renew leases, share fairly, sweep."""
        now = monotonic()
        if now >= self._renewed + RENEWAL_SECONDS:
            self._renewed = now
            self._drop(self._leases.renew())
        if now >= self._swept + SWEEP_SECONDS:
            self._swept = now
            self.balance()
            self.sweep()

    def balance(self) -> None:
        """Give up blocks beyond the fair share, take free ones below it."""
        self._leases.enrol()
        surplus = self._leases.surplus()
        if surplus:
            self._lose(self._batches.settle(self._shares_of(surplus), _now()))
            self._give_up(surplus)
        self._take(self._leases.acquire())

    def sweep(self) -> None:
        """Find what no nudge told: feeds that grew, bots that are done, parked tables to retry."""
        self._look(self.shares.values())
        self._lose(self._batches.settle(self.shares.values(), _now()))
        if monotonic() >= self._retried + RETRY_SECONDS:
            self.retry()

    def _look(self, shares: Iterable[Share]) -> None:
        """Nudge ourselves about whatever is behind."""
        heads = self._store.feed_heads([share.partition for share in shares])
        self._nudge(
            partition
            for partition, head in heads.items()
            if head > self.shares[partition].cursor or self.shares[partition].rescans
        )

    def retry(self) -> None:
        """Try parked tables again."""
        self._retried = monotonic()
        self._lose(self._batches.retry(self.shares.values(), _now()))

    def _nudge(self, partitions: Iterable[int]) -> None:
        self._nudged |= dict.fromkeys(each for each in partitions if each in self.shares)

    def _shares_of(self, blocks: Iterable[int]) -> list[Share]:
        covered = [partition for block in blocks for partition in partitions(block)]
        return [self.shares[each] for each in covered if each in self.shares]

    def _take(self, blocks: Mapping[int, int]) -> None:
        """Claim the partitions of new leases and look what they hold."""
        if not blocks:
            return
        tokens = {each: token for block, token in blocks.items() for each in partitions(block)}
        self._nudges.listen(tokens)
        claimed = self._batches.claim(tokens, _now())
        self.shares |= {share.partition: share for share in claimed}
        # Another has a newer token, or ours was set back by a failover: the next one is higher.
        refused = {keys.block(each) for each in tokens if each not in self.shares}
        self._give_up(refused)
        kept = [share for share in claimed if share.partition in self.shares]
        self._look(kept)
        self._lose(self._batches.retry(kept, _now()))

    def _lose(self, lost: Iterable[Share]) -> None:
        """Let go of blocks where a commit was refused: somebody else writes, or has written."""
        self._give_up({keys.block(share.partition) for share in lost})

    def _give_up(self, blocks: Collection[int]) -> None:
        self._drop(blocks)
        self._leases.release(blocks)

    def _drop(self, blocks: Collection[int]) -> None:
        for share in self._shares_of(blocks):
            del self.shares[share.partition]
            self._nudged.pop(share.partition, None)
            self._bots.leave(share.partition)
        self._nudges.ignore(each for block in blocks for each in partitions(block))
