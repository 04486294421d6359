"""A client that holds every answer against openapi.yaml, and tables to ask about."""

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from itertools import count
from typing import Any
from uuid import uuid4

from flask import Flask
from jsonschema import Draft202012Validator, FormatChecker
from werkzeug.exceptions import HTTPException
from werkzeug.test import TestResponse

from domain.game import Seat
from domain.table.commands import Play
from domain.table.state import Table
from domain.table.view import moves, to_move
from events.loaded import unopened
from events.store import command_key
from service.app import make_parts, wire
from service.openapi import openapi
from service.parts import Parts
from service.problems import refusals
from service.settings import settings_from_env
from workers.projections import tables
from workers.projections.shape import Sitting

GAME = "potage_sauvage"
PROBLEM = "application/problem+json"
_KEYS = count()


@dataclass(frozen=True)
class Answer:
    status: int
    headers: Mapping[str, str]
    data: bytes
    json: Any

    @property
    def code(self) -> str:
        """Answer the code of a problem."""
        assert self.headers["Content-Type"] == PROBLEM, (self.status, self.data)
        code: str = self.json["code"]
        return code


@cache
def validator(ref: str) -> Draft202012Validator:
    """Answer the validator of a schema of openapi.yaml."""
    schema = {"$ref": ref, "components": openapi()["components"]}
    return Draft202012Validator(schema, format_checker=FormatChecker())


def documented(app: Flask, method: str, path: str, status: int) -> Mapping[str, Any] | None:
    """Answer what openapi.yaml says of an answer; None where no operation was met."""
    try:
        rule, _ = app.url_map.bind("").match(path, method=method, return_rule=True)
    except HTTPException:
        return None
    written = "".join(f"{{{part}}}" if variable else part for variable, part in _parts(rule.rule))
    if method == "OPTIONS":
        return None
    responses = openapi()["paths"][written][method.lower()]["responses"]
    assert str(status) in responses, f"{method} {written} does not document {status}"
    told: Mapping[str, Any] = responses[str(status)]
    if "$ref" in told:
        told = openapi()["components"]["responses"][told["$ref"].rsplit("/", 1)[1]]
    return told


def _parts(rule: str) -> list[tuple[bool, str]]:
    pieces: list[tuple[bool, str]] = []
    for piece in rule.replace(">", "<").split("<"):
        pieces.append((len(pieces) % 2 == 1, piece.rsplit(":", 1)[-1]))
    return pieces


