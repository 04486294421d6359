"""Walks along the links of openapi.yaml: each role opens, sits, plays, reads, forks and goes on."""

import os
from collections import Counter
from contextlib import suppress
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, seed, settings
from hypothesis.errors import Flaky
from schemathesis.core.failures import FailureGroup

from service.openapi import openapi
from tests.service.asking import GAME, api_on, fresh
from tests.service.roles.test_every_role import CHECKS, check_code
from tests.service.world import ROLES, World, populated
from tests.stores import empty_store

# Schemathesis rolls dice of its own when it first makes a strategy.
pytestmark = pytest.mark.filterwarnings("ignore:Do not use the `random` module")

WALKS = int(os.environ.get("FUZZ_WALKS", "1"))
"""Pairs of walks of each role: a plain one, and one that is drawn."""

SETTINGS = settings(
    max_examples=2,
    stateful_step_count=8,
    deadline=None,
    database=None,
    phases=(Phase.generate,),
    suppress_health_check=list(HealthCheck),
)


@dataclass
class Walked:
    """Who walks, what was answered, and what nobody should have been answered."""

    role: str = "anonymous"
    seen: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)


def part_of(tags: list[str]) -> Any:
    """Answer the description of the operations with these tags, with the links among them."""
    told = deepcopy(openapi())
    kept = set()
    for methods in told["paths"].values():
        for method in [name for name, each in methods.items() if each["tags"][0] not in tags]:
            del methods[method]
        kept |= {each["operationId"] for each in methods.values()}
    for methods in told["paths"].values():
        for each in methods.values():
            for answer in each["responses"].values():
                links = answer.get("links", {})
                gone = [name for name, link in links.items() if link["operationId"] not in kept]
                for name in gone:
                    del links[name]
    return told


def machine(world: World, walked: Walked, tags: list[str]) -> Any:
    """Make the walks, among operations with these tags, of whoever it is that walks."""
    schema = schemathesis.openapi.from_dict(part_of(tags))
    schema.app = world.api.app
    client = world.api.app.test_client()

    def bearer() -> dict[str, str]:
        token = world.token(walked.role)
        return {} if token is None else {"Authorization": f"Bearer {token}"}

    class Walk(schema.as_state_machine()):  # type: ignore[misc]
        def before_call(self, case: Any) -> None:
            # Links bring the ids; what else is drawn would rarely let anybody go on.
            label, body = case.operation.label, case.body
            case.headers = {"Idempotency-Key": fresh()} if case.method == "POST" else {}
            case.query = {}
            if label == "POST /v1/tables":
                case.body = {"game": GAME, "seats": 2, "bots": {"1": "random"}}
            elif label == "POST /v1/webhooks":
                case.body = {"url": "https://example.com/hook"}
            elif label.endswith("/seats"):
                case.body = {}
            elif label.endswith("/forks") and isinstance(body, dict):
                case.body = {"version": body.get("version", 1)}
            elif label.endswith("/commands"):
                path = f"/v1/tables/{case.path_parameters['table']}"
                view = client.get(path, headers=bearer()).json or {}
                case.body = next(iter(view.get("moves") or ()), body)

        def get_call_kwargs(self, case: Any) -> dict[str, Any]:
            return {"headers": bearer()}

        def validate_response(self, response: Any, case: Any, **more: Any) -> None:
            walked.seen[f"{response.status_code} {case.operation.label}"] += 1
            try:
                case.validate_response(response, checks=CHECKS)
                check_code(case, response)
            except (AssertionError, FailureGroup) as wrong:
                walked.wrong.append(f"{walked.role}, {case.operation.label}: {wrong!r}")
                raise

    return Walk


GROUPS = {
    "tables": ["tables", "seats", "histories"],
    "things of one's own": ["players", "tokens", "bots", "apps", "webhooks"],
}
"""Tags of operations that lead to each other."""


@pytest.mark.parametrize("group", GROUPS)
def test_no_walk_meets_an_answer_that_is_not_documented(group: str) -> None:
    world = populated(api_on(empty_store(), empty_store(), DURABILITY="relaxed"))
    walked = Walked()
    walk = machine(world, walked, GROUPS[group])
    for number in range(WALKS):
        for walked.role in ROLES:
            # Tables move on between two walks, which Hypothesis calls flaky; what counts is noted.
            with suppress(Flaky, AssertionError, FailureGroup):
                seed(number)(walk).run(settings=SETTINGS)
    print(sorted(walked.seen.items()))
    assert walked.wrong == []
    # Links lead on, to what was made on the way.
    assert any(step.startswith("20") and "{" in step for step in walked.seen)
