"""A view is current, tagged, and what its viewer may know: now or then, from where."""

import json

import pytest

from domain.dice import seeded
from domain.table.view import reshuffle
from tests.service.asking import Api, Sat, fresh
from workers.projections import tables
from workers.projections.tables import GENERATION, render


def test_a_view_is_current_while_no_follower_works(duel: Sat) -> None:
    for _ in range(5):
        sent = duel.step()
        view = duel.view().json
        assert (view["version"], view["hash"]) == (sent.json["version"], sent.json["hash"])


def test_ready_bytes_are_the_bytes_of_the_fold(duel: Sat) -> None:
    folded = [duel.view(seat).data for seat in (0, 1, None)]
    duel.api.draw(duel.id)
    assert [duel.view(seat).data for seat in (0, 1, None)] == folded


def test_ready_bytes_that_are_behind_are_not_shown(duel: Sat) -> None:
    duel.api.draw(duel.id)
    before = duel.view(0).json["version"]
    sent = duel.step()
    assert duel.view(0).json["version"] == sent.json["version"] > before


@pytest.mark.parametrize("drawn", [False, True])
def test_the_tag_names_version_viewer_and_generation(duel: Sat, drawn: bool) -> None:
    if drawn:
        duel.api.draw(duel.id)
    version = duel.view().json["version"]
    tags = [duel.view(seat).headers["ETag"] for seat in (0, 1, None)]
    assert tags == [f'"{version}.{viewer}.{GENERATION}"' for viewer in "01s"]


@pytest.mark.parametrize("drawn", [False, True])
def test_a_view_that_the_caller_has_is_not_sent_again(duel: Sat, drawn: bool) -> None:
    if drawn:
        duel.api.draw(duel.id)
    tag = duel.view(0).headers["ETag"]
    for has in (tag, f"W/{tag}", f'"x", {tag}', "*"):
        again = duel.view(0, If_None_Match=has)
        assert (again.status, again.data, again.headers["ETag"]) == (304, b"", tag)
    assert duel.view(1, If_None_Match=tag).status == 200
    duel.step()
    assert duel.view(0, If_None_Match=tag).status == 200


def test_a_version_that_is_not_reached_is_refused_with_the_one_that_is(duel: Sat) -> None:
    version = duel.view().json["version"]
    for _ in range(2):
        assert duel.view(0, f"?min_version={version}").status == 200
        answer = duel.view(0, f"?min_version={version + 1}")
        assert (answer.code, answer.json["version"]) == ("version-not-reached", version)
        duel.api.draw(duel.id)


def test_a_seat_may_not_look_from_elsewhere_while_the_game_runs(duel: Sat) -> None:
    for drawn in (False, True):
        if drawn:
            duel.api.draw(duel.id)
        assert duel.view(0, "?as=0").json["viewer"] == {"seat": 0}
        for elsewhere in ("1", "arbiter", "spectator"):
            assert duel.view(0, f"?as={elsewhere}").code == "not-your-seat"
        assert duel.view(None, "?as=spectator").status == 200
        assert duel.view(None, "?as=0").code == "not-your-seat"
        assert duel.view(0, "?as=9").code == "bad-field"


@pytest.mark.parametrize("drawn", [False, True])
def test_once_over_everybody_may_look_from_everywhere(finished: Sat, drawn: bool) -> None:
    if drawn:
        finished.api.draw(finished.id)
    for seat in (0, 1, None):
        for perspective, shown in (("0", 0), ("1", 1), ("spectator", None), ("arbiter", None)):
            view = finished.view(seat, f"?as={perspective}").json
            assert (view["viewer"], view["phase"]) == ({"seat": shown}, "over")
    assert finished.view(0, "?as=2").code == "bad-field"


def test_the_arbiter_sees_every_hand_of_the_past_and_none_at_the_end(finished: Sat) -> None:
    last = finished.view().json["version"]
    then = finished.view(0, "?version=12&as=arbiter")
    assert then.headers["ETag"] == f'"12.a.{GENERATION}"'
    hands = then.json["play"]["open"]["hands"]
    seats = [finished.view(0, f"?version=12&as={seat}").json for seat in (0, 1)]
    assert [each["play"]["hand"] for each in seats] == hands
    assert all("open" not in each["play"] for each in seats)
    assert "open" not in finished.view(0, f"?version={last}&as=arbiter").json["play"]


def test_the_past_is_what_was_seen_then(duel: Sat) -> None:
    seen = {}
    for _ in range(12):
        for seat in (0, 1, None):
            answer = duel.view(seat)
            seen[seat, answer.json["version"]] = (answer.data, answer.headers["ETag"])
        duel.step()
    for (seat, version), then in seen.items():
        again = duel.view(seat, f"?version={version}")
        assert (again.data, again.headers["ETag"]) == then


def test_a_version_that_never_was_is_unknown(duel: Sat) -> None:
    version = duel.view().json["version"]
    answer = duel.view(0, f"?version={version + 1}")
    assert (answer.code, answer.json["version"]) == ("unknown-version", version)
    assert duel.view(0, "?version=0").code == "bad-field"


