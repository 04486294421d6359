"""When a request is sent, and sent again: limits obeyed, lost answers asked for with the same key.

Nothing here sends or sleeps: ``persist`` says what to do and is told what came of it, so that
the sync and the async client cannot differ.
"""

import random
import re
import time
from collections.abc import Callable, Generator
from dataclasses import dataclass, field
from typing import Any, Final, Generic, TypeVar

import httpx

from abraxas_client.problems import ProblemError, UnreachableError

T = TypeVar("T")

_LIMIT: Final = re.compile(r'"([^"]+)";r=(\d+);t=(\d+)')
_LONGEST: Final = 20.0

_NOT_SENT: Final = (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout)
_NOTHING_HAPPENED: Final = frozenset({"slow-down", "store-unavailable"})
_GATEWAYS: Final = frozenset({502, 503, 504})


@dataclass(frozen=True, slots=True)
class Call(Generic[T]):
    """A request, and how its answer is read.

    ``repeatable`` says that it may be sent again when nobody knows whether it counted: it has a
    key, or repeating it changes nothing.
    """

    method: str
    path: str
    read: Callable[[httpx.Response], T]
    headers: dict[str, str] = field(default_factory=dict)
    query: dict[str, str] = field(default_factory=dict)
    body: Any = None
    bucket: str = "reads"
    repeatable: bool = True


@dataclass(frozen=True, slots=True)
class Pause:
    """A wish to do nothing for so many seconds."""

    seconds: float


class Pace:
    """How fast the server lets us ask: what its ``RateLimit`` headers said last."""

    def __init__(self) -> None:
        self._free: dict[str, float] = {}

    def wait(self, bucket: str) -> float:
        """Answer the seconds until a bucket has something in it."""
        return max(0.0, self._free.get(bucket, 0.0) - time.monotonic())

    def heard(self, answer: httpx.Response) -> None:
        """Learn from an answer's headers."""
        for bucket, left, seconds in _LIMIT.findall(answer.headers.get("ratelimit", "")):
            self._free[bucket] = time.monotonic() + int(seconds) if left == "0" else 0.0


def backoff(tries: int) -> float:
    """Answer the seconds to wait after so many failures in a row; never twice the same."""
    return min(_LONGEST, 0.25 * 2.0**tries) * random.uniform(0.5, 1.0)  # noqa: S311 (no secret)


def retry_after(answer: httpx.Response) -> float:
    """Answer the seconds that an answer asks to wait for, 0 if it does not."""
    said = answer.headers.get("retry-after", "")
    return float(said) if said.isdigit() else 0.0


def persist(
    call: Call[T], pace: Pace, patience: float
) -> Generator[Call[T] | Pause, httpx.Response | httpx.TransportError | None, T]:
    """Say what to do until an answer is there; answer it, read.

    Is sent the answer of a call or why there is none, and None after a pause. Raises
    ProblemError, and UnreachableError once ``patience`` seconds have passed.
    """
    deadline = time.monotonic() + patience
    tries = 0
    while True:
        if (seconds := pace.wait(call.bucket)) > 0:
            yield Pause(seconds)
        heard = yield call
        if isinstance(heard, httpx.Response):
            pace.heard(heard)
            if heard.is_success:
                return call.read(heard)
            failure: Exception = ProblemError.of(heard)
            again, seconds = _passes(call, heard, failure), retry_after(heard)
        else:
            failure = UnreachableError(f"{call.method} {call.path}: {heard!r}")
            failure.__cause__ = heard
            again, seconds = call.repeatable or isinstance(heard, _NOT_SENT), 0.0
        seconds = max(seconds, backoff(tries))
        if not again or time.monotonic() + seconds > deadline:
            raise failure
        tries += 1
        yield Pause(seconds)


def _passes(call: Call[Any], answer: httpx.Response, problem: Exception) -> bool:
    """Say whether a problem may be gone next time, and asking again does no harm."""
    if isinstance(problem, ProblemError) and problem.code in _NOTHING_HAPPENED:
        return True
    return answer.status_code == 429 or (answer.status_code in _GATEWAYS and call.repeatable)
