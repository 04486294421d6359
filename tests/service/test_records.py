"""Records over HTTP: who may have which copy, whole or from a version on, packed or plain."""

import gzip
import re
from collections.abc import Callable

import pytest
from backports import zstd

from events.records.verify import verify_record
from tests.service.asking import Answer, Api, Sat


def taken(sat: Sat, query: str = "", seat: int | None = None, **headers: str) -> Answer:
    """Take the record of a table as a guest, or as somebody who came by."""
    token = None if seat is None else sat.guests[seat].token
    return sat.api.get(f"{sat.path}/record{query}", token, **headers)


def test_a_record_is_lines_that_prove_themselves_whatever_is_accepted(finished: Sat) -> None:
    for accept in ("*/*", "application/json", "text/html"):
        answer = taken(finished, Accept=accept)
        assert answer.headers["Content-Type"] == "application/x-ndjson"
        verdict = verify_record(answer.data.splitlines(keepends=True))
        assert verdict.ok
        assert verdict.facts is not None
        assert verdict.facts["head"] == finished.view().json["hash"]
        assert verdict.facts["redaction"] == "public"


def test_once_over_everybody_may_have_every_copy(finished: Sat) -> None:
    shown = {}
    for redaction, whose in (("public", ""), ("seat", "&as=1"), ("full", "")):
        answer = taken(finished, f"?redaction={redaction}{whose}")
        verdict = verify_record(answer.data.splitlines(keepends=True))
        assert verdict.ok
        assert verdict.facts is not None
        shown[redaction] = (verdict.facts["opened"], verdict.facts["seat"])
    assert 0 == shown["public"][0] < shown["seat"][0] < shown["full"][0]
    assert [seat for _, seat in shown.values()] == [None, 1, None]


def test_while_it_runs_a_seat_has_its_own_copy_and_no_other(duel: Sat) -> None:
    own = taken(duel, "?redaction=seat", 0)
    assert own.data == taken(duel, "?redaction=seat&as=0", 0).data
    verdict = verify_record(own.data.splitlines(keepends=True))
    assert verdict.ok
    hand = duel.view(0).json["play"]["hand"]
    assert all(f'"{card}"'.encode() in own.data for card in hand)
    assert taken(duel, "?redaction=seat&as=1", 0).code == "not-your-seat"
    assert taken(duel, "?redaction=full", 0).code == "not-your-seat"
    assert taken(duel, "?redaction=full").code == "not-your-seat"
    assert taken(duel, "?redaction=seat").code == "not-seated"
    assert taken(duel, "?redaction=seat&as=0").code == "not-your-seat"
    assert taken(duel, "?as=0", 0).json["errors"] == [{"pointer": "?as", "code": "unknown"}]


def test_the_public_copy_of_a_running_game_opens_nothing(duel: Sat) -> None:
    lines = taken(duel, "", 0).data
    assert b'"sealed"' not in lines
    assert b'"salt"' not in lines
    assert duel.api.parts.door.load(duel.id).state.key.encode() not in lines


def test_a_private_tables_record_takes_a_seat_or_the_invite(api: Api) -> None:
    table = api.table(api.guest(), api.guest(), visibility="private")
    table.play_out()
    assert taken(table).code == "unknown-table"
    assert taken(table, "", 1).headers["Cache-Control"] == "private, no-cache"
    assert taken(table, f"?invite={table.invite}").headers["Cache-Control"] == "private, no-cache"


def test_a_part_of_a_record_goes_on_where_another_ended(finished: Sat) -> None:
    whole = taken(finished).data.splitlines(keepends=True)
    version = finished.view().json["version"]
    for after in (1, 40, version):
        part = taken(finished, f"?after={after}").data.splitlines(keepends=True)
        assert verify_record(part).ok
        assert part[1:-1] == whole[1 + after : -1]
    answer = taken(finished, f"?after={version + 1}")
    assert (answer.code, answer.json["version"]) == ("unknown-version", version)


def unpack_nothing(data: bytes) -> bytes:
    return data


@pytest.mark.parametrize(
    ("accepted", "encoding", "unpack"),
    [
        ("", None, unpack_nothing),
        ("identity", None, unpack_nothing),
        ("br", None, unpack_nothing),
        ("gzip;q=0", None, unpack_nothing),
        ("identity, gzip;q=0.5", None, unpack_nothing),
        ("gzip", "gzip", gzip.decompress),
        ("gzip, deflate, br", "gzip", gzip.decompress),
        ("gzip, zstd;q=0.5", "gzip", gzip.decompress),
        ("gzip, deflate, br, zstd", "zstd", zstd.decompress),
        ("*", "zstd", zstd.decompress),
    ],
)
def test_a_record_is_packed_as_the_caller_takes_it(
    finished: Sat, accepted: str, encoding: str | None, unpack: Callable[[bytes], bytes]
) -> None:
    plain = taken(finished)
    answer = taken(finished, Accept_Encoding=accepted)
    assert answer.headers.get("Content-Encoding") == encoding
    assert unpack(answer.data) == plain.data
    assert (answer.headers["ETag"] == plain.headers["ETag"]) == (encoding is None)


def test_the_public_record_of_a_finished_table_may_be_kept_for_ever(finished: Sat) -> None:
    assert taken(finished).headers["Cache-Control"] == "public, max-age=31536000, immutable"
    for redaction in ("seat&as=0", "full"):
        kept = taken(finished, f"?redaction={redaction}").headers["Cache-Control"]
        assert kept == "private, no-cache"


def test_the_record_of_a_running_game_is_asked_for_again(duel: Sat) -> None:
    first = taken(duel)
    assert first.headers["Cache-Control"] == "private, no-cache"
    tag = first.headers["ETag"]
    assert taken(duel, If_None_Match=tag).status == 304
    assert taken(duel, "?redaction=seat", 0, If_None_Match=tag).status == 200
    assert taken(duel, "?after=1", If_None_Match=tag).status == 200
    duel.step()
    assert taken(duel, If_None_Match=tag).status == 200


def test_a_record_is_a_file_with_a_name(finished: Sat) -> None:
    told = taken(finished, "?redaction=seat&as=1").headers["Content-Disposition"]
    assert re.fullmatch(r'attachment; filename="potage_sauvage-[0-9a-f-]{36}-seat1\.jsonl"', told)


def test_a_table_that_never_was_has_no_record(api: Api) -> None:
    assert api.get("/v1/tables/3f0c7a52-8d1e-4b6a-9c55-0e2a6d9b7f10/record").code == "unknown-table"
    assert api.get("/v1/tables/x/record", api.guest().token).code == "unknown-table"


def test_a_record_is_read_a_page_at_a_time_and_ends_where_it_began(
    api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = api.table(api.guest(), api.guest())
    for _ in range(12):
        table.step()
    monkeypatch.setattr("service.histories.records._PAGE", 7)
    version = table.view().json["version"]
    whole = taken(table).data
    with api.app.test_client() as client:
        response = client.get(f"{table.path}/record", buffered=False)
        table.step()
        assert b"".join(response.iter_encoded()) == whole
    assert whole.count(b"\n") == version + 2
