"""Everybody at their own pace: who sends or reads slowly keeps nobody else waiting.

A request is worked on once its body is there, and its answer leaves in a thread that nobody else
waits for.
"""

from collections.abc import Callable, Iterable, Iterator
from io import BytesIO
from queue import SimpleQueue
from threading import BoundedSemaphore
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


class _Turns:
    """Let so many threads work at once; a queue of the interpreter's own is the quickest lock."""

    def __init__(self, at_once: int) -> None:
        self._free: SimpleQueue[None] = SimpleQueue()
        for _ in range(at_once):
            self._free.put(None)

    def take(self, do: Callable[..., Any], *args: Any) -> Any:
        """Do something once there is a turn."""
        self._free.get()
        try:
            return do(*args)
        finally:
            self._free.put(None)


class Paced:
    """A WSGI application of which so many requests are worked on at once, in any more threads."""

    def __init__(self, application: Callable[..., Iterable[bytes]], at_once: int) -> None:
        self._application = application
        self._turns = _Turns(at_once)
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
