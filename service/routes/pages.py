"""Pages: the replay page, for a table of this server or for a file that somebody has."""

from flask import Response

from service import answers
from service.http import Call
from service.operation import Returns, Routes
from service.pages.replay import SAFE, File, page, texts_file, web_files
from service.problems import Problem

ROUTES = Routes("pages", "A page to look at histories with, and what it is made of.")
_CACHE = "public, no-cache"
_PAGE = {200: Returns("A page.", None, ("ETag",), media="text/html"), 304: Returns("As it was.")}
_FILE = {200: Returns("A file.", None, ("ETag",), media="*/*"), 304: Returns("As it was.")}


@ROUTES("GET", "/replay", headers=("If-None-Match",), answers=_PAGE)
def get_replay_page(call: Call) -> Response:
    """Show the history of a record that is dropped on the page; it never leaves the browser."""
    return _told(call, page(), *SAFE)


@ROUTES("GET", "/replay/<table>", headers=("If-None-Match",), answers=_PAGE)
def get_replay_of_table(call: Call, table: str) -> Response:  # noqa: ARG001 - the page asks
    """Show the history of a table: step by step, from every perspective the caller may have."""
    return _told(call, page(), *SAFE)


@ROUTES(
    "GET", "/web/<file>", headers=("If-None-Match",), answers=_FILE, problems=("unknown-path",)
)  # fmt: skip
def get_web_file(call: Call, file: str) -> Response:
    """Answer a file that the pages share."""
    return _told(call, web_files().get(file))


@ROUTES(
    "GET", "/web/replay/<file>", headers=("If-None-Match",), answers=_FILE,
    problems=("unknown-path",),
)  # fmt: skip
def get_replay_file(call: Call, file: str) -> Response:
    """Answer a file of the replay page."""
    return _told(call, web_files().get(f"replay/{file}"))


@ROUTES(
    "GET", "/web/replay/games/<game>/<file>", headers=("If-None-Match",), answers=_FILE,
    problems=("unknown-path",),
)  # fmt: skip
def get_replay_game(call: Call, game: str, file: str) -> Response:
    """Answer a file that draws a game."""
    return _told(call, web_files().get(f"replay/games/{game}/{file}"))


@ROUTES(
    "GET", "/web/texts/<game>/<file>", headers=("If-None-Match",),
    answers={200: Returns("The words.", answers.GameTexts, ("ETag",)), 304: Returns("As it was.")},
    problems=("unknown-path",),
)  # fmt: skip
def get_texts(call: Call, game: str, file: str) -> Response:
    """Answer the words of a game: `en.json` or `fr.json`."""
    return _told(call, texts_file(game, file))


def _told(call: Call, file: File | None, *headers: tuple[str, str]) -> Response:
    if file is None:
        raise Problem("unknown-path")
    tag = ("ETag", f'"{file.tag}"')
    if call.has(file.tag):
        return call.reply_empty(304, tag, *headers, cache=_CACHE)
    return call.reply(file.body, 200, tag, *headers, cache=_CACHE, media=file.media)
