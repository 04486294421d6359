"""An event as it is kept: its envelope and its two faces, in the bytes that were stored."""

from domain.value import Value


class Recorded(Value):
    """One stored event of a table; ``codec.decode`` makes the event itself.

    ``at`` is in milliseconds since 1970 (UTC). ``audience`` is None without a sealed face and ()
    if nobody may read it. ``public`` and ``sealed`` are JSON in RFC 8785 form; ``sealed`` is empty
    without a sealed face. ``trace`` is outside the chain.
    """

    table: str
    version: int
    kind: str
    schema: int
    at: int
    seat: int | None
    audience: tuple[int, ...] | None
    public: bytes
    sealed: bytes
    trace: str | None = None

    @property
    def joined(self) -> bytes:
        """Answer both faces as one JSON object."""
        return join(self.public, self.sealed)


class FeedEntry(Value):
    """A pointer of a partition's feed: so many events of a table, from a version on."""

    position: int
    table: str
    first: int
    count: int

    @property
    def last(self) -> int:
        """Answer the version of the last event."""
        return self.first + self.count - 1


def join(public: bytes, sealed: bytes) -> bytes:
    """Make one JSON object of two faces."""
    if len(sealed) <= 2:
        return public
    if len(public) <= 2:
        return sealed
    return public[:-1] + b"," + sealed[1:]
