"""What every answer of the live process says of itself, as every answer of the API does."""

import asyncio
from typing import Any

import pytest

from events.servers.embedded import Embedded
from service.headers import PARAMETERS
from service.http import EVERYWHERE
from service.live.application import Live
from tests.service.asking import Api, Sat
from tests.service.live.reading import room

TRACE = str(PARAMETERS["traceparent"]["schema"]["examples"][0])


async def answered(live: Live, method: str, path: str, **headers: str) -> dict[str, Any]:
    """Ask and hang up; answer the status and the headers by their names in lower case."""
    begun = asyncio.Event()
    told: dict[str, Any] = {}

    async def receive() -> dict[str, Any]:
        await begun.wait()
        return {"type": "http.disconnect"}

    async def send(message: dict[str, Any]) -> None:
        if message["type"] == "http.response.start":
            told.update({name.decode(): value.decode() for name, value in message["headers"]})
            told["status"] = message["status"]
            begun.set()

    path, _, query = path.partition("?")
    scope = {
        "type": "http", "method": method, "path": path, "query_string": query.encode(),
        "scheme": "http", "client": ("192.0.2.1", 1),
        "headers": [(n.lower().encode(), v.encode()) for n, v in headers.items()],
    }  # fmt: skip
    await live(scope, receive, send)
    return told


@pytest.mark.parametrize(
    ("method", "path", "headers", "status"),
    [
        ("GET", "{table}/events", {"Accept": "text/event-stream"}, 200),
        ("GET", "{table}/events", {"Accept": "application/x-ndjson"}, 200),
        ("GET", "{table}/events?wait=0", {}, 200),
        ("GET", "/livez", {}, 200),
        ("OPTIONS", "{table}/events", {}, 204),
        ("GET", "/v1/me/events", {"Authorization": "Bearer abx_wrong"}, 401),
        ("GET", "/v1/me/events", {}, 401),
        ("GET", "/v1/tables", {}, 404),
        ("GET", "/v1/tables/none/events", {}, 404),
        ("POST", "{table}/events", {}, 405),
        ("GET", "{table}/events?limit=0", {}, 422),
    ],
)
def test_every_answer_says_who_it_answers_and_what_is_left(
    valkey_api: Api,
    embedded: Embedded,
    method: str,
    path: str,
    headers: dict[str, str],
    status: int,
) -> None:
    table: Sat = valkey_api.table(valkey_api.guest(), valkey_api.guest())

    async def ask() -> dict[str, Any]:
        async with room(valkey_api, embedded) as here:
            where = path.format(table=table.path)
            return await answered(here.live, method, where, **headers, traceparent=TRACE)

    told = asyncio.run(ask())
    assert told["status"] == status
    assert told["x-request-id"] == TRACE.split("-")[1]
    assert told["ratelimit"].startswith('"streams";r=')
    assert told["ratelimit-policy"].startswith('"streams";q=')
    assert {name.lower(): told[name.lower()] for name, _ in EVERYWHERE} == {
        name.lower(): value for name, value in EVERYWHERE
    }
    assert (status == 405) == ("allow" in told)
    assert (status == 401) == ("www-authenticate" in told)
