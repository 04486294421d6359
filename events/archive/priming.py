"""Making a primer of a few hundred tables of a game, for all that follow."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

from events.archive.guesses import learned
from events.archive.packed import Archived, Row, rows_of, tokens_of
from events.archive.primer import Primer, Shape, read, written
from events.records.packing import zstd

_SIZE: Final = 32_768
"""Bytes of the dictionary in a primer, at most."""

_WORDS: Final = 4_000
_COMMON: Final = 0.05
"""A word occurs in such a share of the tables at least."""


def prime(number: int, tables: Sequence[Archived], deck: Sequence[str]) -> Primer:
    """Make a primer of finished tables; ``deck`` is what the game's shuffles start from.

    It takes some seconds. Raise ValueError if there are too few tables to learn from.
    """
    rows = [[*rows_of(each.recorded)] for each in tables]
    shapes = Counter(shape for some in rows for shape in {row.shape for row in some})
    used = [shape for shape, times in shapes.most_common() if times > 1]
    words: Counter[str] = Counter()
    for some in rows:
        words.update({text for row in some for text in _texts([row.shape.kind, *row.values])})
    common = [word for word, times in words.most_common(_WORDS) if times >= _COMMON * len(tables)]
    guesses = tuple([learned(_of(shape, rows)) for shape in used])
    primer = Primer(number, tuple(common), tuple(used), tuple(deck), guesses)
    try:
        samples = [tokens_of(each, primer) for each in tables]
        content = zstd.train_dict(samples, _SIZE).dict_content
    except zstd.ZstdError as error:
        raise ValueError(f"{len(tables)} tables are too few: {error}") from error
    primed = Primer(number, primer.words, primer.shapes, primer.deck, guesses, content)
    # What is used from now on is what everybody will read.
    return read(number, written(primed))


def _of(shape: Shape, tables: Iterable[Sequence[Row]]) -> list[list[tuple[Any, ...]]]:
    found = [[row.values for row in some if row.shape == shape] for some in tables]
    return [some for some in found if some]


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        yield from value
        for each in value.values():
            yield from _texts(each)
    elif isinstance(value, list | tuple):
        for each in value:
            yield from _texts(each)
