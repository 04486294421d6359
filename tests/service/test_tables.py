"""Tables are opened, found, sat at and left."""

import re

import pytest

from service.schemas import PAGE
from tests.service.asking import GAME, Api, Sat, fresh
from workers.projections.tables import GENERATION


def test_the_opener_gets_the_view_from_the_first_seat(api: Api) -> None:
    ana = api.guest()
    opened = api.post("/v1/tables", ana.token, {"game": GAME, "seats": 3}, key=fresh())
    assert opened.status == 201
    view = opened.json
    assert (view["phase"], view["viewer"], view["version"]) == ("open", {"seat": 0}, 2)
    assert view["seats"][0] == {"seat": 0, "player": ana.player, "bot": None}
    assert (view["moves"], view["to_move"], view["play"], view["result"]) == ([], [], None, None)
    assert opened.headers["Location"] == f"http://localhost/v1/tables/{view['id']}"
    assert opened.headers["ETag"] == f'"2.0.{GENERATION}"'
    again = api.get(f"/v1/tables/{view['id']}", ana.token)
    assert (again.json, again.headers["ETag"]) == (view, opened.headers["ETag"])


def test_links_are_absolute_under_the_name_the_caller_used(api: Api) -> None:
    table = api.table(api.guest(), seats=2)
    links = table.view(Host="play.example:8080").json["links"]
    here = f"http://play.example:8080{table.path}"
    assert links == {
        "events": f"{here}/events",
        "stream": f"http://play.example:8001{table.path}/events",
        "record": f"{here}/record",
    }


def test_the_opener_may_sit_elsewhere_or_nowhere(api: Api) -> None:
    ana = api.guest()
    assert api.table(ana, seats=2, seat=1).view(0).json["viewer"] == {"seat": 1}
    assert api.table(ana, seats=2, seat=None).view(0).json["viewer"] == {"seat": None}


def test_a_table_of_bots_starts_at_once(api: Api) -> None:
    table = api.table(api.guest(), seats=2, seat=None, bots={"0": "random", "1": "greedy"})
    view = table.view().json
    assert view["phase"] == "playing"
    assert [each["bot"] for each in view["seats"]] == ["random", "greedy"]


def test_options_are_complete_in_the_view(api: Api) -> None:
    table = api.table(api.guest(), seats=2, options={"starting_points": 7})
    assert table.view().json["options"] == {"first_dealer": 0, "starting_points": 7}


@pytest.mark.parametrize(
    ("change", "pointer", "code"),
    [
        ({"seats": 6}, "/seats", "out-of-range"),
        ({"seats": "2"}, "/seats", "wrong-type"),
        ({"seats": 2.5}, "/seats", "wrong-type"),
        ({"seats": True}, "/seats", "wrong-type"),
        ({"seat": 2}, "/seat", "out-of-range"),
        ({"options": {"first_dealer": 2}}, "/options/first_dealer", "out-of-range"),
        ({"options": {"deck": 1}}, "/options/deck", "unknown"),
        ({"visibility": "secret"}, "/visibility", "not-one-of"),
        ({"entropy": "ABCD"}, "/entropy", "malformed"),
        ({"entropy": "ab" * 33}, "/entropy", "malformed"),
        ({"bots": {"7": "random"}}, "/bots/7", "out-of-range"),
        ({"bots": {"1": "clever"}}, "/bots/1", "not-one-of"),
        ({"bots": {"x": "random"}}, "/bots/x", "malformed"),
        ({"bots": {"1": 1}}, "/bots/1", "wrong-type"),
        ({"player": "me"}, "/player", "unknown"),
    ],
)
def test_a_bad_field_of_an_opening_is_named(
    api: Api, change: dict[str, object], pointer: str, code: str
) -> None:
    body = {"game": GAME, "seats": 2} | change
    answer = api.post("/v1/tables", api.guest().token, body, key=fresh())
    (error,) = answer.json["errors"]
    assert (answer.code, error["pointer"], error["code"]) == ("bad-field", pointer, code)
    assert ("allowed" in error) == (code == "not-one-of")


def test_an_integer_may_be_written_as_a_fraction(api: Api) -> None:
    body = {"game": GAME, "seats": 2.0, "options": {"starting_points": 1e1}}
    opened = api.post("/v1/tables", api.guest().token, body, key=fresh())
    assert opened.json["options"]["starting_points"] == 10


def test_a_bot_may_not_take_the_openers_seat(api: Api) -> None:
    body = {"game": GAME, "seats": 2, "bots": {"0": "random"}}
    assert api.post("/v1/tables", api.guest().token, body, key=fresh()).code == "seat-taken"


def test_the_last_seat_starts_the_game(api: Api) -> None:
    ana, ben = api.guest(), api.guest()
    table = api.table(ana, seats=2)
    sat = api.post(f"{table.path}/seats", ben.token, {}, key=fresh())
    assert (sat.status, sat.json["seat"]) == (201, 1)
    kinds = [each["type"] for each in sat.json["notices"]]
    assert kinds[:2] == ["SeatTaken", "GameStarted"]
    assert sat.json["version"] == table.view().json["version"]
    assert sat.json["hash"] == table.view().json["hash"]


