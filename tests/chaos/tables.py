"""Whole tables whose players and followers are cut off again and again, and what they were told."""

import asyncio
import json
import random
import time
from collections.abc import Callable, Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from threading import Lock
from typing import Any, Final

from abraxas_client import AsyncClient, Client, ProblemError
from tests.chaos.mine import Mine, check
from tests.chaos.raw import LINES, SSE, Raw, Told
from tests.e2e.ledger import Ledger

PATIENCE: Final = 90.0
WHOLE: Final = 3 * PATIENCE
"""Seconds that a table may take."""
TIMEOUT: Final = 4.0


@dataclass
class Ways:
    """How a server is reached: through what breaks, and past it."""

    torn: tuple[int, int]
    whole: tuple[int, int]
    data: Path
    """Where the server keeps its data."""

    @property
    def host(self) -> str:
        """Answer what everybody calls the API."""
        return f"127.0.0.1:{self.torn[0]}"

    @property
    def url(self) -> str:
        """Answer the address of the API through what breaks."""
        return f"http://{self.host}"

    def raw(self, token: str | None, *, torn: bool) -> Raw:
        """Answer a client on plain HTTP."""
        api, live = self.torn if torn else self.whole
        return Raw(api, live, self.host, token, patience=PATIENCE)

    def sdk(self, token: str | None) -> Client:
        """Answer a client of the Python SDK, through what breaks."""
        return Client(self.url, token, timeout=TIMEOUT, patience=PATIENCE)


class Views:
    """Views by who looks and ETag: the same tag is the same bytes, for everybody, at any time."""

    def __init__(self) -> None:
        self._lock = Lock()
        self.seen: dict[tuple[str | None, str], bytes] = {}

    def heard(self, token: str | None, tag: str, body: bytes) -> None:
        """Take note of a view."""
        with self._lock:
            assert self.seen.setdefault((token, tag), body) == body


