"""Every operation is asked by every role, with what fits its description and with what does not."""

import os
import re
from collections import Counter
from collections.abc import Mapping
from copy import deepcopy
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from domain.catalogue import games
from service.every_route import every_operation
from service.openapi import openapi
from service.problems import refusals
from tests.service.asking import PROBLEM, api_on, fresh
from tests.service.world import BACK, ROLES, World, populated
from tests.stores import empty_store

# Schemathesis rolls dice of its own when it first makes a strategy.
pytestmark = pytest.mark.filterwarnings("ignore:Do not use the `random` module")

EXAMPLES = int(os.environ.get("FUZZ_EXAMPLES", "2"))
"""Cases for each operation; each is sent by every role."""

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]
SEEN: dict[str, Counter[int]] = {}
DRAWN = settings(
    max_examples=EXAMPLES,
    deadline=None,
    database=None,
    derandomize=True,
    phases=(Phase.generate,),
    suppress_health_check=list(HealthCheck),
)


@schemathesis.serializer("application/x-ndjson")
def _lines(_: Any, value: Any) -> bytes:
    return str(value).encode("utf-8", "surrogateescape")


@pytest.fixture(scope="module")
def world() -> World:
    return populated(api_on(empty_store(), empty_store(), DURABILITY="relaxed"))


@pytest.fixture(scope="module")
def described(world: World) -> Any:
    schema = schemathesis.openapi.from_dict(deepcopy(openapi()))
    schema.app = world.api.app
    return schema


def case_of(described: Any, path: str, method: str) -> st.SearchStrategy[Any]:
    """Answer cases of an operation: mostly what fits its description, sometimes what does not."""
    operation = described[path][method]
    negative = schemathesis.GenerationMode.NEGATIVE
    return st.one_of(operation.as_strategy(), operation.as_strategy(generation_mode=negative))


def meant(world: World, drawn: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """Let cases name things that are there: nothing that is drawn blindly would ever meet one."""

    # It takes nothing, for Hypothesis writes down what a strategy was made of, at any length.
    @st.composite
    def named(draw: st.DrawFn) -> Any:
        return _named(draw, world, draw(drawn))

    return named()


def _named(draw: st.DrawFn, world: World, case: Any) -> Any:
    known = {**world.known, "table": tuple(table.id for table in world.tables.values())}
    for name in case.path_parameters or {}:
        if (there := known.get(name)) and draw(st.integers(0, 9)):
            case.path_parameters[name] = draw(st.sampled_from(there))
    label, body = case.operation.label, case.body
    if label == "POST /v1/tables" and isinstance(body, dict):
        game = draw(st.sampled_from([*games().values()]))
        case.body = body | {"game": game.name, "seats": draw(st.sampled_from(game.seats))}
    if label == "POST /v1/webhooks" and isinstance(body, dict) and draw(st.booleans()):
        case.body = body | {"url": "https://example.com/hook", "table": world.tables["over"].id}
    if label == "POST /v1/records" and draw(st.booleans()):
        case.body = world.record.decode()
    if label.endswith("/commands") and draw(st.booleans()):
        case.path_parameters["table"] = world.tables["playing"].id
        case.headers = {"Idempotency-Key": fresh()}
        case.body = draw(st.sampled_from(_moves(world, world.tables["playing"].id) or [{}]))
    if "/oauth/" in label and draw(st.booleans()):
        app = {"client_id": world.client, "redirect_uri": BACK, "scope": "play"}
        if isinstance(body, dict):
            case.body = body | app
        elif case.query:
            case.query = {**case.query, **app}
    return case


def _moves(world: World, table: Any) -> list[Mapping[str, Any]]:
    view = world.api.app.test_client().get(
        f"/v1/tables/{table}", headers={"Authorization": f"Bearer {world.ana.token}"}
    )
    return list((view.json or {}).get("moves") or ())


def ask(world: World, case: Any, role: str) -> Any:
    """Send a case as a role, and hold the answer against the description."""
    # What is drawn for it would be a token that nobody has.
    case.headers = {k: v for k, v in (case.headers or {}).items() if k != "Authorization"}
    token = world.token(role)
    response = case.call(headers={} if token is None else {"Authorization": f"Bearer {token}"})
    case.validate_response(response, checks=CHECKS)
    check_code(case, response)
    return response


def check_code(case: Any, response: Any) -> None:
    """Hold the code of a problem against those that are documented of it."""
    if response.headers.get("content-type") != [PROBLEM]:
        return
    status, code = str(response.status_code), response.json()["code"]
    told = openapi()["paths"][case.operation.path][case.operation.method.lower()]["responses"]
    named = openapi()["components"]["responses"][told[status]["$ref"].rsplit("/", 1)[1]]
    known = named["content"][PROBLEM]["examples"].keys() | (refusals() if status == "409" else ())
    assert code in known, (case.operation.label, status, code)


OPERATIONS = {f"{each.method} {each.path}": each for each in every_operation()}


@pytest.mark.parametrize("name", OPERATIONS)
def test_no_role_meets_an_answer_that_is_not_documented(
    world: World, described: Any, name: str
) -> None:
    operation = OPERATIONS[name]
    written = re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", operation.path)
    strategy = case_of(described, written, operation.method)
    # Where no token is looked at, two roles are as good as all.
    roles: tuple[str, ...] = ROLES[:2] if operation.auth == "none" else ROLES
    if operation.name == "erase_me":
        roles = ("anonymous", "play", "read", "bot", "webhooks", "app", "revoked")

    @DRAWN
    @given(case=meant(world, strategy))
    def asked(case: Any) -> None:
        for role in roles:
            SEEN.setdefault(name, Counter())[ask(world, case, role).status_code] += 1

    asked()
    print(name, dict(SEEN[name]))
