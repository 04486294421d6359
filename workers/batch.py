"""What happens to feed entries: tables folded, documents committed, news delivered, in batches."""

import logging
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from redis import Redis

from events.recorded import FeedEntry
from events.servers.connection import StoreError
from events.store import EventStore
from workers import archive
from workers import bots as bot_play
from workers.bots import Bots
from workers.draw import Undelivered, draw
from workers.projections import listing
from workers.projections.shape import Projection
from workers.scripts import ask, run
from workers.share import Rescan, Share, Verdict, claim, claimed, parked_key, read_parked
from workers.sittings import Sittings
from workers.webhooks import tell as webhooks
from workers.webhooks.tell import Posted

_LOG: Final = logging.getLogger(__name__)

FEEDS: Final = 32
"""How many partitions one batch takes at most, and how many entries of each.

A batch of few costs as many round trips as one of many; one that is full takes some 50 ms.
"""
ENTRIES: Final = 16


@dataclass(slots=True)
class Work:
    """What one commit does for a partition."""

    share: Share
    due: dict[str, dict[str, int]]
    """Consumer -> table -> the feed position that brought it."""
    versions: dict[str, int] = field(default_factory=dict)
    """Table -> the version it is known to have reached; others are read whatever is known."""
    reached: dict[str, int] = field(default_factory=dict)
    """Where consumers stand that have rescanned everything."""

    def wanted(self) -> dict[str, int | None]:
        """Answer every table that somebody is due to look at, and how far it must be read."""
        tables = (table for tables in self.due.values() for table in tables)
        return {table: self.versions.get(table) for table in tables}


