"""Webhooks as they are kept: what was answered outlives the server that took it."""

from collections.abc import Callable
from typing import Any

import pytest
from redis import Redis

from events.servers.connection import OutcomeUnknown, connect
from events.servers.embedded import Embedded
from workers.webhooks import hooks
from workers.webhooks.hooks import Hook


@pytest.mark.parametrize(
    "act",
    [
        lambda client, hook: hooks.rotate(client, hook, 2),
        lambda client, hook: hooks.change(client, hook, url="https://example.org/"),
        hooks._subscribe,
    ],
    ids=["another secret", "another address", "a subscription"],
)
def test_a_change_is_answered_once_replicas_have_it(
    valkey: Redis, embedded: Embedded, act: Callable[[Redis, Hook], Any]
) -> None:
    hook = hooks.register(valkey, "ann", "https://example.com/", hooks.TYPES, 1)
    # Of this server there is no replica.
    url = f"{embedded.url}?replicas=1"
    with connect(url, timeout=0.5) as cautious, pytest.raises(OutcomeUnknown):
        act(cautious, hook)
