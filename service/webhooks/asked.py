"""What players ask about their webhooks."""

import re
from collections.abc import Mapping
from time import time
from typing import Any, Final

from events.notices import timestamp
from service.http import Call
from service.problems import Problem, bad_field
from service.views import looked_up, perspective
from workers.scripts import run
from workers.webhooks import hooks
from workers.webhooks.addresses import split
from workers.webhooks.hooks import Hook
from workers.webhooks.messages import Pending, post, trial

MOST: Final = 50
_ID: Final = re.compile(r"[0-9a-f]{24}")


def make(call: Call) -> Hook:
    """Make a webhook for the caller's tables, or for one that the caller may look at."""
    body, client = call.body, call.parts.client
    _check_url(call)
    table, invited = body["table"], False
    if table is not None:
        found = looked_up(call, table)
        perspective(call, found.loaded.state, imported=found.imported, invite=body.get("invite"))
        invited = "invite" in body
    if len(hooks.of(client, call.player, now())) >= MOST:
        raise Problem("too-many", most=MOST)
    made = hooks.register(
        client, call.player, body["url"], _once(body["types"]), now(),
        table=table, invited=invited, label=body["label"],
    )  # fmt: skip
    if call.parts.identity.profile(call.player) is None:
        # Erased meanwhile: erasure may not have seen it.
        hooks.remove(client, made)
        raise Problem("bad-token")
    return made


def mine(call: Call, webhook: str) -> Hook:
    """Answer a webhook of the caller, or raise the problem that there is none."""
    # Other words lead to what lies beside webhooks in the store.
    found = hooks.find(call.parts.client, webhook, now()) if _ID.fullmatch(webhook) else None
    if found is None or found.owner != call.player:
        raise Problem("unknown-webhook")
    return found


def change(call: Call, webhook: str) -> Hook:
    """Change a webhook of the caller, and answer it as it is now."""
    hook, body = mine(call, webhook), dict(call.body)
    if "url" in body:
        _check_url(call)
    if "types" in body:
        body["types"] = _once(body["types"])
    hooks.change(call.parts.client, hook, **body)
    return mine(call, webhook)


def test(call: Call, webhook: str) -> str:
    """Let a message be sent that only says that it is a test; answer its id."""
    hook, message = mine(call, webhook), trial(now())
    if not run(call.parts.client, post(hook.id, (message,), message.version))[0]:
        raise Problem("webhook-disabled")
    call.parts.waker.post()
    return Pending(message.field, message.version, 0, 0, 0, message.body).id(hook.id)


def told(hook: Hook) -> Mapping[str, Any]:
    """Answer what the owner may know of a webhook: all but its secrets."""
    return {
        "id": hook.id,
        "url": hook.url,
        "table": hook.table,
        "types": list(hook.types),
        "label": hook.label,
        "enabled": hook.disabled is None,
        "disabled": hook.disabled,
        "failing_since": None if hook.failing is None else timestamp(hook.failing),
        "made_at": timestamp(hook.made),
    }


def now() -> int:
    """Answer the time in ms since 1970."""
    return int(time() * 1000)


def _once(types: list[str]) -> list[str]:
    return list(dict.fromkeys(types))


def _check_url(call: Call) -> None:
    if split(call.body["url"], loopback=call.parts.local_webhooks) is None:
        raise bad_field("/url", "not-public")
