"""Streams and long polls of one world, within this process: what each is told until it is cut."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import pytest

from domain.wire import plain_command
from service.live.application import Live
from service.streams import LINES, SSE
from tests.noninterference.channels import Watched, followed
from tests.noninterference.fate import Fate
from tests.noninterference.positions import Step
from tests.noninterference.worlds import Reader
from tests.service.asking import Api

PATIENCE: Final = 60.0
"""Seconds until a stream must have told what happened."""


class Unheard:
    """Nudges that come when the test says so."""

    def __init__(self, url: str, heard: Any, lost: Any) -> None:
        self.lost = lost

    async def hear(self, channel: str) -> None:
        """Take any channel."""

    async def ignore(self, channel: str) -> None:
        """Let go of it."""

    async def run(self) -> None:
        """Listen to nothing."""
        await asyncio.Event().wait()

    async def close(self) -> None:
        """Have nothing to close."""


def silence(patch: pytest.MonkeyPatch) -> None:
    """Let live updates hear of nothing by themselves, nor say anything because time went by."""
    patch.setattr("service.live.topics.Nudges", Unheard)
    for room in ("table_stream", "my_stream"):
        patch.setattr(f"service.live.{room}.HEARTBEAT", 3600.0)


@dataclass(eq=False)
class Stream:
    """One answer of the live application."""

    name: str
    reader: Reader
    path: str
    query: str
    headers: dict[str, str]
    told: list[bytes] = field(default_factory=list)
    start: list[Any] = field(default_factory=list)
    gone: asyncio.Event = field(default_factory=asyncio.Event)

    async def open(self, live: Live) -> None:
        """Read until the reader is gone."""
        scope = {
            "type": "http",
            "method": "GET",
            "path": self.path,
            "query_string": self.query.encode(),
            "scheme": "http",
            "client": ("127.0.0.1", 1),
            "headers": [(n.lower().encode(), v.encode()) for n, v in self.headers.items()],
        }
        await live(scope, self._receive, self._send)

    async def _receive(self) -> dict[str, Any]:
        await self.gone.wait()
        return {"type": "http.disconnect"}

    async def _send(self, message: dict[str, Any]) -> None:
        if message["type"] == "http.response.start":
            self.start.append((message["status"], message["headers"]))
        else:
            self.told.append(message["body"])

    async def reach(self, word: bytes) -> None:
        """Wait until something was told."""
        async with asyncio.timeout(PATIENCE):
            while word not in b"".join(self.told):
                await asyncio.sleep(0.002)


def streams_of(watched: Watched, version: int) -> list[Stream]:
    """Answer a stream of every form for everybody who may read the table, from some version on."""
    made = []
    # Others listen first, so that what they are told could be handed on.
    for reader in [*watched.others, *watched.readers]:
        bearer = {"Authorization": f"Bearer {reader.token}"} if reader.token else {}
        events = f"{watched.path}/events"
        for form, language in ((SSE, "en"), (LINES, "fr")):
            given = bearer | {"Accept": form, "Accept-Language": language}
            made.append(Stream(f"{form} {reader.name}", reader, events, "", dict(given)))
        poll = f"after={version}&wait=30"
        made.append(Stream(f"long poll {reader.name}", reader, events, poll, dict(bearer)))
        if reader.token:
            given = bearer | {"Accept": SSE}
            made.append(Stream(f"mine {reader.name}", reader, "/v1/me/events", "", given))
        refused = f"as={(watched.pair.seats - 1)}&wait=1"
        made.append(
            Stream(f"refused {reader.name}", reader, events, refused, bearer | {"Accept": SSE})
        )
    for number, each in enumerate(made):
        # Requests are numbered by whoever comes first, unless they bring a number.
        each.headers["traceparent"] = f"00-{number + 1:032x}-{1:016x}-00"
    return made


def listen(
    api: Api, fate: Fate, watched: Watched, steps: Sequence[Step], side: int
) -> list[tuple[str, Any, bytes]]:
    """Stream a table while it is driven; answer what each stream was told."""
    return asyncio.run(_listen(api, fate, watched, steps, side))


async def _listen(
    api: Api, fate: Fate, watched: Watched, steps: Sequence[Step], side: int
) -> list[tuple[str, Any, bytes]]:
    live = Live(api.parts, "redis://127.0.0.1:1/0")
    nudges: Any = live._topics.nudges
    door = api.parts.door
    streams = streams_of(watched, door.load(watched.table).version)
    tasks = [asyncio.create_task(each.open(live)) for each in streams]
    follow = [each for each in streams if each.name.startswith((SSE, LINES))]
    for each in follow:
        await each.reach(_version(door.load(watched.table).version))
    for number, step in enumerate(steps):
        fate.chances = step.went.chances
        sender = watched.worlds.players[step.seat]
        _post(api, watched.path, sender, (step.left, step.right)[side], f"live-{number}")
        nudges.lost()
        for each in follow:
            await each.reach(_version(door.load(watched.table).version))
    followed(api)
    nudges.lost()
    for each in streams:
        if each.name == f"mine {watched.own.name if watched.own else ''}":
            await each.reach(_version(door.load(watched.table).version))
    for each in streams:
        each.gone.set()
    await asyncio.gather(*tasks)
    live.stop()
    await live.close()
    compared = (each for each in streams if each.reader not in watched.others)
    return [(each.name, each.start, b"".join(each.told)) for each in compared]


def _version(number: int) -> bytes:
    return b'"version":%d,' % number


def _post(api: Api, path: str, sender: Reader, command: Any, key: str) -> None:
    given = {
        "Authorization": f"Bearer {sender.token}",
        "Idempotency-Key": key,
        "traceparent": f"00-{1:032x}-{1:016x}-00",
    }
    body = plain_command(command)
    answer = api.app.test_client().post(f"{path}/commands", json=body, headers=given)
    assert answer.status_code == 201, answer.data
