"""Clients of streams: one that is never interrupted, one whose connection is cut at random."""

import json
import random
import socket
import struct
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

import httpx

from tests.e2e.server import PATIENCE

SSE = "text/event-stream"
LINES = "application/x-ndjson"


def notices(text: str) -> Iterator[tuple[int | None, Any]]:
    """Read complete server-sent events: id and data; whatever was cut off is not there."""
    for block in text.split("\n\n")[:-1]:
        fields = dict(line.split(": ", 1) for line in block.split("\n") if line and line[0] != ":")
        if "data" in fields:
            yield int(fields["id"]) if "id" in fields else None, json.loads(fields["data"])


def follow(link: str, token: str | None, query: str = "", **headers: str) -> list[Any]:
    """Read a stream to its end; answer its notices and the end's data."""
    headers["Accept"] = SSE
    if token is not None:
        headers["Authorization"] = f"Bearer {token}"
    answer = httpx.get(link + query, headers=headers, timeout=PATIENCE)
    assert answer.status_code == 200, answer.text
    return [told for _, told in notices(answer.text)]


@dataclass
class Torn:
    """A client whose connection is cut after a random number of bytes, again and again."""

    link: str
    token: str
    dice: random.Random
    told: list[Any] = field(default_factory=list)
    cuts: int = 0
    over: bool = False

    def run(self, cuts: int) -> None:
        """Read on with so many cuts, then to the end."""
        while not self.over:
            most = self.dice.choice((0, 40, 400, 900, 4000)) if self.cuts < cuts else None
            try:
                self.connect(most)
            except ConnectionError:
                # Nobody is there for a moment; a client does not knock without a pause.
                time.sleep(0.05)

    def connect(self, most: int | None) -> None:
        """Connect once; cut the connection after at most so many bytes, None: never."""
        place = urlsplit(self.link)
        last = self.told[-1]["version"] if self.told else None
        resumed = f"Last-Event-ID: {last}\r\n" if last else ""
        request = (
            f"GET {place.path} HTTP/1.1\r\nHost: {place.netloc}\r\nAccept: {SSE}\r\n"
            f"Authorization: Bearer {self.token}\r\nConnection: close\r\n{resumed}\r\n"
        )
        with socket.create_connection((place.hostname, place.port), timeout=PATIENCE) as to:
            to.sendall(request.encode())
            limit = None if most is None else self.dice.randint(0, most)
            data = b""
            while limit is None or len(data) < limit:
                got = to.recv(65536 if limit is None else limit - len(data))
                if not got:
                    break
                data += got
            # Gone without a farewell: the server gets a reset.
            to.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.cuts += 1
        self.take(data)

    def take(self, data: bytes) -> None:
        """Keep what came complete."""
        _, _, body = data.partition(b"\r\n\r\n")
        for at, told in notices(unchunked(body).decode("utf-8", "ignore")):
            if at is None:
                self.over = True
            else:
                self.told.append(told)


def unchunked(body: bytes) -> bytes:
    """Answer what came of a chunked body."""
    found = b""
    while b"\r\n" in body:
        size, _, body = body.partition(b"\r\n")
        found += body[: int(size, 16)]
        body = body[int(size, 16) + 2 :]
    return found
