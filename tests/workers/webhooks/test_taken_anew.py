"""Every table is taken anew, as after a restore: nobody is told of what ended long ago."""

import pytest
from redis import Redis

from events import keys
from events.store import EventStore
from events.transact import Door
from tests.workers.sittings import catch_up, following, opened, play_out
from workers.webhooks import hooks
from workers.webhooks.delivery import Reply
from workers.webhooks.poster import DAY, Poster

HOUR = DAY // 24


def taken_anew(store: EventStore, table: str) -> None:
    """Lose what consumers have applied of a table's partition, and its feed."""
    follower = following(store)
    catch_up(follower)
    follower.end()
    partition = keys.partition(table)
    store.client.delete(keys.checkpoints(partition), keys.feed(partition))
    follower = following(store)
    catch_up(follower)
    follower.end()


@pytest.mark.parametrize(("later", "again"), [(HOUR, True), (DAY + HOUR, False)])
def test_an_end_is_told_again_for_as_long_as_receivers_remember_it(
    client: Redis, monkeypatch: pytest.MonkeyPatch, later: int, again: bool
) -> None:
    store = EventStore(client)
    opened(Door(store), players=["ann", "bob"])
    end = play_out(Door(store), "table").at
    hooks.register(client, "ann", "https://example.com/", ["table.changed", "table.over"], end)

    def now() -> int:
        return end + later

    monkeypatch.setattr("workers.follow._now", now)
    taken_anew(store, "table")
    told: list[str] = []

    def receive(url: str, *more: object, **named: object) -> Reply:
        told.append(url)
        return Reply(204, None, 5)

    Poster(client, Door(store), clock=now, post=receive).run(30)
    assert bool(told) == again
