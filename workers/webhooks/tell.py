"""What happens at tables becomes messages: a consumer of the feeds with a checkpoint of its own.

Messages are committed together with the checkpoint, to an outbox beside the tables, and brought
from there to their webhooks: after a crash they are brought again, and count once.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from redis import Redis

from domain.table.state import Table
from events import keys
from workers.draw import park
from workers.projections.shape import Sitting
from workers.scripts import Call
from workers.share import Share, Write
from workers.webhooks.hooks import Entry, subscribers
from workers.webhooks.messages import about, outgoing, posting
from workers.webhooks.poster import DAY

_NAME: Final = "webhooks"
_GENERATION: Final = 1
CONSUMER: Final = f"{_NAME}@{_GENERATION}"


def outbox(partition: int) -> str:
    """Key of the messages of a partition that were not brought to their webhooks yet."""
    return keys.projection(partition, _NAME, _GENERATION, "outbox")


@dataclass(frozen=True, slots=True)
class Posted:
    """Messages of a table to one webhook that a commit puts into an outbox, at ``now`` (ms)."""

    share: Share
    field: str
    value: bytes
    now: int

    @property
    def outbox(self) -> str:
        """Key of the outbox."""
        return outbox(self.share.partition)

    def delivery(self) -> Call:
        """Answer the call that brings them to their webhook; twice is as good as once."""
        return posting(self.value, self.now)

    def forget(self) -> None:
        """Let the outbox forget them in the partition's next commit."""
        self.share.writes.append(Write(self.outbox, "HDEL", (self.field,)))


def tell(
    client: Redis,
    due: Iterable[tuple[Share, Mapping[str, int]]],
    found: Mapping[str, Sitting | Exception],
    now: int,
) -> dict[int, list[Posted]]:
    """Write what webhooks are to hear of the tables due; answer it by partition.

    Who wants to hear is asked after the feed was read: whoever subscribes before a move hears of
    it. One round trip, and none if no table is due. Raise StoreUnavailable.
    """
    sittings: list[tuple[Share, Sitting]] = []
    for share, tables in due:
        for table in tables:
            sitting = found[table]
            if isinstance(sitting, Exception):
                park(share, CONSUMER, table, sitting, sitting, now)
            else:
                share.unpark(CONSUMER, table)
                sittings.append((share, sitting))
    subjects = {each for _, sitting in sittings for each in _subjects(sitting)}
    wanted = subscribers(client, sorted(subjects))
    told: dict[int, list[Posted]] = {}
    if wanted:
        for share, sitting in sittings:
            told.setdefault(share.partition, []).extend(_written(share, sitting, wanted, now))
    return told


def _subjects(sitting: Sitting) -> Iterator[str]:
    """Answer the table itself, and its players; what-ifs are nobody's table."""
    yield f"t:{sitting.loaded.table}"
    if sitting.loaded.state.origin is None:
        yield from (f"p:{player}" for player in _players(sitting.loaded.state))


def _players(state: Table) -> Iterator[str]:
    for chair in state.chairs:
        if chair is not None and chair.player is not None:
            yield chair.player


def _written(
    share: Share, sitting: Sitting, wanted: Mapping[str, tuple[Entry, ...]], now: int
) -> Iterator[Posted]:
    loaded = sitting.loaded
    if loaded.state.phase == "over" and now - loaded.at > DAY:
        # Every table is taken anew after a restore, and nobody remembers who was told of its end.
        return
    entries = [entry for each in _subjects(sitting) for entry in wanted.get(each, ())]
    for entry in entries:
        messages = tuple(about(loaded, entry))
        if messages:
            field = f"{entry.hook} {loaded.table}"
            posted = Posted(share, field, outgoing(entry.hook, messages), now)
            share.writes.append(Write(posted.outbox, "HSET", (field, posted.value)))
            yield posted
