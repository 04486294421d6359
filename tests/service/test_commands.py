"""A command counts once, is answered alike for ever, and is refused in words."""

import pytest

from tests.service.asking import Api, Sat, fresh

CHOOSE = {"type": "choose_recipe", "recipe": "waste"}


def test_a_command_answers_version_hash_and_what_its_seat_is_told(duel: Sat) -> None:
    before = duel.view().json["version"]
    sent = duel.send(0, CHOOSE)
    assert (sent.status, sent.json["version"]) == (201, before + 1)
    (notice,) = sent.json["notices"]
    assert (notice["type"], notice["seat"], notice["recipe"]) == ("RecipeChosen", 0, "waste")
    assert sent.json["hash"] == duel.view().json["hash"]
    assert "Idempotent-Replayed" not in sent.headers


def test_a_command_may_be_answered_with_the_view(duel: Sat) -> None:
    sent = duel.send(0, CHOOSE, Prefer="respond-async, return=representation")
    assert sent.headers["Preference-Applied"] == "return=representation"
    assert sent.json["view"] == duel.view(0).json


def test_a_repeat_is_answered_alike_and_counts_once(duel: Sat) -> None:
    first = duel.send(0, CHOOSE, key="mine", Prefer="return=representation")
    again = duel.send(0, CHOOSE, key="mine", Prefer="return=representation")
    assert (again.status, again.data) == (first.status, first.data)
    assert again.headers["Idempotent-Replayed"] == "true"
    assert duel.view().json["version"] == first.json["version"]


def test_a_repeat_twenty_moves_later_meets_its_first_answer(duel: Sat) -> None:
    first = duel.send(0, CHOOSE, key="mine", Prefer="return=representation")
    for _ in range(20):
        assert duel.step().status == 201
    version = duel.view().json["version"]
    again = duel.send(0, CHOOSE, key="mine", Prefer="return=representation")
    assert (again.status, again.data) == (first.status, first.data)
    assert again.json["view"]["version"] == first.json["version"] < version
    assert duel.view().json["version"] == version


def test_a_known_key_is_answered_before_anything_else_is_told(duel: Sat) -> None:
    tag = duel.view(0).headers["ETag"]
    first = duel.send(0, CHOOSE, key="mine", If_Match=tag)
    duel.step()
    again = duel.send(0, CHOOSE, key="mine", If_Match=tag)
    assert (again.status, again.data) == (201, first.data)


def test_a_known_key_with_another_body_is_refused(duel: Sat) -> None:
    duel.send(0, CHOOSE, key="mine")
    answer = duel.send(0, CHOOSE | {"recipe": "fruits"}, key="mine")
    assert answer.code == "key-reused"


def test_a_refused_command_is_decided_again(duel: Sat) -> None:
    play = {"type": "play_card", "card": duel.view(1).json["play"]["hand"][0]}
    assert duel.send(1, play, key="mine").code == "wrong-phase"
    duel.send(0, CHOOSE)
    duel.send(1, CHOOSE)
    assert duel.send(1, play, key="mine").status == 201


def test_anothers_equal_key_is_another_key(duel: Sat) -> None:
    mine = duel.send(0, CHOOSE, key="same")
    other = duel.send(1, CHOOSE, key="same")
    assert (mine.status, other.status) == (201, 201)
    assert other.json["version"] > mine.json["version"]
    assert mine.json["notices"][0]["seat"] == 0
    assert other.json["notices"][0]["seat"] == 1
    assert duel.send(0, CHOOSE, key="same").data == mine.data


def test_a_stranger_with_the_same_key_and_body_is_told_nothing(duel: Sat) -> None:
    duel.send(0, CHOOSE, key="same")
    eve = duel.api.guest()
    answer = duel.api.post(f"{duel.path}/commands", eve.token, CHOOSE, key="same")
    assert answer.code == "not-seated"
    assert b"notices" not in answer.data


def test_a_key_is_needed_for_commands(duel: Sat) -> None:
    assert duel.send(0, CHOOSE, key=None).code == "idempotency-key-missing"
    assert duel.send(0, CHOOSE, key="").code == "bad-field"
    assert duel.send(0, CHOOSE, key="caf\u00e9").code == "bad-field"
    assert duel.send(0, CHOOSE, key="x" * 256).code == "bad-field"


def test_an_opening_with_the_same_key_meets_its_own_table(api: Api) -> None:
    token = api.guest().token
    body = {"game": "potage_sauvage", "seats": 2}
    first, second = (api.post("/v1/tables", token, body, key="open") for _ in range(2))
    assert (second.status, second.data) == (201, first.data)
    assert second.headers["Idempotent-Replayed"] == "true"
    assert second.headers["Location"] == first.headers["Location"]
    other = api.post("/v1/tables", api.guest().token, body, key="open")
    assert other.json["id"] != first.json["id"]
    assert api.post("/v1/tables", token, body | {"seats": 3}, key="open").code == "key-reused"
    assert api.post("/v1/tables", token, body).json["id"] != first.json["id"]


def test_an_opening_is_answered_alike_after_the_table_moved_on(api: Api) -> None:
    ana, ben = api.guest(), api.guest()
    body = {"game": "potage_sauvage", "seats": 2}
    first = api.post("/v1/tables", ana.token, body, key="open")
    path = f"/v1/tables/{first.json['id']}"
    sat = api.post(f"{path}/seats", ben.token, {}, key="sit")
    assert api.post("/v1/tables", ana.token, body, key="open").data == first.data
    assert api.post(f"{path}/seats", ben.token, {}, key="sit").data == sat.data


