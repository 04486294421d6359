"""Whole tables against a real server, over networks that lose and cut."""

import asyncio
import inspect
import random
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any
from unittest.mock import ANY
from uuid import uuid4

import httpx
import pytest

from abraxas_client import AsyncClient, Client, ProblemError, UnreachableError
from abraxas_client.course import OfTable
from abraxas_client.patience import Pace
from abraxas_client.wire import MyTableNews, Notice
from sdk.python.tests.broken_network import Torn, TornAsync, Without

pytestmark = pytest.mark.e2e
EXAMPLE = Path(__file__).parents[1] / "examples" / "bot.py"


@contextmanager
def unless_overtaken() -> Iterator[None]:
    """Let a move be refused that somebody else was faster to take away."""
    try:
        yield
    except ProblemError as problem:
        if problem.code != "stale-version":
            raise


def play(client: Client, table: str) -> int:
    """Play to the end; answer how many commands were sent."""
    sent = 0
    for view in client.watch(table):
        if view["viewer"]["seat"] in view["to_move"]:
            with unless_overtaken():
                client.send(table, view["moves"][0], only_at=view["version"])
                sent += 1
    return sent


def told_by_pages(client: Client, table: str) -> list[Notice]:
    items: list[Notice] = []
    while True:
        page = client.events(table, after=items[-1]["version"] if items else 0)
        items += page["items"]
        if len(items) >= page["version"]:
            return items


def test_the_example_has_twenty_lines_and_plays_to_the_end(url: str, two_seats: str) -> None:
    lines = [line for line in EXAMPLE.read_text(encoding="utf-8").splitlines() if line]
    assert len(lines) <= 20
    ran = subprocess.run(
        [sys.executable, str(EXAMPLE), url, two_seats],
        env={"PYTHONPATH": str(EXAMPLE.parents[1] / "src")},
        capture_output=True,
        text=True,
        timeout=500,
    )
    assert (ran.returncode, ran.stderr) == (0, "")
    assert "Over: {" in ran.stdout


@pytest.mark.parametrize("seed", range(2))
def test_nothing_is_lost_or_doubled_on_a_network_that_breaks(
    url: str, two_seats: str, seed: int
) -> None:
    torn = Torn(random.Random(seed))
    with Client(url, transport=torn) as client:
        client.sign_up("Torn")
        table = client.open_table(two_seats, seats=2, bots={"1": "greedy"})["id"]
        told: list[Notice] = []
        other = threading.Thread(target=lambda: told.extend(client.follow(table)))
        other.start()
        sent = play(client, table)
        other.join(timeout=300)
        assert torn.lost > 0 < torn.cut
        assert told == told_by_pages(client, table)
        assert client.table(table)["phase"] == "over"
        assert sent > 0


def test_a_command_whose_answer_is_lost_counts_once(url: str, two_seats: str) -> None:
    keys: list[str] = []

    class Losing(httpx.HTTPTransport):
        def handle_request(self, request: httpx.Request) -> httpx.Response:
            answer = super().handle_request(request)
            if request.url.path.endswith("/commands"):
                keys.append(request.headers["idempotency-key"])
                if len(keys) < 3:
                    answer.close()
                    raise httpx.ReadTimeout("lost", request=request)
            return answer

    with Client(url, transport=Losing()) as client:
        client.sign_up()
        table = client.open_table(two_seats, seats=2, bots={"1": "greedy"})["id"]
        views = client.watch(table)
        view = next(view for view in views if 0 in view["to_move"])
        outcome = client.send(table, view["moves"][0])
        assert len(keys) == 3
        assert len(set(keys)) == 1
        mine = client.events(table, after=view["version"])["items"]
        assert mine[: len(outcome["notices"])] == outcome["notices"]


