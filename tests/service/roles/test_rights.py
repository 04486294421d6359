"""The server gives each role what the table of rights gives it, and nothing else."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from service.every_route import every_operation
from service.operation import Operation
from tests.service.asking import Answer, Api, Sat, api_on, fresh
from tests.service.rights import NEEDS, SEES, refused, shown
from tests.service.world import MINE, ROLES, World, populated
from tests.stores import empty_store

ROOT = Path(__file__).resolve().parents[3]
OPERATIONS = {each.name: each for each in every_operation()}
BODIES: dict[str, Any] = {
    "open_table": {"game": "potage_sauvage", "seats": 2},
    "fork_table": {"version": 5},
    "create_bot": {"name": "Soup"},
    "create_token": {"label": "x", "scopes": ["read"]},
    "register_app": {"name": "Soup"},
    "create_webhook": {"url": "https://example.com/"},
    "recover_player": {"code": "none"},
}


@pytest.fixture(scope="module")
def world() -> World:
    return populated(api_on(empty_store(), empty_store(), DURABILITY="relaxed"))


def asked(world: World, operation: Operation, bearer: str | None, /, **path: str) -> Answer:
    """Ask for something that is there."""
    known = {name: ids[-1] for name, ids in world.known.items()}
    known |= {"table": world.tables["playing"].id, "player": world.known["player"][1], **path}
    where = re.sub(r"<(?:int:)?(\w+)>", lambda found: known[found[1]], operation.path)
    body = None
    if operation.body is not None:
        body = BODIES.get(operation.name, {})
    return world.api.ask(operation.method, where, bearer, body, key=fresh())


def test_the_table_of_rights_has_every_operation_once() -> None:
    listed = sorted(name for operations in NEEDS.values() for name in operations)
    assert listed == sorted(OPERATIONS)


def test_the_documentation_shows_this_table() -> None:
    assert shown() in (ROOT / "docs" / "security.md").read_text("utf-8")


@pytest.mark.parametrize("name", OPERATIONS)
def test_each_role_is_refused_where_the_table_says_so_and_nowhere_else(
    world: World, name: str
) -> None:
    # Whoever may erase somebody or something does so in a world of its own, below.
    harmless = name not in ("erase_me", "revoke_token", "erase_bot", "replace_bot_token")
    for role in ROLES:
        status = refused(name, role)
        if status is None and not harmless:
            continue
        answer = asked(world, OPERATIONS[name], world.token(role))
        if status is not None:
            assert (answer.status, answer.code) == (
                status,
                "bad-token" if status == 401 else "missing-scope",
            ), role
        else:
            assert answer.status != 401, role
            assert answer.status != 403 or answer.code != "missing-scope", role


OF_ANA = {
    "revoke_token": "unknown-token",
    "remove_app": "unknown-app",
    "erase_bot": "unknown-player",
    "replace_bot_token": "unknown-player",
    "get_webhook": "unknown-webhook",
    "change_webhook": "unknown-webhook",
    "remove_webhook": "unknown-webhook",
    "test_webhook": "unknown-webhook",
    "rotate_webhook_secret": "unknown-webhook",
    "list_deliveries": "unknown-webhook",
}


@pytest.mark.parametrize(("name", "code"), OF_ANA.items())
def test_what_somebody_has_is_not_there_for_anybody_else(
    world: World, name: str, code: str
) -> None:
    scopes = frozenset({"play", "read", "bot", "webhooks", "account"})
    zoe = world.api.parts.identity.tokens.make(world.zoe.player, scopes)
    theirs = asked(world, OPERATIONS[name], zoe)
    assert theirs.code == code
    # Word for word what is said of a thing that nobody has.
    nobodys = asked(world, OPERATIONS[name], zoe, player="x", token="x", app="x", webhook="x")
    assert theirs.data == nobodys.data


def test_erasing_ends_what_was_there() -> None:
    world = populated(api_on(empty_store(), empty_store(), DURABILITY="relaxed"))
    everything = world.token("all scopes")
    for name in ("replace_bot_token", "erase_bot", "revoke_token", "erase_me"):
        assert asked(world, OPERATIONS[name], everything).status in (201, 204)
    for role in MINE:
        assert asked(world, OPERATIONS["list_my_tables"], world.token(role)).code == "bad-token"


def looks(world: World, table: Sat, role: str, query: str = "") -> str:
    """Say what somebody sees of a table."""
    token, path = world.token(role), table.path
    answers = {
        place: world.api.get(f"{path}{place}{query}", token) for place in ("", "/events", "/record")
    }
    if {each.status for each in answers.values()} == {404}:
        return "nothing"
    assert {each.status for each in answers.values()} == {200}
    if world.api.get(f"{path}?as=arbiter", token).status == 200:
        return "everything"
    view = answers[""].json
    seat = view["viewer"]["seat"]
    assert view["moves"] == [] or seat is not None
    return "spectator" if seat is None else "seat"


@pytest.mark.parametrize("kind", SEES)
def test_each_sees_of_a_table_what_the_table_of_rights_says(world: World, kind: str) -> None:
    by, invited, seated = SEES[kind]
    table = world.tables[kind]
    invite = table.invite
    if kind == "fork":
        made = world.api.post(
            f"{world.tables['playing'].path}/forks",
            world.ana.token, {"version": 5}, key=fresh(),
        )  # fmt: skip
        table, invite = Sat(world.api, made.json["id"], (world.ana,)), made.json["invite"]
    for role in ("anonymous", "guest", "stranger", "a bot"):
        assert looks(world, table, role) == by
        if invite:
            assert looks(world, table, role, f"?invite={invite}") == invited
            assert looks(world, table, role, f"?invite={'0' * 32}") == by
    assert looks(world, table, "seat") == seated


def test_a_private_table_is_word_for_word_one_that_is_not_there(world: World) -> None:
    nowhere = "00000000-0000-4000-8000-000000000000"
    tabled = [
        each for each in OPERATIONS.values() if "<table>" in each.path and each.auth != "none"
    ]
    for kind in ("private", "private open", "fork"):
        for operation in tabled:
            # The key is for the command: without it, everybody is told the same.
            for token in (world.zoe.token, world.token("a bot")):
                here = asked(world, operation, token, table=world.tables[kind].id)
                there = asked(world, operation, token, table=nowhere)
                assert (here.status, here.data) == (there.status, there.data), operation.name
                assert here.status in (404, 422)


def test_no_list_and_no_profile_names_a_private_table(world: World) -> None:
    for table in world.tables.values():
        world.api.draw(table.id)
    hidden = [world.tables[kind].id.encode() for kind in ("private", "private open", "fork")]
    hidden.append(world.tables["unlisted"].id.encode())
    for role in ("anonymous", "guest", "stranger", "a bot"):
        for operation in OPERATIONS.values():
            if operation.method == "GET" and refused(operation.name, role) is None:
                answer = asked(world, operation, world.token(role))
                assert not any(each in answer.data for each in hidden), operation.name


def test_every_page_runs_no_script_of_anybody_else_and_stands_in_no_frame(world: World) -> None:
    pages = 0
    for operation in OPERATIONS.values():
        if operation.method != "GET":
            continue
        answer = asked(world, operation, world.ana.token)
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
        if not answer.headers.get("Content-Type", "").startswith("text/html"):
            continue
        pages += 1
        policy = answer.headers["Content-Security-Policy"]
        assert "default-src 'none'" in policy
        assert "frame-ancestors 'none'" in policy
        assert "base-uri 'none'" in policy
        assert "unsafe" not in policy
        assert answer.headers["Referrer-Policy"] == "no-referrer"
        assert re.findall(rb"<script(?![^>]*\bsrc=)", answer.data) == []
        assert re.findall(rb"<[^>]+\s(?:on[a-z]+|style)=", answer.data) == []
    assert pages > 5


def test_a_body_is_bounded_in_size_depth_and_words(api: Api) -> None:
    token = api.guest().token
    deep: Any = {}
    for _ in range(20):
        deep = {"options": deep}
    long = {"label": "x" * 81, "scopes": ["read"]}
    open_ = {"game": "potage_sauvage", "seats": 2}
    for path, body, status in (
        ("/v1/tables", deep, 400),
        ("/v1/tables", open_ | {"entropy": "00" * 33}, 422),
        ("/v1/tables", open_ | {"options": {f"o{i}": i for i in range(1000)}}, 422),
        ("/v1/tables", open_ | {"bots": {str(i): "random" for i in range(1000)}}, 422),
        ("/v1/tables", open_ | {"seats": 10**9}, 422),
        ("/v1/players", {"name": "x" * 1000}, 422),
        ("/v1/me/tokens", long, 422),
        ("/v1/me/apps", {"name": "x", "redirect_uris": ["https://x.example/"] * 11}, 422),
        ("/v1/players", json.dumps({"name": "x" * 70_000}).encode(), 413),
    ):
        assert api.post(path, token, body).status == status, (path, str(body)[:60])
