"""The lobby and the lists of players: who is on them, in which order, page by page."""

import json
from typing import Any

import pytest
from redis import Redis

from domain.dice import seeded
from events import keys
from events.store import EventStore
from events.transact import Door
from tests.workers.sittings import (
    POTAGE,
    catch_up,
    following,
    leave,
    move,
    opened,
    play_out,
    sit,
    six_seconds_later,
)
from workers.projections import listing, lobby, players
from workers.projections.listing import BadCursor, Page
from workers.projections.shape import Sitting, unseen
from workers.scripts import run

ALL = ("open", "playing", "over")


def names(page: Page) -> list[str]:
    """Answer the tables of a page."""
    return [json.loads(item)["id"] for item in page.items]


def found(client: Redis, *phases: str, cursor: str | None = None, limit: int = 10) -> Page:
    """Read a page of the lobby."""
    return lobby.page(client, [POTAGE.name], phases or ALL, cursor, limit)


def mine(client: Redis, player: str, *, waiting: bool = False) -> list[dict[str, Any]]:
    """Read the first page of a player's tables."""
    page = players.page(client, player, waiting=waiting, cursor=None, limit=10)
    return [json.loads(item) for item in page.items]


@pytest.fixture
def ticking(store: EventStore) -> Door:
    """Give a door whose clock advances."""
    ticks = iter(range(1_760_000_000_000, 1_760_100_000_000, 1000))
    return Door(store, clock=lambda: next(ticks))


def test_a_table_moves_from_open_to_playing_to_over(store: EventStore, ticking: Door) -> None:
    client = store.client
    follower = following(store)
    opened(ticking, players=["ann"])
    catch_up(follower)
    assert [names(found(client, phase)) for phase in ALL] == [["table"], [], []]
    sit(ticking, "table", "bob")
    catch_up(follower)
    assert [names(found(client, phase)) for phase in ALL] == [[], ["table"], []]
    play_out(ticking, "table")
    catch_up(follower)
    assert [names(found(client, phase)) for phase in ALL] == [[], [], ["table"]]


def test_an_item_says_what_anybody_may_know(store: EventStore, ticking: Door) -> None:
    opened(ticking, seats=3, players=["ann"], bots={1: "greedy"})
    catch_up(following(store))
    assert json.loads(found(store.client).items[0]) == {
        "id": "table",
        "game": POTAGE.name,
        "rules": POTAGE.rules,
        "phase": "open",
        "options": {"first_dealer": 0, "starting_points": 5},
        "visibility": "public",
        "seats": [
            {"seat": 0, "player": "ann", "bot": None},
            {"seat": 1, "player": None, "bot": "greedy"},
            {"seat": 2, "player": None, "bot": None},
        ],
        "opened_at": "2025-10-09T08:53:20.000Z",
        "version": 3,
    }


@pytest.mark.parametrize("visibility", ["unlisted", "private"])
def test_only_public_tables_are_in_the_lobby(
    store: EventStore, ticking: Door, visibility: Any
) -> None:
    opened(ticking, "hidden", players=["ann"], visibility=visibility)
    opened(ticking, "shown", players=["ann"])
    catch_up(following(store))
    assert names(found(store.client)) == ["shown"]
    assert [item["id"] for item in mine(store.client, "ann")] == ["shown", "hidden"]


def test_pages_show_every_table_once_newest_first(store: EventStore, ticking: Door) -> None:
    tables = [opened(ticking, f"t{n}", players=["ann"]) for n in range(7)]
    sit(ticking, "t3", "bob")
    catch_up(following(store))
    shown, cursor = [], None
    while True:
        page = found(store.client, cursor=cursor, limit=3)
        shown += names(page)
        cursor = page.next
        if cursor is None:
            break
    assert shown == tables[::-1]


def test_a_page_stays_where_it_is_when_tables_are_opened(store: EventStore, ticking: Door) -> None:
    follower = following(store)
    for n in range(4):
        opened(ticking, f"t{n}", players=["ann"])
    catch_up(follower)
    first = found(store.client, limit=2)
    opened(ticking, "newer", players=["ann"])
    catch_up(follower)
    assert names(found(store.client, cursor=first.next, limit=2)) == ["t1", "t0"]