def test_the_async_client_plays_two_seats_and_follows(url: str, two_seats: str) -> None:
    torn = TornAsync(random.Random(5))

    async def seat(table: str, client: AsyncClient) -> list[int]:
        versions = []
        async for view in client.watch(table):
            versions.append(view["version"])
            if view["viewer"]["seat"] in view["to_move"]:
                with unless_overtaken():
                    await client.send(table, view["moves"][0], only_at=view["version"])
        return versions

    async def both() -> None:
        async with AsyncClient(url, transport=torn) as ana, AsyncClient(url) as ben:
            await ana.sign_up("Ana")
            await ben.sign_up("Ben")
            table = (await ana.open_table(two_seats, seats=2))["id"]
            await ben.sit(table)
            told, *seen = await asyncio.gather(
                gathered(ana, table), seat(table, ana), seat(table, ben)
            )
            assert [notice["version"] for notice in told] == [*range(1, told[-1]["version"] + 1)]
            for versions in seen:
                assert versions == sorted(set(versions))
                assert versions[-1] == told[-1]["version"]

    async def gathered(client: AsyncClient, table: str) -> list[Notice]:
        return [notice async for notice in client.follow(table)]

    asyncio.run(both())
    assert torn.cut > 0 < torn.lost


@pytest.mark.parametrize(
    ("missing", "form"),
    [("text/event-stream", "wait"), ("the live process", "page")],
)
def test_where_streams_do_not_get_through_pages_are_asked_for(
    url: str, two_seats: str, missing: str, form: str
) -> None:
    api = httpx.URL(url).port
    network = Without(
        lambda request: (
            request.headers["accept"] == missing
            or (missing == "the live process" and request.url.port != api)
        )
    )
    with Client(url) as player, Client(url, transport=network) as listener:
        player.sign_up()
        table = player.open_table(two_seats, seats=2, bots={"1": "greedy"})["id"]
        listener.token = player.token
        told: list[Notice] = []
        other = threading.Thread(target=lambda: told.extend(listener.follow(table)))
        other.start()
        play(player, table)
        other.join(timeout=300)
        assert told == told_by_pages(player, table)
    pages = [each for each in network.asked if each.url.path.endswith("/events")]
    assert ("wait" in pages[-1].url.params) == (form == "wait")


def test_a_server_that_was_away_is_streamed_from_again() -> None:
    links = dict.fromkeys(("stream", "wait", "page"), "http://test/events")
    course = OfTable(links, 0, Pace(), patience=60.0)
    away = httpx.ConnectError("away")
    forms = []
    for _ in range(8):
        forms.append(course.form)
        assert course.broke(away) <= 4.0
    assert forms == [*["stream"] * 3, *["wait"] * 3, "page", "stream"]


def test_what_the_server_refuses_is_a_problem_and_is_not_repeated(url: str) -> None:
    network = Without(lambda request: False)
    with Client(url, transport=network, language="fr") as client:
        with pytest.raises(ProblemError) as caught:
            client.table(str(uuid4()))
        assert (caught.value.status, caught.value.code) == (404, "unknown-table")
        with pytest.raises(ProblemError):
            next(client.follow(str(uuid4())))
    assert len(network.asked) == 2


def test_nobody_there_is_told_when_patience_ends() -> None:
    network = Without(lambda request: True)
    with (
        Client("http://127.0.0.1:9", transport=network, patience=1.0) as client,
        pytest.raises(UnreachableError),
    ):
        client.games()
    assert len(network.asked) > 1


def answering(*answers: httpx.Response) -> tuple[Client, list[httpx.Request]]:
    asked: list[httpx.Request] = []
    numbers = count()

    def answer(request: httpx.Request) -> httpx.Response:
        asked.append(request)
        return answers[next(numbers)]

    return Client("http://test", transport=httpx.MockTransport(answer)), asked


def problem(status: int, code: str, **headers: str) -> httpx.Response:
    return httpx.Response(status, json={"code": code}, headers=headers)


@pytest.mark.parametrize("code", ["slow-down", "store-unavailable"])
def test_where_nothing_has_happened_even_a_wish_without_key_is_repeated(code: str) -> None:
    status = 429 if code == "slow-down" else 503
    client, asked = answering(problem(status, code), httpx.Response(201, json={"id": "1"}))
    assert client.request("POST", "/v1/me/tokens", body={}) == {"id": "1"}
    assert len(asked) == 2


def test_what_may_have_counted_and_has_no_key_is_not_repeated() -> None:
    client, asked = answering(problem(503, "outcome-unknown"))
    with pytest.raises(ProblemError):
        client.request("POST", "/v1/me/tokens", body={})
    assert len(asked) == 1


