"""The replay page in a real browser: what it shows, how it is led, and what it never does."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from selenium.webdriver.common.keys import Keys

from domain.catalogue import games
from domain.dice import seeded
from service.simulate.client import Client
from service.simulate.play import finish, look, open_table, sign_up
from tests.e2e.browser import CHROMIUM, DRIVER, MISSING, Browser, browsing
from tests.e2e.server import Server, serving, until

pytestmark = [
    pytest.mark.e2e,
    pytest.mark.skipif(not (CHROMIUM and DRIVER), reason=MISSING),
]
ROOT = Path(__file__).parents[2]
GOLDEN = ROOT / "tests/events/records/golden_records"
DESKTOP, PHONE = 1280, 360


@dataclass(frozen=True)
class Finished:
    """A table that was played to its end on the server."""

    id: str
    view: Any
    tokens: tuple[str, ...]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(tmp_path_factory.mktemp("replay") / "var", ABRAXAS_LIMITS="off") as running:
        yield running


@pytest.fixture(scope="module")
def chromium(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    with browsing(tmp_path_factory.mktemp("profile")) as browser:
        yield browser


@pytest.fixture
def page(chromium: Browser, server: Server) -> Iterator[Browser]:
    """Hand out the browser, and see afterwards that the page has behaved."""
    chromium.resize(DESKTOP)
    chromium.requests()
    yield chromium
    assert chromium.complaints() == []
    asked = [each for each in chromium.requests() if not each.startswith(("about:", "blob:"))]
    assert [each for each in asked if not each.startswith(f"{server.url}/")] == []


@pytest.fixture(scope="module")
def finished(server: Server) -> dict[str, Finished]:
    """Play a table of every game to its end."""
    client = Client(server.url)
    levels = ("random", "random")
    played = {}
    for name, game in games().items():
        tokens = sign_up(client, ("Ana", "Ben"))
        begun = open_table(client, name, tokens, lambda *_: None)
        table = finish(client, game, begun, levels, tokens, seeded(name)).table
        played[name] = Finished(table, look(client, table, None), tokens)
    client.close()
    return played


def position(page: Browser) -> int:
    return int(page.text("#position").partition(" / ")[0])


def last(page: Browser) -> int:
    return int(page.text("#position").partition(" / ")[2])


def shown(page: Browser) -> None:
    until(lambda: page.find("#board").is_displayed(), "the table is drawn")


def open_file(page: Browser, server: Server, path: Path, fragment: str = "") -> None:
    page.open(f"{server.url}/replay{fragment}")
    page.find("#file").send_keys(str(path))
    shown(page)


def go_to(page: Browser, version: int) -> None:
    page.run("location.hash = arguments[0]", f"#v={version}")
    until(lambda: position(page) == version, "the address leads there")


def hands(page: Browser, seat: int) -> tuple[int, int]:
    """Answer how many cards of a hand are open, and how many are closed."""
    place = f'.place[data-seat="{seat}"] :is(.fan, .spells)'
    return page.count(f"{place} .piece"), page.count(f"{place} li:not(:has(.piece))")


@pytest.mark.parametrize("width", [DESKTOP, PHONE])
@pytest.mark.parametrize("name", games())
def test_final_scores_are_the_servers_and_the_page_fits(
    page: Browser, server: Server, finished: dict[str, Finished], name: str, width: int
) -> None:
    table = finished[name]
    page.resize(width)
    page.open(f"{server.url}/replay/{table.id}")
    shown(page)
    fits = "return document.documentElement.scrollWidth <= document.documentElement.clientWidth"
    assert page.run(fits)
    for _ in range(4):
        page.press(Keys.PAGE_DOWN)
        assert page.run(fits)
    page.press(Keys.END)
    assert page.run(fits)
    assert position(page) == last(page) == table.view["version"]
    winners = [page.count(f'.place.wins[data-seat="{seat}"]') == 1 for seat in range(2)]
    assert winners == [seat in table.view["result"]["winners"] for seat in range(2)]
    if "scores" in table.view["result"]:
        scores = [page.text(f'[data-score="{seat}"]') for seat in range(2)]
        assert scores == [str(each) for each in table.view["result"]["scores"]]
    else:
        for seat, side in enumerate(table.view["play"]["sides"]):
            for pool in ("energy", "sapphires"):
                told = page.text(f'.place[data-seat="{seat}"] [data-pool="{pool}"]')
                assert told == str(side[pool])


def test_keys_buttons_slider_and_playing_lead_through_the_moments(
    page: Browser, server: Server
) -> None:
    open_file(page, server, GOLDEN / "spellcaster.jsonl", "#v=20")
    assert position(page) == 20
    page.press(Keys.ARROW_RIGHT, Keys.ARROW_RIGHT, Keys.ARROW_LEFT)
    assert position(page) == 21
    page.press(Keys.HOME)
    assert position(page) == 0
    assert not page.find("#previous").is_enabled()
    page.press(Keys.END)
    lines = (GOLDEN / "spellcaster.jsonl").read_bytes().splitlines()
    assert position(page) == last(page) == json.loads(lines[-1])["count"]
    page.find("#first").click()
    page.find("#next").click()
    assert position(page) == 1
    page.run(
        "const slider = document.querySelector('#slider'); slider.value = 33;"
        "slider.dispatchEvent(new Event('input'))"
    )
    assert position(page) == 33
    page.choose("#speed", "4")
    page.run("document.activeElement.blur()")
    page.press(Keys.SPACE)
    until(lambda: position(page) > 36, "it plays")
    page.press(Keys.SPACE)
    paused = position(page)
    assert page.find("#play").get_attribute("aria-label") == "Play (space)"
    page.press(Keys.ARROW_RIGHT)
    assert position(page) == paused + 1


def test_a_perspective_sees_its_own_hand_and_backs_elsewhere(page: Browser, server: Server) -> None:
    for name in games():
        open_file(page, server, GOLDEN / f"{name}.jsonl", "#v=24&as=1")
        assert page.find("#perspective").get_attribute("value") == "1"
        own, others = hands(page, 1), hands(page, 0)
        assert own[0] > 0
        assert own[1] == 0
        assert others[0] == 0
        assert others[1] > 0
        page.choose("#perspective", "spectator")
        assert [hands(page, seat)[0] for seat in (0, 1, 2)] == [0, 0, 0]
        page.choose("#perspective", "arbiter")
        assert [hands(page, seat)[1] for seat in (0, 1, 2)] == [0, 0, 0]
        assert position(page) == 24


def test_a_link_leads_to_a_moment_and_the_words_are_links(page: Browser, server: Server) -> None:
    path = GOLDEN / "potage_sauvage.jsonl"
    open_file(page, server, path, "#v=40&as=2")
    assert position(page) == 40
    assert page.texts("#log [aria-current]") == [page.text("#caption")]
    page.press(Keys.ARROW_RIGHT)
    assert page.run("return location.hash") == "#v=41&as=2"
    page.run("document.querySelector('#log [data-at=\"50\"]').click()")
    until(lambda: position(page) == 50, "the words lead there")
    go_to(page, 12)
    page.run("location.hash = '#v=13&as=0'")
    until(lambda: position(page) == 13, "the address leads there")
    assert page.find("#perspective").get_attribute("value") == "0"


def test_a_card_is_found_by_name_and_by_picking_it(page: Browser, server: Server) -> None:
    open_file(page, server, GOLDEN / "magic_cooking.jsonl", "#v=0&as=arbiter")
    card = page.find("#card")
    card.send_keys("Albino Crow Feather", Keys.ENTER)
    first = position(page)
    assert first > 0
    assert "Albino Crow Feather" in page.text("#caption")
    assert page.count("#stage .picked") == 1
    page.find("#later").click()
    second = position(page)
    assert second > first
    page.find("#earlier").click()
    assert position(page) == first
    assert page.text("#found p").startswith("appearance 1 of ")
    other = ".near [data-card]:not([data-card=albino_crow_feather])"
    page.run(f"document.querySelector('{other}').click()")
    picked = page.run("return document.querySelector('#stage .picked').dataset.card")
    assert picked != "albino_crow_feather"
    card.clear()
    card.send_keys("Philosopher's Stone", Keys.ENTER)
    assert page.text("#found p") == "No card has this name."


def test_the_verify_button_proves_a_record_and_names_the_line_of_a_forgery(
    page: Browser, server: Server, tmp_path: Path
) -> None:
    content = (GOLDEN / "spellcaster.jsonl").read_bytes()
    lines = content.splitlines(keepends=True)
    open_file(page, server, GOLDEN / "spellcaster.jsonl")
    page.find("#check").click()
    until(lambda: "Untouched: " in page.text("#verdict"), "the verdict is there")
    head = json.loads(lines[-1])["hash"]
    assert head in page.text("#verdict")
    page.find("#kept").send_keys(head)
    page.find("#again").click()
    until(lambda: "The hash you kept is this history's" in page.text("#verdict"), "it was passed")
    page.find("#proof [data-say=close]").click()

    at = next(i for i, line in enumerate(lines) if b'"kind":"ResourceGained"' in line)
    forged = lines[at].replace(b'"total":1', b'"total":2')
    assert forged != lines[at]
    tampered = tmp_path / "tampered.jsonl"
    tampered.write_bytes(b"".join((*lines[:at], forged, *lines[at + 1 :])))
    open_file(page, server, tampered)
    page.find("#check").click()
    until(lambda: "Tampered with: " in page.text("#verdict"), "the verdict is there")
    assert f"line {at + 1}." in page.text("#verdict")
    page.find("#verdict button").click()
    assert position(page) == at

    tampered.write_bytes(b"".join((*lines[:at], b"{" + lines[at], *lines[at + 1 :])))
    page.open(f"{server.url}/replay")
    page.find("#file").send_keys(str(tampered))
    until(lambda: f"line {at + 1} is damaged" in page.text("#trouble"), "it says what is wrong")
    page.find("#check").click()
    until(lambda: f"line {at + 1}." in page.text("#verdict"), "the verdict is there")
    page.find("#proof [data-say=close]").click()


def test_a_dropped_file_stays_in_the_browser(page: Browser, server: Server) -> None:
    page.open(f"{server.url}/replay")
    page.requests()
    page.run(
        "const dropped = new DataTransfer();"
        "dropped.items.add(new File([arguments[0]], 'table.jsonl'));"
        "document.dispatchEvent(new DragEvent('drop', {dataTransfer: dropped, bubbles: true}))",
        (GOLDEN / "potage_sauvage.jsonl").read_text(encoding="utf-8"),
    )
    shown(page)
    asked = [each.removeprefix(server.url) for each in page.requests()]
    assert [each for each in asked if not each.startswith("/web/")] == []


def test_a_seat_follows_its_running_table_with_a_token_that_leaves_the_address(
    page: Browser, server: Server
) -> None:
    client = Client(server.url)
    tokens = sign_up(client, ("Ana", "Ben"))
    view = open_table(client, "potage_sauvage", tokens, lambda *_: None)
    page.open(f"{server.url}/replay/{view['id']}#token={tokens[1]}")
    shown(page)
    assert tokens[1] not in page.run("return location.href")
    assert [hands(page, seat) for seat in (0, 1)] == [(0, 13), (13, 0)]
    assert position(page) == last(page) == view["version"]
    assert "Ben" in page.text('.place[data-seat="1"] h3')
    own = look(client, view["id"], tokens[1])["play"]["hand"]
    shown_hand = page.run(
        "return [...document.querySelectorAll('.near .fan [data-card]')].map((e) => e.dataset.card)"
    )
    assert shown_hand == own
    page.find("#check").click()
    until(lambda: "Untouched: " in page.text("#verdict"), "the verdict is there")
    assert "The key is not told yet" in page.text("#verdict")
    page.find("#proof [data-say=close]").click()
    move = look(client, view["id"], tokens[0])["moves"][0]
    client.post(f"/v1/tables/{view['id']}/commands", move, token=tokens[0], key="once")
    page.find("#newer").click()
    until(lambda: last(page) == view["version"] + 1, "the news are there")
    assert "Seat 1 places a recipe face down." in page.text("#caption")
    page.run("sessionStorage.clear()")
    client.close()


def test_a_what_if_starts_from_what_its_seat_knows(
    page: Browser, server: Server, finished: dict[str, Finished]
) -> None:
    client = Client(server.url)
    for table in finished.values():
        token = table.tokens[0]
        asked = {"version": 30, "bots": {"1": "random"}}
        path = f"/v1/tables/{table.id}/forks"
        view = client.post(path, asked, token=token, key="what-if").body
        page.open(f"{server.url}/replay/{view['id']}#token={token}")
        shown(page)
        assert f"what-if from version {view['forked_from']['version']}" in page.text("#facts")
        go_to(page, view["version"])
        hand = "return [...document.querySelectorAll('.near .things ul [data-card]')]"
        assert page.run(f"{hand}.map((each) => each.dataset.card)") == view["play"]["hand"]
    page.run("sessionStorage.clear()")
    client.close()


def test_what_cannot_be_shown_is_said(page: Browser, server: Server, tmp_path: Path) -> None:
    page.open(f"{server.url}/replay/6ba7b810-9dad-4d1d-80b4-00c04fd430c8")
    until(lambda: "no such table" in page.text("#trouble"), "it says so")
    (refused,) = page.complaints()
    assert "404" in refused
    packed = tmp_path / "table.jsonl.zst"
    packed.write_bytes(b"\x28\xb5\x2f\xfd rest")
    page.find("#file").send_keys(str(packed))
    until(lambda: "Unpack it first" in page.text("#trouble"), "it says so")


def test_a_record_cannot_bring_markup_along(page: Browser, server: Server, tmp_path: Path) -> None:
    for name in games():
        content = (GOLDEN / f"{name}.jsonl").read_text(encoding="utf-8")
        cards = set(json.loads(content.splitlines()[0])["deck"])
        for card in cards:
            content = content.replace(f'"{card}"', f'"{card}<i class=brought>"')
        for word in ("greedy", "red", "brady"):
            content = content.replace(f'"{word}"', f'"{word}<i class=brought>"')
        spoiled = tmp_path / "spoiled.jsonl"
        spoiled.write_text(content, encoding="utf-8")
        open_file(page, server, spoiled, "#v=40&as=arbiter")
        assert "<i class=brought>" in page.run("return document.body.textContent")
        assert page.count(".brought") == 0


def test_everything_has_a_name_and_news_are_told(page: Browser, server: Server) -> None:
    for name in games():
        open_file(page, server, GOLDEN / f"{name}.jsonl", "#v=30&as=arbiter")
        unnamed = [
            node
            for node in page.ask("Accessibility.getFullAXTree")["nodes"]
            if node.get("role", {}).get("value")
            in ("button", "slider", "combobox", "textbox", "image", "link", "ListBox")
            and not node["ignored"]
            and not node.get("name", {}).get("value")
        ]
        assert unnamed == []
        assert page.find("#caption").get_attribute("aria-live") == "polite"
        assert page.count("#stage .piece") > 0
        cards = page.run(
            "return [...document.querySelectorAll('#stage .piece')].map((each) =>"
            "each.querySelector('[aria-label]')?.getAttribute('aria-label') ?? '')"
        )
        assert all(cards)


def test_nothing_moves_for_those_who_want_rest(page: Browser, server: Server) -> None:
    moving = "return getComputedStyle(document.querySelector('.fresh')).animationName"
    open_file(page, server, GOLDEN / "potage_sauvage.jsonl", "#v=40&as=arbiter")
    assert page.run(moving) == "laid"
    page.emulate("prefers-reduced-motion", "reduce")
    assert page.run(moving) == "none"
    page.emulate("prefers-reduced-motion", "")


def test_without_its_program_the_page_says_what_to_do(chromium: Browser, server: Server) -> None:
    chromium.driver.get((ROOT / "service/web/replay/page.html").as_uri())
    assert "abraxas verify FILE" in chromium.text("#unstarted [lang=en]")
    assert "abraxas verify FILE" in chromium.text("#unstarted [lang=fr]")
    assert chromium.complaints() != []
    chromium.requests()


def test_the_page_speaks_the_readers_language_and_changes_it(
    server: Server, tmp_path: Path
) -> None:
    with browsing(tmp_path, "fr") as page:
        open_file(page, server, GOLDEN / "potage_sauvage.jsonl", "#v=1")
        assert page.text("#caption") == "Une table de 3 est ouverte."
        assert page.text("#check") == "Vérifier"
        page.choose("#language", "en")
        until(lambda: page.text("#caption") == "A table for 3 is open.", "it speaks English")
        assert page.text("#check") == "Verify"
        assert page.run("return document.documentElement.lang") == "en"
        assert page.complaints() == []
