"""Plain values as few bytes: the alphabet in which archived tables are written.

Values are what JSON has without fractions. What recurs between tables is a word known beforehand,
what recurs within one is written once.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any, Final
from uuid import UUID

_INTEGERS: Final = 96
"""Below it a byte is the integer itself."""


class _Tag:
    """The byte that a value begins with, if it is no small integer."""

    NULL: Final = 96
    TRUE: Final = 97
    FALSE: Final = 98
    LIST: Final = 99
    OBJECT: Final = 100
    NEGATIVE: Final = 101
    INTEGER: Final = 102
    TEXT: Final = 103
    HEX: Final = 104
    UUID: Final = 105
    AGAIN: Final = 106
    GUESSED: Final = 107
    DRAWN: Final = 108
    SORTED: Final = 109
    HELD: Final = 110
    WORD: Final = 126
    RARE_WORD: Final = 255


_LONG: Final = 8
"""Texts from here on are remembered, in case they come again."""

_IS_HEX: Final = re.compile(r"(?:[0-9a-f]{2})+")
_IS_UUID: Final = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")


class Guessed(Enum):
    """Stands for a value that the reader guesses."""

    GUESSED = 0


GUESSED: Final = Guessed.GUESSED

HELD: Final = _Tag.WORD - _Tag.HELD
"""How many of the words that a seat holds can be told by their place."""


@dataclass(frozen=True, slots=True)
class Held:
    """Stands for the word at a place among those that a seat was told, below ``HELD``."""

    place: int


@dataclass(frozen=True, slots=True)
class Drawn:
    """Stands for the next cards of the deck as it was shuffled, or for them in deck order."""

    many: int
    in_order: bool


class Writer:
    """Gathers values in the order they are to be read."""

    def __init__(self, words: Sequence[str]) -> None:
        """Take the words that the reader knows too."""
        self.bytes = bytearray()
        self._words = {word: number for number, word in enumerate(words)}
        self._long: dict[str, int] = {}

    def count(self, number: int) -> None:
        """Write an integer from 0 on, where nothing else can be."""
        while number > 127:
            self.bytes.append(number & 127 | 128)
            number >>= 7
        self.bytes.append(number)

    def value(self, value: Any) -> None:
        """Write any value."""
        match value:
            case None:
                self.bytes.append(_Tag.NULL)
            case Guessed():
                self.bytes.append(_Tag.GUESSED)
            case Held(place):
                self.bytes.append(_Tag.HELD + place)
            case Drawn(many, in_order):
                self._tagged(_Tag.SORTED if in_order else _Tag.DRAWN, many)
            case bool():
                self.bytes.append(_Tag.TRUE if value else _Tag.FALSE)
            case int():
                self._integer(value)
            case str():
                self._text(value)
            case list() | tuple():
                self._tagged(_Tag.LIST, len(value))
                for each in value:
                    self.value(each)
            case dict():
                self._tagged(_Tag.OBJECT, len(value))
                for name, each in value.items():
                    self._text(name)
                    self.value(each)
            case _:
                raise TypeError(f"no token for {type(value).__name__}")

    def _tagged(self, tag: int, number: int) -> None:
        self.bytes.append(tag)
        self.count(number)

    def _integer(self, value: int) -> None:
        if 0 <= value < _INTEGERS:
            self.bytes.append(value)
        elif value < 0:
            self._tagged(_Tag.NEGATIVE, -value)
        else:
            self._tagged(_Tag.INTEGER, value)

    def _text(self, text: str) -> None:
        word = self._words.get(text)
        if word is not None:
            if word < _Tag.RARE_WORD - _Tag.WORD:
                self.bytes.append(_Tag.WORD + word)
            else:
                self._tagged(_Tag.RARE_WORD, word)
        elif text in self._long:
            self._tagged(_Tag.AGAIN, self._long[text])
        else:
            self._new(text)
            if len(text) >= _LONG:
                self._long[text] = len(self._long)

    def _new(self, text: str) -> None:
        if _IS_UUID.fullmatch(text):
            self.bytes.append(_Tag.UUID)
            self.bytes += UUID(text).bytes
        elif _IS_HEX.fullmatch(text):
            self._tagged(_Tag.HEX, len(text) // 2)
            self.bytes += bytes.fromhex(text)
        else:
            written = text.encode()
            self._tagged(_Tag.TEXT, len(written))
            self.bytes += written


class Reader:
    """Reads back what a writer with the same words has gathered; ValueError if it was another."""

    def __init__(self, written: bytes, words: Sequence[str]) -> None:
        """Begin at the front."""
        self._bytes = written
        self._words = words
        self._long: list[str] = []
        self._at = 0

    def count(self) -> int:
        """Read what ``count`` wrote."""
        number = shift = 0
        while True:
            byte = self._byte()
            number |= (byte & 127) << shift
            if byte < 128:
                return number
            shift += 7

    def value(self) -> Any:
        """Read what ``value`` wrote; lists are lists again."""
        tag = self._byte()
        if tag < _INTEGERS:
            return tag
        if _Tag.HELD <= tag < _Tag.WORD:
            return Held(tag - _Tag.HELD)
        if tag >= _Tag.WORD:
            return self._words[self.count() if tag == _Tag.RARE_WORD else tag - _Tag.WORD]
        return self._tagged(tag)

    def _tagged(self, tag: int) -> Any:
        match tag:
            case _Tag.NULL:
                return None
            case _Tag.TRUE | _Tag.FALSE:
                return tag == _Tag.TRUE
            case _Tag.LIST:
                return [self.value() for _ in range(self.count())]
            case _Tag.OBJECT:
                return {self.value(): self.value() for _ in range(self.count())}
            case _Tag.NEGATIVE:
                return -self.count()
            case _Tag.INTEGER:
                return self.count()
            case _Tag.AGAIN:
                return self._long[self.count()]
            case _Tag.GUESSED:
                return GUESSED
            case _Tag.DRAWN | _Tag.SORTED:
                return Drawn(self.count(), tag == _Tag.SORTED)
            case _:
                return self._new(tag)

    def _new(self, tag: int) -> str:
        if tag == _Tag.UUID:
            text = str(UUID(bytes=self.take(16)))
        elif tag == _Tag.HEX:
            text = self.take(self.count()).hex()
        elif tag == _Tag.TEXT:
            text = self.take(self.count()).decode()
        else:
            raise ValueError(f"no value begins with {tag}")
        if len(text) >= _LONG:
            self._long.append(text)
        return text

    def _byte(self) -> int:
        return self.take(1)[0]

    def take(self, many: int) -> bytes:
        """Read so many bytes."""
        taken = self._bytes[self._at : self._at + many]
        if len(taken) < many:
            raise ValueError("it ends too early")
        self._at += many
        return taken

    def end(self) -> None:
        """Raise ValueError if something is left."""
        if self._at != len(self._bytes):
            raise ValueError("it goes on")
