"""What the archived tables of one game have in common, kept once so that each need not repeat it.

A primer is made of tables that were archived without one and never changes afterwards: what was
written with it can be read for ever.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

import msgspec

from events.archive.guesses import Guess
from events.records.packing import zstd


class Shape(msgspec.Struct, frozen=True, array_like=True):
    """A kind of event as it is written: its schema, and the names in its two faces."""

    kind: str
    schema: int
    public: tuple[str, ...]
    sealed: tuple[str, ...] | None


@dataclass(frozen=True, slots=True)
class Primer:
    """What tables refer to; number 0 holds nothing.

    ``guesses`` has those of each shape, one for each of its values; ``content`` is a dictionary of
    zstd.
    """

    number: int
    words: tuple[str, ...] = ()
    shapes: tuple[Shape, ...] = ()
    deck: tuple[str, ...] = ()
    guesses: tuple[tuple[Guess, ...], ...] = ()
    content: bytes = b""
    numbers: Mapping[Shape, int] = field(init=False)
    dictionary: Any = field(init=False)

    def __post_init__(self) -> None:
        numbers = {shape: number for number, shape in enumerate(self.shapes)}
        object.__setattr__(self, "numbers", numbers)
        dictionary = zstd.ZstdDict(self.content) if self.content else None
        object.__setattr__(self, "dictionary", dictionary)


NO_PRIMER: Final = Primer(0)


class _Guess(msgspec.Struct, frozen=True, array_like=True):
    of: tuple[int, ...]
    known: tuple[tuple[tuple[Any, ...], Any], ...]


class _Written(msgspec.Struct, frozen=True, array_like=True):
    format: int
    words: tuple[str, ...]
    shapes: tuple[Shape, ...]
    deck: tuple[str, ...]
    guesses: tuple[tuple[_Guess, ...], ...]
    content: bytes


_FORMAT: Final = 1
_ENCODER: Final = msgspec.msgpack.Encoder()
_READ: Final = msgspec.msgpack.Decoder(_Written)


def written(primer: Primer) -> bytes:
    """Write a primer, its number aside."""
    guesses = tuple(
        [
            tuple([_Guess(each.of, tuple(each.known.items())) for each in of_shape])
            for of_shape in primer.guesses
        ]
    )
    plain = _Written(_FORMAT, primer.words, primer.shapes, primer.deck, guesses, primer.content)
    return zstd.compress(_ENCODER.encode(plain))


def read(number: int, content: bytes) -> Primer:
    """Read a primer; raise ValueError if it is damaged, or if a newer program wrote it."""
    try:
        found = _READ.decode(zstd.decompress(content))
    except (zstd.ZstdError, msgspec.MsgspecError) as error:
        raise ValueError(f"primer {number} cannot be read: {error}") from error
    if found.format != _FORMAT:
        raise ValueError(f"primer {number} has format {found.format}, {_FORMAT} is known")
    guesses = tuple(
        [
            tuple([Guess(each.of, dict(each.known)) for each in of_shape])
            for of_shape in found.guesses
        ]
    )
    return Primer(number, found.words, found.shapes, found.deck, guesses, found.content)
