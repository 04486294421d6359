"""What bodies and queries may hold; each is checked by the schema that openapi.yaml shows."""

from typing import Any, Final

from marshmallow import fields

from events.schema import MESSAGES
from service.fields import (
    BySeat,
    Flag,
    Listed,
    Perspective,
    Request,
    matching,
    number,
    one_of,
    whole,
)
from workers.projections.listing import CURSOR

MOST_SEATS: Final = 16
PAGE: Final = 100
_LAST_VERSION: Final = 10**9

GAME: Final = r"[a-z][a-z0-9_]{0,39}"
ENTROPY: Final = r"([0-9a-f]{2}){0,32}"
HASH: Final = r"[0-9a-f]{64}"
INVITE: Final = r"[0-9a-f]{32}"


def _about(description: str, **more: Any) -> dict[str, Any]:
    return {"description": description, **more}


class NewTable(Request):
    """A table to open."""

    game = matching(GAME, required=True, metadata=_about("A name from GET /v1/games."))
    seats = whole(1, MOST_SEATS, required=True, metadata=_about("How many seats it has."))
    options = fields.Dict(
        keys=fields.String(), error_messages=MESSAGES, load_default={},
        metadata=_about(
            "By the options schema of the game; what is left out has its default.",
            additionalProperties=True,
        ),
    )  # fmt: skip
    visibility = one_of(
        "public", "unlisted", "private", load_default="public",
        metadata=_about(
            "public: listed, anybody may look and sit. unlisted: whoever knows the id may. "
            "private: it takes a seat or the invite, which only this answer shows."
        ),
    )  # fmt: skip
    seat = whole(
        0, MOST_SEATS - 1, allow_none=True, load_default=0,
        metadata=_about("Where the opener sits; null is nowhere."),
    )  # fmt: skip
    entropy = matching(
        ENTROPY, load_default="",
        metadata=_about("What the opener adds to the dice: 0 to 32 bytes in hex."),
    )  # fmt: skip
    bots = BySeat(
        error_messages=MESSAGES, load_default={},
        metadata=_about(
            "Seat number -> level of the bot that takes it.",
            propertyNames={"pattern": "^(0|[1-9][0-9]?)$"},
            additionalProperties={"type": "string"},
        ),
    )  # fmt: skip


class Sitting(Request):
    """A seat to take."""

    seat = whole(0, MOST_SEATS - 1, metadata=_about("Without it, the first free one."))
    entropy = matching(
        ENTROPY, load_default="", metadata=_about("Added to the dice: 0 to 32 bytes in hex.")
    )
    commitment = matching(
        HASH, metadata=_about("The commitment that you saw; if it is another, you do not sit.")
    )
    invite = matching(INVITE, metadata=_about("Opens a private table."))


class Fork(Request):
    """A what-if to open."""

    version = whole(
        1, _LAST_VERSION, required=True, metadata=_about("The position that it starts from.")
    )
    seat = whole(
        0, MOST_SEATS - 1, allow_none=True,
        metadata=_about(
            "Where you sit; null is nowhere. Left out: your seat at the table, else the first "
            "that no bot takes."
        ),
    )  # fmt: skip
    entropy = matching(
        ENTROPY, load_default="", metadata=_about("Added to the dice: 0 to 32 bytes in hex.")
    )
    bots = BySeat(
        error_messages=MESSAGES, load_default={},
        metadata=_about(
            "Seat number -> level of the bot that takes it.",
            propertyNames={"pattern": "^(0|[1-9][0-9]?)$"},
            additionalProperties={"type": "string"},
        ),
    )  # fmt: skip
    invite = matching(INVITE, metadata=_about("Opens a private table."))


class InviteQuery(Request):
    """Whether a private table may be looked at."""

    invite = matching(INVITE, metadata=_about("Opens a private table."))


class ViewQuery(InviteQuery):
    """Which view of a table is wanted."""

    version = number(
        1, _LAST_VERSION,
        metadata=_about("The view as it was at this version; without it, as it is now."),
    )  # fmt: skip
    min_version = number(
        0, _LAST_VERSION,
        metadata=_about("Refuse with version-not-reached if the table is not that far."),
    )  # fmt: skip
    as_ = Perspective(
        data_key="as",
        metadata=_about(
            "Look as this seat, as spectator or as arbiter. Your own seat always; any, once the "
            "table is over.",
            anyOf=[
                {"type": "integer", "minimum": 0, "maximum": MOST_SEATS - 1},
                {"type": "string", "enum": ["spectator", "arbiter"]},
            ],
        ),
    )  # fmt: skip


class PageQuery(Request):
    """Which page of a list is wanted."""

    cursor = matching(CURSOR, metadata=_about("`next` of the page before."))
    limit = number(1, PAGE, load_default=20, metadata=_about("At most so many items."))


class TablesQuery(PageQuery):
    """Which public tables are wanted."""

    game = matching(GAME, metadata=_about("Tables of this game only."))
    phase = Listed(
        one_of("open", "playing", "over"),
        error_messages=MESSAGES,
        load_default=["open", "playing", "over"],
        metadata=_about("Tables in these phases only.", uniqueItems=True, minItems=1),
    )


class MyTablesQuery(PageQuery):
    """Which of one's own tables are wanted."""

    waiting = Flag(
        load_default=False, metadata=_about("Only those that wait for me.", type="boolean")
    )


class EventsQuery(InviteQuery):
    """Which notices of a table are wanted."""

    after = number(0, _LAST_VERSION, load_default=0, metadata=_about("Notices after this version."))
    limit = number(1, PAGE, load_default=PAGE, metadata=_about("At most so many notices."))
    as_ = Perspective(
        data_key="as",
        metadata=_about("As the view's `as`.", anyOf=ViewQuery().fields["as_"].metadata["anyOf"]),
    )


class RecordQuery(InviteQuery):
    """Which copy of a record is wanted."""

    redaction = one_of(
        "public", "seat", "full", load_default="public",
        metadata=_about(
            "Which hidden cards it shows: none, those a seat was told, or all (once it is over)."
        ),
    )  # fmt: skip
    as_ = number(
        0, MOST_SEATS - 1, data_key="as",
        metadata=_about(
            "With `redaction=seat`: whose copy; your own without it, any once the table is over."
        ),
    )  # fmt: skip
    after = number(
        0, _LAST_VERSION, load_default=0, metadata=_about("Only the events after this version.")
    )
