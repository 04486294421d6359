"""What the server sends, as openapi.yaml has it; more fields may come at any time."""

from typing import Any, Literal, NotRequired, TypedDict

Phase = Literal["open", "playing", "over"]
Perspective = int | Literal["spectator", "arbiter"]

Command = dict[str, Any]
"""``type`` and the game's own fields; those in a view's ``moves`` are ready to be sent."""


class Chair(TypedDict):
    """A seat of a table; ``player`` null is a free one or a server bot's, ``bot`` a level."""

    seat: int
    player: str | None
    bot: str | None


class Looking(TypedDict):
    """The seat whose eyes a view is seen with; null is a spectator or an arbiter."""

    seat: int | None


class Position(TypedDict):
    """A version of a table."""

    table: str
    version: int


class Links(TypedDict):
    """Absolute addresses: pages of notices, live notices, the record."""

    events: str
    stream: str
    record: str


class View(TypedDict):
    """A table as the caller may see it."""

    id: str
    game: str
    rules: int
    version: int
    hash: str
    phase: Phase
    options: dict[str, Any]
    visibility: Literal["public", "unlisted", "private"]
    seats: list[Chair]
    viewer: Looking
    to_move: list[int]
    moves: list[Command]
    play: dict[str, Any] | None
    result: dict[str, Any] | None
    commitment: str
    forked_from: Position | None
    imported: NotRequired[bool]
    links: Links


class OpenedView(View):
    """A table just opened; a private one says its ``invite`` this once."""

    invite: NotRequired[str]


class Notice(TypedDict):
    """What happened; the event's own fields stand beside these."""

    version: int
    at: str
    type: str
    seat: NotRequired[int]
    text: str
    salt: NotRequired[str]


class Notices(TypedDict):
    """A page of notices, and the version of the table."""

    items: list[Notice]
    version: int


class Outcome(TypedDict):
    """What a command brought about; ``view`` if it was asked for."""

    version: int
    hash: str
    notices: list[Notice]
    view: NotRequired[View]


class SeatOutcome(Outcome):
    """The same of sitting down and leaving."""

    seat: int


class Player(TypedDict):
    """What everybody may know of a player."""

    player: str
    name: str | None
    bot: bool


class Profile(Player):
    """One's own profile."""

    locale: str | None
    since: str
    recoverable: bool


class Guest(Profile):
    """A player that was just made or recovered; ``token`` is shown this once."""

    token: str


class GameItem(TypedDict):
    """A game that can be played: with how many seats, against which levels of bots."""

    game: str
    name: str
    rules: int
    seats: list[int]
    bots: list[str]


class CardItem(TypedDict):
    """A card's id, as in views and commands, and its name."""

    id: str
    name: str


class Game(GameItem):
    """A game with its cards, and JSON Schemas of its options and commands."""

    options: dict[str, Any]
    commands: dict[str, Any]
    refusals: dict[str, Any]
    cards: list[CardItem]


class Games(TypedDict):
    """All that can be played."""

    items: list[GameItem]
    next: str | None


class TableItem(TypedDict):
    """A table as lists have it; they may lag behind its view."""

    id: str
    game: str
    rules: int
    phase: Phase
    seats: list[Chair]
    options: dict[str, Any]
    visibility: str
    opened_at: str
    version: NotRequired[int]


class Tables(TypedDict):
    """A page of tables; ``next`` is the next page's cursor."""

    items: list[TableItem]
    next: str | None
    position: int


class MyTableItem(TableItem):
    """A table of mine, and whether it waits for me."""

    seat: int
    waiting: bool


class MyTables(TypedDict):
    """A page of my tables; ``waiting`` counts all that wait for me, for a badge.

    ``after`` is where a stream of all my tables goes on from here.
    """

    items: list[MyTableItem]
    next: str | None
    position: int
    waiting: int
    after: str


class MyTableNews(TypedDict):
    """A table of mine that has changed; one that I left has ``left``, and nothing of how it is.

    ``after`` is where a stream goes on behind it.
    """

    after: str
    version: int
    id: str
    left: NotRequired[bool]
    game: NotRequired[str]
    rules: NotRequired[int]
    phase: NotRequired[Phase]
    seats: NotRequired[list[Chair]]
    options: NotRequired[dict[str, Any]]
    visibility: NotRequired[str]
    opened_at: NotRequired[str]
    seat: NotRequired[int]
    waiting: NotRequired[bool]


class MyEvents(TypedDict):
    """Which of my tables have changed; ``after`` is where to go on."""

    items: list[MyTableNews]
    after: str
