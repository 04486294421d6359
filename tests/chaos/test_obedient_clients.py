"""Clients that heed ``RateLimit`` and ``Retry-After`` are never refused, whatever they ask for."""

import os
import re
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from typing import Any, Final

import httpx
import pytest

from abraxas_client import Client
from service.limits import QUOTAS, Bucket
from tests.chaos.raw import Raw
from tests.e2e.playing import asking
from tests.e2e.server import PATIENCE, Server, serving

SECONDS: Final = 60 * float(os.environ.get("SOAK_MINUTES", "0.08"))
"""How long everybody goes on asking."""
TOLD: Final = re.compile(r'"([a-z-]+)";r=([0-9]+);t=([0-9]+)')

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(600 + 2 * int(SECONDS))]


class Watch:
    """What all clients were answered: statuses, requests by bucket, and buckets found empty."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self.statuses: Counter[int] = Counter()
        self.asked: Counter[str] = Counter()
        self.empty: Counter[str] = Counter()

    def heard(self, status: int, limit: str) -> None:
        """Take note of an answer."""
        told = TOLD.search(limit)
        with self._lock:
            self.statuses[status] += 1
            if told:
                self.asked[told[1]] += 1
                self.empty[told[1]] += told[2] == "0"


class Watched(httpx.BaseTransport):
    """A network that looks at what it carries."""

    def __init__(self, watch: Watch) -> None:
        self._watch = watch
        self._inner = httpx.HTTPTransport()

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        answer = self._inner.handle_request(request)
        self._watch.heard(answer.status_code, answer.headers.get("ratelimit", ""))
        return answer

    def close(self) -> None:
        self._inner.close()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(tmp_path_factory.mktemp("limited") / "var", ABRAXAS_LIMITS="on") as running:
        yield running


def turns(ends: float, *, at_least: float = 1) -> Iterator[int]:
    """Count until the time is up, but so far at least, however slow the machine is."""
    for asked in count():
        if asked >= at_least and time.monotonic() > ends:
            return
        yield asked


def emptying(bucket: Bucket) -> float:
    """Answer how many requests are more than enough to empty a bucket."""
    return 1.2 * QUOTAS[bucket].requests


def plays(client: Client, ends: float) -> None:
    """Play table after table against the server's bots."""
    for _ in turns(ends):
        table = client.open_table("potage_sauvage", seats=2, bots={"1": "greedy"})["id"]
        for view in client.watch(table):
            if time.monotonic() > ends:
                return
            if 0 in view["to_move"]:
                client.send(table, view["moves"][0])


def repeats(client: Client, ends: float) -> None:
    """Send moves that count once, with one key, as fast as it may: several at a time."""
    table = client.open_table("potage_sauvage", seats=2, bots={"1": "random"})["id"]
    move = next(view["moves"][0] for view in client.watch(table) if view["moves"])

    def send() -> None:
        for _ in turns(ends):
            client.send(table, move, key="again")

    with ThreadPoolExecutor(4) as pool:
        for sending in [pool.submit(send) for _ in range(4)]:
            sending.result()


def reads(client: Client, ends: float) -> None:
    """Look at lists, views and pages as fast as it may."""
    table = client.open_table("magic_cooking", seats=2)["id"]
    for _ in turns(ends):
        client.my_tables(waiting=True)
        client.table(table)
        client.events(table)
        client.request("GET", "/livez")


def streams(client: Client, ends: float) -> None:
    """Open streams and let go of them at the first word."""
    view = client.open_table("spellcaster", seats=2)
    for _ in turns(ends):
        next(client.follow(view, after=0))


def exports(client: Client, ends: float) -> None:
    """Take records away."""
    table = client.open_table("potage_sauvage", seats=2)["id"]
    for _ in turns(ends, at_least=emptying("exports")):
        client.record(table, "public")


def signs_up(client: Client, ends: float) -> None:
    """Make guests; everybody here has one address, so others take from this bucket too."""
    for _ in turns(ends, at_least=emptying("sign-ups")):
        client.sign_up()


WORK: Final[tuple[Callable[[Client, float], None], ...]] = (
    plays, plays, repeats, reads, reads, streams, exports, signs_up,
)  # fmt: skip


def looks_by_hand(server: Server, watch: Watch, token: str) -> None:
    """Poll a list on plain HTTP with If-None-Match: wait as long as is said, nothing more."""
    port, tag = server.port, ""
    ends = time.monotonic() + SECONDS
    client = Raw(port, port, f"127.0.0.1:{port}", token, timeout=PATIENCE)
    for _ in turns(ends):
        answer = client.once("GET", "/v1/me/tables", If_None_Match=tag)
        tag = answer.headers.get("etag", tag)
        watch.heard(answer.status, answer.headers.get("ratelimit", ""))
        told = TOLD.search(answer.headers.get("ratelimit", ""))
        assert told or answer.status == 503
        if told and told[2] == "0":
            time.sleep(int(told[3]))
    client.close()


def test_who_heeds_the_headers_is_never_refused(server: Server) -> None:
    watch = Watch()

    def run(work: Callable[[Client, float], Any]) -> None:
        with Client(server.url, transport=Watched(watch), timeout=60, patience=120) as client:
            client.sign_up()
            work(client, time.monotonic() + SECONDS)

    with Client(server.url) as client, ThreadPoolExecutor(len(WORK) + 2) as pool:
        shared = client.sign_up()["token"]
        running = [pool.submit(run, work) for work in WORK]
        # Two devices of one player, each heeding only what it is told itself.
        running += [pool.submit(looks_by_hand, server, watch, shared) for _ in range(2)]
        for each in running:
            each.result()
    told = [f"{name}: {watch.asked[name]} asked, {watch.empty[name]} empty" for name in QUOTAS]
    print(f"{SECONDS:.0f} s, answers {dict(watch.statuses)};", "; ".join(told))
    assert watch.statuses[429] == 0
    # That a busy machine makes the store slow is no matter of limits.
    assert set(watch.statuses) <= {200, 201, 304, 503}
    assert watch.asked.keys() == QUOTAS.keys()
    # A promise that nobody comes near is not tried.
    assert watch.empty["sign-ups"] > 0 < watch.empty["exports"]
    if SECONDS > 60:
        assert all(watch.empty[name] for name in QUOTAS), watch.empty


def test_whoever_does_not_heed_them_is(server: Server) -> None:
    with asking(server.url) as http:
        asked = (http.post("/v1/players", json={}) for _ in range(1000))
        refused = next(each for each in asked if each.status_code != 201)
    assert refused.status_code == 429
    assert int(refused.headers["Retry-After"]) > 0
