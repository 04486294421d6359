"""Who hears of all its tables while it is cut off, and what it must know in the end."""

import json
import time
from collections.abc import Callable, Generator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing, suppress
from dataclasses import dataclass, field
from http.client import HTTPConnection
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

from tests.chaos.raw import BROKEN, LATER, LINES, SSE, Raw, frames
from tests.e2e.ledger import all_delivered
from tests.e2e.server import until

FORMS: Final = (SSE, LINES, "wait")
LIST: Final = "/v1/me/tables"
SIDE_MOVES: Final = 8


@dataclass
class Heard:
    """What one follower knows of its tables: a snapshot, and what it was told since."""

    name: str
    snapshot: dict[str, Any] = field(default_factory=dict)
    told: list[Any] = field(default_factory=list)

    def newest(self) -> dict[str, Any]:
        """Answer the newest item of each table, as an app keeps them: without those it left."""
        newest = self.snapshot | {item["id"]: item for item in self.told}
        return {key: item for key, item in newest.items() if "left" not in item}


@dataclass
class Mine:
    """A player with several tables, and who listens to how they stand."""

    client: Callable[[bool], Raw]
    """Makes a client of the player, through what breaks or past it."""
    link: str
    """Where live updates are."""
    game: str
    data: Path
    last: str = ""
    """The table that is opened at the end, unlisted: all that was before is told before it."""
    side: str = ""
    left: str = ""

    def listen(self, pool: ThreadPoolExecutor) -> list[Future[Heard]]:
        """Begin to listen: first on a connection that holds, then on others, in every form."""
        ways = [("unbroken", SSE, False), *((form, form, True) for form in FORMS)]
        return [pool.submit(self._heard, *way) for way in ways]

    def side_table(self) -> None:
        """Play a little at another table, and leave a third one."""
        client = self.client(False)
        self.left = self._open(client, "left", seats=2)
        gone = client.ask("DELETE", f"/v1/tables/{self.left}/seats/0", Idempotency_Key="gone")
        assert gone.status == 200, gone
        self.side = self._open(client, "side", seats=2, bots={"1": "greedy"})
        side = f"/v1/tables/{self.side}"
        moves = 0
        while moves < SIDE_MOVES and (view := client.get(side).json)["phase"] != "over":
            if 0 in view["to_move"]:
                moves += 1
                client.ask("POST", f"{side}/commands", view["moves"][0], Idempotency_Key=f"{moves}")
            else:
                time.sleep(0.02)
        client.close()

    def end(self, table: str) -> None:
        """Open the last table, once the list knows all of the others and all is quiet."""
        client = self.client(False)
        others = (table, self.side, self.left)
        # Where a bot is to move, something is left to do.
        until(lambda: all_delivered(self.data, *others), "the list has caught up")
        items = {item["id"]: item for item in client.get(LIST).json["items"]}
        assert items.keys() == {table, self.side}
        assert items[table]["phase"] == "over"
        self.last = self._open(client, "last", seats=2, visibility="unlisted")
        client.close()

    def _open(self, client: Raw, key: str, **more: Any) -> str:
        opened = client.ask("POST", "/v1/tables", {"game": self.game, **more}, Idempotency_Key=key)
        assert opened.status == 201, opened
        return str(opened.json["id"])

    def _heard(self, name: str, form: str, torn: bool) -> Heard:
        client = self.client(torn)
        seen = client.get(LIST).json
        heard = Heard(name, {item["id"]: item for item in seen["items"]})
        with closing(told(client, self.link, seen["after"], form)) as items:
            for item in items:
                heard.told.append(item)
                if item.get("visibility") == "unlisted":
                    break
        client.close()
        return heard


def told(client: Raw, link: str, after: str, form: str) -> Generator[Any, None, None]:
    """Tell how a player's tables change, for ever; each item as it comes, be it twice."""
    place, failures = urlsplit(link), 0
    deadline = time.monotonic() + 3 * client.patience
    while True:
        assert time.monotonic() < deadline, f"{form}: the last table never came"
        query = f"/v1/me/events?after={after}" + ("&wait=3" if form == "wait" else "")
        wire = HTTPConnection("127.0.0.1", client.live, timeout=20)
        accept = "application/json" if form == "wait" else form
        with closing(wire), suppress(*BROKEN):
            wire.request("GET", query, headers=client.headers(place.netloc, {"Accept": accept}))
            with wire.getresponse() as answer:
                assert answer.status in (200, *LATER), answer.read()
                if answer.status == 200 and form == "wait":
                    page = json.loads(answer.read() or b'{"items":[]}')
                    after = page.get("after", after)
                    yield from page["items"]
                elif answer.status == 200:
                    for frame in frames(answer, form):
                        item = json.loads(frame or b"{}")
                        after, failures = item["after"], 0
                        if "id" in item:
                            yield item
        failures += 1
        client.rest(failures)


def check(heard: list[Heard], tables: set[str]) -> None:
    """Hold all that was heard against what the unbroken one heard."""
    unbroken = heard[0]
    wanted = {key: bare(item) for key, item in unbroken.newest().items()}
    assert {*wanted} >= tables
    by_version = {(item["id"], item["version"]): bare(item) for item in unbroken.told}
    for each in heard:
        versions: dict[str, int] = {}
        for item in each.told:
            assert versions.get(item["id"], 0) < item["version"], (each.name, item)
            versions[item["id"]] = item["version"]
            at = item["id"], item["version"]
            assert bare(item) == by_version.get(at, bare(item)), each.name
        newest = {key: bare(item) for key, item in each.newest().items()}
        differ = {key for key in newest | wanted if newest.get(key) != wanted.get(key)}
        assert not differ, [each.name, *((newest.get(key), wanted.get(key)) for key in differ)]


def bare(item: Any) -> dict[str, Any]:
    """Answer an item without the place behind it, which depends on where one began."""
    return {name: value for name, value in item.items() if name not in ("after", "version")}
