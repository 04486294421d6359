"""A view as numbers, as many for every view of every game."""

from collections.abc import Iterator
from functools import lru_cache
from typing import Any, Final, TypeAlias
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from domain.game import View

SIZE: Final = 4096
"""Numbers of an observation."""
LARGEST: Final = 1000.0
"""No number of an observation is larger, nor smaller than its negative."""

PARTS: Final = ("phase", "options", "viewer", "to_move", "play")
"""What is observed of a view of a table; its moves are in the mask."""

Numbers: TypeAlias = NDArray[np.float32]


def observation(view: View) -> Numbers:
    """Answer the numbers of a view, and of nothing else.

    Every fact of the view is added to the place that a checksum of its path and, for words, of its
    value gives: 1 for a word or for what is true, a number itself. A fact in a list counts twice:
    with its index, and without it, so that a hand is the same hand in any order.
    """
    numbers = np.zeros(SIZE, dtype=np.float32)
    for part in PARTS:
        for path, value in _facts(part, view[part]):
            if isinstance(value, str):
                numbers[_place(f"{path}={value}")] += 1
            elif value is not None:
                numbers[_place(path)] += value
    return np.clip(numbers, -LARGEST, LARGEST)


def _facts(path: str, value: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(value, dict):
        for name, each in value.items():
            yield from _facts(f"{path}.{name}", each)
    elif isinstance(value, (list, tuple)):
        yield f"{path}.length", len(value)
        for index, each in enumerate(value):
            yield from _facts(f"{path}.{index}", each)
            if isinstance(each, str):
                yield f"{path}.any", each
    else:
        yield path, value


@lru_cache(maxsize=1 << 16)
def _place(fact: str) -> int:
    return crc32(fact.encode()) % SIZE
