"""The course of a stream: how it is asked for, what came, and how it goes on after a break.

Like ``patience``, it neither sends nor sleeps. It begins with server-sent events. Where these do
not get through, it asks for pages that are waited for, and where the live process cannot be
reached at all, for plain pages of the API; after a minute it tries the better way again, and at
once when not even pages come: then the server was away, and it is no matter of the way.
"""

import json
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final, Generic, Literal, TypeVar, cast

import httpx

from abraxas_client.patience import Pace, backoff, retry_after
from abraxas_client.problems import ProblemError, UnreachableError
from abraxas_client.wire import MyTableNews, Notice, View

SILENCE: Final = 40.0
"""Seconds without a byte after which a connection is dead; heartbeats come every 15."""
WAIT: Final = 25
_BETWEEN_PLAIN_PAGES: Final = 2.0
_FAILURES_TO_STEP_DOWN: Final = 3
_DETOUR: Final = 60.0
_NOBODY_THERE: Final = 5.0
"""Seconds until a live process that did not answer at all is asked again."""

_MINE: Final = "/v1/me/events"
_ELSEWHERE: Final = 307

Form = Literal["stream", "wait", "page"]
Told = TypeVar("Told")
Place = TypeVar("Place", bound=int | str | None)


class Events:
    """Reads server-sent events out of bytes; what was cut off in the middle is never told."""

    def __init__(self) -> None:
        self._rest = b""
        self.id: str | None = None
        """That of the last event, if it had none of its own, of the one before."""

    def feed(self, data: bytes) -> Iterator[tuple[str, str]]:
        """Answer each event that is complete now: its name, ``message`` by default, and data."""
        blocks = (self._rest + data).replace(b"\r\n", b"\n").split(b"\n\n")
        self._rest = blocks.pop()
        for block in blocks:
            name, told = "message", []
            for line in block.decode().split("\n"):
                word, _, said = line.partition(":")
                if word == "event":
                    name = said.removeprefix(" ")
                elif word == "id":
                    self.id = said.removeprefix(" ")
                elif word == "data":
                    told.append(said.removeprefix(" "))
            if told:
                yield name, "\n".join(told)


@dataclass(slots=True)
class Course(Generic[Told, Place]):
    """Where one follower is. ``last`` is the place that was told last."""

    links: dict[str, str]
    last: Place
    pace: Pace
    patience: float
    forms: tuple[Form, ...] = ("stream", "wait", "page")
    invite: str | None = None
    over: bool = False
    form: Form = "stream"
    _failures: int = 0
    _rounds: int = 0
    _since: float = field(default_factory=time.monotonic)
    _until: float = 0.0

    def streams(self) -> bool:
        """Say whether a stream is asked for next, else a page."""
        if self.form != "stream" and time.monotonic() > self._until:
            self.form = "stream"
        return self.form == "stream"

    def asked(self) -> tuple[str, dict[str, str], dict[str, str]]:
        """Answer the address, query and headers to ask next with."""
        query = {} if self.last is None else {"after": str(self.last)}
        if self.form == "wait":
            query["wait"] = str(WAIT)
        if self.invite:
            query["invite"] = self.invite
        accept = "text/event-stream" if self.form == "stream" else "application/json"
        return self.links[self.form], query, {"Accept": accept}

    def before(self) -> float:
        """Answer the seconds to wait before asking."""
        return self.pace.wait("reads" if self.form == "page" else "streams")

    def heard(self, data: bytes, events: Events) -> Iterator[Told]:
        """Take bytes of a stream, if only a heartbeat; answer what in them is new."""
        self._progress()
        for name, told in events.feed(data):
            if name == "end":
                self.over = True
            elif name == "message" and (new := self._new(json.loads(told))):
                yield new

    def paged(self, page: Any) -> Iterator[Told]:
        """Take a page; answer what of it is new."""
        self._progress()
        for item in page["items"]:
            if new := self._new(item):
                yield new

    def between(self, page: Any) -> float:
        """Answer the seconds to wait before the next page."""
        return _BETWEEN_PLAIN_PAGES if self.form == "page" and not page["items"] else 0.0

    def good(self, answer: httpx.Response) -> bool:
        """Say whether an answer is what was asked for."""
        self.pace.heard(answer)
        media = answer.headers.get("content-type", "")
        wanted = "text/event-stream" if self.form == "stream" else "application/json"
        return answer.status_code == 200 and media.startswith(wanted)

    def broke(self, why: httpx.Response | httpx.TransportError | None) -> float:
        """Take a connection that ended before the end; answer the seconds to wait.

        Raises what asking again cannot mend, and UnreachableError after too long.
        """
        seconds = 0.0
        if isinstance(why, httpx.Response):
            if 400 <= why.status_code < 500 and why.status_code != 429:
                raise ProblemError.of(why)
            seconds = retry_after(why)
        if time.monotonic() - self._since > self.patience:
            raise UnreachableError(f"{self.links[self.form]}: {why!r}")
        seconds = max(seconds, backoff(self._failures + self._rounds))
        self._failures += 1
        if self.form == self.forms[-1]:
            self.form, self._failures, self._rounds = "stream", 0, self._rounds + 1
        elif self._failures >= _FAILURES_TO_STEP_DOWN:
            self.form = self.forms[self.forms.index(self.form) + 1]
            self._failures = 0
            absent = isinstance(why, httpx.ConnectError)
            self._until = time.monotonic() + (_NOBODY_THERE if absent else _DETOUR)
        return seconds

    def _new(self, item: Any) -> Told | None:
        raise NotImplementedError

    def _progress(self) -> None:
        self._failures = self._rounds = 0
        self._since = time.monotonic()


