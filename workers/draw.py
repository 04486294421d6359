"""From folded tables to what a partition's next commit writes; a failure stays with its table."""

import logging
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from workers.projections import listing
from workers.projections.shape import Changes, Projection, Sitting
from workers.scripts import Call
from workers.share import Parked, Share, Write

_LOG: Final = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Undelivered:
    """News that a commit puts into an outbox."""

    projection: Projection
    share: Share
    field: str
    waiting: listing.Waiting

    @property
    def outbox(self) -> str:
        """Key of the outbox."""
        return listing.outbox(self.projection, self.share.partition)

    def delivery(self) -> Call:
        """Answer the call that brings it to its list; twice is as good as once."""
        return listing.delivery(self.projection, self.share.partition, self.waiting)

    def forget(self) -> None:
        """Let the outbox forget it in the partition's next commit: nobody else comes before."""
        self.share.writes.append(Write(self.outbox, "HDEL", (self.field,)))


def draw(
    share: Share,
    projection: Projection,
    due: Mapping[str, int],
    found: Mapping[str, Sitting | Exception],
    now: int,
) -> list[Undelivered]:
    """Write what a projection makes of the tables due (table -> position); answer its news.

    Whatever fails parks its table at ``now`` (ms).
    """
    undelivered: list[Undelivered] = []
    for table, position in due.items():
        sitting = found[table]
        if _is_drawn(share, projection, sitting):
            continue
        try:
            changes = _changes(projection, sitting)
        except Exception as error:  # noqa: BLE001 - only this table waits for it to be mended
            park(share, projection.consumer, table, sitting, error, now)
            continue
        if not isinstance(sitting, Exception):
            undelivered += _written(share, projection, sitting, changes, position)
            share.unpark(projection.consumer, table)
    return undelivered


def park(
    share: Share,
    consumer: str,
    table: str,
    sitting: Sitting | Exception,
    error: Exception,
    now: int,
) -> None:
    """Let one table of a consumer wait, and say so; what went wrong in full is in the log only.

    What everybody may read is the kind of error: its words could name a hidden card.
    """
    version = 0 if isinstance(sitting, Exception) else sitting.loaded.version
    known = share.parked[consumer].get(table)
    if known is None:
        _LOG.error(
            "%s parks table %s at version %d", consumer, table, version,
            exc_info=error, extra={"table": table, "version": version},
        )  # fmt: skip
    since = now if known is None else known.at
    share.park(consumer, table, Parked(version, type(error).__name__, since))


def _is_drawn(share: Share, projection: Projection, sitting: Sitting | Exception) -> bool:
    if isinstance(sitting, Exception):
        return False
    written = share.drawn.get((projection.consumer, sitting.loaded.table))
    return written is not None and not projection.redraw(written, sitting.loaded.version)


def _changes(projection: Projection, sitting: Sitting | Exception) -> Changes:
    if isinstance(sitting, Exception):
        raise sitting
    return projection.apply(sitting)


def _written(
    share: Share,
    projection: Projection,
    sitting: Sitting,
    changes: Changes,
    position: int,
) -> Iterator[Undelivered]:
    table = sitting.loaded.table
    for document in changes.documents:
        share.writes.append(Write(document.key, "DEL"))
        fields = [part for pair in document.fields.items() for part in pair]
        share.writes.append(Write(document.key, "HSET", fields))
    for news in changes.news:
        told = (projection.consumer, news.of, table)
        if share.told.get(told) == news:
            continue
        share.told[told] = news
        field, waiting = listing.entry(news, sitting, position)
        undelivered = Undelivered(projection, share, field, waiting)
        share.writes.append(Write(undelivered.outbox, "HSET", (field, listing.written(waiting))))
        yield undelivered
    share.drawn[projection.consumer, table] = sitting.loaded.version
