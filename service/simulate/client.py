"""A client that never gives up a move halfway: it repeats it under the same key."""

import json
import time
from collections.abc import Mapping
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection
from typing import Any, Final
from urllib.parse import urlsplit

_LATER: Final = (429, 503)
_LONGEST_PAUSE: Final = 1.0
"""Seconds between two attempts to reach a server that does not answer."""
_LONGEST_WAIT: Final = 60.0
"""Seconds that a server may ask to wait."""


class Unreachable(Exception):  # noqa: N818 - the glossary of the command line
    """Say that the server did not answer, or asked to come back later, for too long."""


class Unexpected(Exception):  # noqa: N818 - the glossary of the command line
    """Say that the server refused what it should have accepted."""


@dataclass(frozen=True, slots=True)
class Answer:
    """Hold an answer: ``body`` is its JSON value, or None."""

    status: int
    headers: Mapping[str, str]
    body: Any


class Client:
    """Keep one connection to a server; for one thread at a time.

    A request that gets no answer, or 429 or 503, is sent again, byte for byte, until ``patience``
    seconds have passed: commands are safe to repeat because of their Idempotency-Key.
    """

    def __init__(self, url: str, *, patience: float = 60.0) -> None:
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise Unreachable(
                f"{url} is no address of a server: it starts with http:// or https://."
            )
        secure = parts.scheme == "https"
        kind = HTTPSConnection if secure else HTTPConnection
        self._url = url
        self._prefix = parts.path.rstrip("/")
        self._patience = patience
        self._connection = kind(parts.hostname, parts.port, timeout=15)

    def get(self, path: str, token: str | None = None, **headers: str) -> Answer:
        """Ask a question."""
        return self._ask("GET", path, None, token, headers)

    def post(
        self, path: str, body: Any, *, token: str | None = None, key: str | None = None
    ) -> Answer:
        """Send a body, under an Idempotency-Key if one is given, and ask for the view it makes."""
        headers = {"Content-Type": "application/json", "Prefer": "return=representation"}
        if key is not None:
            headers["Idempotency-Key"] = key
        return self._ask("POST", path, json.dumps(body), token, headers)

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()

    def _ask(
        self, method: str, path: str, body: str | None, token: str | None, headers: dict[str, str]
    ) -> Answer:
        if token is not None:
            headers["Authorization"] = f"Bearer {token}"
        deadline = time.monotonic() + self._patience
        pause = 0.05
        while True:
            try:
                answer = self._once(method, path, body, headers)
                if answer.status not in _LATER:
                    return _expected(method, path, answer)
                why = f"{self._url} asks to come back later ({answer.status})."
                wait = _asked_for(answer)
            except (OSError, HTTPException) as failure:
                self._connection.close()
                why = f"Nothing answers at {self._url} ({_reason(failure)})."
                wait = pause = min(pause * 2, _LONGEST_PAUSE)
            if time.monotonic() + wait > deadline:
                raise Unreachable(why)
            time.sleep(wait)

    def _once(self, method: str, path: str, body: str | None, headers: dict[str, str]) -> Answer:
        self._connection.request(method, self._prefix + path, body, headers)
        response = self._connection.getresponse()
        text = response.read()
        told = {name.lower(): value for name, value in response.getheaders()}
        return Answer(response.status, told, _value(response, text))


def _asked_for(answer: Answer) -> float:
    try:
        return min(float(answer.headers["retry-after"]), _LONGEST_WAIT)
    except (KeyError, ValueError):
        return _LONGEST_PAUSE


def _value(response: HTTPResponse, text: bytes) -> Any:
    if "json" not in (response.getheader("Content-Type") or ""):
        return None
    try:
        return json.loads(text)
    except ValueError as failure:
        raise HTTPException(f"broken answer: {failure}") from None


def _expected(method: str, path: str, answer: Answer) -> Answer:
    if answer.status >= 400:
        problem = answer.body if isinstance(answer.body, dict) else {}
        said = problem.get("detail") or problem.get("title") or "without a word"
        code = problem.get("code", "no code")
        raise Unexpected(f"{method} {path} was answered {answer.status} ({code}): {said}")
    return answer


def _reason(failure: OSError | HTTPException) -> str:
    if isinstance(failure, OSError) and failure.strerror:
        return failure.strerror.lower()
    return str(failure) or type(failure).__name__