@dataclass
class Sitting:
    """One table: who sits there and follows it, and what they have been told."""

    ways: Ways
    game: str
    dice: random.Random
    ledger: Ledger
    views: Views = field(default_factory=Views)
    tokens: list[str] = field(default_factory=list)
    table: str = ""
    link: str = ""
    outcomes: list[tuple[int, dict[str, Any]]] = field(default_factory=list)
    clients: int = 0
    tries: int = 0
    replayed: int = 0

    def open(self) -> None:
        """Sit down: seat 0 by the SDK, seat 1 on plain HTTP, both through what breaks."""
        with self.ways.sdk(None) as ana:
            ana.sign_up("Ana")
            opened = ana.open_table(self.game, seats=2)
            assert ana.token
            self.table, self.link = opened["id"], opened["links"]["stream"]
            assert self.link.startswith(f"http://127.0.0.1:{self.ways.torn[1]}/")
            self.ledger.heard(self.table, opened["version"], opened["hash"])
        ben = self.ways.raw(None, torn=True)
        token = ben.ask("POST", "/v1/players", {"name": "Ben"}).json["token"]
        self.tokens = [ana.token, token]
        ben.token = token
        sat = ben.ask("POST", f"{self.path}/seats", {}, Idempotency_Key="sit")
        assert sat.status == 201, sat
        self.ledger.heard(self.table, sat.json["version"], sat.json["hash"])
        ben.close()

    @property
    def path(self) -> str:
        """Answer the path of the table."""
        return f"/v1/tables/{self.table}"

    # Players

    def play_by_sdk(self) -> None:
        """Play seat 0 as an app would with the SDK."""
        dice = random.Random(self.dice.random())
        with self.ways.sdk(self.tokens[0]) as client:
            for view in client.watch(self.table):
                if 0 not in view["to_move"]:
                    continue
                try:
                    outcome = client.send(
                        self.table, chosen(view["moves"], dice), only_at=view["version"]
                    )
                except ProblemError as problem:
                    if problem.code != "stale-version":
                        raise
                    continue
                self._counted(0, outcome)

    def play_by_hand(self) -> None:
        """Play seat 1 on plain HTTP, a key for each wish."""
        dice = random.Random(self.dice.random())
        client = self.ways.raw(self.tokens[1], torn=True)
        tag, wishes = "", 0
        while True:
            headers = {"If_None_Match": tag} if tag else {}
            seen = client.ask("GET", self.path, **headers)
            if seen.status == 304:
                time.sleep(0.05)
                continue
            view, tag = seen.json, seen.headers["etag"]
            self.views.heard(self.tokens[1], tag, seen.body)
            if view["phase"] == "over":
                break
            if 1 in view["to_move"]:
                wishes += 1
                answer = client.ask(
                    "POST", f"{self.path}/commands", chosen(view["moves"], dice),
                    If_Match=tag, Idempotency_Key=f"wish-{wishes}",
                )  # fmt: skip
                assert answer.status == 201 or answer.json["code"] == "stale-version", answer
                if answer.status == 201:
                    self._counted(1, answer.json)
        self.replayed += client.replayed
        self._done(client)

    def _counted(self, seat: int, outcome: Any) -> None:
        self.outcomes.append((seat, outcome))
        self.ledger.heard(self.table, outcome["version"], outcome["hash"])

    def _done(self, client: Raw) -> None:
        client.close()
        self.tries += client.tries

    # Followers

    def follow_by_sdk(self, viewer: int | None, after: int | None) -> list[Told]:
        """Follow with the SDK, from a version or from the view that is there."""
        with self.ways.sdk(self._token(viewer)) as client:
            place = self.table if after is not None else client.table(self.table)
            return [as_told(each) for each in client.follow(place, after)]

    def follow_by_async_sdk(self, viewer: int | None, after: int | None) -> list[Told]:
        """Follow with the SDK for asyncio."""

        async def follow() -> list[Told]:
            token = self._token(viewer)
            async with AsyncClient(
                self.ways.url, token, timeout=TIMEOUT, patience=PATIENCE
            ) as client:
                place = self.table if after is not None else await client.table(self.table)
                return [as_told(each) async for each in client.follow(place, after)]

        return asyncio.run(follow())

    def follow_by_hand(self, viewer: int | None, after: int | None, form: str) -> list[Told]:
        """Follow on plain HTTP: from a snapshot, a view, unless a version is said."""
        client = self.ways.raw(self._token(viewer), torn=True)
        if after is None:
            seen = client.get(self.path)
            self.views.heard(client.token, seen.headers["etag"], seen.body)
            after = seen.json["version"]
        told = [*self._told(client, after, form)]
        self._done(client)
        return told

    def follow_unbroken(self, viewer: int | None) -> list[Told]:
        """Follow from the beginning on a connection that holds."""
        client = self.ways.raw(self._token(viewer), torn=False)
        return [*client.streamed(self.link, 0, SSE)]

    def _told(self, client: Raw, after: int, form: str) -> Iterable[Told]:
        if form in (SSE, LINES):
            return client.streamed(self.link, after, form)
        events = f"http://{self.ways.host}{self.path}/events"
        wait = 2 if form == "wait" else None
        return client.polled(self.link if wait else events, self.path, after, wait)

    def _client(self, viewer: int, torn: bool) -> Raw:
        return self.ways.raw(self.tokens[viewer], torn=torn)

    def _token(self, viewer: int | None) -> str | None:
        return None if viewer is None else self.tokens[viewer]

    # What must come of it

    def run(self, pool: ThreadPoolExecutor) -> None:
        """Play and follow to the end; hold what everybody was told against what holds."""
        self.open()
        unbroken = {viewer: pool.submit(self.follow_unbroken, viewer) for viewer in (0, 1, None)}
        followers: list[tuple[str, int | None, int | None, Callable[..., list[Told]]]] = [
            ("sdk", 0, 0, self.follow_by_sdk),
            ("async sdk", 1, None, self.follow_by_async_sdk),
            ("events", None, 0, partial(self.follow_by_hand, form=SSE)),
            ("lines", 0, None, partial(self.follow_by_hand, form=LINES)),
            ("wait", 1, 0, partial(self.follow_by_hand, form="wait")),
            ("page", None, None, partial(self.follow_by_hand, form="page")),
        ]
        running: list[tuple[str, int | None, int | None, Future[list[Told]]]] = [
            (name, viewer, after, pool.submit(follow, viewer, after))
            for name, viewer, after, follow in followers
        ]
        mine = Mine(partial(self._client, 0), self.link, self.game, self.ways.data)
        listeners = mine.listen(pool)
        aside = pool.submit(mine.side_table)
        players = [pool.submit(self.play_by_sdk), pool.submit(self.play_by_hand)]
        for player in players:
            player.result(WHOLE)
        aside.result(WHOLE)
        mine.end(self.table)
        whole = {viewer: each.result(WHOLE) for viewer, each in unbroken.items()}
        for viewer, told in whole.items():
            assert [at for at, _ in told] == [*range(1, len(told) + 1)], viewer
        for name, viewer, after, each in running:
            check_told(name, each.result(WHOLE), whole[viewer], after)
        for seat, outcome in self.outcomes:
            first = outcome["notices"][0]["version"]
            notices = [json.loads(text) for _, text in whole[seat][first - 1 : outcome["version"]]]
            assert outcome["notices"] == notices
        self.check_views(len(whole[None]))
        check([each.result(WHOLE) for each in listeners], {self.table, mine.last})
        self.clients += len(players) + len(running) + len(listeners) - 1

    def check_views(self, version: int) -> None:
        """Hold the views that are left in the end against an uninterrupted client's."""
        for token in (*self.tokens, None):
            whole = self.ways.raw(token, torn=False)
            last = whole.get(self.path)
            assert last.json["version"] == version
            self.views.heard(token, last.headers["etag"], last.body)
            torn = self.ways.raw(token, torn=True)
            seen = torn.get(self.path)
            assert (seen.headers["etag"], seen.body) == (last.headers["etag"], last.body)
            with self.ways.sdk(token) as client:
                assert client.table(self.table) == last.json
            for client_ in (whole, torn):
                client_.close()


def chosen(moves: list[Any], dice: random.Random) -> Any:
    """Choose a move that does not end the game early, if there is another."""
    return dice.choice([each for each in moves if each["type"] != "concede"] or moves)


def as_told(notice: Any) -> Told:
    """Answer a notice that a client has read, as it would be written."""
    return notice["version"], json.dumps(notice, ensure_ascii=False).encode()


def check_told(name: str, told: list[Told], whole: list[Told], after: int | None) -> None:
    """Hold what somebody was told against the uninterrupted: no gap, no repeat, the same."""
    first = told[0][0] if after is None else after + 1
    wanted = whole[first - 1 :]
    assert [at for at, _ in told] == [at for at, _ in wanted], name
    if "sdk" in name:
        assert [json.loads(text) for _, text in told] == [json.loads(text) for _, text in wanted]
    else:
        assert told == wanted, name
