"""Lists of tables: filtered, page by page, stable while tables come, and never of secrets."""

import re

import pytest

from tests.service.asking import Api, Sat, fresh
from tests.workers.sittings import catch_up, following


def follow(api: Api) -> None:
    """Let a follower catch up, and leave."""
    follower = following(api.parts.door.store)
    catch_up(follower)
    follower.end()


def ids(page: dict[str, list[dict[str, str]]]) -> list[str]:
    return [each["id"] for each in page["items"]]


def test_public_tables_are_listed_newest_first(api: Api) -> None:
    ana = api.guest()
    tables = [api.table(ana, seats=2) for _ in range(3)]
    for hidden in ("private", "unlisted"):
        api.table(ana, seats=2, visibility=hidden)
    follow(api)
    page = api.get("/v1/tables").json
    assert set(ids(page)) == {each.id for each in tables}
    opened = [each["opened_at"] for each in page["items"]]
    assert opened == sorted(opened, reverse=True)
    assert page["next"] is None
    assert page["position"] > 0


def test_tables_are_found_by_game_and_phase(api: Api, duel: Sat) -> None:
    waiting = api.table(api.guest(), seats=2)
    follow(api)
    assert ids(api.get("/v1/tables?phase=open").json) == [waiting.id]
    assert ids(api.get("/v1/tables?phase=playing").json) == [duel.id]
    assert set(ids(api.get("/v1/tables?phase=playing,open").json)) == {duel.id, waiting.id}
    assert ids(api.get("/v1/tables?game=potage_sauvage&phase=over").json) == []


def test_pages_meet_while_tables_come(api: Api) -> None:
    ana = api.guest()
    before = {api.table(ana, seats=2).id for _ in range(7)}
    follow(api)
    seen: list[str] = []
    url = "/v1/tables?limit=3"
    while url:
        page = api.get(url)
        seen += ids(page.json)
        link = re.search(r"<http://localhost([^>]+)>; rel=\"next\"", page.headers.get("Link", ""))
        assert (link is None) == (page.json["next"] is None)
        url = link[1] if link else ""
        api.table(ana, seats=2)
        follow(api)
    assert len(seen) == len(set(seen))
    assert before <= set(seen)


@pytest.mark.parametrize("cursor", ["AAAA", "0" * 15, "000000000000000.a:b"])
def test_a_cursor_that_no_page_answered_is_a_bad_field(api: Api, cursor: str) -> None:
    for path, token in (("/v1/tables", None), ("/v1/me/tables", api.guest().token)):
        answer = api.get(f"{path}?cursor={cursor}", token)
        assert answer.json["errors"] == [{"pointer": "?cursor", "code": "malformed"}]


def test_my_tables_say_where_it_is_my_turn(api: Api) -> None:
    ana, ben = api.guest(), api.guest()
    idle = api.table(ana, seats=2)
    tables = [api.table(ana, ben) for _ in range(3)]
    private = api.table(ana, ben, visibility="private")
    for table in tables[:2]:
        assert table.send(0, {"type": "choose_recipe", "recipe": "waste"}).status == 201
    follow(api)
    mine = api.get("/v1/me/tables", ana.token).json
    assert set(ids(mine)) == {each.id for each in (idle, *tables, private)}
    assert mine["waiting"] == 2
    assert {each["seat"] for each in mine["items"]} == {0}
    waiting = api.get("/v1/me/tables?waiting=true&limit=1", ana.token).json
    rest = api.get(f"/v1/me/tables?waiting=true&cursor={waiting['next']}", ana.token).json
    assert {*ids(waiting), *ids(rest)} == {tables[2].id, private.id}
    assert (waiting["waiting"], rest["waiting"], rest["next"]) == (2, 2, None)
    assert all(each["waiting"] for each in (*waiting["items"], *rest["items"]))
    assert api.get("/v1/me/tables", api.guest().token).json["items"] == []


