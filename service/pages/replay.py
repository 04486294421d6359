"""The replay page: its files as a browser is given them, and the words that it tells games in."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from importlib.resources import files
from importlib.resources.abc import Traversable
from types import MappingProxyType
from typing import Any, Final

import msgspec

from domain.catalogue import games
from domain.game import Language
from domain.table import TABLE_TEXTS
from domain.texts import LANGUAGES

_POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
SAFE: Final = (
    ("Content-Security-Policy", _POLICY),
    ("Referrer-Policy", "no-referrer"),
)
"""Headers of the page: nothing but this server's own files, and no address is passed on."""

_MEDIA: Final = MappingProxyType(
    {
        "html": "text/html; charset=utf-8",
        "js": "text/javascript; charset=utf-8",
        "css": "text/css; charset=utf-8",
        "svg": "image/svg+xml",
    }
)
_ALONE: Final = ("verify.js",)
"""Files beside the page's own folder that it needs too."""


@dataclass(frozen=True, slots=True)
class File:
    """A file as it goes out; the tag is a strong one."""

    body: bytes
    media: str
    tag: str


def page() -> File:
    """Answer the page itself, the same for every table and for none."""
    return web_files()["replay/page.html"]


@cache
def web_files() -> Mapping[str, File]:
    """Answer every file of the page by its path below ``web/``; nothing else can be asked for."""
    folder = files("service") / "web"
    found = {name: _file(folder / name) for name in _ALONE}
    found |= {path: _file(each) for path, each in _below(folder / "replay", "replay/")}
    return MappingProxyType(found)


def _below(folder: Traversable, path: str) -> Iterator[tuple[str, Traversable]]:
    for each in folder.iterdir():
        if each.is_dir():
            yield from _below(each, f"{path}{each.name}/")
        elif each.name.rpartition(".")[2] in _MEDIA:
            yield path + each.name, each


def _file(found: Traversable) -> File:
    return _tagged(found.read_bytes(), _MEDIA[found.name.rpartition(".")[2]])


def _tagged(body: bytes, media: str) -> File:
    return File(body, media, sha256(body).hexdigest()[:16])


def texts_file(game: str, name: str) -> File | None:
    """Answer the words of a game in the file of a language, ``en.json``; None if there is none."""
    language = next((each for each in LANGUAGES if name == f"{each}.json"), None)
    return None if language is None or game not in games() else _texts(game, language)


@cache
def _texts(game: str, language: Language) -> File:
    return _tagged(msgspec.json.encode(texts_of(game, language)), "application/json")


def texts_of(game: str, language: Language) -> dict[str, Any]:
    """Answer all that is needed to tell a game: sentences, vocabularies and the cards' facts."""
    played = games()[game]
    words = played.texts.words[language]
    unused = ("refusals", "phrases", "note")
    return {
        "game": {name: each for name, each in words.items() if name not in unused},
        "table": {
            name: each for name, each in TABLE_TEXTS.words[language].items() if name not in unused
        },
        "cards": played.cards(language),
        "name": words.get("name", game.replace("_", " ").title()),
    }
