"""Where finished tables are kept that have left the store, each under its id, in few bytes.

What keeps the bytes is an ``Archive``: a file beside the store's by default, or whatever else can
put bytes under a name and give them back.
"""

from collections import OrderedDict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from struct import Struct
from threading import Lock
from typing import Final, Protocol
from zlib import crc32

from domain.catalogue import games
from domain.wire import read_options
from events import codec
from events.archive import primer
from events.archive.packed import Archived, packed, unpacked
from events.archive.primer import NO_PRIMER, Primer
from events.archive.priming import prime
from events.recorded import Recorded
from events.servers.exchange import StoreUnavailable

_HEADER: Final = Struct(">BH")
_FORMAT: Final = 1
_NUMBERS: Final = 1 << 16

SAMPLES: Final = 64
"""So many tables of a game are archived without a primer; one is made of them."""


_LATELY: Final = 16
"""Tables that are remembered: whoever pages through one unpacks it once."""


class ArchiveUnavailable(StoreUnavailable):
    """Say that the archive cannot be read or written; nothing of a table has gone."""


class Archive(Protocol):
    """Bytes under names; safe to share between threads and processes, also after a fork.

    Both raise ArchiveUnavailable.
    """

    def get(self, name: str) -> bytes | None:
        """Answer what is kept under a name."""

    def put(self, contents: Mapping[str, bytes]) -> None:
        """Keep contents, all or none, in the place of what was there; safe when it returns."""


class Shelf:
    """The tables in an archive; safe to share between threads."""

    def __init__(self, archive: Archive) -> None:
        """Take an archive; nothing is asked of it yet."""
        self.archive = archive
        self._primers: dict[int, Primer] = {0: NO_PRIMER}
        self._lately: OrderedDict[str, Archived] = OrderedDict()
        self._lock = Lock()

    def read(self, table: str) -> Archived | None:
        """Answer a table, or None if it is not here; raise ArchiveUnavailable.

        Tables that were read lately are remembered: none ever changes that is over.
        """
        with self._lock:
            known = self._lately.get(table)
        if known is None:
            known = self._fetched(table)
            if known is not None:
                with self._lock:
                    self._lately[table] = known
                    if len(self._lately) > _LATELY:
                        self._lately.popitem(last=False)
        return known

    def _fetched(self, table: str) -> Archived | None:
        content = self.archive.get(table)
        if content is None:
            return None
        if len(content) < _HEADER.size or content[0] != _FORMAT:
            raise ArchiveUnavailable(f"table {table} is kept in a form that is not known here")
        _, number = _HEADER.unpack_from(content)
        try:
            return unpacked(content[_HEADER.size :], table, self._primer(number))
        except ValueError as error:
            raise ArchiveUnavailable(str(error)) from error

    def keep(self, tables: Sequence[Archived]) -> None:
        """Put tables in, and see that each comes out as it went in.

        Raise NotPackable, or ArchiveUnavailable; then some may be in.
        """
        contents: dict[str, bytes] = {}
        bare: dict[str, list[str]] = {}
        for archived in tables:
            table, game = archived.recorded[0].table, codec.opened_name(archived.recorded[0])
            chosen = self._primer_of(game)
            contents[table] = _HEADER.pack(_FORMAT, chosen.number) + packed(archived, chosen)
            if chosen is NO_PRIMER:
                bare.setdefault(game, []).append(table)
        self.archive.put(contents)
        for archived in tables:
            table = archived.recorded[0].table
            if self._fetched(table) != archived:
                raise ArchiveUnavailable(f"table {table} does not come back from the archive")
        for game, names in bare.items():
            self._sample(game, names)

    def _primer(self, number: int) -> Primer:
        with self._lock:
            known = self._primers.get(number)
            if known is None:
                content = self.archive.get(_primer_name(number))
                if content is None:
                    raise ArchiveUnavailable(f"the archive lacks its primer {number}")
                known = self._primers[number] = primer.read(number, content)
            return known

    def _primer_of(self, game: str) -> Primer:
        number = self.archive.get(_game_name(game))
        return NO_PRIMER if number is None else self._primer(int(number))

    def _sample(self, game: str, tables: Sequence[str]) -> None:
        """Remember tables to learn from, and learn once there are enough."""
        name = f"samples/{game}"
        known = (self.archive.get(name) or b"").decode().split()
        names = list(dict.fromkeys((*known, *tables)))
        samples: list[Archived] = []
        if len(names) >= SAMPLES:
            samples = [*islice(self._readable(names), SAMPLES)]
            names = [each.recorded[0].table for each in samples]
        if len(samples) < SAMPLES:
            self.archive.put({name: " ".join(names).encode()})
            return
        try:
            made = prime(0, samples, _deck(samples[0].recorded[0]))
        except ValueError:
            # What they have in common is too little: others may have more.
            self.archive.put({name: b""})
            return
        content = primer.written(made)
        number = self._free_number(content)
        self.archive.put({_primer_name(number): content, _game_name(game): b"%d" % number})

    def _readable(self, tables: Iterable[str]) -> Iterator[Archived]:
        """Answer those of some tables that are whole."""
        for each in tables:
            try:
                found = self.read(each)
            except ArchiveUnavailable:
                continue
            if found is not None:
                yield found

    def _free_number(self, content: bytes) -> int:
        """Answer a number that no other primer has: others may be making one now."""
        number = crc32(content) % _NUMBERS or 1
        while self.archive.get(_primer_name(number)) not in (None, content):
            number = number % (_NUMBERS - 1) + 1
        return number


def _primer_name(number: int) -> str:
    return f"primer/{number}"


def _game_name(game: str) -> str:
    return f"primer-of/{game}"


def _deck(opened: Recorded) -> tuple[str, ...]:
    found = codec.decode(opened, None)
    game = games()[found.game]
    return game.deck(read_options(game, found.options, found.seats))