def test_a_seat_given_up_and_taken_again_takes_a_new_key(api: Api) -> None:
    ana = api.guest()
    table = api.table(ana, seats=2)
    leave = f"{table.path}/seats/0"
    left = api.ask("DELETE", leave, ana.token, key="leave")
    assert api.ask("DELETE", leave, ana.token, key="leave").data == left.data
    assert api.post(f"{table.path}/seats", ana.token, {}, key="leave").code == "key-reused"
    assert api.post(f"{table.path}/seats", ana.token, {}, key="sit").status == 201


def test_a_stale_command_is_refused_with_the_version(duel: Sat) -> None:
    duel.send(0, CHOOSE)
    tag = duel.view(1).headers["ETag"]
    duel.send(1, CHOOSE)
    version = duel.view().json["version"]
    play = {"type": "play_card", "card": duel.view(1).json["play"]["hand"][0]}
    answer = duel.send(1, play, If_Match=tag)
    assert (answer.code, answer.json["version"]) == ("stale-version", version)
    for fine in (f'"{version}"', f'"{version}.s.9"', "*", f'"1.0.1", "{version}.1.1"'):
        again = duel.send(1, play | {"card": "W1"} | {"type": "nonsense"}, If_Match=fine)
        assert again.code == "bad-field"
    assert duel.send(1, play, If_Match='"x"').code == "stale-version"
    assert duel.send(1, play, If_Match="garbage").code == "stale-version"
    assert duel.send(1, play, If_Match=f'"{version + 1}"').code == "stale-version"
    assert duel.send(1, play, If_Match=f'"{version}"').status == 201


def test_simultaneous_choices_do_not_disturb_each_other(duel: Sat) -> None:
    tags = [duel.view(seat).headers["ETag"] for seat in (0, 1)]
    assert duel.send(0, CHOOSE, If_Match=tags[0]).status == 201
    assert duel.send(1, CHOOSE, If_Match=tags[1]).status == 201


def test_refusals_by_the_rules_have_the_games_code_and_words(duel: Sat) -> None:
    play = {"type": "play_card", "card": duel.view(0).json["play"]["hand"][0]}
    answer = duel.send(0, play, Accept_Language="fr")
    assert (answer.status, answer.code) == (409, "wrong-phase")
    game = duel.api.get("/v1/games/potage_sauvage", Accept_Language="fr").json
    assert answer.json["title"] == game["refusals"]["wrong-phase"]
    assert answer.json["type"] == "/docs/errors#wrong-phase"


def test_out_of_turn_not_following_suit_and_a_spent_recipe_are_409(duel: Sat) -> None:
    duel.send(0, CHOOSE)
    assert duel.send(0, CHOOSE | {"recipe": "fruits"}).code == "recipe-already-chosen"
    duel.send(1, CHOOSE)
    wrong = {"type": "play_card", "card": duel.view(0).json["play"]["hand"][0]}
    assert duel.send(0, wrong).code == "not-your-turn"
    codes: set[str] = set()
    while not {"must-follow-suit", "recipe-already-used"} <= codes:
        view = duel.view().json
        seat = view["to_move"][0]
        own = duel.view(seat).json
        for card in own["play"]["hand"] if view["play"]["phase"] == "playing" else ():
            command = {"type": "play_card", "card": card}
            if command not in own["moves"]:
                codes.add(duel.send(seat, command).code)
        if view["play"]["phase"] == "choosing" and view["play"]["deal"] > 1:
            codes.add(duel.send(seat, CHOOSE).code)
        assert duel.send(seat, own["moves"][0]).status == 201


@pytest.mark.parametrize(
    ("body", "pointer", "code"),
    [
        ({"type": "play_card", "card": "W10"}, "/card", "not-one-of"),
        ({"type": "play_card", "card": 3}, "/card", "wrong-type"),
        ({"type": "play_card"}, "/card", "missing"),
        ({"type": "play_card", "card": "I1", "seat": 0}, "/seat", "unknown"),
        ({"type": "shout"}, "/type", "not-one-of"),
        ({"type": ["play_card"]}, "/type", "wrong-type"),
        ({}, "/type", "missing"),
    ],
)
def test_a_bad_field_of_a_command_is_named(
    duel: Sat, body: object, pointer: str, code: str
) -> None:
    answer = duel.send(0, body)
    (error,) = answer.json["errors"]
    assert (answer.code, error["pointer"], error["code"]) == ("bad-field", pointer, code)


def test_a_command_before_the_start_and_after_the_end_is_refused(api: Api, finished: Sat) -> None:
    table = api.table(api.guest(), seats=2)
    assert table.send(0, CHOOSE).code == "not-started"
    assert finished.send(0, CHOOSE).code == "game-over"


def test_a_hidden_card_is_in_no_refusal(duel: Sat) -> None:
    others = set(duel.view(1).json["play"]["hand"])
    own = set(duel.view(0).json["play"]["hand"])
    known = {"I1", "W1"}
    for card in sorted(others - own - known):
        for command in ({"type": "play_card", "card": "I1"}, CHOOSE | {"type": "play_card"}):
            answer = duel.send(0, command, key=fresh())
            assert answer.status in (409, 422)
            assert f'"{card}"'.encode() not in answer.data


def test_a_trace_is_kept_beside_the_events_and_echoed(duel: Sat) -> None:
    trace = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
    sent = duel.send(0, CHOOSE, traceparent=trace)
    assert sent.headers["X-Request-Id"] == "0af7651916cd43dd8448eb211c80319c"
    version = sent.json["version"]
    stored = duel.api.parts.door.store.read(duel.id, version - 1)
    assert [each.trace for each in stored] == [trace]
    assert trace.encode() not in duel.api.get(f"{duel.path}/events").data
