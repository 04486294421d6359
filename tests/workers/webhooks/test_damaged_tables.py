"""A table whose history is damaged: it silences no webhook."""

import json
from collections.abc import Mapping
from time import time
from typing import Any

from redis import Redis

from events import keys
from events.store import EventStore
from events.transact import Door
from tests.workers.sittings import catch_up, following, opened
from workers.webhooks import hooks
from workers.webhooks.delivery import Reply
from workers.webhooks.poster import DAY, Poster, is_due


def test_a_turn_that_cannot_be_looked_into_is_told_and_holds_up_no_other(client: Redis) -> None:
    store = EventStore(client)
    now = int(time() * 1000)
    hooks.register(client, "ann", "https://example.com/", ["table.turn"], now)
    for table in ("broken", "whole"):
        opened(Door(store), table, players=["ann", "bob"])
    catch_up(following(store))
    client.xdel(keys.events("broken"), "3-0")
    told: list[str] = []

    def receive(url: str, headers: Mapping[str, str], body: bytes, **more: Any) -> Reply:
        told.append(json.loads(body)["table"])
        return Reply(204, None, 5)

    later = now + DAY
    assert not Poster(client, Door(store), clock=lambda: later, post=receive).run(30)
    assert sorted(told) == ["broken", "whole"]
    assert not is_due(client, later + DAY)
