"""Limits: told on every answer, kept by portions, and never met by who heeds them."""

import re
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from redis import Redis

from events import keys
from events.servers.connection import connect
from events.servers.embedded import Embedded
from service.limits import QUOTAS, Bucket, Limits, Quota, SlowDown, who_asks
from tests.e2e.server import PATIENCE
from tests.service.asking import Api, Sat, api_on
from tests.stores import empty_store

TOLD = re.compile(r'"([a-z-]+)";r=([0-9]+);t=([0-9]+)')
SMALL: dict[Bucket, Quota] = {"reads": Quota("reads", 40, 4), "moves": Quota("moves", 20, 2)}


class Clock:
    """A clock that a test turns."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def left(headers: Any) -> tuple[int, int]:
    """Answer how many requests are left, and the seconds beside."""
    told = TOLD.fullmatch(dict(headers)["RateLimit"])
    assert told
    return int(told[2]), int(told[3])


def until_refused(take: Callable[[], object], most: int = 10_000) -> int:
    """Answer how many are granted before the first refusal."""
    for granted in range(most):
        try:
            take()
        except SlowDown:
            return granted
    raise AssertionError("nobody is refused")


@pytest.mark.parametrize("quota", QUOTAS.values(), ids=lambda quota: quota.bucket)
def test_a_bucket_gives_what_is_announced_and_refuses_soon_after(quota: Quota) -> None:
    limits = Limits(empty_store())
    granted = until_refused(lambda: limits.take(quota.bucket, "somebody"))
    # It fills up again while it is emptied.
    assert quota.requests <= granted <= 2 * quota.held


def test_each_caller_and_each_bucket_is_counted_alone() -> None:
    limits = Limits(empty_store())
    until_refused(lambda: limits.take("sign-ups", "a"))
    assert limits.take("sign-ups", "b")
    assert limits.take("moves", "a")


def test_hardly_any_request_asks_the_store(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []
    limits = Limits(empty_store())
    portion = limits._portion

    def counted(quota: Quota, who: str) -> tuple[int, int]:
        asked.append(who)
        return portion(quota, who)

    monkeypatch.setattr(limits, "_portion", counted)
    for _ in range(QUOTAS["reads"].portion * 5):
        limits.take("reads", "somebody")
    assert len(asked) == 5


def test_a_process_promises_only_what_another_has_left() -> None:
    store = empty_store()
    one, other = Limits(store, SMALL), Limits(store, SMALL)
    promised, _ = left(one.take("reads", "somebody"))
    for _ in range(promised):
        other.take("reads", "somebody")


def test_a_bucket_that_is_full_again_leaves_no_key_behind() -> None:
    store = empty_store()
    quota = Quota("reads", 1000, 1_000)
    Limits(store, {"reads": quota}).take("reads", "somebody")
    lasts = store.pttl(keys.limit("reads", "somebody"))
    assert 0 < lasts <= quota.portion * 1_000


def test_r_goes_down_by_each_request_and_t_says_when_there_is_one_again() -> None:
    clock = Clock()
    limits = Limits(empty_store(), {"reads": Quota("reads", 4, 40)}, clock)
    told = [left(limits.take("reads", "somebody")) for _ in range(4)]
    assert [each for each, _ in told] == [3, 2, 1, 0]
    assert [until for _, until in told] == [10, 20, 30, 10]
    clock.now += 10
    assert left(limits.told("reads", "somebody"))[0] == 1


def test_without_the_store_nobody_is_limited() -> None:
    limits = Limits(connect("redis://127.0.0.1:1"))
    for _ in range(QUOTAS["sign-ups"].held * 2):
        assert limits.take("sign-ups", "somebody")


def test_limits_that_are_off_say_nothing() -> None:
    limits = Limits(Redis(port=1), None)
    assert limits.take("moves", "somebody") is None
    assert limits.told("moves", "somebody") is None
    api = api_on(empty_store(), empty_store(), DURABILITY="relaxed", ABRAXAS_LIMITS="off")
    answer = api.app.test_client().get("/v1/games")
    assert "RateLimit" not in answer.headers


def test_who_holds_many_callers_forgets_them_all_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("service.limits._CALLERS", 3)
    limits = Limits(empty_store())
    for who in "abcde":
        limits.take("reads", who)
    assert len(limits._purses) == 2


@pytest.mark.parametrize(
    ("player", "address", "who"),
    [
        ("x", "1.2.3.4", "p:x"),
        (None, "1.2.3.4", "a:1.2.3.4"),
        (None, "::ffff:1.2.3.4", "a:1.2.3.4"),
        (None, "2001:db8:0:7::1", "a:20010db800000007"),
        (None, "2001:db8:0:7:ffff::", "a:20010db800000007"),
        (None, None, "a:unknown"),
    ],
)
def test_a_player_is_counted_wherever_it_is_and_others_by_address(
    player: str | None, address: str | None, who: str
) -> None:
    assert who_asks(player, address) == who


@pytest.mark.parametrize(
    ("method", "path", "bucket"),
    [
        ("GET", "/v1/games", "reads"),
        ("GET", "/nowhere", "reads"),
        ("PUT", "/v1/me", "reads"),
        ("OPTIONS", "/v1/tables", "reads"),
        ("GET", "/livez", "reads"),
        ("GET", "/v1/me", "reads"),
        ("POST", "/v1/players", "sign-ups"),
        ("POST", "/v1/players/recover", "sign-ups"),
        ("POST", "/v1/tables", "reads"),
    ],
)
def test_every_answer_says_what_is_left(api: Api, method: str, path: str, bucket: str) -> None:
    answer = api.ask(method, path)
    told = TOLD.fullmatch(answer.headers["RateLimit"])
    assert told
    assert told[1] == bucket
    assert answer.headers["RateLimit-Policy"] == QUOTAS[bucket].policy  # type: ignore[index]


def test_moves_and_exports_are_counted_by_player(duel: Sat) -> None:
    limits, token = duel.api.parts.limits, duel.guests[0].token
    # So slow that nothing comes back while the test runs.
    limits._quotas = {**QUOTAS, "moves": Quota("moves", 600, 600_000)}
    limits._purses.clear()
    duel.api.parts.client.delete(*duel.api.parts.client.keys("limit:*"))
    sent = [left(duel.send(0, {}).headers)[0] for _ in range(3)]
    assert sent == [sent[0], sent[0] - 1, sent[0] - 2]
    assert left(duel.send(1, {}).headers)[0] == sent[0]
    record = duel.api.get(f"{duel.path}/record", token)
    assert "exports" in record.headers["RateLimit"]


def test_a_refusal_says_when_to_come_back_and_stores_nothing(api: Api) -> None:
    api.parts.limits._quotas = {**QUOTAS, "moves": Quota("moves", 2, 60)}
    table = api.table(api.guest(), api.guest())
    answers = [table.send(0, {}) for _ in range(9)]
    refused = answers[-1]
    assert refused.code == "slow-down"
    assert refused.headers["Retry-After"] in refused.json["detail"]
    assert left(refused.headers)[0] == 0
    version = table.view().json["version"]
    assert table.send(0, table.view(0).json["moves"][0]).code == "slow-down"
    assert table.view().json["version"] == version


def test_a_client_that_heeds_the_headers_is_never_refused(embedded: Embedded) -> None:
    """Several clients of one player, on two processes, against the clock of a real store."""
    client = connect(embedded.url, timeout=PATIENCE)
    client.flushall()
    quotas = {**QUOTAS, "reads": Quota("reads", 40, 1)}
    apis = [api_on(client, client) for _ in range(2)]
    for api in apis:
        api.parts.limits._quotas = quotas
    token = apis[0].guest().token
    ends = time.monotonic() + PATIENCE
    whole: Counter[str] = Counter()

    def run(number: int) -> int:
        asked = refused = 0
        # However slowly a busy machine asks: until there was enough of it.
        while (whole["asked"] < 150 or whole["waited"] < 3) and time.monotonic() < ends:
            api = apis[(asked + number) % 2]
            answer = api.app.test_client().get(
                "/v1/me", headers={"Authorization": f"Bearer {token}"}
            )
            asked += 1
            whole["asked"] += 1
            refused += answer.status_code == 429
            remaining, seconds = left(answer.headers)
            if remaining == 0:
                whole["waited"] += 1
                time.sleep(seconds)
        return refused

    with ThreadPoolExecutor(3) as pool:
        refused = list(pool.map(run, range(3)))
    client.close()
    assert refused == [0, 0, 0]
    assert whole["waited"] >= 3
    assert whole["asked"] >= 150
