"""The tables that a follower met lately, folded; a memory that may be lost at any moment."""

from collections import OrderedDict
from collections.abc import Collection, Mapping

from events import keys
from events.loaded import BrokenHistory
from events.recorded import Recorded
from events.store import EventStore
from events.tracing import Followed
from events.transact import Outcome
from workers.projections.shape import Sitting, unseen


class Sittings:
    """Keeps so many tables at most, and reads on from where it knows each."""

    def __init__(self, store: EventStore, size: int = 2_000) -> None:
        self._store = store
        self.size = size
        self.followed = Followed()
        self._kept: OrderedDict[str, Sitting] = OrderedDict()

    def read(self, wanted: Mapping[str, int | None]) -> dict[str, Sitting | Exception]:
        """Answer tables at a version or later (None: as they are now), in one round trip.

        What cannot be folded is answered by its error.
        """
        found: dict[str, Sitting | Exception] = {}
        behind = []
        for table, version in wanted.items():
            known = self._kept.get(table) or unseen(table)
            if version is None or known.loaded.version < version:
                behind.append(known)
            else:
                found[table] = known
        tails = self._store.read_each(
            [(each.loaded.table, each.loaded.version, None) for each in behind]
        )
        for known, tail in zip(behind, tails, strict=True):
            found[known.loaded.table] = self._folded(known, tail)
        return found

    def _folded(
        self, sitting: Sitting, tail: tuple[Recorded, ...] | Exception
    ) -> Sitting | Exception:
        table = sitting.loaded.table
        if isinstance(tail, Exception):
            self._kept.pop(table, None)
            return tail
        self.followed.meet(tail)
        try:
            folded = sitting.after(tail)
        except Exception as error:  # noqa: BLE001 - whatever one history holds, others go on
            self._kept.pop(table, None)
            return error
        if folded.loaded.version == 0:
            return BrokenHistory(f"table {table} has no events")
        self.keep(folded)
        return folded

    def get(self, table: str) -> Sitting | None:
        """Answer a table as it was met last."""
        return self._kept.get(table)

    def keep(self, sitting: Sitting) -> None:
        """Remember a table; the one not met for longest is forgotten."""
        self._kept[sitting.loaded.table] = sitting
        self._kept.move_to_end(sitting.loaded.table)
        if len(self._kept) > self.size:
            self._kept.popitem(last=False)

    def carried_out(self, before: Sitting, outcome: Outcome) -> Sitting | None:
        """Remember what a command of our own led to; None if others had moved in between."""
        table = before.loaded.table
        if outcome.replayed or outcome.first != before.loaded.version + 1:
            self._kept.pop(table, None)
            return None
        sitting = before.carried_on(outcome.loaded, outcome.recorded)
        self.keep(sitting)
        return sitting

    def check(self, partitions: Collection[int]) -> None:
        """Forget tables of partitions that are elsewhere now; raise StoreUnavailable.

        A failover may have lost what was met.
        """
        met = [table for table in self._kept if keys.partition(table) in partitions]
        for table, meta in zip(met, self._store.read_metas(met), strict=True):
            loaded = self._kept[table].loaded
            if meta is None or (meta.version, meta.hash) != (loaded.version, loaded.hash.hex()):
                del self._kept[table]

    def clear(self) -> None:
        """Forget everything, as after the store was away."""
        self._kept.clear()
