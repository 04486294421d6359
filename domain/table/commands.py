"""What may be asked of a sitting."""

from typing import Any, TypeAlias

from domain.game import AnyGame, Seat
from domain.table.state import Origin, Visibility
from domain.value import Value


class Sit(Value):
    """Take a seat (the first free one if None) as a player or as a bot of some level.

    ``entropy`` is 0 to 32 bytes in lower-case hex; ``commitment``, if given, is the one that the
    player saw before choosing it.
    """

    player: str | None
    seat: Seat | None = None
    bot: str | None = None
    entropy: str = ""
    commitment: str | None = None


class Open(Value):
    """Open a table for a game, seat those who sit at once; the key is 32 bytes in hex.

    A fork has an ``origin`` and starts from ``position``, a state of the game.
    """

    game: AnyGame
    seats: int
    options: Any
    visibility: Visibility
    opener: str
    key: str
    sitting: tuple[Sit, ...]
    origin: Origin | None = None
    position: Any = None


class Leave(Value):
    """Leave a seat while the table is open."""

    player: str
    seat: Seat


class Play(Value):
    """Send a seat's command to the game."""

    seat: Seat
    command: Any


Command: TypeAlias = Open | Sit | Leave | Play
