"""What bodies about webhooks may hold."""

from typing import Any, Final

from marshmallow import fields, validate

from events.schema import MESSAGES
from service.fields import Request, Truth, matching, one_of, text
from service.identity.schemas import LABEL_LENGTH
from service.schemas import INVITE
from workers.webhooks.addresses import LONGEST
from workers.webhooks.hooks import TYPES

TABLE: Final = r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}"

_URL: Final = {
    "description": "A public https address; redirects are not followed.",
    "examples": ["https://example.com/abraxas"],
}


def _types(says: str, **more: Any) -> fields.List[Any]:
    return fields.List(
        one_of(*TYPES),
        error_messages=MESSAGES,
        validate=validate.Length(1, len(TYPES), error="out-of-range"),
        metadata={"description": says},
        **more,
    )


def _label(**more: Any) -> fields.String:
    metadata = {"description": "What it is for; only you see it.", "examples": ["Push"]}
    return text(1, LABEL_LENGTH, allow_none=True, metadata=metadata, **more)


class NewWebhook(Request):
    """A webhook of mine."""

    url = text(1, LONGEST, required=True, metadata=_URL)
    table = matching(
        TABLE, allow_none=True, load_default=None,
        metadata={"description": "Only this table; null is every table that I sit at."},
    )  # fmt: skip
    invite = matching(INVITE, metadata={"description": "Opens a private table."})
    types = _types(
        "What to be told: `table.turn`, a table waits for me; `table.over`; `table.changed`, a "
        "table has a new version.",
        load_default=["table.turn", "table.over"],
    )
    label = _label(load_default=None)


class WebhookChange(Request):
    """What to change of a webhook; what is left out stays."""

    url = text(1, LONGEST, metadata=_URL)
    types = _types("What to be told.")
    label = _label()
    enabled = Truth(
        error_messages=MESSAGES,
        metadata={
            "description": "false: nothing is sent. true: it is tried again, whatever happened."
        },
    )  # fmt: skip
