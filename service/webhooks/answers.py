"""What the server answers about webhooks."""

from typing import Any, Final

from marshmallow import fields, validate

from service.fields import Answer
from workers.webhooks.hooks import TYPES
from workers.webhooks.messages import TEST

SECRET: Final = "^whsec_[A-Za-z0-9+/]{43}=$"  # noqa: S105 - what secrets look like


def _text(**more: Any) -> fields.String:
    allow_none = more.pop("allow_none", False)
    return fields.String(required=True, allow_none=allow_none, metadata=more)


def _secret() -> fields.String:
    return _text(description="Shown this once: verifies what is sent.", pattern=SECRET)


class Webhook(Answer):
    """A webhook, without its secret."""

    id = _text()
    url = _text(format="uri")
    table = _text(allow_none=True, format="uuid", description="null: every table that I sit at.")
    types = fields.List(fields.String(validate=validate.OneOf(TYPES)), required=True)
    label = _text(allow_none=True)
    enabled = fields.Boolean(required=True)
    disabled = fields.String(
        required=True, allow_none=True, validate=validate.OneOf(("owner", "gone", "failing")),
        metadata={
            "description": "Why nothing is sent: I said so, the receiver answered 410, or nothing "
            "has arrived for days."
        },
    )  # fmt: skip
    failing_since = _text(
        allow_none=True, format="date-time", description="Since when no attempt has arrived."
    )
    made_at = _text(format="date-time")


class Webhooks(Answer):
    """The webhooks of a player."""

    items = fields.List(fields.Nested(Webhook), required=True)
    next = _text(allow_none=True)


class MadeWebhook(Webhook):
    """A webhook that was just made."""

    secret = _secret()


class WebhookSecret(Answer):
    """The new secret of a webhook."""

    secret = _secret()
    old_signs_for = fields.Integer(
        required=True, metadata={"description": "How long the old one signs too, in ms."}
    )


class WebhookTest(Answer):
    """A message that will be sent soon."""

    id = _text(description="`webhook-id` of the message; look for it among the deliveries.")


class Delivery(Answer):
    """An attempt to send a message."""

    id = _text(description="`webhook-id`: the same in every attempt.")
    type = fields.String(required=True, validate=validate.OneOf((*TYPES, TEST)))
    table = _text(allow_none=True, format="uuid")
    version = fields.Integer(required=True, allow_none=True)
    at = _text(format="date-time")
    attempt = fields.Integer(required=True, validate=validate.Range(min=1))
    status = fields.Integer(
        required=True, allow_none=True, metadata={"description": "What the receiver answered."}
    )
    error = _text(allow_none=True, description="Why there is no answer.")
    took = fields.Integer(required=True, metadata={"description": "Milliseconds."})
    outcome = fields.String(
        required=True, validate=validate.OneOf(("delivered", "again", "given-up"))
    )


class Deliveries(Answer):
    """The last attempts, newest first."""

    items = fields.List(fields.Nested(Delivery), required=True)
    next = _text(allow_none=True)
