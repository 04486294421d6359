"""What the server answers, as openapi.yaml shows it; the tests hold every answer against it."""

from typing import Any, Final

from marshmallow import fields, validate

from service.fields import Answer
from service.schemas import HASH

UUID: Final = "uuid"


def _id(**more: Any) -> fields.String:
    return fields.String(required=True, metadata={"format": UUID, **more})


def _seat(**more: Any) -> fields.Integer:
    return fields.Integer(required=True, validate=validate.Range(min=0), metadata=more)


def _count(**more: Any) -> fields.Integer:
    return fields.Integer(required=True, validate=validate.Range(min=0), metadata=more)


def _text(**more: Any) -> fields.String:
    allow_none = more.pop("allow_none", False)
    return fields.String(required=True, allow_none=allow_none, metadata=more)


def _time(**more: Any) -> fields.String:
    return fields.String(required=True, metadata={"format": "date-time", **more})


def _hash(**more: Any) -> fields.String:
    return fields.String(required=True, metadata={"pattern": f"^{HASH}$", **more})


def _any_object(**more: Any) -> fields.Dict:
    allow_none = more.pop("allow_none", False)
    extra = {"additionalProperties": True, **more}
    return fields.Dict(required=True, allow_none=allow_none, metadata=extra)


def _phase() -> fields.String:
    among = validate.OneOf(("open", "playing", "over"))
    return fields.String(required=True, validate=among)


class GameItem(Answer):
    """A game that can be played."""

    game = _text()
    name = _text(description="In the asked language.")
    rules = _count(description="Number of the rules; a table keeps the one it was opened with.")
    seats = fields.List(fields.Integer(), required=True, metadata={"description": "How many."})
    bots = fields.List(fields.String(), required=True, metadata={"description": "Levels."})


class CardItem(Answer):
    """A card of a game, with its facts."""

    id = _text(description="As in views, moves and commands.")
    name = _text(description="In the asked language.")


class Game(GameItem):
    """All that a client needs to play a game."""

    options = _any_object(description="JSON Schema of the options of a table.")
    commands = _any_object(description="JSON Schema of the commands of a seat.")
    refusals = _any_object(description="Code -> why the rules refuse, in the asked language.")
    cards = fields.List(fields.Nested(CardItem), required=True)


class GameTexts(Answer):
    """The words of a game: kinds of events and vocabularies, each with what it is in words."""

    name = _text()
    game = _any_object(description="`events`: kind -> sentence or alternatives; vocabularies.")
    table = _any_object(description="The same of what every table has.")
    cards = fields.List(fields.Nested(CardItem), required=True)


class Games(Answer):
    """Every game."""

    items = fields.List(fields.Nested(GameItem), required=True)
    next = _text(allow_none=True)


class Chair(Answer):
    """A seat and who holds it."""

    seat = _seat()
    player = _text(allow_none=True, format=UUID)
    bot = _text(allow_none=True, description="The level of a bot.")


class Looking(Answer):
    """Who is looking."""

    seat = fields.Integer(required=True, allow_none=True, validate=validate.Range(min=0))


class Links(Answer):
    """Where the rest of a table is; absolute."""

    events = _text(format="uri")
    stream = _text(format="uri")
    record = _text(format="uri")


class Position(Answer):
    """A table at a version."""

    table = _id()
    version = _count()


class View(Answer):
    """A table as one viewer may see it."""

    id = _id()
    game = _text()
    rules = _count()
    version = _count(description="The number of events so far; the one cursor everywhere.")
    hash = _hash(description="The head of the chain of events.")
    phase = _phase()
    options = _any_object()
    visibility = fields.String(
        required=True, validate=validate.OneOf(("public", "unlisted", "private"))
    )
    seats = fields.List(fields.Nested(Chair), required=True)
    viewer = fields.Nested(Looking, required=True)
    to_move = fields.List(
        fields.Integer(), required=True, metadata={"description": "The seats it waits for."}
    )
    moves = fields.List(
        fields.Dict(metadata={"additionalProperties": True}),
        required=True,
        metadata={"description": "The viewer's legal commands, each ready to be sent."},
    )
    play = _any_object(allow_none=True, description="The game's own view; null while open.")
    result = _any_object(allow_none=True, description="`winners` and more; null before the end.")
    commitment = _hash(description="The SHA-256 of the table's key.")
    forked_from = fields.Nested(
        Position, required=True, allow_none=True, metadata={"description": "Of a what-if table."}
    )
    imported = fields.Boolean(
        metadata={"description": "True of a table that came out of a record; else left out."}
    )
    links = fields.Nested(Links, required=True)


