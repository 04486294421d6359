"""Tables of one player that are not over are counted, and the count finds its way down again."""

from time import time

import pytest

from events import keys
from service.unfinished import DAYS
from tests.service.asking import Api, Guest, api_on, fresh
from tests.stores import empty_store

OPEN = {"game": "potage_sauvage", "seats": 2}


@pytest.fixture
def ana(api: Api, monkeypatch: pytest.MonkeyPatch) -> Guest:
    """Make a player who may have three tables."""
    monkeypatch.setattr("service.unfinished.MOST", 3)
    return api.guest()


def test_there_is_room_for_so_many_and_no_more(ana: Guest) -> None:
    keyed = [fresh() for _ in range(3)]
    for key in keyed:
        assert ana.api.post("/v1/tables", ana.token, OPEN, key=key).status == 201
    assert ana.api.post("/v1/tables", ana.token, OPEN).code == "too-many"
    # A repeat is no further table, and somebody else has room of its own.
    assert ana.api.post("/v1/tables", ana.token, OPEN, key=keyed[0]).status == 201
    assert ana.api.post("/v1/tables", ana.api.guest().token, OPEN).status == 201


def test_what_ifs_count_and_finished_tables_do_not(ana: Guest) -> None:
    table = ana.api.table(ana, ana.api.guest())
    for _ in range(2):
        fork = ana.api.post(f"{table.path}/forks", ana.token, {"version": 5}, key=fresh())
        assert fork.status == 201
    again = ana.api.post(f"{table.path}/forks", ana.token, {"version": 5}, key=fresh())
    assert again.code == "too-many"
    table.play_out()
    assert ana.api.post("/v1/tables", ana.token, OPEN).status == 201


def test_nobody_is_locked_out_for_good(ana: Guest) -> None:
    for _ in range(3):
        ana.api.post("/v1/tables", ana.token, OPEN)
    key = keys.player_unfinished(ana.player)
    long_ago = int(time() * 1000) - (DAYS + 1) * 86_400_000
    ana.api.parts.client.zadd(key, dict.fromkeys(ana.api.parts.client.zrange(key, 0, -1), long_ago))
    assert ana.api.post("/v1/tables", ana.token, OPEN).status == 201
    assert ana.api.parts.client.zcard(key) == 1


def test_who_is_not_limited_is_not_counted() -> None:
    api = api_on(empty_store(), empty_store(), DURABILITY="relaxed", ABRAXAS_LIMITS="off")
    client = api.app.test_client()
    token = client.post("/v1/players", json={}).json["token"]  # type: ignore[index]
    bearer = {"Authorization": f"Bearer {token}"}
    assert client.post("/v1/tables", json=OPEN, headers=bearer).status_code == 201
    assert not [*api.parts.client.scan_iter("*unfinished")]


def test_erasure_forgets_the_count(ana: Guest) -> None:
    ana.api.post("/v1/tables", ana.token, OPEN)
    ana.api.ask("DELETE", "/v1/me", ana.token)
    assert not ana.api.parts.client.exists(keys.player_unfinished(ana.player))
