"""The replay page's files as a browser is given them."""

import re
from posixpath import normpath

import pytest

from domain.catalogue import games
from service.pages.replay import web_files
from tests.service.asking import Api

ADDRESS = re.compile(rb"""(?:https?:)?//[a-z0-9.-]+""")
SPECIFICATIONS = {b"http://www.w3.org"}
"""What names a vocabulary and is never asked for."""


@pytest.mark.parametrize("path", ["/replay", "/replay/6ba7b810-9dad-4d1d-80b4-00c04fd430c8"])
def test_the_page_may_use_nothing_but_this_servers_files(api: Api, path: str) -> None:
    answer = api.get(path)
    assert answer.status == 200
    assert answer.headers["Content-Type"] == "text/html; charset=utf-8"
    policy = dict(
        each.split(" ", 1) for each in answer.headers["Content-Security-Policy"].split("; ")
    )
    assert policy["default-src"] == "'none'"
    assert {policy[f"{kind}-src"] for kind in ("script", "style", "img", "connect")} == {"'self'"}
    assert b"<style" not in answer.data
    assert re.findall(rb"<script(?![^>]* src=)", answer.data) == []
    assert re.findall(rb"\s(?:style|on\w+)=", answer.data) == []


def test_every_file_is_served_with_its_type_and_a_tag(api: Api) -> None:
    types = {
        "js": "text/javascript",
        "css": "text/css",
        "svg": "image/svg+xml",
        "html": "text/html",
    }
    assert len(web_files()) > 20
    for path in web_files():
        answer = api.app.test_client().get(f"/web/{path}")
        assert answer.status_code == 200, path
        assert answer.mimetype == types[path.rpartition(".")[2]]
        assert answer.headers["Cache-Control"] == "public, no-cache"
        tag = answer.headers["ETag"]
        again = api.app.test_client().get(f"/web/{path}", headers={"If-None-Match": tag})
        assert (again.status_code, again.data) == (304, b"")


def test_every_file_that_the_page_names_is_there(api: Api) -> None:
    for path, file in web_files().items():
        named = re.findall(rb"""(?:from|import) "(\.\.?/[^"]+)\"""", file.body)
        folder = f"/web/{path}".rpartition("/")[0]
        for each in named:
            resolved = normpath(f"{folder}/{each.decode()}")
            assert resolved.removeprefix("/web/") in web_files(), (path, each)
        for each in re.findall(rb"""(?:href|src)="/web/([^"]+)\"""", file.body):
            assert each.decode() in web_files()


def test_no_file_names_another_host() -> None:
    for path, file in web_files().items():
        assert set(ADDRESS.findall(file.body)) <= SPECIFICATIONS, path


def test_every_game_can_be_drawn_and_told(api: Api) -> None:
    for name in games():
        assert f"replay/games/{name}/game.js" in web_files()
        for language in ("en", "fr"):
            told = api.get(f"/web/texts/{name}/{language}.json").json
            assert told["game"]["events"].keys() == {kind.__name__ for kind in games()[name].events}
            assert told["table"]["events"]["GameStarted"]
            assert told["cards"] == games()[name].cards(language)


@pytest.mark.parametrize(
    "path",
    [
        "/web/docs.html",
        "/web/replay/nothing.js",
        "/web/replay/games/..%2F/main.js",
        "/web/replay/games/chess/game.js",
        "/web/texts/chess/en.json",
        "/web/texts/potage_sauvage/de.json",
    ],
)
def test_nothing_else_can_be_asked_for(api: Api, path: str) -> None:
    answer = api.app.test_client().get(path)
    assert answer.status_code == 404
    assert answer.json is not None
    assert answer.json["code"] == "unknown-path"
