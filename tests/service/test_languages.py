"""Whoever asks for French is told nothing in English, whatever is asked and whatever happens."""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import pytest

from domain.catalogue import games
from domain.game import AnyGame
from domain.sealed import face_for
from domain.selfplay import selfplay
from domain.table import TABLE_TEXTS
from domain.table.view import viewers
from domain.texts import LANGUAGES, Texts, tell
from service.histories.reasons import RECORD_CODES
from service.kinds import FIELD_CODES, KINDS
from service.oauth.consent import _SAY
from service.pages.replay import web_files
from service.problems import Problem
from tests.service.asking import Answer, Api, fresh
from tests.service.test_problems import RAISED

ENGLISH = re.compile(
    r"\b(?:the|is|are|was|were|of|and|or|to|for|with|has|have|your?|you|not|this|that|it|by"
    r"|its|takes?|draws?|plays?|seats?|cards?|turns?|nothing|nobody|somebody|must|may|cannot)\b",
    re.IGNORECASE,
)
"""Words that English sentences are held together by, and French ones do not have."""

SAID = {"title", "detail", "text", "name", "refusals", "description"}
"""Fields of answers in which people are told something."""

ROOMS = {"table": TABLE_TEXTS} | {name: game.texts for name, game in games().items()}
every_game = pytest.mark.parametrize("game", games().values(), ids=lambda game: game.name)


def leaves(node: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[tuple[Any, ...], Any]]:
    """Answer every value in nested objects and lists, and where it is."""
    inner = node.items() if isinstance(node, Mapping) else enumerate(node)
    for name, each in inner:
        if isinstance(each, (Mapping, list, tuple)):
            yield from leaves(each, (*path, name))
        else:
            yield (*path, name), each


def english(told: Iterable[tuple[Any, Any]]) -> list[tuple[Any, str]]:
    """Answer what is told in English, and where."""
    found = []
    for path, text in told:
        # Braces hold names of fields; so are /pointers, ?queries and words_with_marks.
        plain = re.sub(r"\{[^}]*\}|[/?][\w/-]+|\S*[_]\S*", "", str(text))
        if ENGLISH.search(plain):
            found.append((path, str(text)))
    return found


def told_in(answer: Any) -> Iterator[tuple[Any, Any]]:
    """Answer what people are told in an answer."""
    for path, text in leaves(answer):
        if isinstance(text, str) and SAID & set(path):
            yield path, text


def words_of(texts: Texts) -> Iterator[tuple[Any, str, str]]:
    """Answer every word of a room in both languages, what alternatives depend on aside."""
    first, second = (dict(leaves(texts.words[language])) for language in LANGUAGES)
    assert first.keys() == second.keys()
    for path, said in first.items():
        if "when" not in path:
            yield path, str(said), str(second[path])


def written_down() -> Iterator[tuple[tuple[Any, ...], Mapping[str, str]]]:
    """Answer everything that is written down to be told to people."""
    for code, kind in KINDS.items():
        yield ("title", code), kind.title
        yield ("detail", code), kind.detail
    for codes in (FIELD_CODES, RECORD_CODES):
        for code, words in codes.items():
            yield ("code", code), words
    for name, said in _SAY["en"].items():
        yield ("consent", name), {"en": said, "fr": _SAY["fr"][name]}
    for room, texts in ROOMS.items():
        for path, said, dit in words_of(texts):
            yield (room, *path), {"en": said, "fr": dit}
    page = web_files()["replay/labels.js"].body.decode()
    first, second = (
        dict(re.findall(r'^    (\w+): "(.*)",$', half, re.MULTILINE))
        for half in page.split("\n  fr: {")
    )
    assert first.keys() == second.keys()
    for name, said in first.items():
        yield ("page", name), {"en": said, "fr": second[name]}


SENTENCES = dict(written_down())


def test_every_sentence_is_there_in_both_languages_and_differs() -> None:
    assert len(SENTENCES) > 500
    for path, words in SENTENCES.items():
        assert words["en"].strip(), path
        assert words["fr"].strip(), path
        bare = re.sub(r"\{[^}]*\}", "", words["en"])
        if len(re.findall(r"[a-z]{2,}", bare)) > 2:
            assert words["en"] != words["fr"], path


def test_no_french_sentence_is_english() -> None:
    assert english((path, words["fr"]) for path, words in SENTENCES.items()) == []


