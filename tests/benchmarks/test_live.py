"""What streams cost: from append to client, memory of each, and the moves beside them."""

import asyncio
import json
import re
import resource
import statistics
import time
from pathlib import Path
from uuid import uuid4

import httpx
import pytest

from tests.e2e.server import Server, serving

pytestmark = pytest.mark.bench
MOVES = 150


def quantiles(seconds: list[float]) -> str:
    cuts = statistics.quantiles(seconds, n=100)
    return f"p50 {cuts[49] * 1000:.1f} ms, p99 {cuts[98] * 1000:.1f} ms"


def resident(pid: int) -> int:
    found = re.search(r"VmRSS:\s+(\d+)", Path(f"/proc/{pid}/status").read_text())
    assert found
    return int(found[1]) * 1024


def descriptors(pid: int) -> int:
    return len(list(Path(f"/proc/{pid}/fd").iterdir()))


async def listen(link: str, told: dict[int, list[float]] | None) -> None:
    """Hold a stream open; note when each version came."""
    host, port, path = re.match(r"http://([^:]+):(\d+)(.*)", link).groups()  # type: ignore[union-attr]
    reader, writer = await asyncio.open_connection(host, int(port))
    request = f"GET {path}?after=4 HTTP/1.1\r\nHost: {host}\r\nAccept: text/event-stream\r\n\r\n"
    writer.write(request.encode())
    try:
        while line := await reader.readline():
            if told is not None and line.startswith(b"id: "):
                told.setdefault(int(line[4:]), []).append(time.time())
    finally:
        writer.close()


async def measure(server: Server, streams: int) -> None:
    live = server.pid("live")
    async with httpx.AsyncClient(base_url=server.url, timeout=60) as http:
        token = (await http.post("/v1/players", json={})).json()["token"]
        headers = {"Authorization": f"Bearer {token}"}

        async def open_table() -> str:
            body = {"game": "magic_cooking", "seats": 2, "bots": {"1": "random"}}
            key = {"Idempotency-Key": uuid4().hex}
            opened = await http.post("/v1/tables", json=body, headers=headers | key)
            return str(opened.json()["id"])

        async def move(table: str) -> tuple[float, float, int]:
            view = (await http.get(f"/v1/tables/{table}", headers=headers)).json()
            if not view["moves"]:
                return 0.0, 0.0, 0
            begun = time.time()
            key = {"Idempotency-Key": uuid4().hex}
            path = f"/v1/tables/{table}/commands"
            answer = await http.post(path, json=view["moves"][0], headers=headers | key)
            done = time.time()
            return begun, done, answer.json().get("version", 0)

        async def play() -> list[tuple[str, float, float, int]]:
            moves: list[tuple[str, float, float, int]] = []
            while len(moves) < MOVES:
                table = tables[len(moves) % len(tables)]
                begun, done, version = await move(table)
                if version:
                    moves.append((table, begun, done, version))
                await asyncio.sleep(0.02)
            return moves

        tables = [await open_table() for _ in range(20)]
        alone = [done - begun for _, begun, done, _ in await play()]
        memory, files = resident(live), descriptors(live)
        told: dict[str, dict[int, list[float]]] = {table: {} for table in tables}
        root = (await http.get(f"/v1/tables/{tables[0]}")).json()["links"]["stream"]
        root = root.partition("/v1/")[0]
        listening = []
        for at in range(streams):
            table = tables[at % len(tables)]
            link = f"{root}/v1/tables/{table}/events"
            listening.append(asyncio.create_task(listen(link, told[table])))
            if at % 50 == 49:
                await asyncio.sleep(0.05)
        while (await http.get(f"{root}/livez")).json()["streams"] < streams:
            await asyncio.sleep(0.1)
        await asyncio.sleep(2)
        grown = resident(live) - memory
        moves = await play()
        await asyncio.sleep(1)
    late = [at - done for table, _, done, v in moves for at in told[table].get(v, [])]
    beside = [done - begun for _, begun, done, _ in moves]
    print(f"\n{streams} streams: answered move to client {quantiles(late)} ({len(late)} notices)")
    print(f"  memory {grown / streams / 1024:.1f} KiB a stream, {resident(live) / 2**20:.0f} MiB")
    print(f"  moves alone {quantiles(alone)}; beside the streams {quantiles(beside)}")
    for task in listening:
        task.cancel()
    await asyncio.gather(*listening, return_exceptions=True)
    begun = time.monotonic()
    # Beside the streams the process keeps a few connections to its store.
    while descriptors(live) > files + 8:
        assert time.monotonic() < begun + 30, (descriptors(live), files)
        await asyncio.sleep(0.05)
    took = time.monotonic() - begun
    print(f"  descriptors back after {took:.1f} s: {descriptors(live)}, before {files}")


@pytest.mark.parametrize("streams", [100, 2000])
def test_streams(tmp_path: Path, streams: int) -> None:
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    with serving(tmp_path, ABRAXAS_LIMITS="off") as server:
        asyncio.run(measure(server, streams))
        assert json.loads(httpx.get(f"{server.url}/readyz").text)["status"]