def test_the_past_of_others_is_not_shown_while_the_game_runs(duel: Sat) -> None:
    for elsewhere in ("1", "arbiter"):
        assert duel.view(0, f"?version=3&as={elsewhere}").code == "not-your-seat"
        events = duel.api.get(f"{duel.path}/events?as={elsewhere}", duel.guests[0].token)
        assert events.code == "not-your-seat"


def test_the_arbiter_reads_every_sealed_face_once_it_is_over(finished: Sat) -> None:
    told = finished.api.get(f"{finished.path}/events?limit=10&as=arbiter").json["items"]
    assert [each["type"] for each in told if "salt" in each][:2] == ["TableOpened", "DiceRolled"]
    own = finished.api.get(f"{finished.path}/events?limit=10").json["items"]
    assert not any("salt" in each for each in own)


def test_no_view_and_no_notice_depends_on_hidden_cards(duel: Sat) -> None:
    loaded = duel.api.parts.door.load(duel.id)
    for viewer in (0, 1, "spectator"):
        told = render(loaded, viewer)  # type: ignore[arg-type]
        for seed in range(5):
            again = reshuffle(loaded.state, viewer, seeded(seed))  # type: ignore[arg-type]
            other = type(loaded)(loaded.table, loaded.version, loaded.hash, loaded.at, again)
            assert render(other, viewer) == told  # type: ignore[arg-type]


def test_a_private_table_is_there_for_seats_and_invited_only(api: Api) -> None:
    ana, ben, eve = api.guest(), api.guest(), api.guest()
    table = api.table(ana, seats=2, visibility="private")
    invite = table.invite
    assert invite is not None
    for drawn in (False, True):
        if drawn:
            api.draw(table.id)
        for token in (None, eve.token):
            assert api.get(table.path, token).code == "unknown-table"
            assert api.get(f"{table.path}?invite={'0' * 32}", token).code == "unknown-table"
            assert api.get(f"{table.path}/events", token).code == "unknown-table"
            assert api.get(f"{table.path}?invite={invite}", token).status == 200
            assert api.get(f"{table.path}/events?invite={invite}", token).status == 200
        assert table.view(0).status == 200
    sit, key = f"{table.path}/seats", fresh()
    assert api.post(sit, eve.token, {}, key=fresh()).code == "unknown-table"
    assert api.ask("DELETE", f"{sit}/0", eve.token).code == "unknown-table"
    command = {"type": "play_card", "card": "I1"}
    assert api.post(f"{table.path}/commands", eve.token, command, key=key).code == "unknown-table"
    assert api.post(sit, ben.token, {"invite": invite}, key=fresh()).status == 201
    assert api.get(table.path, ben.token).json["viewer"] == {"seat": 1}


def test_ready_bytes_that_do_not_say_who_may_look_are_shown_to_seats_alone(api: Api) -> None:
    table = api.table(api.guest(), api.guest(), visibility="private")
    api.draw(table.id)
    api.parts.client.hdel(tables.document(table.id), "visibility")
    assert table.view().code == "unknown-table"
    assert table.view(0).status == 200


def test_the_invite_is_shown_to_the_opener_only_and_again_on_a_repeat(api: Api) -> None:
    body = {"game": "potage_sauvage", "seats": 2, "visibility": "private"}
    token = api.guest().token
    first, second = (api.post("/v1/tables", token, body, key="open").json for _ in range(2))
    assert first == second
    shown = api.get(f"/v1/tables/{first['id']}", token)
    assert first["invite"].encode() not in shown.data
    assert "invite" not in shown.json


def test_an_unlisted_table_is_there_for_who_knows_its_id(api: Api) -> None:
    table = api.table(api.guest(), seats=2, visibility="unlisted")
    assert table.view().status == 200
    assert api.post(f"{table.path}/seats", api.guest().token, {}, key=fresh()).status == 201


def test_every_seat_view_is_private_to_caches(duel: Sat) -> None:
    headers = duel.view(0).headers
    assert headers["Cache-Control"] == "private, no-cache"
    assert headers["Vary"] == "Authorization, Accept, Accept-Language"


def test_a_view_is_one_round_trip_once_its_bytes_are_ready(
    duel: Sat, monkeypatch: pytest.MonkeyPatch
) -> None:
    duel.api.draw(duel.id)
    duel.view(0)
    counted = round_trips(duel.api, monkeypatch)
    assert json.loads(duel.view(0).data)["viewer"] == {"seat": 0}
    assert len(counted) == 1


def test_a_command_is_one_round_trip(duel: Sat, monkeypatch: pytest.MonkeyPatch) -> None:
    moves = [duel.view(seat).json["moves"][0] for seat in (0, 1)]
    counted = round_trips(duel.api, monkeypatch)
    for seat in (0, 1):
        assert duel.send(seat, moves[seat], Prefer="return=representation").status == 201
    assert len(counted) == 2


def round_trips(api: Api, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Count the conversations with the store from here on."""
    counted: list[int] = []
    pool = api.parts.client.connection_pool
    connect = pool.get_connection

    def count(*given: object) -> object:
        counted.append(1)
        return connect(*given)

    monkeypatch.setattr(pool, "get_connection", count)
    return counted
