"""A load generator that is not the bottleneck: prepared bytes over raw sockets, in one thread.

``python -m tests.benchmarks.load`` shows its own ceiling, against a server that only ever sends
the same bytes.
"""

import os
import select
import socket
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import repeat
from math import inf
from time import perf_counter, process_time

import msgspec


@dataclass(frozen=True, slots=True)
class Load:
    """What came of it: latencies in seconds, in the order of answers, and what sending cost."""

    times: list[float]
    statuses: Counter[bytes]
    bodies: dict[int, bytes]
    """Bodies by the number of the request, if they were to be kept."""
    seconds: float
    cpu: float
    """Seconds of one core that the generator itself took."""

    def figures(self) -> dict[str, float]:
        """Answer rate, latencies in ms, and the generator's share of a core."""
        ordered = sorted(self.times)
        return {
            "rate": len(ordered) / self.seconds,
            "p50": ordered[len(ordered) // 2] * 1000,
            "p99": ordered[int(len(ordered) * 0.99)] * 1000,
            "generator": self.cpu / self.seconds,
        }


@dataclass(slots=True)
class _Client:
    to: socket.socket
    number: int = 0
    began: float = 0.0
    got: bytes = b""


def request(method: str, path: str, body: object = None, token: str = "", **headers: str) -> bytes:
    """Write a request as it goes over the wire."""
    sent = b"" if body is None else msgspec.json.encode(body)
    lines = [f"{method} {path} HTTP/1.1", "Host: 127.0.0.1"]
    if token:
        lines.append(f"Authorization: Bearer {token}")
    if body is not None:
        lines += ["Content-Type: application/json", f"Content-Length: {len(sent)}"]
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    return "\r\n".join([*lines, "", ""]).encode() + sent


def send(
    port: int, clients: int, requests: Iterable[bytes], seconds: float = inf, *, keep: bool = False
) -> Load:
    """Send requests over so many connections, each with one under way, until they are all gone.

    After ``seconds`` no more are begun.
    """
    coming = iter(enumerate(requests))
    times: list[float] = []
    statuses: Counter[bytes] = Counter()
    bodies: dict[int, bytes] = {}
    poll = select.epoll()
    open_ = {}
    cpu, start = process_time(), perf_counter()
    for _ in range(clients):
        client = _Client(_connected(port))
        open_[client.to.fileno()] = client
        poll.register(client.to, select.EPOLLIN)
        _begin(client, coming, open_, start + seconds)
    while open_:
        for number, _ in poll.poll():
            client = open_[number]
            client.got += client.to.recv(65536)
            end = _end_of_answer(client.got)
            if not end:
                continue
            times.append(perf_counter() - client.began)
            statuses[client.got[9:12]] += 1
            if keep:
                bodies[client.number] = client.got[client.got.index(b"\r\n\r\n") + 4 :]
            client.got = b""
            _begin(client, coming, open_, start + seconds)
    poll.close()
    return Load(times, statuses, bodies, perf_counter() - start, process_time() - cpu)


def _connected(port: int) -> socket.socket:
    to = socket.create_connection(("127.0.0.1", port))
    to.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return to


def _begin(
    client: _Client, coming: Iterator[tuple[int, bytes]], open_: dict[int, _Client], until: float
) -> None:
    client.began = perf_counter()
    following = next(coming, None) if client.began < until else None
    if following is None:
        del open_[client.to.fileno()]
        client.to.close()
        return
    client.number, sent = following
    client.to.sendall(sent)


def _end_of_answer(got: bytes) -> bool:
    """Answer whether all of an answer is there."""
    if not got:
        raise ConnectionError("the server has closed the connection")
    head = got.find(b"\r\n\r\n")
    if head < 0:
        return False
    at = got.lower().find(b"\r\ncontent-length:", 0, head)
    length = int(got[at + 17 : got.index(b"\r", at + 17)]) if at >= 0 else 0
    return len(got) >= head + 4 + length


@contextmanager
def parrot(answer: bytes) -> Iterator[int]:
    """Serve in a process of its own: whatever comes, the same bytes go back."""
    listening = socket.create_server(("127.0.0.1", 0), backlog=512)
    child = os.fork()
    if child == 0:
        poll = select.epoll()
        poll.register(listening, select.EPOLLIN)
        open_ = {}
        while True:
            for number, _ in poll.poll():
                if number == listening.fileno():
                    to, _ = listening.accept()
                    open_[to.fileno()] = to
                    poll.register(to, select.EPOLLIN)
                elif open_[number].recv(65536):
                    open_[number].sendall(answer)
                else:
                    open_.pop(number).close()
    try:
        yield listening.getsockname()[1]
    finally:
        os.kill(child, 9)
        os.waitpid(child, 0)
        listening.close()


def ceiling(clients: int, seconds: float) -> dict[str, float]:
    """Answer how much the generator can send at most on this machine."""
    answer = b"HTTP/1.1 200 OK\r\ncontent-length: 2000\r\n\r\n" + b"x" * 2000
    with parrot(answer) as port:
        return send(port, clients, repeat(request("GET", "/")), seconds).figures()


if __name__ == "__main__":
    for clients in (1, 8, 32, 128):
        print(clients, {name: round(value, 3) for name, value in ceiling(clients, 2.0).items()})