class OpenedView(View):
    """The view of a new table."""

    invite = fields.String(metadata={"description": "Of a private table; shown this once."})


class Notice(Answer):
    """An event as one viewer is told; with the event's own fields besides."""

    version = _count()
    at = _time()
    type = _text(description="The kind of event.")
    seat = fields.Integer(metadata={"description": "Who acted."})
    text = _text(description="What happened, in the asked language.")
    salt = fields.String(metadata={"description": "Opens the sealed face in the chain."})


class Outcome(Answer):
    """What a command led to."""

    version = _count(description="The table's version after it.")
    hash = _hash()
    notices = fields.List(fields.Nested(Notice), required=True)
    view = fields.Nested(
        View, metadata={"description": "With `Prefer: return=representation`, at `version`."}
    )


class SeatOutcome(Outcome):
    """What sitting down or leaving led to."""

    seat = _seat()


class Notices(Answer):
    """Some notices of a table."""

    items = fields.List(fields.Nested(Notice), required=True)
    version = _count(description="The table's version.")


class TableItem(Answer):
    """A table in a list."""

    id = _id()
    game = _text()
    rules = _count()
    phase = _phase()
    seats = fields.List(fields.Nested(Chair), required=True)
    options = _any_object()
    visibility = fields.String(required=True)
    opened_at = _time()
    version = fields.Integer(metadata={"description": "Where the list has it; it may lag."})


class Tables(Answer):
    """A page of tables; it may lag behind the tables themselves."""

    items = fields.List(fields.Nested(TableItem), required=True)
    next = _text(allow_none=True, description="The next page's `cursor`; null at the end.")
    position = _count(description="How far the list has got; it only grows.")


def _place() -> fields.String:
    return _text(description="Where `/v1/me/events` goes on from here: what it takes as `after`.")


class MyTableItem(TableItem):
    """A table that I sit at."""

    seat = _seat(description="My seat.")
    waiting = fields.Boolean(required=True, metadata={"description": "Whether it waits for me."})


class MyTables(Tables):
    """A page of my tables."""

    items = fields.List(fields.Nested(MyTableItem), required=True)
    waiting = _count(description="How many tables wait for me, on all pages: a badge.")
    after = _place()


class MyTableNews(Answer):
    """A table of mine that has changed; nothing but this is said of one that I left."""

    after = _place()
    version = _count(description="Of the table, when it changed.")
    id = _id()
    left = fields.Boolean(metadata={"description": "True once I sit there no more, else absent."})
    game = fields.String()
    rules = fields.Integer()
    phase = fields.String()
    seats = fields.List(fields.Nested(Chair))
    options = fields.Dict(keys=fields.String())
    visibility = fields.String()
    opened_at = fields.String(metadata={"format": "date-time"})
    seat = fields.Integer()
    waiting = fields.Boolean()


class MyEvents(Answer):
    """Which of my tables have changed."""

    items = fields.List(fields.Nested(MyTableNews), required=True)
    after = _place()


class StreamTicket(Answer):
    """What opens one stream."""

    ticket = _text(description="Works once.", pattern="^abxs_[A-Za-z0-9_-]{43}$")
    expires_in = _count(description="Milliseconds until it is worth nothing.")


class FieldError(Answer):
    """What is wrong with one field."""

    pointer = _text(
        description="`/field`, `?name` of the query, a header, or `line 3` of a record."
    )
    code = _text()
    allowed = fields.List(
        fields.Raw(), metadata={"description": "With `not-one-of`: all that would be taken."}
    )


class Problem(Answer):
    """What went wrong (RFC 9457)."""

    type = _text(format="uri-reference", description="A page of the documentation.")
    title = _text(description="In the asked language.")
    status = _count()
    detail = _text(description="In the asked language.")
    code = _text(description="What programs should look at.")
    version = fields.Integer(metadata={"description": "The table's version."})
    errors = fields.List(fields.Nested(FieldError))


class Alive(Answer):
    """The process answers."""

    status = _text()


class Readiness(Answer):
    """Whether the server can do its work."""

    status = fields.String(
        required=True, validate=validate.OneOf(("ok", "degraded", "unavailable"))
    )
    degraded = fields.List(fields.String(), required=True, metadata={"description": "What lags."})
