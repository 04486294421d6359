"""Notices: an event as told to one reader, joined from the stored bytes."""

import json
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.catalogue import games
from domain.game import AnyGame, Seat, Viewer
from domain.sealed import face_for, public_face, sealed_face
from domain.table import TABLE_TEXTS
from domain.table.state import Table
from domain.texts import tell
from domain.value import changed
from events import chain, codec
from events.notices import may_read, notice, notices, timestamp
from events.recorded import Recorded
from tests.events.histories import History, finished
from tests.events.test_codec import CardDropped, grown, plain, stored

__all__ = ["grown"]

POTAGE = games()["potage_sauvage"]


@pytest.fixture(params=sorted(games()), scope="module")
def history(request: pytest.FixtureRequest) -> History:
    game = games()[request.param]
    return finished(game, game.seats[-1])


def readers(table: Table) -> list[Viewer]:
    return [*(Seat(seat) for seat in range(len(table.chairs))), "spectator", "arbiter"]


def told(recorded: Recorded, reader: Viewer, table: Table, language: str = "en") -> Any:
    return json.loads(notice(recorded, reader, language, table))


def test_a_notice_is_the_envelope_the_readable_faces_words_and_the_salt(history: History) -> None:
    table = history.state
    key = bytes.fromhex(table.key)
    for recorded in history.recorded:
        event = codec.decode(recorded, table.playing)
        for reader in readers(table):
            face = face_for(event, reader)
            if reader == "arbiter":
                face = public_face(event) | sealed_face(event)
            expected = {
                "version": recorded.version,
                "at": timestamp(recorded.at),
                "type": type(event).__name__,
                **plain(face),
                "text": tell((table.playing.texts, TABLE_TEXTS), "en", recorded.kind, plain(face)),
            }
            if recorded.sealed and (reader == "arbiter" or reader in (recorded.audience or ())):
                expected["salt"] = chain.salt(key, recorded.version).hex()
            assert told(recorded, reader, table) == expected


def test_a_reader_can_check_its_own_hand_during_play(history: History) -> None:
    table = history.state
    checked = 0
    for recorded in history.recorded:
        for seat in recorded.audience or ():
            mine = told(recorded, Seat(seat), table)
            names = set(mine) - {"version", "at", "type", "text", "salt"}
            public = set(json.loads(recorded.public))
            sealed = chain.canonical({name: mine[name] for name in names - public})
            salt = bytes.fromhex(mine["salt"])
            assert chain.inner(salt, sealed) == chain.inner(
                chain.salt(bytes.fromhex(table.key), recorded.version), recorded.sealed
            )
            checked += 1
    assert checked


def test_who_may_not_read_a_sealed_face_gets_nothing_of_it(history: History) -> None:
    table = history.state
    for recorded in history.recorded:
        for reader in readers(table):
            if recorded.sealed and not may_read(recorded, reader):
                found = told(recorded, reader, table)
                assert not set(json.loads(recorded.sealed)) & set(found)
                assert "salt" not in found


def test_what_others_are_told_does_not_depend_on_the_sealed_face(history: History) -> None:
    table = history.state
    for recorded in history.recorded:
        other = changed(recorded, sealed=b'{"other":"face"}' if recorded.sealed else b"")
        for reader in readers(table):
            if not may_read(recorded, reader):
                for language in ("en", "fr"):
                    assert notice(recorded, reader, language, table) == notice(
                        other, reader, language, table
                    )


def test_nobody_but_the_arbiter_reads_what_is_sealed_to_nobody(history: History) -> None:
    table = history.state
    for recorded in history.recorded:
        if recorded.audience == ():
            assert [reader for reader in readers(table) if may_read(recorded, reader)] == [
                "arbiter"
            ]


def test_every_event_is_told_in_both_languages(history: History) -> None:
    table = history.state
    for recorded in history.recorded:
        english, french = (told(recorded, "spectator", table, each) for each in ("en", "fr"))
        assert english["text"] != french["text"]
        assert english | {"text": ""} == french | {"text": ""}


def test_notices_are_one_json_list(history: History) -> None:
    table, some = history.state, history.recorded[:9]
    assert json.loads(notices(some, Seat(0), "fr", table)) == [
        told(recorded, Seat(0), table, "fr") for recorded in some
    ]
    assert notices([], Seat(0), "fr", table) == b"[]"


def test_a_notice_keeps_the_bytes_that_were_stored() -> None:
    table = finished(POTAGE, 2).state
    recorded = Recorded("t", 9, "CardPlayed", 1, 5, 1, None, '{"led":"é"}'.encode(), b"")
    words = replace(POTAGE, texts=changed(POTAGE.texts, words={"en": {"events": {}}}))
    assert (
        notice(recorded, "spectator", "en", changed(table, game=words))
        == (
            '{"version":9,"at":"1970-01-01T00:00:00.005Z","type":"CardPlayed",'
            '"led":"é","text":"CardPlayed"}'
        ).encode()
    )


def test_an_old_event_is_told_as_stored_and_said_by_its_newest_fields(grown: AnyGame) -> None:
    words = {"en": {"events": {"CardDropped": [
        {"when": {"hidden": {"told": True}}, "say": "{cards} and {hidden}"},
        {"say": "{cards}"},
    ]}}}  # fmt: skip
    game = replace(grown, texts=changed(grown.texts, words=words))
    table = changed(finished(POTAGE, 2).state, game=game)
    old = stored(b'{"card":"I3","seat":1}', 1)
    found = told(old, Seat(0), table)
    assert (found["card"], found["text"]) == ("I3", "I3")
    (new,) = codec.record(game, "t", 2, 5, [CardDropped(Seat(1), ("I3",), 8)])
    assert told(new, Seat(0), table)["text"] == "I3 and 8"
    assert told(new, Seat(2), table)["text"] == "I3"


def test_an_old_sealed_face_is_said_to_its_audience_alone(grown: AnyGame) -> None:
    words = {"en": {"events": {"CardDropped": [
        {"when": {"hidden": {"told": True}}, "say": "hidden {hidden}"},
        {"say": "nothing"},
    ]}}}  # fmt: skip
    game = replace(grown, texts=changed(grown.texts, words=words))
    table = changed(finished(POTAGE, 2).state, game=game)
    old = changed(stored(b'{"seat":1}', 2, b'{"cards":["I3","I4"]}'), audience=(1,))
    assert told(old, Seat(1), table)["text"] == "hidden 2"
    assert told(old, "spectator", table)["text"] == "nothing"


@given(st.integers(0, 4_102_444_800_000))
def test_times_are_rfc_3339_in_utc_with_milliseconds(at: int) -> None:
    written = timestamp(at)
    assert len(written) == 24
    assert written.endswith("Z")
    read = datetime.fromisoformat(written)
    assert read.tzinfo == UTC
    assert round(read.timestamp() * 1000) == at