def test_the_last_page_has_no_next(store: EventStore, ticking: Door) -> None:
    for n in range(2):
        opened(ticking, f"t{n}", players=["ann"])
    catch_up(following(store))
    assert found(store.client, limit=2).next is None
    assert found(store.client, limit=1).next is not None


def test_tables_opened_in_the_same_millisecond_are_all_shown(store: EventStore) -> None:
    door = Door(store, clock=lambda: 1_760_000_000_000)
    tables = {opened(door, f"t{n}", players=["ann"]) for n in range(5)}
    catch_up(following(store))
    first = found(store.client, limit=3)
    assert {*names(first), *names(found(store.client, cursor=first.next))} == tables


@pytest.mark.parametrize("cursor", ["", "!", "AAAA", "é", "MDAwMA", "MTIzNDU2Nzg5MDEyMzQ1"])
def test_a_cursor_that_no_page_answered_is_refused(client: Redis, cursor: str) -> None:
    with pytest.raises(BadCursor):
        found(client, cursor=cursor)


def test_an_unknown_game_has_no_tables(client: Redis) -> None:
    assert lobby.page(client, ["no_game"], ALL, None, 10) == Page((), None, 0)


def test_the_position_grows_with_what_a_list_takes_in(store: EventStore, ticking: Door) -> None:
    follower = following(store)
    opened(ticking, players=["ann", "bob"])
    catch_up(follower)
    before = found(store.client).position
    move(ticking, "table", seeded(1))
    catch_up(follower)
    assert found(store.client).position > before > 0


def counted(client: Redis, player: str) -> int:
    """Answer how many tables wait for a player."""
    return players.page(client, player, waiting=True, cursor=None, limit=1).counted


def test_a_player_is_told_which_tables_wait(store: EventStore, ticking: Door) -> None:
    client = store.client
    follower = following(store)
    opened(ticking, "a", players=["ann", "bob"])
    opened(ticking, "b", players=["ann"])
    catch_up(follower)
    assert [(item["id"], item["waiting"]) for item in mine(client, "ann")] == [
        ("b", False),
        ("a", True),
    ]
    assert [item["id"] for item in mine(client, "ann", waiting=True)] == ["a"]
    assert counted(client, "ann") == 1
    assert mine(client, "bob")[0]["seat"] == 1

    play_out(ticking, "a")
    catch_up(follower)
    assert counted(client, "ann") == counted(client, "bob") == 0
    assert [item["phase"] for item in mine(client, "ann")] == ["open", "over"]


def test_who_left_is_told_of_the_table_no_more(store: EventStore, ticking: Door) -> None:
    follower = following(store)
    opened(ticking, seats=3, players=["ann"])
    sit(ticking, "table", "bob")
    catch_up(follower)
    assert [item["id"] for item in mine(store.client, "bob")] == ["table"]
    leave(ticking, "table", "bob")
    catch_up(follower)
    assert mine(store.client, "bob") == []
    sit(ticking, "table", "bob", 2)
    catch_up(follower)
    assert [item["seat"] for item in mine(store.client, "bob")] == [2]


def test_who_sat_down_and_left_between_two_batches_is_told_nothing(
    store: EventStore, ticking: Door
) -> None:
    opened(ticking, seats=3, players=["ann"])
    sit(ticking, "table", "bob")
    leave(ticking, "table", "bob")
    catch_up(following(store))
    assert mine(store.client, "bob") == []


def told(store: EventStore, table: str) -> Sitting:
    """Fold a table."""
    return unseen(table).after(store.read(table))


def test_older_news_that_comes_late_changes_nothing(store: EventStore, ticking: Door) -> None:
    opened(ticking, seats=3, players=["ann"])
    sit(ticking, "table", "bob")
    seated = told(store, "table")
    leave(ticking, "table", "bob")
    catch_up(following(store))
    late = [news for news in players.apply(seated).news if news.of == "bob"]
    assert len(late) == 1
    _, waiting = listing.entry(late[0], seated, 2)
    run(store.client, listing.delivery(players.PLAYERS, 0, waiting))
    assert mine(store.client, "bob") == []


