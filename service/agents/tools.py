"""What a model can do at a table: questions and wishes, each one or a few calls of the API."""

import hashlib
import json
import time
from dataclasses import dataclass
from typing import Any, Final

from service.agents.asking import Asking

LONGEST_POLL: Final = 25
"""Seconds of one long poll; a wait is several of them."""


@dataclass(frozen=True, slots=True)
class Tools:
    """Does what the tools say for one caller: whatever the token may not know stays unknown."""

    asking: Asking
    token: str | None

    async def list_my_turns(self) -> dict[str, Any]:
        """Answer the tables that wait for the caller."""
        mine = await self.asking.get("/v1/me/tables", self.token, waiting="true", limit=100)
        return {"waiting": mine["waiting"], "tables": mine["items"]}

    async def get_view(
        self, table: str, version: int | None = None, seen_as: str | None = None
    ) -> dict[str, Any]:
        """Answer what the caller may see of a table, now or at a version."""
        query = {"version": version, "as": seen_as}
        view: dict[str, Any] = await self.asking.get(_path(table), self.token, **query)
        return view

    async def get_rules(self, game: str) -> dict[str, Any]:
        """Answer how a game is played, as Markdown."""
        rules = await self.asking.get(f"/v1/games/{game}/rules", self.token)
        return {"game": game, "rules": rules}

    async def legal_moves(self, table: str) -> dict[str, Any]:
        """Answer what the caller may do now, and at which version that was."""
        return _chance(await self.get_view(table))

    async def open_table(
        self, game: str, seats: int, bots: dict[str, str], word: str, **more: Any
    ) -> dict[str, Any]:
        """Open a table and sit down there; the same wish with the same word is the same table."""
        body = {"game": game, "seats": seats, "bots": bots, **more}
        key = {"Idempotency-Key": _key("", body | {"word": word})}
        view: dict[str, Any] = await self.asking.post("/v1/tables", self.token, body, key)
        return view

    async def sit(self, table: str, seat: int | None, invite: str | None) -> dict[str, Any]:
        """Take a seat at a table, any if none is named."""
        named = {"seat": seat, "invite": invite}
        body = {name: value for name, value in named.items() if value is not None}
        key = {"Idempotency-Key": _key(table, body)}
        path = f"{_path(table)}/seats"
        told: dict[str, Any] = await self.asking.post(path, self.token, body, key)
        return told

    async def play(self, table: str, move: dict[str, Any], version: int) -> dict[str, Any]:
        """Send a move that was legal at a version; a repeat of both counts once."""
        told: dict[str, Any] = await self.asking.post(
            f"{_path(table)}/commands",
            self.token,
            move,
            {
                "Idempotency-Key": _key(table, move, version),
                "If-Match": f'"{version}"',
                "Prefer": "return=representation",
            },
        )
        return told

    async def wait(self, table: str, after: int, seconds: int) -> dict[str, Any]:
        """Wait until it is the caller's turn or the table is over, for so many seconds at most.

        Answer what happened after a version, and how the table stands.
        """
        deadline = time.monotonic() + seconds
        notices: list[Any] = []
        while True:
            view = await self.get_view(table)
            chance = _chance(view)
            left = max(0, int(deadline - time.monotonic()))
            done = chance["your_turn"] or view["phase"] == "over" or not left
            if done and after >= view["version"]:
                return chance | {"notices": notices, "result": view["result"]}
            page = await self._page(view, after, 0 if done else min(left, LONGEST_POLL))
            notices += page["items"]
            after = max([after, *(notice["version"] for notice in page["items"])])

    async def _page(self, view: dict[str, Any], after: int, seconds: int) -> Any:
        if seconds:
            stream = view["links"]["stream"]
            return await self.asking.get(stream, self.token, after=after, wait=seconds)
        return await self.asking.get(f"{_path(view['id'])}/events", self.token, after=after)


def _path(table: str) -> str:
    return f"/v1/tables/{table}"


def _chance(view: dict[str, Any]) -> dict[str, Any]:
    return {
        "version": view["version"],
        "phase": view["phase"],
        "your_turn": view["viewer"]["seat"] in view["to_move"],
        "to_move": view["to_move"],
        "moves": view["moves"],
    }


def _key(table: str, body: dict[str, Any], version: int | None = None) -> str:
    wish = json.dumps([table, version, body], sort_keys=True)
    return f"tool-{hashlib.sha256(wish.encode()).hexdigest()[:40]}"