def test_a_seat_that_was_left_is_not_mine(api: Api) -> None:
    ana = api.guest()
    table = api.table(ana, seats=2)
    api.ask("DELETE", f"{table.path}/seats/0", ana.token, key=fresh())
    follow(api)
    assert api.get("/v1/me/tables", ana.token).json["items"] == []


def test_a_bad_flag_is_a_bad_field(api: Api) -> None:
    answer = api.get("/v1/me/tables?waiting=yes", api.guest().token)
    assert answer.json["errors"] == [{"pointer": "?waiting", "code": "wrong-type"}]
    answer = api.get("/v1/tables?phase=open,closed")
    (error,) = answer.json["errors"]
    assert (error["pointer"], error["code"]) == ("?phase", "not-one-of")
    answer = api.get("/v1/tables?phase=open,open")
    assert answer.json["errors"] == [{"pointer": "?phase", "code": "repeated"}]


def test_a_page_of_mine_is_not_sent_again_while_nothing_changes(api: Api, duel: Sat) -> None:
    ana, ben = duel.guests
    follow(api)
    first = api.get("/v1/me/tables?waiting=true", ana.token)
    tag = first.headers["ETag"]
    again = api.get("/v1/me/tables?waiting=true", ana.token, If_None_Match=tag)
    assert (again.status, again.data, again.headers["ETag"]) == (304, b"", tag)
    assert api.get("/v1/me/tables?waiting=true", ben.token, If_None_Match=tag).status == 200
    duel.step()
    follow(api)
    changed = api.get("/v1/me/tables?waiting=true", ana.token, If_None_Match=tag)
    assert (changed.status, changed.json["waiting"]) == (200, 0)


def test_news_that_change_nothing_do_not_wake_a_phone(api: Api, duel: Sat) -> None:
    ana = duel.guests[0]
    follow(api)
    first = api.get("/v1/me/tables", ana.token)
    # Leaving and sitting down again leaves the list as it was, further on.
    other = api.table(api.guest(), seats=3)
    api.post(f"{other.path}/seats", ana.token, key=fresh())
    follow(api)
    assert api.get("/v1/me/tables", ana.token).headers["ETag"] != first.headers["ETag"]
    api.ask("DELETE", f"{other.path}/seats/1", ana.token, key=fresh())
    follow(api)
    back = api.get("/v1/me/tables", ana.token)
    assert back.json["position"] > first.json["position"]
    unchanged = api.get("/v1/me/tables", ana.token, If_None_Match=first.headers["ETag"])
    assert unchanged.status == 304


def test_the_badge_counts_every_table_that_waits_whatever_the_page_shows(api: Api) -> None:
    ana, ben = api.guest(), api.guest()
    for _ in range(5):
        api.table(ana, ben)
    follow(api)
    url, seen = "/v1/me/tables?waiting=true&limit=2", []
    while url:
        page = api.get(url, ana.token)
        assert page.json["waiting"] == 5
        seen += ids(page.json)
        link = re.search(r"<http://localhost([^>]+)>", page.headers.get("Link", ""))
        url = link[1] if link else ""
    assert len(seen) == len(set(seen)) == 5


def test_a_304_has_what_a_cache_and_a_page_need_and_no_more(api: Api, duel: Sat) -> None:
    tag = duel.view(0).headers["ETag"]
    short = duel.view(0, If_None_Match=tag).headers
    assert {name for name in short if name.startswith(("Access", "X-Content"))} == set()
    assert {"ETag", "Cache-Control", "Vary"} <= set(short)
    page = duel.view(0, If_None_Match=tag, Origin="https://example.com").headers
    assert page["Access-Control-Allow-Origin"] == "*"


def test_a_last_event_that_is_none_is_told_so_before_any_redirect(api: Api, duel: Sat) -> None:
    for accept in ("application/json", "text/event-stream"):
        answer = api.get(f"{duel.path}/events", Last_Event_ID="soon", Accept=accept)
        assert answer.json["errors"] == [{"pointer": "Last-Event-ID", "code": "malformed"}]
