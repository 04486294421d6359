"""One table from the opening to the end, every seat played from its own view over HTTP."""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias
from uuid import uuid4

from domain.dice import Dice
from domain.game import AnyGame, View
from domain.wire import plain_command, read_command
from service.simulate.client import Client

Heard: TypeAlias = Callable[[str, int, str], None]
"""Is told (table, version, hash) of everything that the server has acknowledged."""


@dataclass(frozen=True, slots=True)
class Played:
    """Hold what became of a table: ``levels`` by seat, ``moves`` that were sent by bots."""

    table: str
    levels: tuple[str, ...]
    result: Mapping[str, Any]
    moves: int


def sign_up(client: Client, names: Sequence[str]) -> tuple[str, ...]:
    """Make guest players and answer their tokens."""
    return tuple(str(client.post("/v1/players", {"name": name}).body["token"]) for name in names)


def play(
    client: Client,
    game: AnyGame,
    levels: Sequence[str],
    tokens: Sequence[str],
    dice: Dice,
    heard: Heard = lambda *_: None,
) -> Played:
    """Open a table, sit everybody down and play it to the end with bots of these levels."""
    view = open_table(client, game.name, tokens, heard)
    return finish(client, game, view, levels, tokens, dice, heard)


def open_table(client: Client, game: str, tokens: Sequence[str], heard: Heard) -> View:
    """Open a table, take as many seats as there are tokens, and answer the view of seat 0."""
    opening = {"game": game, "seats": len(tokens)}
    view = client.post("/v1/tables", opening, token=tokens[0], key=str(uuid4())).body
    table = view["id"]
    heard(table, view["version"], view["hash"])
    for seat in range(1, len(tokens)):
        taken = client.post(
            f"/v1/tables/{table}/seats", {"seat": seat}, token=tokens[seat], key=f"{table}-sit"
        ).body
        heard(table, taken["version"], taken["hash"])
    return look(client, table, tokens[0])


def look(client: Client, table: str, token: str | None) -> View:
    """Answer the view of a table for whoever holds a token."""
    view: View = client.get(f"/v1/tables/{table}", token).body
    return view


def finish(
    client: Client,
    game: AnyGame,
    view: View,
    levels: Sequence[str],
    tokens: Sequence[str],
    dice: Dice,
    heard: Heard = lambda *_: None,
) -> Played:
    """Play a table on from any of its views until it is over."""
    table = view["id"]
    moves = 0
    while view["phase"] != "over":
        seat = view["to_move"][0]
        if view["viewer"]["seat"] != seat:
            view = look(client, table, tokens[seat])
        legal = [read_command(game, move) for move in view["moves"]]
        chosen = game.bots[levels[seat]](view, legal, dice)
        told = client.post(
            f"/v1/tables/{table}/commands",
            plain_command(chosen),
            token=tokens[seat],
            # One key for one decision: whoever repeats it repeats this very move.
            key=f"{table}-{view['version']}-{seat}",
        ).body
        heard(table, told["version"], told["hash"])
        view = told["view"]
        moves += 1
    return Played(table, tuple(levels), view["result"], moves)


def watch(
    client: Client,
    game: AnyGame,
    levels: Sequence[str],
    token: str,
    heard: Heard = lambda *_: None,
) -> Played:
    """Open a table where bots of the server hold every seat, and look on until it is over.

    Every event of it counts as a move.
    """
    opening = {
        "game": game.name,
        "seats": len(levels),
        "seat": None,
        "bots": {str(seat): level for seat, level in enumerate(levels)},
    }
    view = client.post("/v1/tables", opening, token=token, key=str(uuid4())).body
    first, pause = view["version"], 0.02
    while view["phase"] != "over":
        heard(view["id"], view["version"], view["hash"])
        time.sleep(pause)
        before, view = view, look(client, view["id"], token)
        pause = min(1.0, pause * 1.5) if before["version"] == view["version"] else 0.1
    return Played(view["id"], tuple(levels), view["result"], view["version"] - first)
