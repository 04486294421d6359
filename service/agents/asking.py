"""Asking the API as anybody does: with the caller's token, again when no answer came."""

import asyncio
import time
from collections.abc import Mapping
from typing import Any, Final

import httpx2

PATIENCE: Final = 15.0
"""Seconds in which a server that is away or asks to come back later may answer after all."""

_LATER: Final = frozenset({429, 502, 503, 504})
_LONGEST_PAUSE: Final = 2.0


class Declined(Exception):  # noqa: N818 - an answer, not a defect
    """Say that the server said no, or nothing; ``code`` is that of the problem, if it has one."""

    def __init__(self, code: str, detail: str) -> None:
        super().__init__(f"{detail} ({code})")
        self.code = code


class Asking:
    """Asks one server on behalf of many callers; knows nothing that their tokens may not know."""

    def __init__(self, url: str, transport: httpx2.AsyncBaseTransport | None = None) -> None:
        self._http = httpx2.AsyncClient(base_url=url, timeout=40.0, transport=transport)

    async def close(self) -> None:
        """Close all connections."""
        await self._http.aclose()

    async def get(self, place: str, token: str | None, **query: Any) -> Any:
        """Answer the JSON or text at a path or an address, or raise Declined; None is not asked."""
        given = {name: value for name, value in query.items() if value is not None}
        return await self._ask("GET", place, token, {}, query=given)

    async def post(self, path: str, token: str | None, body: Any, headers: dict[str, str]) -> Any:
        """Send a body under the Idempotency-Key in the headers; answer the JSON, or Declined."""
        return await self._ask("POST", path, token, headers, body=body)

    async def _ask(
        self,
        method: str,
        place: str,
        token: str | None,
        headers: dict[str, str],
        *,
        query: Mapping[str, Any] | None = None,
        body: Any = None,
    ) -> Any:
        if token is not None:
            headers = headers | {"Authorization": f"Bearer {token}"}
        deadline, pause = time.monotonic() + PATIENCE, 0.1
        while True:
            try:
                answer = await self._http.request(
                    method, place, params=query, json=body, headers=headers
                )
            except httpx2.TransportError as failure:
                declined = Declined("no-answer", f"The server does not answer: {failure!r}")
                wait = pause
            else:
                if answer.is_success:
                    json = "json" in answer.headers.get("content-type", "")
                    return answer.json() if json else answer.text
                declined = _declined(answer)
                if answer.status_code not in _LATER:
                    raise declined
                wait = max(pause, _asked_for(answer))
            if time.monotonic() + wait > deadline:
                raise declined
            await asyncio.sleep(wait)
            pause = min(2 * pause, _LONGEST_PAUSE)


def _asked_for(answer: httpx2.Response) -> float:
    said = answer.headers.get("retry-after", "")
    return float(said) if said.isdigit() else 0.0


def _allowed(error: Mapping[str, Any]) -> str:
    allowed = error.get("allowed")
    return f" ({', '.join(map(str, allowed))})" if isinstance(allowed, list) else ""


def _declined(answer: httpx2.Response) -> Declined:
    try:
        problem = answer.json()
    except ValueError:
        problem = None
    if not isinstance(problem, dict):
        return Declined(f"http-{answer.status_code}", "The server did not say why.")
    code = str(problem.get("code", f"http-{answer.status_code}"))
    detail = str(problem.get("detail") or problem.get("title") or "The server did not say why.")
    more = [
        f"{error['pointer']}: {error['code']}{_allowed(error)}"
        for error in problem.get("errors", ())
        if isinstance(error, dict) and {"pointer", "code"} <= error.keys()
    ]
    if "version" in problem:
        more.append(f"the table is at version {problem['version']}")
    return Declined(code, "; ".join([detail, *more]))
