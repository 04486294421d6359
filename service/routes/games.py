"""Games: what can be played, and all that a client needs to play it."""

from functools import lru_cache
from hashlib import sha256
from importlib.resources import files

import msgspec
from flask import Response

from domain.catalogue import games
from domain.game import AnyGame, Language, View
from domain.table import TABLE_TEXTS
from service import answers
from service.http import Call
from service.operation import Returns, Routes
from service.problems import Problem
from service.wire_schemas import commands_schema, options_schema

ROUTES = Routes("games", "What can be played.")
_CACHE = "no-cache"


@ROUTES(
    "GET", "/v1/games", auth="optional", headers=("If-None-Match",),
    answers={
        200: Returns("Every game.", answers.Games, ("ETag", "Content-Language")),
        304: Returns("As it was."),
    },
)  # fmt: skip
def list_games(call: Call) -> Response:
    """List the games that can be played."""
    return _told(call, _games(call.language))


@ROUTES(
    "GET", "/v1/games/<game>", auth="optional", headers=("If-None-Match",),
    answers={
        200: Returns("The game.", answers.Game, ("ETag", "Content-Language")),
        304: Returns("As it was."),
    },
    problems=("unknown-game",),
)  # fmt: skip
def get_game(call: Call, game: str) -> Response:
    """Answer all that a client needs to play a game.

    Its seats, options, commands, bots and cards, with names and texts in the asked language.
    """
    if game not in games():
        raise Problem("unknown-game")
    return _told(call, _game(game, call.language))


@ROUTES(
    "GET", "/v1/games/<game>/rules", auth="optional", headers=("If-None-Match",),
    answers={
        200: Returns("The rules.", None, ("ETag", "Content-Language"), media="text/markdown"),
        304: Returns("As it was."),
    },
    problems=("unknown-game",),
)  # fmt: skip
def get_rules(call: Call, game: str) -> Response:
    """Tell how a game is played: its rules in our own words, in English, as Markdown."""
    if game not in games():
        raise Problem("unknown-game")
    return _told(call, _rules(game), "en", "text/markdown; charset=utf-8")


def _told(
    call: Call, body: bytes, language: str | None = None, media: str = "application/json"
) -> Response:
    headers = (("ETag", _tag(body)), ("Content-Language", language or call.language))
    if call.has(_tag(body).strip('"')):
        return call.reply_empty(304, *headers, cache=_CACHE)
    return call.reply(body, 200, *headers, cache=_CACHE, media=media)


@lru_cache(maxsize=64)
def _tag(body: bytes) -> str:
    return f'"{sha256(body).hexdigest()[:16]}"'


@lru_cache(maxsize=8)
def _games(language: Language) -> bytes:
    items = [_item(game, language) for game in games().values()]
    return msgspec.json.encode({"items": items, "next": None})


@lru_cache(maxsize=64)
def _rules(name: str) -> bytes:
    return (files(f"domain.{name}") / "RULES.md").read_bytes()


@lru_cache(maxsize=64)
def _game(name: str, language: Language) -> bytes:
    game = games()[name]
    words = (TABLE_TEXTS.words[language], game.texts.words[language])
    refusals = {code: text for each in words for code, text in each["refusals"].items()}
    return msgspec.json.encode(
        _item(game, language)
        | {
            "options": options_schema(game),
            "commands": commands_schema(game),
            "refusals": refusals,
            "cards": game.cards(language),
        }
    )


def _item(game: AnyGame, language: Language) -> View:
    spoken = game.name.replace("_", " ").title()
    return {
        "game": game.name,
        "name": game.texts.words[language].get("name", spoken),
        "rules": game.rules,
        "seats": list(game.seats),
        "bots": sorted(game.bots),
    }