class OfTable(Course[Notice, int]):
    """Where one follower of a table is, by version."""

    @classmethod
    def of(
        cls, view: View, after: int | None, pace: Pace, patience: float, invite: str | None
    ) -> "OfTable":
        """Begin after a version, by default the view's own: nothing between is missed."""
        links = {"stream": view["links"]["stream"], "page": view["links"]["events"]}
        links["wait"] = links["stream"]
        last = view["version"] if after is None else after
        return cls(links, last, pace, patience, invite=invite)

    def seen(self, view: View) -> None:
        """Take a view after an empty page: nothing more comes of a table that is over."""
        self.over = view["phase"] == "over" and view["version"] <= self.last

    def _new(self, item: Any) -> Notice | None:
        if item["version"] <= self.last:
            return None
        self.last = item["version"]
        return cast("Notice", item)


class OfMine(Course[MyTableNews, str | None]):
    """Where one follower of all of one's tables is; the API says where the live process is."""

    @classmethod
    def of(cls, after: str | None, pace: Pace, patience: float) -> "OfMine":
        """Begin after a place, or with all that is not over."""
        links = {"stream": _MINE, "wait": _MINE}
        return cls(links, after, pace, patience, ("stream", "wait"))

    def heard(self, data: bytes, events: Events) -> Iterator[MyTableNews]:
        """Take bytes of a stream, as ever; a place is also told where there is no news."""
        yield from super().heard(data, events)
        self.last = events.id or self.last

    def paged(self, page: Any) -> Iterator[MyTableNews]:
        """Take a page, as ever."""
        yield from super().paged(page)
        self.last = page["after"]

    def broke(self, why: httpx.Response | httpx.TransportError | None) -> float:
        """Go where the API points to, at once, and back to the API when nobody is there."""
        if isinstance(why, httpx.Response) and why.status_code == _ELSEWHERE:
            there = str(httpx.URL(why.headers["location"]).copy_with(query=None))
            if there != self.links["stream"]:
                self.links = {"stream": there, "wait": there}
                return 0.0
        seconds = super().broke(why)
        if isinstance(why, httpx.TransportError):
            self.links = {"stream": _MINE, "wait": _MINE}
        return seconds

    def _new(self, item: Any) -> MyTableNews | None:
        self.last = item["after"]
        return cast("MyTableNews", item)
