"""The state of a sitting."""

from typing import Any, Literal, TypeAlias

from domain.game import AnyGame, Seat
from domain.value import Value

Phase: TypeAlias = Literal["unopened", "open", "playing", "over"]
Visibility: TypeAlias = Literal["public", "unlisted", "private"]


class Occupant(Value):
    """Who holds a seat: a player's id or a bot's level, and the entropy added (hex)."""

    player: str | None
    bot: str | None
    entropy: str


class Origin(Value):
    """Where a fork comes from: a table, by its id, at a version."""

    table: str
    version: int


class Table(Value):
    """A sitting: ``play`` is the state of the game and ``rolls`` counts decisions by chance.

    A fork has an ``origin``, and a ``position`` to start from while it waits for its seats.
    """

    phase: Phase
    game: AnyGame | None
    rules: int
    options: Any
    visibility: Visibility
    opener: str
    commitment: str
    key: str
    chairs: tuple[Occupant | None, ...]
    rolls: int
    play: Any
    origin: Origin | None = None
    position: Any = None

    def seat_of(self, player: str | None) -> Seat | None:
        """Answer where a player sits."""
        if player is None:
            return None
        seats = (i for i, each in enumerate(self.chairs) if each and each.player == player)
        return next(map(Seat, seats), None)

    @property
    def playing(self) -> AnyGame:
        """Answer the game of an opened table."""
        if self.game is None:
            raise ValueError("the table was never opened")
        return self.game


NOWHERE = Table("unopened", None, 0, None, "public", "", "", "", (), 0, None)