def test_english_is_found() -> None:
    sentences = [(path, words["en"]) for path, words in SENTENCES.items() if "{" not in words["en"]]
    long = [each for each in sentences if each[1].count(" ") > 3]
    assert len(english(long)) > 0.97 * len(long)


@pytest.fixture
def french(api: Api, monkeypatch: pytest.MonkeyPatch) -> Api:
    """Make every request of a test one that asks for French."""
    ask = Api.ask

    def asked(api: Api, method: str, path: str, *given: Any, **more: Any) -> Answer:
        return ask(api, method, path, *given, **{"Accept_Language": "fr", **more})

    monkeypatch.setattr(Api, "ask", asked)
    return api


@pytest.mark.parametrize("code", KINDS)
def test_a_problem_is_told_in_french(french: Api, code: str) -> None:
    answer = RAISED[code](french)
    assert answer.code == code
    assert answer.headers["Content-Language"] == "fr"
    assert answer.json["title"] == KINDS[code].title["fr"]
    assert english(told_in(answer.json)) == []


@every_game
def test_a_refusal_by_the_rules_is_told_in_french(game: AnyGame) -> None:
    for room in (game.texts, TABLE_TEXTS):
        for code in room.words["en"]["refusals"]:
            body = Problem(code, rules=room).body("fr")
            assert body["detail"] != code
            assert english(told_in(body)) == []


@every_game
def test_what_happens_in_a_game_is_told_in_french(game: AnyGame) -> None:
    for seats in game.seats:
        for step in selfplay(game, seats, seed="french"):
            for event in step.events:
                kind = type(event).__name__
                for viewer in viewers(step.after):
                    face = face_for(event, viewer)
                    both = [tell((game.texts, TABLE_TEXTS), each, kind, face) for each in LANGUAGES]
                    assert english([(kind, both[1])]) == []
                    assert both[0] != both[1], kind
                    assert "{" not in both[1], kind


@every_game
def test_a_table_is_told_in_french_wherever_one_looks(french: Api, game: AnyGame) -> None:
    api = french
    seats = min(game.seats)
    table = api.table(*(api.guest() for _ in range(seats)), game=game.name)
    answers = [api.get("/v1/games"), api.get(f"/v1/games/{game.name}")]
    refused: set[str] = set()
    for _ in range(12):
        view = table.view().json
        if view["phase"] == "over":
            break
        seat = view["to_move"][0]
        move = table.view(seat).json["moves"][0]
        for other in range(seats):
            if other != seat:
                # Nearly always against the rules: another seat's move, another seat's card.
                answers.append(table.send(other, move))
                refused |= {answers[-1].code} if answers[-1].status >= 400 else set()
        answers.append(table.send(seat, move, Prefer="return=representation"))
    assert refused
    table.play_out()
    for seat in (None, *range(seats)):
        token = None if seat is None else table.guests[seat].token
        after, version = 0, table.view().json["version"]
        while after < version:
            page = api.get(f"{table.path}/events?after={after}", token)
            assert page.headers["Content-Language"] == "fr"
            answers.append(page)
            after = page.json["items"][-1]["version"]
        answers.append(table.view(seat))
    texts = {path: said for each in answers for path, said in told_in(each.json)}
    assert len(texts) > 50
    for each in answers:
        assert english(told_in(each.json)) == []


def test_the_consent_page_is_told_in_french(french: Api) -> None:
    for path in ("/oauth/device", "/oauth/device?user_code=ABCD-EFGH", "/oauth/authorize"):
        page = french.app.test_client().get(path, headers={"Accept-Language": "fr"}).data.decode()
        said = re.sub(r"<[^>]*>", " ", page)
        assert english([(path, said)]) == []
        assert 'lang="fr"' in page


@pytest.mark.parametrize(
    ("asked", "spoken"),
    [("fr-CA", "fr"), ("de, fr;q=0.5, en;q=0.4", "fr"), ("de", "en"), ("fr;q=0", "en")],
)
def test_the_language_is_the_one_that_is_wanted_most(api: Api, asked: str, spoken: str) -> None:
    answer = api.get("/v1/games/chess", key=fresh(), Accept_Language=asked)
    assert answer.json["title"] == KINDS["unknown-game"].title[spoken]