def test_who_sits_down_sees_its_own_hand_and_no_other(api: Api) -> None:
    table = api.table(api.guest(), seats=2)
    sat = api.post(f"{table.path}/seats", api.guest().token, {}, key=fresh())
    hands = [each for each in sat.json["notices"] if each["type"] == "HandDealt"]
    assert [("cards" in each, "salt" in each) for each in hands] == [(False, False), (True, True)]


def test_entropy_and_commitment_go_in(api: Api) -> None:
    table = api.table(api.guest(), seats=2, seat=None)
    body = {"entropy": "5eed", "commitment": table.view().json["commitment"], "seat": 1}
    sat = api.post(f"{table.path}/seats", api.guest().token, body, key=fresh())
    assert (sat.json["seat"], sat.json["notices"][0]["entropy"]) == (1, "5eed")


def test_a_seat_is_left_while_the_table_is_open(api: Api) -> None:
    ana, ben = api.guest(), api.guest()
    table = api.table(ana, seats=2)
    assert api.ask("DELETE", f"{table.path}/seats/0", ben.token).code == "not-your-seat"
    left = api.ask("DELETE", f"{table.path}/seats/0", ana.token)
    assert (left.status, left.json["seat"], left.json["version"]) == (200, 0, 3)
    assert table.view().json["seats"][0]["player"] is None
    assert api.post(f"{table.path}/seats", ben.token, {}, key=fresh()).json["seat"] == 0


def test_a_seat_is_not_left_once_the_game_runs(duel: Sat) -> None:
    token = duel.guests[0].token
    answer = duel.api.ask("DELETE", f"{duel.path}/seats/0", token)
    assert answer.code == "already-started"


@pytest.mark.parametrize("written", ["1.0", "-1", "x", "1/2"])
def test_a_seat_that_is_no_number_is_no_path(duel: Sat, written: str) -> None:
    token = duel.guests[0].token
    assert duel.api.ask("DELETE", f"{duel.path}/seats/{written}", token).code == "unknown-path"


@pytest.mark.parametrize("written", ["x", "3F0C7A52-8D1E-4B6A-9C55-0E2A6D9B7F10", "}{", "a" * 300])
def test_an_id_that_is_none_is_an_unknown_table(api: Api, written: str) -> None:
    assert api.get(f"/v1/tables/{written}").code == "unknown-table"
    assert api.get(f"/v1/tables/{written}/events").code == "unknown-table"
    token = api.guest().token
    answer = api.post(f"/v1/tables/{written}/commands", token, {"type": "x"}, key=fresh())
    assert answer.code == "unknown-table"


def test_notices_come_in_pages_that_meet(duel: Sat) -> None:
    last = duel.view().json["version"]
    seen, url = [], f"{duel.path}/events?limit=3"
    while url:
        page = duel.api.get(url)
        assert page.json["version"] == last
        seen += [each["version"] for each in page.json["items"]]
        link = re.search(r"<http://localhost([^>]+)>; rel=\"next\"", page.headers.get("Link", ""))
        url = link[1] if link else ""
    assert seen == list(range(1, last + 1))


def test_notices_after_the_end_are_an_empty_page(duel: Sat) -> None:
    last = duel.view().json["version"]
    page = duel.api.get(f"{duel.path}/events?after={last + 5}").json
    assert page == {"items": [], "version": last}


def test_a_page_of_notices_is_full_at_a_hundred(finished: Sat) -> None:
    page = finished.api.get(f"{finished.path}/events").json
    assert (len(page["items"]), page["version"] > PAGE) == (PAGE, True)


def test_notices_are_told_in_the_asked_language(duel: Sat) -> None:
    url = f"{duel.path}/events?after=1&limit=1"
    english = duel.api.get(url, Accept_Language="de, en;q=0.5")
    french = duel.api.get(url, Accept_Language="fr-CA, en;q=0.5")
    assert english.json["items"][0]["text"] == "Seat 1 is taken."
    assert french.json["items"][0]["text"] == "La place 1 est prise."
    assert (english.headers["Content-Language"], french.headers["Content-Language"]) == ("en", "fr")


def test_times_are_utc_with_milliseconds(duel: Sat) -> None:
    at = duel.api.get(f"{duel.path}/events?limit=1").json["items"][0]["at"]
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", at)


@pytest.mark.parametrize(
    ("query", "pointer", "code"),
    [
        ("limit=0", "?limit", "out-of-range"),
        ("limit=101", "?limit", "out-of-range"),
        ("limit=ten", "?limit", "wrong-type"),
        ("after=-1", "?after", "wrong-type"),
        ("after=1&after=2", "?after", "repeated"),
        ("wait=31", "?wait", "out-of-range"),
        ("as=7", "?as", "out-of-range"),
        ("invite=x", "?invite", "malformed"),
    ],
)
def test_a_bad_parameter_is_named(duel: Sat, query: str, pointer: str, code: str) -> None:
    answer = duel.api.get(f"{duel.path}/events?{query}")
    assert (answer.code, answer.json["errors"]) == (
        "bad-field",
        [{"pointer": pointer, "code": code}],
    )
