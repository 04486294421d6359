"""Words for people: names and sentences of a game, from JSON files, one for each language."""

import json
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any, TypeAlias

from domain.value import Value

Words: TypeAlias = Mapping[str, Any]
"""One language: ``events`` (kind -> sentence or alternatives), ``refusals`` (code -> sentence),
and vocabularies (``cards``, ``recipes``, ...: value -> name) that sentences refer to."""

LANGUAGES = ("en", "fr")


class Texts(Value):
    """Hold the words of a room, by language."""

    words: Mapping[str, Words]

    def name(self, language: str, vocabulary: str, value: object) -> str:
        """Answer the name of a value of a vocabulary; the value itself if it has none."""
        names: Mapping[str, str] = self.words[language].get(vocabulary, {})
        return str(names.get(str(value), value))

    def refusal(self, language: str, code: str) -> str | None:
        """Answer the sentence for a refusal code, or None if this room does not know it."""
        sentence: str | None = self.words[language].get("refusals", {}).get(code)
        return sentence

    def tell(self, language: str, kind: str, told: Mapping[str, Any]) -> str | None:
        """Say in words what a viewer was told of an event, or None if the kind is not ours.

        A sentence names fields in braces, ``{card:cards}`` through a vocabulary; a list is joined
        by commas, a dot walks into an object, a number that names a seat counts from 1
        (``{seat:seat}``). Where the sentence depends on values, the file has a list of alternatives
        ``{"when": {field: value}, "say": sentence}``, the first that holds; ``"when": {field:
        {"told": true}}`` asks whether the viewer was told the field at all.
        """
        sentence = self.words[language].get("events", {}).get(kind)
        if isinstance(sentence, list):
            sentence = next(each["say"] for each in sentence if _holds(each.get("when", {}), told))
        return None if sentence is None else "".join(self._parts(language, sentence, told))

    def _parts(self, language: str, sentence: str, told: Mapping[str, Any]) -> Iterable[str]:
        first, braces = _pieces(sentence)
        yield first
        for path, vocabulary, literal in braces:
            yield self._said(language, vocabulary, _walk(told, path))
            yield literal

    def _said(self, language: str, vocabulary: str, value: Any) -> str:
        if isinstance(value, (list, tuple)):
            none = self.words[language].get("none", "–")
            return ", ".join(self._said(language, vocabulary, each) for each in value) or none
        if vocabulary == "seat":
            return str(int(value) + 1)
        return self.name(language, vocabulary, value)


def read_texts(package: str) -> Texts:
    """Read ``texts/en.json`` and ``texts/fr.json`` of a package."""
    folder = files(package) / "texts"
    return Texts(
        {each: json.loads((folder / f"{each}.json").read_text("utf-8")) for each in LANGUAGES}
    )


def tell(rooms: Sequence[Texts], language: str, kind: str, told: Mapping[str, Any]) -> str:
    """Say what happened in the words of the first room that knows the kind."""
    said = (room.tell(language, kind, told) for room in rooms)
    return next((sentence for sentence in said if sentence is not None), kind)


@cache
def _pieces(sentence: str) -> tuple[str, tuple[tuple[tuple[str, ...], str, str], ...]]:
    """Take a sentence apart: what it begins with; path, vocabulary and what follows each brace."""
    first, *braces = sentence.split("{")
    found = []
    for brace in braces:
        inside, literal = brace.split("}", 1)
        path, _, vocabulary = inside.partition(":")
        found.append((tuple(path.split(".")), vocabulary, literal))
    return first, tuple(found)


def _walk(told: Any, path: Iterable[str]) -> Any:
    for step in path:
        told = told[int(step)] if isinstance(told, (list, tuple)) else told[step]
    return told


def _holds(when: Mapping[str, Any], told: Mapping[str, Any]) -> bool:
    return all(
        (field in told) == wanted["told"]
        if isinstance(wanted, dict)
        else field in told and told[field] == wanted
        for field, wanted in when.items()
    )
