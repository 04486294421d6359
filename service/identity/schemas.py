"""What bodies about players, bots, tokens and recovery may hold."""

from typing import Any, Final

from marshmallow import fields, validate

from events.schema import MESSAGES
from service.fields import Name, Request, matching, one_of, text
from service.identity.callers import SCOPES
from service.identity.names import NAME_CODES, NAME_LENGTH

LOCALE: Final = r"[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}"
LABEL_LENGTH: Final = 80
MOST_SCOPES: Final = len(SCOPES)

_NAME: Final = (
    f"Shown to everybody: at most {NAME_LENGTH} characters as people count them. Composed (NFC), "
    "made one line and freed of what cannot be seen"
)


def shown_name(says: str, **more: Any) -> Name:
    """Make the field of a name that is shown; ``needed``: something must be left of it."""
    metadata = {"description": says, "type": "string", "maxLength": NAME_CODES, "examples": ["Ana"]}
    return Name(error_messages=MESSAGES, metadata=metadata, **more)


class ProfileChange(Request):
    """What a player tells of itself."""

    name = shown_name(
        f"{_NAME}; null, or a name of which nothing is left, is no name.", allow_none=True
    )
    locale = matching(
        LOCALE, allow_none=True,
        metadata={"description": "A language tag.", "examples": ["fr", "en-GB"]},
    )  # fmt: skip


class NewPlayer(ProfileChange):
    """A guest player; everything may be left out."""


class NewBot(Request):
    """A bot of mine."""

    name = shown_name(f"{_NAME}; something must be left of it.", required=True, needed=True)


class NewToken(Request):
    """A token for a program of mine."""

    label = text(
        1, LABEL_LENGTH, required=True,
        metadata={"description": "What it is for; only you see it.", "examples": ["My laptop"]},
    )  # fmt: skip
    scopes = fields.List(
        one_of(*SCOPES),
        required=True,
        error_messages=MESSAGES,
        validate=validate.Length(1, MOST_SCOPES, error="out-of-range"),
        metadata={"description": "What it may do; nothing else."},
    )


class Recovery(Request):
    """A recovery code, as it was shown."""

    code = text(
        1, 100, required=True,
        metadata={
            "description": "Spaces, hyphens and lower case do not matter.",
            "examples": ["7K3QX-9M2PA-VTB84-H6CWZ-0RNDE"],
        },
    )  # fmt: skip


class NewApp(Request):
    """An app to register."""

    name = shown_name("Shown to players on the consent page.", required=True, needed=True)
    redirect_uris = fields.List(
        text(
            1, 500, metadata={"description": "https, http on loopback, or a scheme with a dot."}
        ),
        load_default=[], error_messages=MESSAGES,
        validate=validate.Length(0, 10, error="out-of-range"),
        metadata={"description": "Where players return to; none for an app of devices."},
    )  # fmt: skip
