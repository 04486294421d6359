"""Records brought back: proved first, kept under their own id, the same byte for byte."""

import gzip
import json
from uuid import uuid4

import pytest
from backports import zstd

from domain.catalogue import games
from domain.table.commands import Sit
from events.records.record import REASONS, export
from service.histories.incoming import MOST_BYTES
from service.histories.reasons import RECORD_CODES
from tests.events.histories import History, opening, recorded_as, sitting
from tests.events.histories import finished as played
from tests.service.asking import Answer, Api, Sat
from tests.service.test_records import taken

MEDIA = "application/x-ndjson"


def bring(api: Api, record: bytes, token: str | None = None, **headers: str) -> Answer:
    """Bring a record to a server."""
    headers.setdefault("Content_Type", MEDIA)
    return api.ask("POST", "/v1/records", token or api.guest().token, record, **headers)


@pytest.fixture
def record(finished: Sat) -> bytes:
    return taken(finished, "?redaction=full").data


def test_a_record_comes_back_byte_for_byte(api: Api, finished: Sat, record: bytes) -> None:
    brought = bring(api, record)
    assert brought.status == 201
    view = brought.json
    assert (view["id"], view["imported"], view["viewer"]) == (finished.id, True, {"seat": None})
    assert brought.headers["Location"].endswith(finished.path)
    assert api.get(f"{finished.path}/record?redaction=full").data == record
    there = finished.view().json
    here = api.get(finished.path).json
    assert here.pop("imported")
    assert here == there
    assert "imported" not in there


def test_bringing_a_record_is_counted_with_taking_it(api: Api, record: bytes) -> None:
    assert bring(api, record).headers["RateLimit"].startswith('"exports";')


def test_every_version_of_an_imported_table_is_the_one_that_was(
    api: Api, finished: Sat, record: bytes
) -> None:
    bring(api, record)
    for version in (1, 2, 7, 40):
        for perspective in ("0", "1", "spectator", "arbiter"):
            query = f"?version={version}&as={perspective}"
            here = api.get(finished.path + query).json
            assert here.pop("imported")
            assert here == finished.view(query=query).json
    told = api.get(f"{finished.path}/events").json
    assert told == finished.api.get(f"{finished.path}/events").json


def test_what_is_known_and_equal_is_told_so(api: Api, record: bytes) -> None:
    assert bring(api, record).status == 201
    again = bring(api, record)
    assert (again.status, again.json["imported"]) == (200, True)


def test_a_table_of_this_server_is_known_and_not_marked(finished: Sat, record: bytes) -> None:
    brought = bring(finished.api, record)
    assert (brought.status, "imported" in brought.json) == (200, False)


def test_an_id_that_is_known_with_another_history_is_refused(api: Api) -> None:
    table = api.table(api.guest(), api.guest())
    door = api.parts.door
    live = door.store.read(table.id)
    game = games()["potage_sauvage"]
    forged = History(table.id).carry_out(opening(game, 2), *sitting(2)).play_out()
    assert bring(api, recorded_as(forged)).code == "table-exists"
    assert door.store.read(table.id) == live


def test_packed_records_are_unpacked(api: Api, record: bytes) -> None:
    token = api.guest().token
    packed = {"gzip": gzip.compress(record), "zstd": zstd.compress(record), "identity": record}
    statuses = [bring(api, data, token, Content_Encoding=each) for each, data in packed.items()]
    assert [each.status for each in statuses] == [201, 200, 200]
    assert bring(api, gzip.compress(record)[:-9], token, Content_Encoding="gzip").json[
        "errors"
    ] == [{"pointer": "Content-Encoding", "code": "malformed"}]
    assert bring(api, record, token, Content_Encoding="br").code == "wrong-media-type"
    assert bring(api, record, token, Content_Type="application/json").code == "wrong-media-type"


def test_a_record_of_more_than_four_mebibytes_is_too_large_unpacked_too(api: Api) -> None:
    token = api.guest().token
    bomb = b"0" * (MOST_BYTES + 1)
    assert bring(api, bomb, token).code == "too-large"
    assert bring(api, bomb + bomb, token).code == "too-large"
    for encoding, pack in (("gzip", gzip.compress), ("zstd", zstd.compress)):
        small = pack(bomb * 4)
        assert len(small) < MOST_BYTES / 10
        answer = bring(api, small, token, Content_Encoding=encoding)
        assert (answer.code, "4194304" in answer.json["detail"]) == ("too-large", True)


