"""Streams in this process: heartbeats, slow readers, races and the end, at every turn."""

import asyncio
from collections.abc import Callable, Coroutine
from functools import partial
from typing import Any

import pytest

from events.servers.embedded import Embedded
from service.live import connection, my_stream, table_stream
from service.live.topics import Topics
from service.streams import LINES, SSE
from tests.service.asking import Api, Guest, Sat
from tests.service.live.reading import Room, room
from tests.workers.sittings import catch_up, following

ALIVE = {SSE: b":\n\n", LINES: b"\n"}


def told(data: bytes) -> list[int]:
    """Answer the versions of what came as server-sent events."""
    return [int(line[4:]) for line in data.splitlines() if line.startswith(b"id: ")]


def reaches(version: int, data: bytes) -> bool:
    """Answer whether a version was the last that was told."""
    return told(data)[-1:] == [version]


def running(api: Api, store: Embedded, work: Callable[[Room], Coroutine[Any, Any, None]]) -> None:
    """Do work beside the live application."""

    async def all_of_it() -> None:
        async with room(api, store) as here:
            await work(here)

    asyncio.run(all_of_it())


@pytest.fixture
def duel(valkey_api: Api) -> Sat:
    """Seat two guests at a table that has started."""
    return valkey_api.table(valkey_api.guest(), valkey_api.guest())


def follow(api: Api) -> None:
    """Bring the lists up to the tables."""
    follower = following(api.parts.door.store)
    catch_up(follower)
    follower.end()


@pytest.mark.parametrize("accept", [SSE, LINES])
@pytest.mark.parametrize("mine", [False, True], ids=["table", "mine"])
def test_silence_is_broken_by_heartbeats(
    valkey_api: Api,
    embedded: Embedded,
    duel: Sat,
    monkeypatch: pytest.MonkeyPatch,
    accept: str,
    mine: bool,
) -> None:
    for place in (my_stream, table_stream):
        monkeypatch.setattr(place, "HEARTBEAT", 0.02)
    path = "/v1/me/events" if mine else f"{duel.path}/events?after=100000"

    async def work(here: Room) -> None:
        reader = await here.read(path, duel.guests[0].token, accept)
        await reader.hears(lambda data: data.endswith(ALIVE[accept] * 4))
        assert reader.status == 200

    running(valkey_api, embedded, work)


def test_a_heartbeat_comes_within_15_seconds_of_silence() -> None:
    assert connection.HEARTBEAT == 15


def test_who_does_not_read_is_kept_one_write_and_holds_up_nobody(
    valkey_api: Api, embedded: Embedded, duel: Sat
) -> None:
    async def work(here: Room) -> None:
        path = f"{duel.path}/events"
        slow = await here.read(path, accept=SSE)
        await slow.hears(lambda data: len(told(data)) > 4)
        slow.reads.clear()
        quick = await here.read(path, duel.guests[0].token, SSE)
        kept = []
        version = 0
        for _ in range(30):
            version = (await asyncio.to_thread(duel.step)).json["version"]
            await quick.hears(partial(reaches, version))
            kept.append(len(slow.data))
        assert len({*kept[1:]}) == 1, "more was written to who does not read"
        slow.reads.set()
        await slow.hears(partial(reaches, version))
        assert told(slow.data) == told(quick.data) == list(range(1, version + 1))

    running(valkey_api, embedded, work)


def test_asked_to_stop_every_stream_closes_without_an_end(
    valkey_api: Api, embedded: Embedded, duel: Sat
) -> None:
    async def work(here: Room) -> None:
        token = duel.guests[0].token
        readers = [
            await here.read(f"{duel.path}/events", accept=SSE),
            await here.read(f"{duel.path}/events", token, LINES),
            await here.read("/v1/me/events", token, SSE),
        ]
        polling = await here.read(f"{duel.path}/events?after=10000&wait=30", token)
        for each in readers:
            await each.hears(len)
        while len(here.live._open) < 4:
            await asyncio.sleep(0)
        here.live.stop()
        for each in (*readers, polling):
            await each.ends()
            assert each.status == 200
            assert b"event: end" not in each.data
            assert b'"type":"end"' not in each.data
        late = await here.read(f"{duel.path}/events", accept=SSE)
        await late.ends()
        assert late.status == 429

    running(valkey_api, embedded, work)


