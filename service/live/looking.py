"""Where a table is, read without folding its game: who sits there, its phase, what is new."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from domain.table.state import Phase, Table
from domain.value import changed
from events.imports import is_imported
from events.loaded import Loaded, fold, unopened
from events.recorded import Recorded
from events.store import EventStore, Meta
from events.transact import UnknownTable

MOST: Final = 200
"""Events of one table that are read at once."""
_PREFIX: Final = 24


@dataclass(frozen=True, slots=True)
class Standing:
    """A table at a version: ``sitting`` has no cards, ``prefix`` is there while seats are free."""

    version: int
    sitting: Table
    prefix: Loaded | None
    imported: bool = False

    @property
    def over(self) -> bool:
        """Answer whether nothing more will happen."""
        return self.sitting.phase == "over"


@dataclass(frozen=True, slots=True)
class News:
    """What came after a version, and where the table stands then."""

    recorded: tuple[Recorded, ...]
    standing: Standing
    more: bool
    """Whether the table was already further when this was read."""


def look(store: EventStore, table: str, known: Standing | None = None) -> Standing:
    """Answer how a table stands now; raise UnknownTable.

    Who sits where is settled once the game has started: from then on only the phase is read.
    """
    meta = store.read_metas([table])[0]
    if meta is None:
        raise UnknownTable(table)
    if known is not None and known.prefix is None:
        standing = _standing(known.sitting, max(meta.version, known.version), meta)
        return replace(standing, imported=known.imported)
    loaded = known.prefix if known and known.prefix else unopened(table)
    while loaded.version < meta.version and not _settled(loaded):
        loaded = fold(loaded, store.read(table, loaded.version, _PREFIX))
    standing = _seated(loaded, max(loaded.version, meta.version), meta)
    imported = standing.over and is_imported(store, table)
    return replace(standing, imported=imported)


def read_on(store: EventStore, behind: Sequence[tuple[str, Standing]]) -> list[News]:
    """Answer what is new at several tables, in two round trips."""
    batches = store.read_many([(table, standing.version, MOST) for table, standing in behind])
    metas = store.read_metas([table for table, _ in behind])
    return [
        _news(standing, recorded, meta)
        for (_, standing), recorded, meta in zip(behind, batches, metas, strict=True)
    ]


def _news(standing: Standing, recorded: tuple[Recorded, ...], meta: Meta | None) -> News:
    if meta is None:
        return News((), standing, more=False)
    version = recorded[-1].version if recorded else standing.version
    more = meta.version > version
    if standing.prefix is None:
        further = _standing(standing.sitting, version, meta)
        return News(recorded, replace(further, imported=standing.imported), more)
    return News(recorded, _seated(fold(standing.prefix, recorded), version, meta), more)


def _settled(loaded: Loaded) -> bool:
    return loaded.state.phase not in ("unopened", "open")


def _seated(loaded: Loaded, version: int, meta: Meta) -> Standing:
    if not _settled(loaded):
        return Standing(version, loaded.state, loaded)
    # The game is let go: thousands of tables may be watched at once.
    return _standing(changed(loaded.state, play=None, position=None), version, meta)


def _standing(sitting: Table, version: int, meta: Meta) -> Standing:
    """Answer a table that has started; it is over only once its last event is reached."""
    over = meta.phase == "over" and meta.version <= version
    phase: Phase = "over" if over else "playing"
    if sitting.phase != phase:
        sitting = changed(sitting, phase=phase)
    return Standing(version, sitting, None)
