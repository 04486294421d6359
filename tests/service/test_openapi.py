"""openapi.yaml is what the server does: committed, complete, resolved, and open to more."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from jsonschema import Draft202012Validator
from openapi_spec_validator import validate

from domain.catalogue import games
from domain.wire import type_name
from service.openapi import openapi, openapi_yaml
from tests.service.asking import Api, validator

ROOT = Path(__file__).resolve().parents[2]
METHODS = {"get", "post", "patch", "delete"}


def operations() -> list[tuple[str, str, Any]]:
    return [
        (path, method, operation)
        for path, methods in openapi()["paths"].items()
        for method, operation in methods.items()
        if method in METHODS
    ]


def walk(node: Any) -> Iterator[dict[str, Any]]:
    """Answer every object in a document."""
    if isinstance(node, dict):
        yield node
        for inner in node.values():
            yield from walk(inner)
    elif isinstance(node, list):
        for inner in node:
            yield from walk(inner)


def test_the_committed_file_is_what_the_routes_declare() -> None:
    assert (ROOT / "openapi.yaml").read_text(encoding="utf-8") == openapi_yaml()


def test_the_file_is_what_the_server_serves(api: Api) -> None:
    answer = api.get("/openapi.yaml")
    assert yaml.load(answer.data, yaml.CSafeLoader) == openapi()


def test_it_is_valid_openapi() -> None:
    assert openapi()["openapi"].startswith("3.1")
    validate(openapi())


def test_every_route_is_described_and_every_description_is_a_route(api: Api) -> None:
    routes = {
        (method, rule.rule.replace("<int:", "<").replace("<", "{").replace(">", "}"))
        for rule in api.app.url_map.iter_rules()
        for method in rule.methods or ()
        if method not in ("HEAD", "OPTIONS")
    }
    assert routes == {(method.upper(), path) for path, method, _ in operations()}


def test_every_reference_leads_somewhere() -> None:
    references = [node["$ref"] for node in walk(openapi()) if isinstance(node.get("$ref"), str)]
    assert references
    for reference in set(references):
        found = openapi()
        for step in reference.removeprefix("#/").split("/"):
            found = found[step]


def test_every_link_leads_to_an_operation_and_its_parameters() -> None:
    parameters = {
        operation["operationId"]: {each.get("name") for each in operation.get("parameters", ())}
        for _, _, operation in operations()
    }
    links = [
        link
        for _, _, operation in operations()
        for answer in operation["responses"].values()
        for link in answer.get("links", {}).values()
    ]
    assert links
    assert all(link["parameters"].keys() <= parameters[link["operationId"]] for link in links)
    bodies = {each["operationId"] for _, _, each in operations() if "requestBody" in each}
    assert {link["operationId"] for link in links if "requestBody" in link} <= bodies


def test_every_component_is_used() -> None:
    used = {node["$ref"] for node in walk(openapi()) if isinstance(node.get("$ref"), str)}
    components = openapi()["components"]
    for kind in ("schemas", "parameters", "responses", "headers"):
        unused = {f"#/components/{kind}/{name}" for name in components[kind]} - used
        assert unused == set()


def test_every_operation_has_a_name_of_its_own_and_says_what_it_does() -> None:
    names = [operation["operationId"] for _, _, operation in operations()]
    assert len(set(names)) == len(names)
    assert all(operation["summary"] and operation["tags"] for _, _, operation in operations())


def test_commands_are_one_any_of_with_each_type_once() -> None:
    schemas = openapi()["components"]["schemas"]
    refs = [each["$ref"].rsplit("/", 1)[1] for each in schemas["Command"]["anyOf"]]
    types = [schemas[ref]["properties"]["type"]["const"] for ref in refs]
    kinds = [type_name(kind) for game in games().values() for kind in game.commands]
    assert sorted(types) == sorted(set(kinds))


def test_a_command_of_any_game_fits_the_any_of() -> None:
    command = validator("#/components/schemas/Command")
    assert command.is_valid({"type": "play_card", "card": "W1"})
    assert not command.is_valid({"type": "play_card", "card": "W1", "seat": 0})
    assert not command.is_valid({"type": "shout"})


def test_answers_are_open_and_requests_are_closed() -> None:
    schemas = openapi()["components"]["schemas"]
    requests = {
        "NewPlayer",
        "ProfileChange",
        "NewTable",
        "Sitting",
        "Fork",
        "NewToken",
        "NewBot",
        "NewApp",
        "Recovery",
        "NewWebhook",
        "WebhookChange",
    }
    commands = {each["$ref"].rsplit("/", 1)[1] for each in schemas["Command"]["anyOf"]}
    for name, schema in schemas.items():
        if name != "Command":
            closed = name in requests | commands
            assert schema.get("additionalProperties", True) is not closed, name


def test_every_error_is_a_problem() -> None:
    for name, response in openapi()["components"]["responses"].items():
        assert list(response["content"]) == ["application/problem+json"], name
        schema = response["content"]["application/problem+json"]["schema"]
        assert schema == {"$ref": "#/components/schemas/Problem"}


def test_every_body_has_an_example_that_fits() -> None:
    shown = 0
    for _, _, operation in operations():
        bodies = [operation.get("requestBody", {"content": {}})]
        bodies += [each for each in operation["responses"].values() if "content" in each]
        for body in bodies:
            for content in body["content"].values():
                if "$ref" in content["schema"] and "Game" not in content["schema"]["$ref"]:
                    validator(content["schema"]["$ref"]).validate(content["example"])
                    shown += 1
    assert shown > 15


def test_every_example_of_a_problem_fits() -> None:
    for code, example in openapi()["components"]["examples"].items():
        validator("#/components/schemas/Problem").validate(example["value"])
        assert example["value"]["code"] == code


@pytest.mark.parametrize("game", games())
def test_a_games_schemas_take_what_the_game_offers(api: Api, game: str) -> None:
    ana, ben = api.guest(), api.guest()
    seats = games()[game].seats[0]
    bots = {str(seat): "random" for seat in range(2, seats)}
    opened = api.post("/v1/tables", ana.token, {"game": game, "seats": seats, "bots": bots})
    path = f"/v1/tables/{opened.json['id']}"
    assert api.post(f"{path}/seats", ben.token, {}).status == 201
    told = api.get(f"/v1/games/{game}").json
    options = api.get(path).json["options"]
    Draft202012Validator(told["options"]).validate(options)
    for guest in (ana, ben):
        for move in api.get(path, guest.token).json["moves"]:
            Draft202012Validator(told["commands"]).validate(move)
            validator("#/components/schemas/Command").validate(move)


def test_apps_of_oauth_are_told_every_field_of_their_forms_and_queries() -> None:
    paths = openapi()["paths"]
    form = "application/x-www-form-urlencoded"
    for path in ("authorize", "token", "device-authorization", "device", "revoke"):
        content = paths[f"/oauth/{path}"]["post"]["requestBody"]["content"]
        assert list(content) == [form]
        validator(content[form]["schema"]["$ref"]).validate(content[form]["example"])
    asked = {each["name"]: each for each in paths["/oauth/authorize"]["get"]["parameters"]}
    needed = {"response_type", "client_id", "scope", "code_challenge", "code_challenge_method"}
    assert {name for name, each in asked.items() if each.get("required")} == needed
    assert {"redirect_uri", "state"} <= asked.keys()


def operation_as_asked(api: Api, path: str, method: str, **headers: str) -> Any:
    told = openapi()["paths"][path][method]
    body: Any = {} if "requestBody" in told else None
    known = path.replace("{table}", "3f0c7a52-8d1e-4b6a-9c55-0e2a6d9b7f10").replace("{seat}", "0")
    return api.ask(method.upper(), known, body=body, **headers)


@pytest.mark.parametrize("host", ["a b", "", "[::1", "x:99999", "x@y"])
def test_no_operation_breaks_when_it_is_asked_at_an_address_that_is_none(
    api: Api, host: str
) -> None:
    token = api.guest().token
    for path, method, _ in operations():
        if (path, method) != ("/v1/me", "delete"):
            answer = operation_as_asked(
                api, path, method, Host=host, Authorization=f"Bearer {token}"
            )
            assert answer.status < 500, (path, answer.data)


def test_a_token_is_asked_for_where_it_is_needed() -> None:
    needed = {
        operation["operationId"]
        for _, _, operation in operations()
        if operation["security"] and {} not in operation["security"]
    }
    assert needed == {
        "get_me", "change_me", "erase_me", "open_table", "take_seat", "leave_seat",
        "send_command", "list_my_tables", "create_token", "list_tokens", "revoke_token",
        "create_bot", "list_bots", "replace_bot_token", "erase_bot", "create_recovery_code",
        "register_app", "list_apps", "remove_app",
        "fork_table", "import_record", "create_stream_ticket",
        "create_webhook", "list_webhooks", "get_webhook", "change_webhook", "remove_webhook",
        "test_webhook", "rotate_webhook_secret", "list_deliveries",
    }  # fmt: skip
