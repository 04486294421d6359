"""Webhooks: a server of one's own is told when a table moves."""

import msgspec
from flask import Response

from service.http import NEVER, Call
from service.operation import Returns, Routes
from service.webhooks import answers as answers
from service.webhooks import asked as webhooks
from service.webhooks.schemas import NewWebhook, WebhookChange
from workers.webhooks import hooks

ROUTES = Routes("webhooks", "Messages to a server of one's own (Standard Webhooks).")
_HERE = {"webhook": "$response.body#/id"}


@ROUTES(
    "POST", "/v1/webhooks", auth="required", scope="webhooks", body=NewWebhook(),
    answers={
        201: Returns(
            "The webhook, with its secret.",
            answers.MadeWebhook,
            links=dict.fromkeys(
                ("get_webhook", "change_webhook", "test_webhook", "rotate_webhook_secret",
                 "list_deliveries", "remove_webhook"),
                _HERE,
            ),
        )
    },
    problems=("unknown-table", "too-many", "outcome-unknown"),
)  # fmt: skip
def create_webhook(call: Call) -> Response:
    """Make a webhook for all my tables, or for one table.

    Messages say which table has moved and how far, never what is on it: read the view with a
    token. They are signed by Standard Webhooks, and sent again for a day until one arrives.
    """
    made = webhooks.make(call)
    return call.reply({**webhooks.told(made), "secret": made.secrets[0]}, 201, cache=NEVER)


@ROUTES(
    "GET", "/v1/webhooks", auth="required", scope="webhooks",
    answers={200: Returns("All of them, newest first.", answers.Webhooks)},
)  # fmt: skip
def list_webhooks(call: Call) -> Response:
    """List my webhooks, without their secrets."""
    found = hooks.of(call.parts.client, call.player, webhooks.now())
    return call.reply({"items": [webhooks.told(each) for each in found], "next": None})


@ROUTES(
    "GET", "/v1/webhooks/<webhook>", auth="required", scope="webhooks",
    answers={200: Returns("The webhook.", answers.Webhook)},
    problems=("unknown-webhook",),
)  # fmt: skip
def get_webhook(call: Call, webhook: str) -> Response:
    """Answer a webhook of mine, without its secret."""
    return call.reply(webhooks.told(webhooks.mine(call, webhook)))


@ROUTES(
    "PATCH", "/v1/webhooks/<webhook>", auth="required", scope="webhooks", body=WebhookChange(),
    answers={200: Returns("The webhook as it is now.", answers.Webhook)},
    problems=("unknown-webhook", "outcome-unknown"),
)  # fmt: skip
def change_webhook(call: Call, webhook: str) -> Response:
    """Change a webhook; `enabled: true` lets one be tried again that was disabled."""
    return call.reply(webhooks.told(webhooks.change(call, webhook)))


@ROUTES(
    "DELETE", "/v1/webhooks/<webhook>", auth="required", scope="webhooks",
    answers={204: Returns("The webhook is forgotten.")},
    problems=("unknown-webhook", "outcome-unknown"),
)  # fmt: skip
def remove_webhook(call: Call, webhook: str) -> Response:
    """Remove a webhook, with whatever was still to be sent to it."""
    hooks.remove(call.parts.client, webhooks.mine(call, webhook))
    return call.reply_empty(204)


@ROUTES(
    "POST", "/v1/webhooks/<webhook>/test", auth="required", scope="webhooks",
    answers={202: Returns("It will be sent soon.", answers.WebhookTest)},
    problems=("unknown-webhook", "webhook-disabled", "outcome-unknown"),
)  # fmt: skip
def test_webhook(call: Call, webhook: str) -> Response:
    """Send a message of the type `webhook.test`; the deliveries tell what came of it."""
    return call.reply({"id": webhooks.test(call, webhook)}, 202, cache=NEVER)


@ROUTES(
    "POST", "/v1/webhooks/<webhook>/secret", auth="required", scope="webhooks",
    answers={201: Returns("The new secret.", answers.WebhookSecret)},
    problems=("unknown-webhook", "outcome-unknown"),
)  # fmt: skip
def rotate_webhook_secret(call: Call, webhook: str) -> Response:
    """Make a new secret; for a day every message is signed with the old one too."""
    secret = hooks.rotate(call.parts.client, webhooks.mine(call, webhook), webhooks.now())
    body = {"secret": secret, "old_signs_for": hooks.ROTATION_SECONDS * 1000}
    return call.reply(body, 201, cache=NEVER)


@ROUTES(
    "GET", "/v1/webhooks/<webhook>/deliveries", auth="required", scope="webhooks",
    answers={200: Returns("The last hundred attempts, newest first.", answers.Deliveries)},
    problems=("unknown-webhook",),
)  # fmt: skip
def list_deliveries(call: Call, webhook: str) -> Response:
    """List the last attempts to send something to a webhook, and what came of them."""
    found = hooks.log_of(call.parts.client, webhooks.mine(call, webhook))
    return call.reply({"items": [msgspec.Raw(each) for each in found], "next": None})
