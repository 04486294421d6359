"""One function for each thing that can be asked: what is sent, and how the answer is read."""

from collections.abc import Callable, Mapping
from typing import Any, Literal, TypeVar, cast
from uuid import uuid4

import httpx

from abraxas_client.patience import Call
from abraxas_client.wire import (
    Game,
    Games,
    Guest,
    MyTables,
    Notices,
    OpenedView,
    Outcome,
    Perspective,
    Phase,
    Player,
    Profile,
    SeatOutcome,
    Tables,
    View,
)

Redaction = Literal["public", "seat", "full"]
T = TypeVar("T")


def anything(
    method: str,
    path: str,
    *,
    body: Any = None,
    query: Mapping[str, Any] = {},
    key: str | None = None,
) -> Call[Any]:
    """Ask what has no function of its own; a POST is repeated only if it has a key."""
    headers = {"Idempotency-Key": key} if key else {}
    return Call(
        method,
        path,
        lambda answer: answer.json() if answer.content else None,
        headers=headers,
        query=_said(query),
        body=body,
        bucket="reads" if method == "GET" else "moves",
        repeatable=method != "POST" or key is not None,
    )


def sign_up(name: str | None, locale: str | None) -> Call[Guest]:
    """Make a guest. A lost answer leaves a guest behind that nobody plays: it is repeated."""
    body = _given(name=name, locale=locale)
    return _post("/v1/players", Guest, body, bucket="sign-ups")


def recover(code: str) -> Call[Guest]:
    """Come back to a player by its recovery code."""
    return _post("/v1/players/recover", Guest, {"code": code}, bucket="sign-ups")


def me() -> Call[Profile]:
    """Answer one's own profile."""
    return _get("/v1/me", Profile)


def player(player: str) -> Call[Player]:
    """Answer what everybody may know of a player."""
    return _get(f"/v1/players/{player}", Player)


def games() -> Call[Games]:
    """List what can be played."""
    return _get("/v1/games", Games)


def game(game: str) -> Call[Game]:
    """Answer a game's cards, options and commands."""
    return _get(f"/v1/games/{game}", Game)


def open_table(game: str, seats: int, key: str | None, more: Mapping[str, Any]) -> Call[OpenedView]:
    """Open a table."""
    return _keyed("POST", "/v1/tables", OpenedView, {"game": game, "seats": seats, **more}, key)


def tables(game: str | None, phase: Phase | None, cursor: str | None, limit: int) -> Call[Tables]:
    """List public tables."""
    return _get("/v1/tables", Tables, game=game, phase=phase, cursor=cursor, limit=limit)


def my_tables(cursor: str | None, limit: int, *, waiting: bool) -> Call[MyTables]:
    """List one's own tables, or those that wait for one."""
    return _get("/v1/me/tables", MyTables, waiting=waiting, cursor=cursor, limit=limit)


def table(
    table: str,
    version: int | None,
    min_version: int | None,
    seen_as: Perspective | None,
    invite: str | None,
) -> Call[View]:
    """Answer a table as the caller may see it."""
    query = {"version": version, "min_version": min_version, "as": seen_as, "invite": invite}
    return _get(f"/v1/tables/{table}", View, **query)


def events(table: str, after: int, limit: int, invite: str | None = None) -> Call[Notices]:
    """Answer what happened after a version."""
    return _get(f"/v1/tables/{table}/events", Notices, after=after, limit=limit, invite=invite)


def sit(table: str, key: str | None, more: Mapping[str, Any]) -> Call[SeatOutcome]:
    """Take a seat."""
    return _keyed("POST", f"/v1/tables/{table}/seats", SeatOutcome, dict(more), key)


def leave(table: str, seat: int, key: str | None) -> Call[SeatOutcome]:
    """Leave a seat."""
    return _keyed("DELETE", f"/v1/tables/{table}/seats/{seat}", SeatOutcome, None, key)


def send(
    table: str, command: Mapping[str, Any], key: str | None, only_at: int | None, *, view: bool
) -> Call[Outcome]:
    """Send a command."""
    headers = {}
    if only_at is not None:
        headers["If-Match"] = f'"{only_at}"'
    if view:
        headers["Prefer"] = "return=representation"
    return _keyed("POST", f"/v1/tables/{table}/commands", Outcome, dict(command), key, headers)


def fork(table: str, version: int, key: str | None, more: Mapping[str, Any]) -> Call[OpenedView]:
    """Open a what-if table."""
    body = {"version": version, **more}
    return _keyed("POST", f"/v1/tables/{table}/forks", OpenedView, body, key)


def record(table: str, redaction: Redaction, invite: str | None) -> Call[bytes]:
    """Take a record away."""
    query = _said({"redaction": redaction, "invite": invite})
    path = f"/v1/tables/{table}/record"
    return Call("GET", path, lambda answer: answer.content, query=query, bucket="exports")


def _get(path: str, kind: type[T], **query: Any) -> Call[T]:
    return Call("GET", path, _reader(kind), query=_said(query))


def _post(path: str, kind: type[T], body: Any, *, bucket: str) -> Call[T]:
    return Call("POST", path, _reader(kind), body=body, bucket=bucket)


def _keyed(
    method: str,
    path: str,
    kind: type[T],
    body: Any,
    key: str | None,
    headers: Mapping[str, str] = {},
) -> Call[T]:
    """Make a wish that counts once: the key is chosen here, once for all attempts."""
    headers = {"Idempotency-Key": key or uuid4().hex, **headers}
    return Call(method, path, _reader(kind), headers=headers, body=body, bucket="moves")


def _reader(kind: type[T]) -> Callable[[httpx.Response], T]:
    """Answer a reader of JSON; the server's word is taken for the type, which only grows."""
    del kind

    def read(answer: httpx.Response) -> T:
        return cast("T", answer.json())

    return read


def _given(**fields: Any) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if value is not None}


def _said(query: Mapping[str, Any]) -> dict[str, str]:
    """Write a query; what is None is left out."""
    words = {True: "true", False: "false"}
    return {
        name: words[value] if isinstance(value, bool) else str(value)
        for name, value in query.items()
        if value is not None
    }
