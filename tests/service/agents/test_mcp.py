"""The tools over both transports, with the SDK's own client, against a real server."""

import asyncio
import json
import re
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import httpx2
import pytest
from mcp import Client
from mcp.client.stdio import StdioServerParameters
from mcp.client.streamable_http import streamable_http_client

from tests.e2e.playing import asking
from tests.e2e.server import ABRAXAS, PATIENCE, environment, serving

pytestmark = pytest.mark.e2e

TOOLS = {
    "open_table", "sit", "list_my_turns", "get_view", "get_rules", "legal_moves", "play", "wait",
}  # fmt: skip
READY = re.compile(r"on (http://127\.0\.0\.1:\d+/mcp)\.")


@dataclass(frozen=True, slots=True)
class Places:
    """Where a server and its tools over HTTP are."""

    api: str
    tools: str


@pytest.fixture(scope="module")
def places(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Places]:
    with serving(tmp_path_factory.mktemp("data")) as server:
        command = [*ABRAXAS, "mcp", "--http", "--port", "0", "--url", server.url]
        with subprocess.Popen(
            command, env=environment(), stdout=subprocess.PIPE, text=True
        ) as tools:
            try:
                assert tools.stdout
                ready = READY.search(tools.stdout.readline())
                assert ready
                yield Places(server.url, ready[1])
            finally:
                tools.terminate()
                assert tools.wait(timeout=PATIENCE) == 0


def guest(places: Places) -> str:
    with asking(places.api) as http:
        return str(http.post("/v1/players", json={}).raise_for_status().json()["token"])


def opened(places: Places, *tokens: str, **more: Any) -> str:
    table = ""
    for key, token in enumerate(tokens):
        headers = {"Authorization": f"Bearer {token}", "Idempotency-Key": f"key-{key}"}
        path, body = f"/v1/tables/{table}/seats", {}
        if not table:
            path, body = "/v1/tables", {"game": "potage_sauvage", "seats": 2, **more}
        with asking(places.api) as http:
            answer = http.post(path, json=body, headers=headers)
        table = table or answer.raise_for_status().json()["id"]
    return table


def seen(places: Places, table: str, token: str | None) -> Any:
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    with asking(places.api) as http:
        return http.get(f"/v1/tables/{table}", headers=headers).json()


@asynccontextmanager
async def over_http(places: Places, token: str | None) -> AsyncIterator[Client]:
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    async with httpx2.AsyncClient(headers=headers, timeout=PATIENCE) as http:
        transport = streamable_http_client(places.tools, http_client=http)
        async with Client(transport) as client:
            yield client


@asynccontextmanager
async def over_a_pipe(places: Places, token: str | None) -> AsyncIterator[Client]:
    given = environment() | ({"MCP_TOKEN": token} if token else {})
    words = [*ABRAXAS[1:], "mcp", "--url", places.api]
    async with Client(
        StdioServerParameters(command=sys.executable, args=words, env=given)
    ) as client:
        yield client


BOTH = pytest.mark.parametrize("connect", [over_http, over_a_pipe])


async def call(client: Client, tool: str, **given: Any) -> Any:
    answer = await client.call_tool(tool, given)
    assert not answer.is_error, answer.content
    assert answer.structured_content is not None
    return answer.structured_content


async def refused(client: Client, tool: str, **given: Any) -> str:
    answer = await client.call_tool(tool, given)
    assert answer.is_error
    return json.dumps([each.model_dump(mode="json") for each in answer.content])


@BOTH
def test_a_game_is_played_to_its_end_with_the_tools_alone(places: Places, connect: Any) -> None:
    token = guest(places)
    table = opened(places, token, bots={"1": "random"})

    async def play() -> Any:
        async with connect(places, token) as client:
            assert {tool.name for tool in (await client.list_tools()).tools} == TOOLS
            stand = await call(client, "wait", table=table, after=0)
            heard = [notice["version"] for notice in stand["notices"]]
            while stand["phase"] != "over":
                if stand["your_turn"]:
                    move, version = stand["moves"][0], stand["version"]
                    await call(client, "play", table=table, move=move, version=version)
                stand = await call(client, "wait", table=table, after=stand["version"])
                heard += [notice["version"] for notice in stand["notices"]]
            assert heard == list(range(1, stand["version"] + 1))
            return stand

    stand = asyncio.run(play())
    assert stand["result"] == seen(places, table, token)["result"]


