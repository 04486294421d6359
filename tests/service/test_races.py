"""Many at once on the embedded store: one command counts, whoever else comes is told so."""

from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import TypeVar

import pytest

from tests.service.asking import Answer, Api, Sat, api_on, fresh

T = TypeVar("T")
CHOOSE = {"type": "choose_recipe", "recipe": "waste"}


def at_once(count: int, do: Callable[[int], T]) -> list[T]:
    """Do something in so many threads that start together."""
    barrier = Barrier(count)

    def run(number: int) -> T:
        barrier.wait()
        return do(number)

    with ThreadPoolExecutor(count) as pool:
        return list(pool.map(run, range(count)))


def playing(api: Api) -> tuple[Sat, int]:
    """Seat two guests, choose their recipes; answer the seat that may play any of its cards."""
    table = api.table(api.guest(), api.guest())
    for seat in (0, 1):
        assert table.send(seat, CHOOSE).status == 201
    return table, table.view().json["to_move"][0]


@pytest.mark.parametrize("same_process", [True, False])
def test_one_of_twenty_commands_on_one_version_wins(valkey_api: Api, same_process: bool) -> None:
    table, seat = playing(valkey_api)
    view = table.view(seat)
    cards = [move["card"] for move in view.json["moves"]]
    apis = [
        valkey_api if same_process else api_on(valkey_api.parts.client, valkey_api.parts.client)
        for _ in range(20)
    ]
    token = table.guests[seat].token

    def play(number: int) -> Answer:
        command = {"type": "play_card", "card": cards[number % len(cards)]}
        return apis[number].post(
            f"{table.path}/commands", token, command, key=fresh(), If_Match=view.headers["ETag"]
        )

    answers = at_once(20, play)
    counted = Counter(each.status for each in answers)
    assert counted[201] == 1
    assert set(counted) <= {201, 409, 412}
    assert table.view().json["version"] == view.json["version"] + 1


def test_one_command_sent_fifty_times_at_once_counts_once(valkey_api: Api) -> None:
    table, seat = playing(valkey_api)
    before = table.view(seat).json
    move = before["moves"][0]
    answers = at_once(50, lambda _: table.send(seat, move, key="one"))
    assert {each.status for each in answers} == {201}
    assert len({each.data for each in answers}) == 1
    assert table.view().json["version"] == before["version"] + 1
    fresh_ones = [each for each in answers if "Idempotent-Replayed" not in each.headers]
    assert len(fresh_ones) == 1


def test_one_of_many_takes_the_last_seat(valkey_api: Api) -> None:
    table = valkey_api.table(valkey_api.guest(), seats=2)
    guests = [valkey_api.guest() for _ in range(10)]
    answers = at_once(
        10, lambda i: valkey_api.post(f"{table.path}/seats", guests[i].token, {}, key=fresh())
    )
    assert Counter(each.status for each in answers) == {201: 1, 409: 9}
    assert {each.code for each in answers if each.status == 409} <= {"already-started"}
    winner = next(i for i, each in enumerate(answers) if each.status == 201)
    assert table.view().json["seats"][1]["player"] == guests[winner].player


def test_a_player_who_sits_down_twice_at_once_has_one_seat(valkey_api: Api) -> None:
    table = valkey_api.table(valkey_api.guest(), seats=4)
    guest = valkey_api.guest()
    answers = at_once(
        8, lambda _: valkey_api.post(f"{table.path}/seats", guest.token, {}, key=fresh())
    )
    assert Counter(each.status for each in answers) == {201: 1, 409: 7}
    held = [each["player"] for each in table.view().json["seats"]]
    assert held.count(guest.player) == 1


def test_simultaneous_choices_of_all_seats_are_all_taken(valkey_api: Api) -> None:
    guests = [valkey_api.guest() for _ in range(5)]
    table = valkey_api.table(*guests)
    tags = [table.view(seat).headers["ETag"] for seat in range(5)]
    answers = at_once(5, lambda seat: table.send(seat, CHOOSE, If_Match=tags[seat]))
    assert [each.status for each in answers] == [201] * 5
    assert table.view().json["play"]["phase"] == "playing"


def test_one_opening_sent_many_times_at_once_opens_one_table(valkey_api: Api) -> None:
    token = valkey_api.guest().token
    body = {"game": "potage_sauvage", "seats": 2}
    answers = at_once(10, lambda _: valkey_api.post("/v1/tables", token, body, key="open"))
    assert len({each.data for each in answers}) == 1