class Batches:
    """Applies batches for one follower; every method raises StoreError when the store is away."""

    def __init__(
        self,
        store: EventStore,
        projections: Sequence[Projection],
        sittings: Sittings,
        bots: Bots,
        posted: Callable[[], None],
    ) -> None:
        """Take what tables are drawn by, and what to do once webhooks have something to send."""
        self._store = store
        self._posted = posted
        self._client: Redis = store.client
        self._projections = projections
        self._sittings = sittings
        self._bots = bots
        self.news: list[Undelivered | Posted] = []
        """Committed, and not delivered yet; it waits in outboxes too."""
        self.consumers = (
            *(each.consumer for each in projections), bot_play.CONSUMER, webhooks.CONSUMER,
            archive.CONSUMER,
        )  # fmt: skip
        beside_tables = [each.consumer for each in projections if not each.orders]
        self._not_of_archived = frozenset([archive.CONSUMER, bot_play.CONSUMER, *beside_tables])
        """Who has nothing to do with tables that have left the store."""

    def claim(self, partitions: Mapping[int, int], now: int) -> list[Share]:
        """Take partitions over by their tokens; those that a newer follower has are left out."""
        calls = [claim(each, token, self.consumers) for each, token in partitions.items()]
        replies = zip(partitions.items(), run(self._client, *calls), strict=True)
        shares = [
            claimed(partition, token, self.consumers, reply)
            for (partition, token), reply in replies
            if reply is not None
        ]
        self._sittings.check({share.partition for share in shares})
        self._remember_parked(shares)
        self.news += self._left_over(shares)
        self.news += self._not_posted(shares, now)
        return shares

    def _remember_parked(self, shares: Sequence[Share]) -> None:
        asked = [(share, consumer) for share in shares for consumer in self.consumers]
        commands = [("HGETALL", parked_key(share.partition, each)) for share, each in asked]
        for (share, consumer), reply in zip(asked, ask(self._client, *commands), strict=True):
            share.parked[consumer] = {
                table.decode(): read_parked(why) for table, why in _pairs(reply)
            }

    def _left_over(self, shares: Sequence[Share]) -> Iterator[Undelivered]:
        """Find the news that an earlier follower committed and did not live to deliver."""
        asked = [(share, each) for share in shares for each in self._projections if each.orders]
        commands = [("HGETALL", listing.outbox(each, share.partition)) for share, each in asked]
        for (share, each), reply in zip(asked, ask(self._client, *commands), strict=True):
            for name, value in _pairs(reply):
                yield Undelivered(each, share, name.decode(), listing.read(value))

    def _not_posted(self, shares: Sequence[Share], now: int) -> Iterator[Posted]:
        """Find what an earlier follower had to tell webhooks, and did not live to."""
        commands = [("HGETALL", webhooks.outbox(share.partition)) for share in shares]
        for share, reply in zip(shares, ask(self._client, *commands), strict=True):
            for name, value in _pairs(reply):
                yield Posted(share, name.decode(), value, now)

    def drain(self, shares: Sequence[Share], now: int) -> tuple[list[Share], list[Share]]:
        """Apply what is new to some partitions; answer those with more, and those that are lost."""
        feeds = self._feeds(shares)
        self._find_trimmed([each for each in shares if each.partition not in feeds])
        more = []
        works = []
        for share in shares:
            entries = feeds.get(share.partition, ())
            if entries:
                share.miss(entries[0].position)
                share.cursor = entries[-1].position
            work = Work(share, share.due(entries), {each.table: each.last for each in entries})
            for consumer, rescan in tuple(share.rescans.items()):
                self._rescan(work, consumer, rescan)
            works.append(work)
            if len(entries) == ENTRIES or share.rescans or work.reached:
                more.append(share)
        return more, self.apply(works, now)

    def _feeds(self, shares: Sequence[Share]) -> dict[int, tuple[FeedEntry, ...]]:
        """Read what is new; a partition with a damaged entry has all its tables taken anew."""
        try:
            return self._store.read_feeds({each.partition: each.cursor for each in shares}, ENTRIES)
        except StoreError:
            raise
        except Exception:  # noqa: BLE001 - whatever one entry holds, other feeds go on
            if len(shares) > 1:
                return {at: found for each in shares for at, found in self._feeds([each]).items()}
            _LOG.exception("the feed of partition %d is damaged", shares[0].partition)
            (head,) = self._store.feed_heads([shares[0].partition]).values()
            shares[0].lose_feed(head)
            return {}

    def _find_trimmed(self, shares: Sequence[Share]) -> None:
        """Let consumers rescan that stand before a feed of which nothing is left."""
        heads = self._store.feed_heads([share.partition for share in shares])
        for share in shares:
            head = heads[share.partition]
            # An entry may have come since the feed was read: only an empty feed was trimmed.
            if head > share.cursor and not self._store.read_feed(share.partition, share.cursor, 1):
                share.lose_feed(head)

    def _rescan(self, work: Work, consumer: str, rescan: Rescan) -> None:
        """Take the next tables of a partition, in the order they were opened."""
        share = work.share
        while found := self._store.tables(share.partition, rescan.after, ENTRIES):
            rescan.after = found[-1][1]
            tables = [table for table, _ in found]
            gone = self._store.archived(tables) if consumer in self._not_of_archived else ()
            here = [table for table in tables if table not in gone]
            for table in here:
                work.due[consumer][table] = share.positions[consumer] + 1
                work.versions.pop(table, None)
            if here:
                return
        del share.rescans[consumer]
        work.reached[consumer] = rescan.head
        share.cursor = min(share.cursor, rescan.head)

    def retry(self, shares: Iterable[Share], now: int) -> list[Share]:
        """Try parked tables again; answer the partitions that are lost."""
        works = [
            Work(
                share,
                {
                    each: dict.fromkeys(share.parked[each], share.positions[each] + 1)
                    for each in self.consumers
                },
            )
            for share in shares
            if any(share.parked.values())
        ]
        return self.apply(works, now)

    def settle(self, shares: Iterable[Share], now: int) -> list[Share]:
        """Commit how far bots are; answer the partitions that are lost."""
        behind = [
            share
            for share in shares
            if share.writes or self._bots.settled(share) > share.positions[bot_play.CONSUMER]
        ]
        return self.apply(
            [Work(each, {name: {} for name in self.consumers}) for each in behind], now
        )

    def apply(self, works: Sequence[Work], now: int) -> list[Share]:
        """Draw what is due and commit each partition; answer the partitions that are lost.

        Its news is delivered with the next batch, or when ``deliver`` is called.
        """
        wanted: dict[str, int | None] = {}
        for work in works:
            wanted |= work.wanted()
        self._sittings.followed.begin()
        found = self._sittings.read(wanted)
        due = [(work.share, work.due[webhooks.CONSUMER]) for work in works]
        told_to_webhooks = webhooks.tell(self._client, due, found, now)
        drawn: dict[int, list[Undelivered | Posted]] = {}
        commits = []
        for work in works:
            share = work.share
            drawn[share.partition] = [
                *told_to_webhooks.get(share.partition, ()),
                *(
                    each
                    for projection in self._projections
                    for each in draw(share, projection, work.due[projection.consumer], found, now)
                ),
            ]
            for table, position in work.due[bot_play.CONSUMER].items():
                self._bots.meet(share, table, position, found[table], now)
            for table in work.due[archive.CONSUMER]:
                archive.meet(share, table, found[table], now)
            moves = self._moves(work)
            if moves or share.writes:
                commits.append((share, moves, share.commit(moves)))
        # What the last batch had to tell goes with this one: the store syncs to disk once.
        told, self.news = self.news, []
        calls = [each.delivery() for each in told] + [call for _, _, call in commits]
        replies = run(self._client, *calls, safely=bool(told))[len(told) :]
        lost = []
        for (share, moves, _), reply in zip(commits, replies, strict=True):
            if Verdict(reply) is Verdict.DONE:
                share.committed(moves)
                self.news += drawn[share.partition]
            else:
                lost.append(share)
        self._sittings.followed.tell("project")
        newer = {(each.outbox, each.field) for each in self.news}
        for each in told:
            if (each.outbox, each.field) not in newer:
                each.forget()
        self._tell_of(told)
        return lost

    def _moves(self, work: Work) -> dict[str, int]:
        """Answer where checkpoints move to."""
        share = work.share
        reached = work.reached | {
            consumer: share.cursor
            for consumer in self.consumers
            if consumer not in work.reached and consumer not in share.rescans
        }
        reached[bot_play.CONSUMER] = self._bots.settled(share)
        return {
            consumer: position
            for consumer, position in reached.items()
            if position > share.positions[consumer]
        }

    def deliver(self) -> None:
        """Bring all news to its lists now."""
        news, self.news = self.news, []
        # Once an outbox forgets it, a failover where its list lies would lose it for good.
        run(self._client, *(each.delivery() for each in news), safely=True)
        for each in news:
            each.forget()
        self._tell_of(news)

    def _tell_of(self, delivered: Sequence[Undelivered | Posted]) -> None:
        """Let somebody send what webhooks have to send now."""
        if any(isinstance(each, Posted) for each in delivered):
            self._posted()


def _pairs(reply: Sequence[Any]) -> Iterator[tuple[bytes, bytes]]:
    return zip(reply[::2], reply[1::2], strict=True)
