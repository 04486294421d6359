"""How notices are written: as server-sent events, or as one JSON object a line."""

from collections.abc import Iterable
from typing import Final, Protocol

from service.streams import LINES, SSE, Form


class Frames(Protocol):
    """One way to write what is told; ``hello`` comes first, ``alive`` when nothing happens."""

    media: str
    hello: bytes
    alive: bytes

    def at(self, place: str) -> bytes:
        """Write where to go on, and nothing else."""

    def told(self, notices: Iterable[tuple[int | str, bytes]]) -> bytes:
        """Write JSON objects, each with the version or place to go on after."""

    def end(self, version: int) -> bytes:
        """Write that nothing more will come."""


class Sse:
    """Server-sent events; the end has no id, so that a client keeps the last notice's."""

    media = f"{SSE}; charset=utf-8"
    hello = b"retry: 1000\n\n"
    alive = b":\n\n"

    def at(self, place: str) -> bytes:
        """Write an id without data: a client keeps it and tells nobody."""
        return b"id: %s\n\n" % place.encode()

    def told(self, notices: Iterable[tuple[int | str, bytes]]) -> bytes:
        """Write JSON objects, each with its id."""
        return b"".join(b"id: %s\ndata: %s\n\n" % (str(at).encode(), said) for at, said in notices)

    def end(self, version: int) -> bytes:
        """Write an event that says so."""
        return b'event: end\ndata: {"version":%d}\n\n' % version


class Lines:
    """JSON Lines; an empty line says that the server is still there."""

    media = LINES
    hello = b"\n"
    alive = b"\n"

    def at(self, place: str) -> bytes:
        """Write a line of its own."""
        return b'{"after":"%s"}\n' % place.encode()

    def told(self, notices: Iterable[tuple[int | str, bytes]]) -> bytes:
        """Write an object a line: each says itself where to go on."""
        return b"".join(told + b"\n" for _, told in notices)

    def end(self, version: int) -> bytes:
        """Write a line that says so."""
        return b'{"type":"end","version":%d}\n' % version


_SSE: Final = Sse()
_LINES: Final = Lines()


def frames_of(form: Form) -> Frames:
    """Answer how a form writes; JSON pages are not streamed, so that lines stand in for them."""
    return _SSE if form == "sse" else _LINES
