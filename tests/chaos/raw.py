"""An app on plain HTTP, without any library of ours: it tries again whatever broke."""

import json
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPException, HTTPResponse, IncompleteRead
from typing import Any, Final, TypeAlias
from urllib.parse import urlsplit

import msgspec

SSE: Final = "text/event-stream"
LINES: Final = "application/x-ndjson"
BROKEN: Final = (OSError, HTTPException)
LATER: Final = (429, 502, 503, 504)

Told: TypeAlias = tuple[int, bytes]
"""A notice's version, and its bytes as they came."""


class Page(msgspec.Struct):
    """A page of notices, each as it came."""

    items: list[msgspec.Raw]
    version: int


class Versioned(msgspec.Struct):
    """What says its version."""

    version: int


def version_of(notice: bytes) -> int:
    """Answer the version that a notice says itself."""
    return msgspec.json.decode(notice, type=Versioned).version


@dataclass(frozen=True, slots=True)
class Reply:
    """What was answered, as it came."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        """Answer the body, read."""
        return json.loads(self.body)


@dataclass
class Raw:
    """A client of one player, or of nobody, that reaches a server at two ports.

    ``host`` is the name it calls the API by, so that links come out alike on every way.
    """

    api: int
    live: int
    host: str
    token: str | None = None
    timeout: float = 0.3
    patience: float = 60.0
    tries: int = 0
    replayed: int = 0
    _kept: HTTPConnection | None = field(default=None, repr=False)

    def ask(self, method: str, path: str, body: Any = None, **headers: str) -> Reply:
        """Ask until there is an answer, each time with the same words."""
        deadline = time.monotonic() + self.patience
        failures = 0
        while True:
            try:
                reply = self.once(method, path, body, failures, **headers)
                if reply.status not in LATER:
                    self.replayed += "idempotent-replayed" in reply.headers
                    return reply
            except BROKEN:
                self.close()
            assert time.monotonic() < deadline, f"{method} {path}: no answer"
            failures += 1
            self.rest(failures)

    def get(self, path: str, **headers: str) -> Reply:
        """Ask for what must be there."""
        reply = self.ask("GET", path, **headers)
        assert reply.status == 200, reply
        return reply

    def close(self) -> None:
        """Let go of the connection."""
        if self._kept:
            self._kept.close()
        self._kept = None

    def rest(self, failures: int) -> None:
        """Wait a little, and longer after more failures."""
        self.tries += 1
        time.sleep(min(0.5, 0.01 * 2**failures))

    def once(
        self, method: str, path: str, body: Any = None, failures: int = 0, **headers: str
    ) -> Reply:
        """Ask once; raise what broke."""
        if self._kept is None:
            # A slow server must not be taken for a silent one again and again.
            self._kept = HTTPConnection(
                "127.0.0.1", self.api, timeout=self.timeout * (1 + failures)
            )
        sent = None if body is None else json.dumps(body)
        self._kept.request(method, path, sent, self.headers(self.host, headers))
        return _read(self._kept.getresponse())

    def headers(self, host: str, more: dict[str, str]) -> dict[str, str]:
        """Answer the headers of a request."""
        headers = {"Host": host, "Content-Type": "application/json"}
        if self.token:
            headers["Authorization"] = f"Bearer {self.token}"
        return headers | {name.replace("_", "-"): text for name, text in more.items()}

    # Following

    def streamed(self, link: str, after: int, form: str) -> Iterator[Told]:
        """Tell the notices of a table until it is over, in server-sent events or lines.

        It trusts the server: whatever comes is told, be it twice.
        """
        place, failures, over = urlsplit(link), 0, False
        deadline = time.monotonic() + 3 * self.patience
        while not over:
            assert time.monotonic() < deadline, f"{link}: not over"
            headers = {"Accept": form, "Connection": "close"}
            query = f"?after={after}"
            if form == SSE and after % 2:
                # What a browser does: its header counts, however old its address is.
                headers["Last-Event-ID"], query = str(after), "?after=0"
            wire = HTTPConnection("127.0.0.1", self.live, timeout=20)
            try:
                wire.request("GET", place.path + query, headers=self.headers(place.netloc, headers))
                answer = wire.getresponse()
                assert answer.status in (200, *LATER), answer.read()
                for notice in frames(answer, form) if answer.status == 200 else ():
                    if notice is None:
                        over = True
                        break
                    after, failures = version_of(notice), 0
                    yield after, notice
            except BROKEN:
                pass
            finally:
                wire.close()
            failures += 1
            self.rest(failures)

    def polled(self, link: str, view: str, after: int, wait: int | None) -> Iterator[Told]:
        """Tell the notices of a table until it is over, page by page, perhaps with a wait."""
        asker = self if wait is None else Raw(self.live, self.live, self.host, self.token, wait + 9)
        path = urlsplit(link).path
        deadline = time.monotonic() + 3 * self.patience
        while True:
            assert time.monotonic() < deadline, f"{link}: not over"
            waited = "" if wait is None else f"&wait={wait}"
            reply = asker.get(f"{path}?after={after}&limit=100{waited}")
            page = msgspec.json.decode(reply.body, type=Page)
            for item in page.items:
                after = version_of(bytes(item))
                yield after, bytes(item)
            if not page.items:
                seen = self.get(view).json
                if seen["phase"] == "over" and seen["version"] <= after:
                    if asker is not self:
                        self.tries += asker.tries
                        asker.close()
                    return
                if wait is None:
                    time.sleep(0.1)


def _read(answer: HTTPResponse) -> Reply:
    body = answer.read()
    headers = {name.lower(): text for name, text in answer.getheaders()}
    # The standard library takes a head that was cut off for a whole one.
    whole = headers.get("transfer-encoding") == "chunked" or answer.status in (204, 304)
    if not whole and headers.get("content-length") != str(len(body)):
        raise IncompleteRead(body)
    return Reply(answer.status, headers, body)


def frames(answer: HTTPResponse, form: str) -> Iterator[bytes | None]:
    """Answer the data of each event or line that came complete; None is the end."""
    rest, mark = b"", b"\n\n" if form == SSE else b"\n"
    while data := answer.read1(65536):
        *whole, rest = (rest + data).split(mark)
        for each in filter(None, whole):
            if form == LINES:
                yield None if each.startswith(b'{"type":"end"') else each
            elif each.startswith(b"event: end"):
                yield None
            elif b"data: " in each:
                yield each.partition(b"data: ")[2]
