"""Chance and time of two servers alike: whatever they draw or read off a clock is the same.

Only the keys of their tables differ, as secrets that nobody may read; so the dice of a decision
are not a key's here, but given, and where hidden cards are shuffled each server has its own.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from types import SimpleNamespace
from typing import Any, Final
from uuid import UUID

from domain.dice import Dice, seeded
from domain.table.state import Table
from tests.noninterference.positions import Chance

BEGUN: Final = 1_790_000_000_000
"""What the clocks say at first, in ms since 1970."""

_ROOMS: Final = {
    "token_hex": ("service.identity.callers", "service.histories.forks", "workers.webhooks.hooks"),
    "token_bytes": ("workers.webhooks.hooks",),
    "token_urlsafe": ("service.identity.tokens", "service.identity.tickets"),
    "randbelow": ("service.histories.forks",),
    "uuid4": ("service.identity.callers", "service.wishes", "workers.follow", "workers.queues"),
    "time": (
        "service.identity.callers",
        "service.identity.tokens",
        "service.webhooks.asked",
        "workers.follow",
    ),
}  # fmt: skip


@dataclass
class Fate:
    """Draws what is drawn while something happens: the same when it happens in the other world."""

    number: int = 0
    side: int = 0
    chances: tuple[Chance, Chance] | None = None
    random: Random = field(default_factory=Random)

    def begin(self, what: str, side: int) -> None:
        """Let something happen in one world that is to draw alike wherever it happens."""
        self.side = side
        self.random.seed(f"{self.number} {what}")

    def key(self, count: int = 32) -> str:
        """Draw the key of a table: the one thing that is another in each world."""
        return Random(f"key {self.number} {self.side}").randbytes(count).hex()

    def dice(self, table: Table) -> Dice:
        """Answer the dice of a table's next decision."""
        if self.chances is not None:
            return self.chances[self.side]()
        return seeded(f"dice {table.rolls}")

    def clock(self) -> int:
        """Answer the time in ms: it stands still while something happens."""
        return BEGUN + 1000 * self.number

    def time(self) -> float:
        """Answer the time in s."""
        return self.clock() / 1000

    def token_hex(self, count: int = 32) -> str:
        """Draw so many bytes, in hex."""
        return self.random.randbytes(count).hex()

    def token_bytes(self, count: int = 32) -> bytes:
        """Draw so many bytes."""
        return self.random.randbytes(count)

    def token_urlsafe(self, count: int = 32) -> str:
        """Draw a word about as long as so many bytes need."""
        return self.random.randbytes(count).hex()[: count * 4 // 3 + 1]

    def randbelow(self, n: int) -> int:
        """Draw a number below ``n``."""
        return self.random.randrange(n)

    def uuid4(self) -> UUID:
        """Draw an id."""
        return UUID(bytes=self.random.randbytes(16), version=4)

    def install(self, patch: Callable[[str, Any], None]) -> None:
        """Take the place of chance and time; ``patch`` is monkeypatch.setattr."""
        for name, rooms in _ROOMS.items():
            for room in rooms:
                patch(f"{room}.{name}", getattr(self, name))
        patch("service.wishes.token_hex", self.key)
        patch("events.transact.dice", self.dice)
        patch("workers.bots.dice", lambda loaded, seat: seeded(f"bot {loaded.version} {seat}"))
        # What scripts read as the store's own time.
        patch("fakeredis.commands_mixins.server_mixin.time", SimpleNamespace(time=self.time))
