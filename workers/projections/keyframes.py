"""The states of long tables, every so many versions: they spare readers of the past the folding."""

from typing import Final

from events.keyframes import EVERY, GENERATION, NEWEST, document, written
from workers.projections.shape import Changes, Document, Projection, Sitting


def apply(sitting: Sitting) -> Changes:
    """Keep the states of a table at every so many versions; most tables never get there."""
    if not sitting.keyframes:
        return Changes()
    fields: dict[str, str | bytes | int] = {
        str(each.version): written(each) for each in sitting.keyframes
    }
    fields[NEWEST] = written(sitting.keyframes[-1])
    return Changes(documents=(Document(document(sitting.loaded.table), fields),))


def _redraw(drawn: int, now: int) -> bool:
    return drawn // EVERY != now // EVERY


def _keys(table: str) -> tuple[str, ...]:
    return (document(table),)


KEYFRAMES: Final = Projection(
    name="keyframes", generation=GENERATION, apply=apply, keys=_keys, redraw=_redraw
)