@BOTH
def test_the_tools_tell_what_the_api_tells_the_same_token(places: Places, connect: Any) -> None:
    ana, ben = guest(places), guest(places)
    table = opened(places, ana, ben)

    async def look() -> None:
        async with connect(places, ana) as client:
            view = await call(client, "get_view", table=table)
            assert view == seen(places, table, ana)
            legal = await call(client, "legal_moves", table=table)
            assert (legal["moves"], legal["version"]) == (view["moves"], view["version"])
            assert "not-your-seat" in await refused(client, "get_view", table=table, seen_as="1")
            told = await call(client, "get_rules", game=view["game"])
            assert told["rules"].startswith("# Potage Sauvage")
            assert "unknown-game" in await refused(client, "get_rules", game="chess")
        async with connect(places, None) as client:
            view = await call(client, "get_view", table=table)
            assert view == seen(places, table, None)
            assert view["play"]["hand"] is None
            assert "bad-token" in await refused(client, "list_my_turns")

    asyncio.run(look())


def test_each_request_over_http_speaks_for_its_own_token(places: Places) -> None:
    ana, ben = guest(places), guest(places)
    table = opened(places, ana, ben)

    async def look() -> None:
        async with over_http(places, ana) as first, over_http(places, ben) as second:
            told = await asyncio.gather(
                *(call(client, "get_view", table=table) for client in (first, second) * 4)
            )
        assert [view["viewer"]["seat"] for view in told] == [0, 1] * 4

    asyncio.run(look())


def test_a_repeated_call_plays_once_and_a_stale_one_not_at_all(places: Places) -> None:
    ana, ben = guest(places), guest(places)
    table = opened(places, ana, ben)

    async def play() -> None:
        async with over_http(places, ana) as client:
            legal = await call(client, "legal_moves", table=table)
            wish = {"table": table, "move": legal["moves"][0], "version": legal["version"]}
            first = await call(client, "play", **wish)
            assert await call(client, "play", **wish) == first
            assert first["version"] == seen(places, table, ana)["version"]
            stale = wish | {"move": legal["moves"][1]}
            said = await refused(client, "play", **stale)
            assert "stale-version" in said
            assert f"at version {first['version']}" in said

    asyncio.run(play())


def test_what_is_no_id_of_a_table_reaches_no_other_path(places: Places) -> None:
    async def look() -> None:
        async with over_http(places, guest(places)) as client:
            for table in ("../me", "x/events", "x?as=1", ""):
                await refused(client, "get_view", table=table)
            assert "unknown-table" in await refused(client, "get_view", table="nobody")

    asyncio.run(look())


def test_my_turns_are_listed_and_a_wait_ends_in_time(places: Places) -> None:
    ana, ben = guest(places), guest(places)
    table = opened(places, ana, ben)

    async def look() -> None:
        async with over_http(places, ana) as client:
            turns = await call(client, "list_my_turns")
            while not turns["tables"]:
                turns = await call(client, "list_my_turns")
            assert [item["id"] for item in turns["tables"]] == [table]
            legal = await call(client, "legal_moves", table=table)
            await call(
                client, "play", table=table, move=legal["moves"][0], version=legal["version"]
            )
            stand = await call(client, "wait", table=table, after=legal["version"] + 1, seconds=1)
            assert (stand["your_turn"], stand["notices"]) == (False, [])

    asyncio.run(look())


def test_a_table_is_opened_and_taken_with_the_tools_and_the_rights_of_the_token(
    places: Places,
) -> None:
    ana, ben = guest(places), guest(places)
    wish = {"game": "potage_sauvage", "seats": 2, "visibility": "private"}

    async def meet() -> None:
        async with over_http(places, ana) as first, over_http(places, ben) as second:
            view = await call(first, "open_table", **wish)
            table, invite = view["id"], view["invite"]
            assert (view["viewer"], view["phase"]) == ({"seat": 0}, "open")
            assert (await call(first, "open_table", **wish))["id"] == table
            assert (await call(first, "open_table", **wish, word="second"))["id"] != table
            assert "unknown-table" in await refused(second, "sit", table=table)
            assert "already-seated" in await refused(first, "sit", table=table, seat=1)
            taken = await call(second, "sit", table=table, invite=invite)
            assert taken["seat"] == 1
            assert await call(second, "sit", table=table, invite=invite) == taken
            assert seen(places, table, ben)["phase"] == "playing"
            full = await call(first, "open_table", **wish | {"bots": {"1": "greedy"}})
            assert full["phase"] == "playing"
            bad = await refused(first, "open_table", **wish, bots={"1": "wise"})
            assert "/bots/1: not-one-of (greedy, random)" in bad
        async with over_http(places, None) as nobody:
            assert "bad-token" in await refused(nobody, "open_table", **wish)

    asyncio.run(meet())