def test_the_end_is_told_once_the_last_notice_is(
    valkey_api: Api, embedded: Embedded, duel: Sat
) -> None:
    async def work(here: Room) -> None:
        sse = await here.read(f"{duel.path}/events", accept=SSE)
        lines = await here.read(f"{duel.path}/events", accept=LINES)
        await sse.hears(told)
        await asyncio.to_thread(duel.play_out)
        last = valkey_api.parts.door.load(duel.id).version
        await sse.ends()
        await lines.ends()
        assert sse.data.endswith(b'\n\nevent: end\ndata: {"version":%d}\n\n' % last)
        assert lines.data.endswith(b'\n{"type":"end","version":%d}\n' % last)
        late = await here.read(f"{duel.path}/events?after={last}", accept=SSE)
        await late.ends()
        assert late.data == b'retry: 1000\n\nevent: end\ndata: {"version":%d}\n\n' % last

    running(valkey_api, embedded, work)


def test_who_sits_down_between_the_look_and_the_read_is_told_its_hand(
    valkey_api: Api, embedded: Embedded, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The read then goes further than the look did, to events that the reader's seat may read."""
    ana, ben = valkey_api.guest(), valkey_api.guest()
    table = valkey_api.table(ana, seats=2)
    sat: list[bool] = []
    plain = Topics.read

    async def read(self: Topics, *asked: Any) -> Any:
        if not sat:
            sat.append(True)
            await asyncio.to_thread(sit, valkey_api, table, ben)
        return await plain(self, *asked)

    # No nudge, and no look from time to time, comes before the read.
    monkeypatch.setattr(Topics, "_heard", lambda *_: None)
    monkeypatch.setattr(Topics, "read", read)
    monkeypatch.setattr("service.live.topics.SWEEP", 0.5)

    async def work(here: Room) -> None:
        reader = await here.read(f"{table.path}/events", ben.token, SSE)
        await reader.hears(lambda data: b"HandDealt" in data)
        version = valkey_api.parts.door.load(table.id).version
        await reader.hears(partial(reaches, version))
        assert told(reader.data) == list(range(1, version + 1))
        assert reader.data.count(b'"salt"') == 1, "the hand comes with its salt"

    running(valkey_api, embedded, work)


def sit(api: Api, table: Sat, guest: Guest) -> None:
    """Let a guest sit down."""
    assert api.post(f"{table.path}/seats", guest.token, {}, key="sit").status == 201


def test_a_change_of_my_tables_whose_nudge_was_lost_comes_with_a_heartbeat(
    valkey_api: Api, embedded: Embedded, monkeypatch: pytest.MonkeyPatch
) -> None:
    ana = valkey_api.guest()
    monkeypatch.setattr(Topics, "_heard", lambda *_: None)
    monkeypatch.setattr(my_stream, "HEARTBEAT", 0.05)

    async def work(here: Room) -> None:
        reader = await here.read("/v1/me/events", ana.token, LINES)
        await reader.hears(lambda data: data.endswith(b"\n\n"))
        table = await asyncio.to_thread(valkey_api.table, ana, seats=2)
        await asyncio.to_thread(follow, valkey_api)
        await reader.hears(lambda data: table.id.encode() in data)

    running(valkey_api, embedded, work)


@pytest.mark.parametrize("after", ["999999999999999", "999999999999998.999999999999999"])
def test_a_place_that_a_list_never_got_to_begins_anew(
    valkey_api: Api, embedded: Embedded, duel: Sat, after: str
) -> None:
    follow(valkey_api)

    async def work(here: Room) -> None:
        reader = await here.read(f"/v1/me/events?after={after}", duel.guests[0].token)
        await reader.ends()
        assert duel.id.encode() in reader.data

    running(valkey_api, embedded, work)


@pytest.mark.parametrize("after", ["", "x", "-1", "1.", "1.2.3", "1" * 16])
def test_a_place_that_is_none_is_refused(
    valkey_api: Api, embedded: Embedded, duel: Sat, after: str
) -> None:
    async def work(here: Room) -> None:
        reader = await here.read(f"/v1/me/events?after={after}", duel.guests[0].token, SSE)
        await reader.ends()
        assert reader.status == 422
        again = await here.read("/v1/me/events", duel.guests[0].token, SSE)
        again.gone.set()

    running(valkey_api, embedded, work)


def test_readers_that_go_leave_nothing_behind(
    valkey_api: Api, embedded: Embedded, duel: Sat
) -> None:
    async def work(here: Room) -> None:
        topics = here.live._topics
        for _ in range(3):
            readers = [
                await here.read(path, duel.guests[0].token, SSE)
                for path in (f"{duel.path}/events", f"{duel.path}/events?after=3", "/v1/me/events")
            ]
            for each in readers:
                await each.hears(len)
                each.gone.set()
                await each.ends()
        assert here.live._open == set()
        assert not topics._topics
        assert not topics._ears
        assert not topics.nudges._channels

    running(valkey_api, embedded, work)
