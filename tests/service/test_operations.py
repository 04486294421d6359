"""Alive, ready, measured, documented; and what happens while the store is away."""

import re
import signal
from html.parser import HTMLParser
from pathlib import Path

import pytest
from redis import Redis

from events.servers.connection import connect
from events.servers.embedded import start
from service.pages.guides import TUTORIALS, guides
from tests.running import own_seconds
from tests.service.asking import Api, Sat, api_on, fresh
from tests.service.write_guides import DRAWN, drawn, sources
from tests.stores import empty_store


def test_a_process_is_alive_while_the_store_is_not_there() -> None:
    api = api_on(Redis(port=1), Redis(port=1))
    assert api.get("/livez").status == 200
    assert api.get("/docs").status == 200
    assert (api.get("/").status, api.get("/").headers["Location"]) == (307, "http://localhost/docs")


def test_making_an_application_opens_no_connection() -> None:
    refused = "redis://127.0.0.1:1/0"
    assert api_on(None, None, REDIS_URL=refused).get("/livez").status == 200


def test_ready_says_what_lags(duel: Sat) -> None:
    told = duel.api.get("/readyz").json
    assert told["status"] == "degraded"
    assert told["degraded"]


def test_a_store_that_could_lose_moves_is_not_ready() -> None:
    assert api_on(empty_store(), empty_store()).get("/readyz").code == "store-misconfigured"


def test_a_store_that_went_away_is_told_within_two_seconds_and_comes_back(tmp_path: Path) -> None:
    with start(tmp_path) as store:
        client = connect(store.url)
        api = api_on(client, client)
        table = api.table(api.guest(), api.guest())
        token = table.guests[0].token
        choose = {"type": "choose_recipe", "recipe": "waste"}
        version = table.view().json["version"]
        store.stop()
        for method, path in (
            ("GET", "/readyz"),
            ("GET", table.path),
            ("GET", f"{table.path}/events"),
            ("GET", "/v1/tables"),
            ("GET", "/v1/me"),
            ("POST", f"{table.path}/commands"),
            ("POST", "/v1/players"),
        ):
            began = own_seconds()
            body = choose if method == "POST" and "commands" in path else None
            answer = api.ask(method, path, token, body, key=fresh())
            assert (path, answer.code) == (path, "store-unavailable")
            assert answer.headers["Retry-After"] == "1"
            assert own_seconds() - began < 2
        assert b"abraxas_store_up 0.0" in api.get("/metrics").data
    with start(tmp_path) as store:
        assert store.url
        assert api.get("/readyz").status == 200
        assert table.view().json["version"] == version
        assert table.send(0, choose).status == 201


def test_a_store_that_hangs_is_told_within_two_seconds(tmp_path: Path) -> None:
    with start(tmp_path) as store:
        client = connect(store.url)
        api = api_on(client, client)
        table = api.table(api.guest(), seats=2)
        store.process.send_signal(signal.SIGSTOP)
        try:
            began = own_seconds()
            assert table.view().code == "store-unavailable"
            assert own_seconds() - began < 2
        finally:
            store.process.send_signal(signal.SIGCONT)


def test_what_happens_is_counted_and_timed(duel: Sat) -> None:
    move = duel.view(0).json["moves"][0]
    duel.send(0, move, key="one")
    duel.send(0, move, key="one")
    duel.send(0, move)
    told = duel.api.get("/metrics").data.decode()
    assert "abraxas_appends_total 3.0" in told
    assert "abraxas_replays_total 1.0" in told
    # Which rule it was would say something of a hand.
    assert 'abraxas_refusals_total{code="rules"} 1.0' in told
    assert "recipe-already-chosen" not in told
    assert 'abraxas_request_seconds_count{operation="send_command",status="201"} 2.0' in told
    assert "abraxas_store_up 1.0" in told
    assert re.search(r'abraxas_follower_lag\{consumer="tables@1"\} [1-9]', told)
    assert "abraxas_parked_tables 0.0" in told


class Page(HTMLParser):
    """What a page loads and where its links lead."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.loaded: list[str] = []
        self.links: list[str] = []
        self.ids: set[str] = set()
        self.tags: set[str] = set()
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        told = dict(attrs)
        self.tags.add(tag)
        self.ids.add(told.get("id") or "")
        if tag == "a":
            self.links.append(told.get("href") or "")
        elif tag in ("link", "script", "img", "iframe"):
            self.loaded.append(told.get("href") or told.get("src") or "")
        assert not any(name.startswith("on") or name == "style" for name in told)


PAGES = ("/docs", "/docs/errors", *(f"/docs/{name}" for name in guides()))


@pytest.mark.parametrize("path", PAGES)
def test_a_page_loads_its_own_style_sheet_and_nothing_else(api: Api, path: str) -> None:
    answer = api.get(path)
    assert answer.headers["Content-Type"] == "text/html; charset=utf-8"
    assert "default-src 'none'" in answer.headers["Content-Security-Policy"]
    page = Page(answer.data.decode())
    assert page.loaded == ["/docs/docs.css"]
    assert api.get("/docs/docs.css").status == 200
    assert not page.tags & {"script", "style", "img", "iframe"}
    for link in page.links:
        target, _, anchor = link.partition("#")
        there = page if not target else None
        if target in PAGES:
            there = Page(api.get(target).data.decode())
        elif target:
            # Guides may lead out of the server; whatever is on it is there.
            assert target == "/openapi.yaml" or (path in PAGES[2:] and target[:8] == "https://")
        assert not anchor or (there is not None and anchor in there.ids), link


def test_every_page_of_docs_is_shown_as_it_is_written() -> None:
    found = {name: (DRAWN / f"{name}.html").read_text(encoding="utf-8") for name in guides()}
    wanted = {name: drawn(source) for name, source in sources().items()}
    assert found == wanted, "make guides draws them anew"
    assert {name for name in found if name.startswith(TUTORIALS)} >= {"tutorials/first-game"}


def test_from_the_api_every_page_is_one_step_away(api: Api) -> None:
    assert set(PAGES) - {"/docs"} <= set(Page(api.get("/docs").data.decode()).links)


@pytest.mark.parametrize("path", ["/docs/nothing", "/docs/tutorials/nothing", "/docs/tutorials"])
def test_there_are_no_other_pages(api: Api, path: str) -> None:
    assert api.get(path).code == "unknown-path"


def test_the_page_shows_every_operation_and_schema(api: Api) -> None:
    shown = Page(api.get("/docs").data.decode()).ids
    document = api.parts.document()
    names = {each["operationId"] for path in document["paths"].values() for each in path.values()}
    assert names <= shown
    assert {f"schema-{name}" for name in document["components"]["schemas"]} <= shown