@dataclass
class Api:
    """Ask the application; ``token`` may be a player's."""

    parts: Parts
    app: Flask = field(init=False)

    def __post_init__(self) -> None:
        self.app = wire(self.parts)

    def ask(
        self,
        method: str,
        path: str,
        token: str | None = None,
        body: Any = None,
        *,
        key: str | None = None,
        **headers: str,
    ) -> Answer:
        """Send a request and check its answer against openapi.yaml."""
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        if token is not None:
            sent["Authorization"] = f"Bearer {token}"
        if key is not None:
            sent["Idempotency-Key"] = key
        data = None
        if body is not None:
            data = body if isinstance(body, bytes) else json.dumps(body).encode()
            sent.setdefault("Content-Type", "application/json")
        response = self.app.test_client().open(path, method=method, headers=sent, data=data)
        return self.checked(method, path.partition("?")[0], response)

    def checked(self, method: str, path: str, response: TestResponse) -> Answer:
        media = response.headers.get("Content-Type", "").partition(";")[0]
        body = json.loads(response.data) if re.search("[/+]json$", media) else None
        answer = Answer(response.status_code, dict(response.headers), response.data, body)
        assert answer.headers["X-Request-Id"]
        told = documented(self.app, method, path, answer.status)
        if answer.status >= 400 and (told is None or PROBLEM in told["content"]):
            assert media == PROBLEM, (answer.status, response.data)
            validator("#/components/schemas/Problem").validate(body)
            assert isinstance(body, dict)
            assert body["status"] == answer.status
        if told is None:
            return answer
        assert set(told["headers"]) - {"Idempotent-Replayed", "Preference-Applied", "Link"} <= set(
            answer.headers
        ), (path, answer.headers)
        if "content" not in told:
            assert not response.data
            return answer
        content = told["content"][media]
        if media == PROBLEM:
            known = content["examples"].keys() | (refusals() if answer.status == 409 else ())
            assert isinstance(body, dict)
            assert body["code"] in known, (method, path, body)
        if "$ref" in content["schema"]:
            validator(content["schema"]["$ref"]).validate(body)
        return answer

    def get(self, path: str, token: str | None = None, **headers: str) -> Answer:
        return self.ask("GET", path, token, **headers)

    def post(self, path: str, token: str | None = None, body: Any = None, **more: Any) -> Answer:
        return self.ask("POST", path, token, {} if body is None else body, **more)

    def guest(self, name: str | None = None) -> "Guest":
        """Make a player."""
        answer = self.post("/v1/players", body={} if name is None else {"name": name})
        assert answer.status == 201
        return Guest(self, answer.json["player"], answer.json["token"])

    def table(self, *guests: "Guest", seats: int | None = None, **body: Any) -> "Sat":
        """Open a table and seat guests at it, the first as its opener."""
        body = {"game": GAME, "seats": seats or len(guests), **body}
        answer = self.post("/v1/tables", guests[0].token, body, key=fresh())
        assert answer.status == 201, answer.json
        table = Sat(self, answer.json["id"], guests, answer.json.get("invite"))
        for guest in guests[1:]:
            sitting = {"invite": table.invite} if table.invite else {}
            sat = self.post(f"{table.path}/seats", guest.token, sitting, key=fresh())
            assert sat.status == 201, sat.json
        return table

    def draw(self, table: str) -> None:
        """Do what the follower does: draw a table for everybody who may look."""
        recorded = self.parts.door.store.read(table)
        sitting = Sitting(unopened(table)).after(recorded)
        for document in tables.apply(sitting).documents:
            self.parts.client.delete(document.key)
            self.parts.client.hset(document.key, mapping=dict(document.fields))


@dataclass(frozen=True)
class Guest:
    """A player of a test."""

    api: Api
    player: str
    token: str


@dataclass(frozen=True)
class Sat:
    """A table of a test; guest i sits on seat i."""

    api: Api
    id: str
    guests: tuple[Guest, ...]
    invite: str | None = None

    @property
    def path(self) -> str:
        return f"/v1/tables/{self.id}"

    def view(self, seat: int | None = None, query: str = "", **headers: str) -> Answer:
        """Look from a seat, or as somebody who came by."""
        token = None if seat is None else self.guests[seat].token
        return self.api.get(f"{self.path}{query}", token, **headers)

    def send(self, seat: int, command: Any, **more: Any) -> Answer:
        """Send a command of a seat."""
        more.setdefault("key", fresh())
        return self.api.post(f"{self.path}/commands", self.guests[seat].token, command, **more)

    def step(self, choose: Callable[[list[Any]], Any] = lambda moves: moves[0]) -> Answer:
        """Play one move of a seat that the table waits for."""
        waiting = self.view().json["to_move"][0]
        return self.send(waiting, choose(self.view(waiting).json["moves"]))

    def play_out(self) -> None:
        """Play to the end, straight through the door."""
        door = self.api.parts.door
        while waiting := to_move(door.load(self.id).state):
            seat = waiting[0]

            def first(table: Table, seat: Seat = seat) -> Play:
                return Play(seat, moves(table, seat)[0])

            door.transact(self.id, first, command_key("nobody", fresh(), {}))


def fresh() -> str:
    """Answer a key that never was."""
    return f"key-{next(_KEYS)}-{uuid4().hex[:8]}"


def api_on(client: Any, rq_client: Any, **environ: str) -> Api:
    """Make an application on a store."""
    settings = settings_from_env({"REDIS_URL": "redis://127.0.0.1:1/0", **environ})
    return Api(make_parts(settings, client=client, rq_client=rq_client))