def kept(api: Api) -> set[bytes]:
    """Answer every key of the store but those that count requests."""
    return {each for each in api.parts.client.keys("*") if not each.startswith(b"limit:")}


@pytest.mark.parametrize(
    ("line", "reason"), [(1, "check-differs"), (2, "check-differs"), (9, "check-differs")]
)
def test_a_damaged_line_is_named_and_nothing_is_stored(
    api: Api, record: bytes, line: int, reason: str
) -> None:
    lines = record.splitlines(keepends=True)
    fields = json.loads(lines[line - 1])
    fields["check"] = "0" * 8
    written = json.dumps(fields, separators=(",", ":"), sort_keys=True, ensure_ascii=False)
    lines[line - 1] = written.encode() + b"\n"
    token = api.guest().token
    before = kept(api)
    answer = bring(api, b"".join(lines), token, Accept_Language="fr")
    assert (answer.status, answer.code) == (422, "bad-record")
    assert answer.json["errors"] == [{"pointer": f"line {line}", "code": reason}]
    assert answer.json["detail"].startswith(f"line {line}: ")
    assert "Rien n’a été enregistré" in answer.json["detail"]
    assert kept(api) == before


def test_what_is_no_whole_finished_record_is_refused(api: Api, finished: Sat, duel: Sat) -> None:
    parts = {
        "ends-early": b"",
        "not-canonical": b"{}x\n",
        "not-whole": taken(finished).data,
    }
    for reason, record in parts.items():
        assert bring(api, record).json["errors"][0]["code"] == reason
    running = recorded_as_it_is(duel)
    assert bring(api, running).json["errors"][0]["code"] == "not-over"


def recorded_as_it_is(table: Sat) -> bytes:
    recorded = table.api.parts.door.store.read(table.id)
    return b"".join(export(recorded[0], recorded, "full"))


def test_an_id_that_no_table_here_may_have_is_refused(api: Api) -> None:
    record = recorded_as(played(games()["potage_sauvage"], 2))
    assert bring(api, record).json["errors"] == [{"pointer": "line 1", "code": "bad-shape"}]


def test_imported_tables_are_in_no_list(api: Api, finished: Sat, record: bytes) -> None:
    bring(api, record)
    assert all(not api.parts.door.store.tables(each) for each in range(256))
    assert all(not head for head in api.parts.door.store.feed_heads(range(256)).values())
    assert api.get("/v1/tables").json["items"] == []


def test_the_players_of_an_imported_table_are_strangers(api: Api) -> None:
    ana = api.guest()
    table = str(uuid4())
    sat = [Sit(ana.player), Sit(None, bot="random")]
    history = History(table).carry_out(opening(games()["potage_sauvage"], 2), *sat).play_out()
    assert bring(api, recorded_as(history)).status == 201
    view = api.get(f"/v1/tables/{table}", ana.token).json
    assert (view["seats"][0]["player"], view["viewer"]) == (ana.player, {"seat": None})
    assert api.get(f"/v1/tables/{table}/record?redaction=seat", ana.token).code == "not-seated"
    assert api.get("/v1/me/tables", ana.token).json["items"] == []


def test_a_token_is_needed(api: Api, record: bytes) -> None:
    answer = api.ask("POST", "/v1/records", None, record, Content_Type=MEDIA)
    assert answer.code == "bad-token"


def test_a_private_table_comes_back_with_its_invite(api: Api, finished: Sat) -> None:
    other = finished.api
    table = other.table(other.guest(), other.guest(), visibility="private")
    table.play_out()
    whole = other.get(f"{table.path}/record?redaction=full&invite={table.invite}").data
    brought = bring(api, whole)
    assert brought.json["invite"] == table.invite
    assert api.get(table.path).code == "unknown-table"
    assert api.get(f"{table.path}?invite={table.invite}").json["imported"]


def test_every_reason_is_said_in_both_languages() -> None:
    assert set(RECORD_CODES) == set(REASONS)
    assert all(said["en"] != said["fr"] for said in RECORD_CODES.values())