def test_news_that_was_committed_but_not_delivered_is_delivered_by_the_next_follower(
    store: EventStore, ticking: Door
) -> None:
    opened(ticking, players=["ann", "bob"])
    dying = following(store)
    dying.sweep()
    dying.drain()
    assert mine(store.client, "ann") == []
    six_seconds_later(store.client)
    catch_up(following(store))
    assert [item["id"] for item in mine(store.client, "ann")] == ["table"]


def test_newer_news_of_a_table_is_not_forgotten_with_the_older(
    store: EventStore, ticking: Door
) -> None:
    opened(ticking, seats=3, players=["ann"])
    partition = keys.partition("table")
    dying = following(store)
    dying.sweep()
    dying.drain()
    sit(ticking, "table", "bob")
    dying._nudge([partition])
    dying.drain()
    assert dying.shares[partition].writes == [], "both outboxes hold newer news by now"
    six_seconds_later(store.client)
    catch_up(following(store))
    (item,) = found(store.client).items
    assert json.loads(item)["seats"][1]["player"] == "bob"
    assert [item["id"] for item in mine(store.client, "bob")] == ["table"]


def changed(client: Redis, player: str, after: int = 0) -> list[tuple[str, int]]:
    """Read which tables of a player changed after a number, and their versions."""
    _, found = players.changes(client, player, after, 100)
    assert all(each.number > after for each in found)
    return [(each.table, each.version) for each in found]


def newest(client: Redis, player: str) -> int:
    """Read the number of the newest change."""
    return players.changes(client, player, 0, 0)[0]


def test_whatever_changed_after_a_number_is_told_once_in_order(
    store: EventStore, ticking: Door
) -> None:
    client, follower = store.client, following(store)
    for name in ("a", "b", "c"):
        opened(ticking, name, seats=2, players=["ann"])
        catch_up(follower)
    before = newest(client, "ann")
    assert [table for table, _ in changed(client, "ann")] == ["a", "b", "c"]
    assert changed(client, "ann", before) == []
    sit(ticking, "b", "bob")
    catch_up(follower)
    sit(ticking, "a", "bob")
    catch_up(follower)
    assert [table for table, _ in changed(client, "ann", before)] == ["b", "a"]
    assert [table for table, _ in changed(client, "ann")] == ["c", "b", "a"]
    page = players.page(client, "ann", waiting=False, cursor=None, limit=1)
    assert page.newest == newest(client, "ann") > before


def test_leaving_is_a_change(store: EventStore, ticking: Door) -> None:
    follower = following(store)
    opened(ticking, seats=3, players=["ann"])
    sit(ticking, "table", "bob")
    catch_up(follower)
    before = newest(store.client, "bob")
    leave(ticking, "table", "bob")
    catch_up(follower)
    _, (left,) = players.changes(store.client, "bob", before, 10)
    assert (left.table, left.item) == ("table", b"")


def test_news_that_say_nothing_new_are_no_change(store: EventStore, ticking: Door) -> None:
    opened(ticking, seats=3, players=["ann"])
    catch_up(following(store))
    before = newest(store.client, "ann")
    table = told(store, "table")
    (news,) = players.apply(table).news
    _, waiting = listing.entry(news, table, 9)
    run(store.client, *[listing.delivery(players.PLAYERS, 0, waiting)] * 3)
    assert newest(store.client, "ann") == before


def test_a_change_has_a_number_above_the_last_when_the_clock_is_put_back(
    store: EventStore, ticking: Door
) -> None:
    follower = following(store)
    opened(ticking, "a", players=["ann"])
    catch_up(follower)
    far = 2**52
    key = listing.order_key(players.PLAYERS, "ann", "changes")
    store.client.zadd(key, {"a": far})
    opened(ticking, "b", players=["ann"])
    catch_up(follower)
    assert players.changes(store.client, "ann", far, 10)[0] == far + 1


def test_an_outbox_forgets_what_was_delivered(store: EventStore, ticking: Door) -> None:
    opened(ticking, players=["ann", "bob"])
    follower = following(store)
    catch_up(follower)
    follower.sweep()
    assert store.client.keys("*:outbox") == []