def test_an_empty_bucket_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    slept: list[float] = []
    monkeypatch.setattr("abraxas_client.client.time.sleep", slept.append)
    empty = {"RateLimit": '"reads";r=0;t=7'}
    client, _ = answering(httpx.Response(200, json={}, headers=empty), httpx.Response(200, json={}))
    client.games()
    assert slept == []
    client.games()
    assert [round(seconds) for seconds in slept] == [7]


def signature(method: Any) -> list[tuple[str, Any]]:
    return [(p.name, p.default) for p in inspect.signature(method).parameters.values()]


def test_both_clients_have_the_same_methods() -> None:
    def public(kind: type) -> set[str]:
        return {name for name in vars(kind) if not name.startswith("_")}

    assert public(Client) == public(AsyncClient)
    for name in {*public(Client), "__init__"}:
        theirs = signature(getattr(AsyncClient, name))
        assert signature(getattr(Client, name)) == theirs, name


def told_of_mine(client: Client, table: str, after: str | None = None) -> Iterator[MyTableNews]:
    """Answer what is told of all tables until one of them was left."""
    for each in client.follow_mine(after):
        yield each
        if each["id"] == table and each.get("left"):
            return


def test_my_tables_are_told_as_they_change_on_a_network_that_breaks(
    url: str, two_seats: str
) -> None:
    torn = Torn(random.Random(3))
    with Client(url, transport=torn) as client, Client(url) as other:
        other.token = client.sign_up("Torn")["token"]
        after = client.my_tables()["after"]
        tables = [client.open_table(two_seats, seats=2)["id"] for _ in range(6)]
        told: list[MyTableNews] = []
        following = threading.Thread(
            target=lambda: told.extend(told_of_mine(client, tables[-1], after))
        )
        following.start()
        # Tables are told of in any order, those that the list knows before all that comes later.
        while len(other.my_tables()["items"]) < len(tables):
            pass
        for each in tables[:-1]:
            other.leave(each, 0)
        while len(other.my_tables()["items"]) > 1:
            pass
        other.leave(tables[-1], 0)
        following.join(timeout=300)
        assert torn.cut > 0
        # Once each at least: opened and left before anybody listened comes once, as it is by then.
        assert {each["id"] for each in told if each.get("left")} == {*tables}
        known = [(each["id"], each["version"]) for each in told]
        assert len(known) == len({*known})


def test_my_tables_go_on_where_an_item_was(url: str, two_seats: str) -> None:
    with Client(url) as client:
        client.sign_up()
        first = client.open_table(two_seats, seats=2)["id"]
        # Tables are told of in any order, those that the list knows before all that comes later.
        while not client.my_tables()["items"]:
            pass
        second = client.open_table(two_seats, seats=2)["id"]
        mine = client.follow_mine()
        items = [next(mine), next(mine)]
        assert [each["id"] for each in items] == [first, second]
        assert items[0]["phase"] == "open"
        client.leave(first, 0)
        assert next(mine)["id"] == first
        again = client.follow_mine(items[0]["after"])
        assert [next(again)["id"], next(again)["id"]] == [second, first]


def test_my_tables_are_told_by_pages_where_streams_do_not_get_through(
    url: str, two_seats: str
) -> None:
    network = Without(lambda request: request.headers["accept"] == "text/event-stream")
    with Client(url, transport=network) as client:
        client.sign_up()
        table = client.open_table(two_seats, seats=2)["id"]
        mine = client.follow_mine()
        assert next(mine)["id"] == table
        client.leave(table, 0)
        assert next(mine) | {"left": True} == {
            "id": table, "left": True, "version": 3, "after": ANY,
        }  # fmt: skip
        assert network.asked[-1].url.params["wait"]


def test_a_wrong_token_hears_of_no_table(url: str) -> None:
    with Client(url, token="abx_" + "0" * 43) as client, pytest.raises(ProblemError) as raised:
        next(client.follow_mine())
    assert raised.value.status == 401


def test_the_async_client_tells_of_my_tables_too(url: str, two_seats: str) -> None:
    async def told() -> list[str]:
        async with AsyncClient(url) as client:
            await client.sign_up()
            table = (await client.open_table(two_seats, seats=2))["id"]
            mine = client.follow_mine()
            first = await anext(mine)
            await client.leave(table, 0)
            second = await anext(mine)
            assert "left" not in first
            assert second["left"]
            return [first["id"], second["id"]]

    ids = asyncio.run(told())
    assert len({*ids}) == 1
