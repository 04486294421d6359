"""Sending: again for a day, never in vain, never twice at once, whatever dies in between."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from time import time
from typing import Any

import pytest
from redis import Redis

from domain.dice import seeded
from events import keys
from events.store import EventStore
from events.transact import Door
from tests.workers.sittings import catch_up, following, move, opened, play_out
from workers.scripts import run
from workers.webhooks import hooks
from workers.webhooks.delivery import Reply
from workers.webhooks.hooks import TYPES, Hook
from workers.webhooks.messages import post, trial
from workers.webhooks.poster import DAY, HOLD, Poster, is_due

START = int(time() * 1000)
FINE = Reply(204, None, 5)
BUSY = Reply(500, None, 5)


@dataclass
class World:
    """A store, a clock that a test moves, and a receiver that answers as told."""

    client: Redis
    now: int = START
    answer: Callable[[dict[str, Any]], Reply] = lambda _: FINE
    sent: list[tuple[str, dict[str, Any]]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.store = EventStore(self.client)
        self.door = Door(self.store)
        self.poster = Poster(
            self.client, Door(self.store), clock=lambda: self.now, post=self._receive
        )

    def _receive(self, url: str, headers: Mapping[str, str], body: bytes, **more: Any) -> Reply:
        message = json.loads(body)
        self.sent.append((headers["webhook-id"], message))
        return self.answer(message)

    def hook(self, owner: str = "ann", *types: str) -> Hook:
        return hooks.register(self.client, owner, "https://example.com/", types or TYPES, START)

    def try_out(self, hook: Hook) -> None:
        """Let a test message wait."""
        run(self.client, post(hook.id, (trial(self.now),), self.now))

    def see(self, hook: Hook) -> Hook:
        found = hooks.find(self.client, hook.id, self.now)
        assert found
        return found

    def log(self, hook: Hook) -> list[dict[str, Any]]:
        return [json.loads(each) for each in hooks.log_of(self.client, hook)]

    def types(self) -> list[str]:
        return [message["type"] for _, message in self.sent]


@pytest.fixture
def world(client: Redis) -> World:
    return World(client)


def test_what_is_due_is_sent_once_and_logged(world: World) -> None:
    hook = world.hook()
    world.try_out(hook)
    assert is_due(world.client, world.now)
    assert not world.poster.run(5)
    assert not world.poster.run(5)
    assert world.types() == ["webhook.test"]
    assert not is_due(world.client, world.now + DAY)
    (line,) = world.log(hook)
    assert (line["outcome"], line["status"], line["attempt"]) == ("delivered", 204, 1)
    assert line["id"] == world.sent[0][0]


def test_a_message_is_tried_for_a_day_ever_more_rarely_and_then_given_up(world: World) -> None:
    hook = world.hook()
    world.answer = lambda _: BUSY
    world.try_out(hook)
    tried = []
    while world.now < START + 3 * DAY:
        before = len(world.sent)
        world.poster.run(5)
        if len(world.sent) > before:
            tried.append(world.now - START)
        world.now += 60_000
    assert 8 <= len(tried) <= 11
    waits = [later - earlier for earlier, later in pairwise(tried)]
    assert waits[-1] > 10 * waits[0]
    assert DAY * 0.6 < tried[-1] <= DAY
    assert len({known for known, _ in world.sent}) == 1
    assert [each["outcome"] for each in world.log(hook)][:2] == ["given-up", "again"]
    assert world.client.exists(keys.webhook(hook.id, "pending")) == 0


def test_a_receiver_that_recovers_gets_what_waited(world: World) -> None:
    hook = world.hook()
    world.answer = lambda _: BUSY
    world.try_out(hook)
    world.poster.run(5)
    assert world.see(hook).failing == START
    world.answer = lambda _: FINE
    world.now += 10_000
    world.poster.run(5)
    assert [each["outcome"] for each in world.log(hook)] == ["delivered", "again"]
    assert (world.see(hook).failing, world.see(hook).failures) == (None, 0)


def test_what_a_receiver_asks_for_is_kept_to(world: World) -> None:
    hook = world.hook()
    world.answer = lambda _: Reply(429, None, 5, retry_after=600)
    world.try_out(hook)
    world.poster.run(5)
    world.now += 590_000
    world.poster.run(5)
    assert len(world.sent) == 1
    world.now += 20_000
    world.poster.run(5)
    assert len(world.sent) == 2


def test_a_receiver_that_is_gone_is_left_alone(world: World) -> None:
    hook = world.hook()
    world.answer = lambda _: Reply(410, None, 5)
    world.try_out(hook)
    world.poster.run(5)
    assert world.see(hook).disabled == "gone"
    world.try_out(hook)
    world.now += DAY
    world.poster.run(5)
    assert len(world.sent) == 1
    hooks.change(world.client, world.see(hook), enabled=True)
    world.answer = lambda _: FINE
    world.try_out(hook)
    world.poster.run(5)
    assert len(world.sent) == 2
    assert world.see(hook).disabled is None


def test_a_receiver_that_fails_for_days_is_disabled(world: World) -> None:
    hook = world.hook()
    world.answer = lambda _: Reply(None, "unreachable", 5)
    for _ in range(4):
        assert world.see(hook).disabled is None
        world.try_out(hook)
        world.poster.run(5)
        world.now += DAY + 60_000
    world.try_out(hook)
    world.poster.run(5)
    assert world.see(hook).disabled == "failing"


def test_whoever_is_away_is_not_asked_again_for_each_message(world: World) -> None:
    hook = world.hook("ann", "table.changed")
    for table in ("a", "b", "c"):
        opened(world.door, table, players=["ann", "ben"])
    catch_up(following(world.store))
    world.now = max(world.now, START) + 10 * DAY
    world.answer = lambda _: Reply(None, "timeout", 10_000)
    world.poster.run(5)
    assert len(world.sent) == 1
    assert world.see(hook).failures == 1


def test_a_message_that_is_always_refused_holds_up_no_other(world: World) -> None:
    world.hook("ann", "table.changed")
    for table in ("a", "b", "c"):
        opened(world.door, table, players=["ann", "ben"])
    catch_up(following(world.store))
    world.now += 10 * DAY
    world.answer = lambda message: Reply(400, None, 5) if message["table"] == "a" else FINE
    for _ in range(3):
        world.poster.run(5)
        world.now += 10_000
    assert {message["table"] for _, message in world.sent} == {"a", "b", "c"}


def test_a_turn_is_told_once_until_its_seat_has_moved(world: World) -> None:
    world.hook("ann", "table.turn")
    opened(world.door, players=["ann", "ben"])
    follower = following(world.store)
    chance = seeded(3)
    catch_up(follower)
    world.now += 10 * DAY
    seat_moves = []
    world.poster.run(5)
    assert len(world.sent) == 1
    while move(world.door, "table", chance):
        catch_up(follower)
        world.now += 60_000
        world.poster.run(5)
    versions = [message["version"] for _, message in world.sent]
    events = world.store.read("table")
    for earlier, later in pairwise(versions):
        seat_moves.append(any(e.seat == 0 for e in events if earlier < e.version <= later))
    assert len(versions) > 3
    assert all(seat_moves)


def test_a_turn_that_is_over_before_it_is_told_is_not_told(world: World) -> None:
    hook = world.hook("ann", "table.turn", "table.over")
    opened(world.door, players=["ann", "ben"])
    follower = following(world.store)
    catch_up(follower)
    play_out(world.door, "table")
    catch_up(follower)
    world.now += 10 * DAY
    world.poster.run(5)
    assert world.types() == ["table.over"]
    assert world.client.exists(keys.webhook(hook.id, "told")) == 0


def test_what_a_dead_sender_held_is_sent_by_the_next(world: World) -> None:
    hook = world.hook()
    world.try_out(hook)
    assert world.poster.take(8) == [hook.id]
    # It dies here. Nobody else takes the webhook until the hold has run out.
    world.poster.run(5)
    world.try_out(hook)
    world.poster.run(5)
    assert world.sent == []
    world.now += HOLD + 1
    world.poster.run(5)
    assert world.types() == ["webhook.test"]


def test_what_comes_while_a_webhook_is_sent_to_is_sent_afterwards(world: World) -> None:
    hook = world.hook()

    def meanwhile(_: object) -> Reply:
        if len(world.sent) == 1:
            world.now += 1
            world.try_out(hook)
        return FINE

    world.answer = meanwhile
    world.try_out(hook)
    world.poster.run(5)
    assert len({known for known, _ in world.sent}) == 2


def test_a_webhook_that_is_removed_meanwhile_stays_removed(world: World) -> None:
    hook = world.hook()

    def gone(_: object) -> Reply:
        hooks.remove(world.client, hook)
        return BUSY

    world.answer = gone
    world.try_out(hook)
    world.poster.run(5)
    assert [each for each in world.client.scan_iter() if hook.id.encode() in each] == []
    assert not is_due(world.client, world.now + DAY)


def test_no_log_of_the_server_has_an_address_or_a_secret(
    world: World, caplog: pytest.LogCaptureFixture
) -> None:
    hook = world.hook()
    world.answer = lambda _: Reply(410, None, 5)
    world.try_out(hook)
    world.poster.run(5)
    assert "disabled" in caplog.text
    assert "example.com" not in caplog.text
    assert hook.secrets[0] not in caplog.text
