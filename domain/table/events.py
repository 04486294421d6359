"""What can become true of a sitting, whatever is played."""

from typing import Any, Generic, TypeAlias, TypeVar

from domain.game import Seat
from domain.sealed import Sealed
from domain.value import Value

Position = TypeVar("Position")


class TableOpened(Value):
    """A table waits for its seats; the commitment is the SHA-256 of the key."""

    game: str
    rules: int
    seats: int
    options: dict[str, Any]
    visibility: str
    opener: str
    commitment: str
    key: Sealed[str]

    def audience(self) -> tuple[Seat, ...]:
        """Nobody reads the key before the end."""
        return ()


class TableForked(Value):
    """The table is a what-if: it starts from what table ``origin`` was after ``step`` events."""

    origin: str
    step: int


class PositionSet(Value, Generic[Position]):
    """The game starts from a given state instead of a first deal.

    A game that changes its state's shape brings an upcast of this event, as of its own.
    """

    state: Sealed[Position]

    def audience(self) -> tuple[Seat, ...]:
        """Nobody reads the hands in it before the end."""
        return ()


class SeatTaken(Value):
    """A player (by id) or a bot (by level) sat down and added entropy."""

    seat: Seat
    player: str | None
    bot: str | None
    entropy: str


class SeatLeft(Value):
    """A seat became free before the game started."""

    seat: Seat
    player: str


class GameStarted(Value):
    """All seats were taken."""


class DiceRolled(Value):
    """The rolls (n, k) of the decision whose other events follow, in the order asked."""

    rolls: Sealed[tuple[tuple[int, int], ...]]

    def audience(self) -> tuple[Seat, ...]:
        """Nobody reads the rolls before the end."""
        return ()


class KeyRevealed(Value):
    """The table is over and anybody can check its chance."""

    key: str


TableEvent: TypeAlias = (
    TableOpened
    | TableForked
    | PositionSet[Any]
    | SeatTaken
    | SeatLeft
    | GameStarted
    | DiceRolled
    | KeyRevealed
)
TABLE_EVENTS: tuple[type, ...] = (
    TableOpened,
    TableForked,
    PositionSet,
    SeatTaken,
    SeatLeft,
    GameStarted,
    DiceRolled,
    KeyRevealed,
)

Event: TypeAlias = Any
"""An event of the table or one of its game's."""
