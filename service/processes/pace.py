"""Everybody at their own pace: who sends or reads slowly keeps nobody else waiting.

A request is worked on once its body is there, and its answer leaves in a thread that nobody else
waits for.
"""

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from io import BytesIO
from threading import BoundedSemaphore, Lock
from typing import TYPE_CHECKING, Any, Final

from service import http
from service.histories import incoming

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIEnvironment

RECORDS: Final = "/v1/records"
RECORDS_AT_ONCE: Final = 16
"""Records that are in memory while they come in; others wait for them, and nobody else does."""
PROVED_AT_ONCE: Final = 2
"""Records that are proved at once: a large one takes seconds of the interpreter that all share."""


class Turns:
    """Let so many threads work at once, and the others in the order in which they came.

    A semaphore lets whoever comes just now go before those who wait for it.
    """

    def __init__(self, at_once: int) -> None:
        self._lock = Lock()
        self._free = at_once
        self._waiting: deque[Lock] = deque()

    @property
    def waiting(self) -> int:
        """How many wait for their turn."""
        return len(self._waiting)

    def take(self, do: Callable[..., Any], *args: Any) -> Any:
        """Do something once there is a turn."""
        with self._lock:
            mine = self._waits()
        if mine is not None:
            mine.acquire()
        try:
            return do(*args)
        finally:
            with self._lock:
                self._hand_on()

    def _waits(self) -> "Lock | None":
        if self._free:
            self._free -= 1
            return None
        mine = Lock()
        mine.acquire()
        self._waiting.append(mine)
        return mine

    def _hand_on(self) -> None:
        if self._waiting:
            self._waiting.popleft().release()
        else:
            self._free += 1


class Paced:
    """A WSGI application of which so many requests are worked on at once, in any more threads."""

    def __init__(self, application: Callable[..., Iterable[bytes]], at_once: int) -> None:
        self._application = application
        self._turns = Turns(at_once)
        self._records = BoundedSemaphore(RECORDS_AT_ONCE)
        self._proved = BoundedSemaphore(PROVED_AT_ONCE)

    def __call__(
        self, environ: "WSGIEnvironment", start_response: "StartResponse"
    ) -> Iterable[bytes]:
        """Answer a request once its body is there and it is its turn."""
        length = environ.get("CONTENT_LENGTH")
        if not length and "HTTP_TRANSFER_ENCODING" not in environ:
            return self._answered(environ, start_response)
        if environ["PATH_INFO"] != RECORDS:
            _take_in(environ, length, http.MOST_BYTES)
            return self._answered(environ, start_response)
        with self._records:
            _take_in(environ, length, incoming.MOST_BYTES)
            with self._proved:
                return self._answered(environ, start_response)

    def _answered(
        self, environ: "WSGIEnvironment", start_response: "StartResponse"
    ) -> Iterable[bytes]:
        answer = self._turns.take(self._application, environ, start_response)
        return answer if isinstance(answer, list) else self._chunks(answer)

    def _chunks(self, answer: Iterable[bytes]) -> Iterator[bytes]:
        """Make each chunk in turn; it leaves as its client reads."""
        chunks = iter(answer)
        try:
            while (chunk := self._turns.take(next, chunks, None)) is not None:
                yield chunk
        finally:
            close = getattr(answer, "close", None)
            if close is not None:
                close()


def _take_in(environ: "WSGIEnvironment", length: str | None, most: int) -> None:
    """Wait for a body, unless it says itself that it is too large."""
    size = int(length) if length else most + 1
    if size <= most + 1:
        environ["wsgi.input"] = BytesIO(environ["wsgi.input"].read(size))
