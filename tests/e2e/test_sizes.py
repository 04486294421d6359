"""What a phone is sent while it polls: no more bytes than the guide says, and not far less."""

import random
import re
import zlib
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from typing import Any, Final

import pytest

from tests.chaos.raw import Raw, Reply
from tests.chaos.tables import chosen
from tests.e2e.server import PATIENCE, Server, serving, until

GUIDE: Final = Path(__file__).resolve().parents[2] / "docs" / "inbox.md"
ROW: Final = re.compile(r"^\| ([^|]+) \| ([\d,]+) \| ([\d,]+) \| ([\d,]+) \|$", re.MULTILINE)
GAMES: Final = {
    "potage_sauvage": "Potage Sauvage",
    "magic_cooking": "Magic Cooking",
    "spellcaster": "Spellcaster",
}
TABLES: Final = 2

pytestmark = pytest.mark.e2e


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(tmp_path_factory.mktemp("sizes") / "var", ABRAXAS_LIMITS="on") as running:
        yield running


class Sizes:
    """Bytes on the wire by answer: status line, headers and body, and the body packed instead."""

    def __init__(self) -> None:
        self.wire: dict[str, list[int]] = defaultdict(list)
        self.packed: dict[str, list[int]] = defaultdict(list)

    def heard(self, what: str, reply: Reply) -> Reply:
        """Measure an answer. Line by line, since that is how the server writes heads."""
        lines = sum(len(f"{name}: {text}\r\n") for name, text in reply.headers.items())
        head = len(f"HTTP/1.1 {reply.status} {REASONS[reply.status]}\r\n") + lines + 2
        packer = zlib.compressobj(wbits=31)
        self.wire[what].append(head + len(reply.body))
        packed = packer.compress(reply.body) + packer.flush()
        self.packed[what].append(head + min(len(reply.body), len(packed)))
        return reply


REASONS: Final = {200: "OK", 304: "Not Modified"}


def measured(server: Server) -> Sizes:
    """Play tables of every game and look at them as phones do."""
    sizes, dice = Sizes(), random.Random(1)
    players = [raw(server), raw(server)]
    for game, name in GAMES.items():
        for number in range(TABLES):
            play(players, game, name, f"{game}-{number}", sizes, dice)
    inbox(players, sizes)
    for player in players:
        player.close()
    return sizes


def raw(server: Server) -> Raw:
    client = Raw(server.port, server.port, f"127.0.0.1:{server.port}", timeout=PATIENCE)
    client.token = client.ask("POST", "/v1/players", {"name": "Ana"}).json["token"]
    return client


def play(
    players: list[Raw], game: str, name: str, key: str, sizes: Sizes, dice: random.Random
) -> None:
    """Play a table; measure what each seat is sent of it after each move."""
    body = {"game": game, "seats": 2}
    opened = players[0].ask("POST", "/v1/tables", body, Idempotency_Key=key)
    path = f"/v1/tables/{opened.json['id']}"
    players[1].ask("POST", f"{path}/seats", {}, Idempotency_Key="sit")
    before = 0
    for number in range(50):
        seat = number % 2
        reply = sizes.heard(f"a view of {name}", players[seat].get(path))
        view = reply.json
        if number == 0:
            tag = reply.headers["etag"]
            again = players[seat].ask("GET", path, If_None_Match=tag)
            sizes.heard("a view that has not changed", again)
        elif view["version"] > before:
            page = players[seat].get(f"{path}/events?after={before}")
            sizes.heard("the notices of one move", page)
        before = view["version"]
        mover = view["to_move"][0]
        if mover != seat:
            view = players[mover].get(path).json
        move = chosen(view["moves"], dice)
        sent = players[mover].ask("POST", f"{path}/commands", move, Idempotency_Key=f"{number}")
        assert sent.status == 201
        if sent.json["notices"][-1]["type"] == "KeyRevealed":
            return


def inbox(players: list[Raw], sizes: Sizes) -> None:
    """Measure an inbox with three tables, changed and unchanged."""
    for player in (raw_like(players[0]), raw_like(players[1])):
        for number, game in enumerate(GAMES):
            body: dict[str, Any] = {"game": game, "seats": 2, "bots": {"1": "greedy"}}
            opened = player.ask("POST", "/v1/tables", body, Idempotency_Key=f"inbox-{number}")
            assert opened.status == 201

        def waiting(player: Raw = player) -> Reply:
            return player.get("/v1/me/tables")

        until(lambda: len(waiting().json["items"]) == 3, "three tables are listed")
        reply = sizes.heard("an inbox with three tables", waiting())

        def unchanged(player: Raw = player) -> bool:
            tag = waiting().headers["etag"]
            again = player.ask("GET", "/v1/me/tables", If_None_Match=tag)
            if again.status == 304:
                sizes.heard("an inbox that has not changed", again)
            return again.status == 304

        until(unchanged, "nothing changes")
        assert reply.json["items"]
        player.close()


def raw_like(other: Raw) -> Raw:
    """Answer a client of another new player at the same place."""
    client = Raw(other.api, other.live, other.host, timeout=PATIENCE)
    client.token = client.ask("POST", "/v1/players", {"name": "Ben"}).json["token"]
    return client


def test_answers_are_as_small_as_the_guide_says(server: Server) -> None:
    said = {
        what: tuple(int(number.replace(",", "")) for number in numbers)
        for what, *numbers in ROW.findall(GUIDE.read_text(encoding="utf-8"))
    }
    sizes = measured(server)
    for what, wire in sizes.wire.items():
        packed = sizes.packed[what]
        print(f"| {what} | {median(wire):.0f} | {max(wire)} | {median(packed):.0f} |")
    assert said.keys() == sizes.wire.keys()
    for what, (typical, most, packed_) in said.items():
        wire = sizes.wire[what]
        assert max(wire) <= most, what
        assert typical * 0.6 < median(wire) < typical * 1.4, what
        assert packed_ * 0.6 < median(sizes.packed[what]) < packed_ * 1.4, what
