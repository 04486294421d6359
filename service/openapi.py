"""The description of the API, OpenAPI 3.1, written from the declarations that are enforced."""

import re
from collections.abc import Iterable
from functools import cache
from typing import Any, Final

import yaml
from apispec import APISpec
from apispec.ext.marshmallow import MarshmallowPlugin
from marshmallow import Schema

from domain.catalogue import games
from service import answers
from service.every_route import ROUTES, every_operation
from service.examples import example_of
from service.headers import HEADERS, PARAMETERS
from service.operation import JSON, Operation, Returns
from service.problems import KINDS, example
from service.wire_schemas import Json, command_schemas

VERSION: Final = "1.0.0"
PROBLEM: Final = "application/problem+json"
RECORD: Final = "application/x-ndjson"
FORM: Final = "application/x-www-form-urlencoded"
_SCHEMAS: Final = "#/components/schemas/"

_ALWAYS: Final = ("X-Request-Id", "RateLimit-Policy", "RateLimit")

_SAYS: Final = """\
Card games with hidden hands: tables, commands, views and histories.

Every error is `application/problem+json`; programs look at `code`. Fields may be added to answers
at any time: ignore what you do not know. A seat's token is `Authorization: Bearer abx_...`.
"""

_PATHS: Final[dict[str, Json]] = {
    "table": {"schema": {"type": "string", "format": "uuid"}, "description": "A table's id."},
    "player": {"schema": {"type": "string"}, "description": "A player's id."},
    "token": {"schema": {"type": "string"}, "description": "A token's id, not the token."},
    "webhook": {"schema": {"type": "string"}, "description": "A webhook's id."},
    "app": {"schema": {"type": "string"}, "description": "The id of an app."},
    "game": {"schema": {"type": "string"}, "description": "A game's name."},
    "seat": {"schema": {"type": "integer", "minimum": 0}, "description": "A seat's number."},
    "file": {"schema": {"type": "string"}, "description": "A file's name."},
    "guide": {"schema": {"type": "string"}, "description": "The name of a page."},
    "tutorial": {"schema": {"type": "string"}, "description": "The name of a tutorial."},
}


@cache
def openapi_yaml() -> str:
    """Write openapi.yaml."""
    return yaml.dump(openapi(), Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=100)


class _Dumper(yaml.SafeDumper):
    def ignore_aliases(self, data: Any) -> bool:  # noqa: ARG002
        return True


@cache
def openapi() -> Json:
    """Answer the description as plain values."""
    plugin = MarshmallowPlugin()
    spec = APISpec(
        title="Abraxas",
        version=VERSION,
        openapi_version="3.1.0",
        info={"description": _one_line(_SAYS), "license": {"name": "MIT", "identifier": "MIT"}},
        servers=[{"url": "/"}],
        tags=[{"name": routes.tag, "description": routes.says} for routes in ROUTES],
        plugins=[plugin],
    )
    plugin.converter.add_attribute_function(_property_names)  # type: ignore[union-attr]
    _add_components(spec)
    for operation in every_operation():
        path = re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", operation.path)
        spec.path(path, operations={operation.method.lower(): _operation(operation, plugin)})
    return spec.to_dict()


def _property_names(self: Any, field: Any, **more: Any) -> Json:  # noqa: ARG001
    """Let a field say what its keys look like; apispec knows no such keyword."""
    names = field.metadata.get("propertyNames")
    return {"propertyNames": names} if names else {}


def _add_components(spec: APISpec) -> None:
    spec.components.security_scheme(
        "token",
        {"type": "http", "scheme": "bearer", "description": "A token that begins with abx_."},
    )
    for name, header in HEADERS.items():
        spec.components.header(name, header)
    for name, parameter in PARAMETERS.items():
        spec.components.parameter(name, "header", {"name": name} | parameter)
    commands = command_schemas(games().values())
    for name, schema in commands.items():
        spec.components.schema(_title(name), schema)
    options = [{"$ref": f"{_SCHEMAS}{_title(name)}"} for name in commands]
    spec.components.schema("Command", {"anyOf": options})
    named = {pair for operation in every_operation() for pair in _named(operation)}
    for status, name in sorted(named):
        spec.components.response(name, _problem(status, name.split(".")))
    for code in KINDS:
        spec.components.example(code, {"value": example(code).body("en")})


def _title(name: str) -> str:
    """Name a command's schema so that no name that generators make of its fields is another's."""
    return "".join(word.capitalize() for word in name.split("_")) + "Command"


def _operation(operation: Operation, plugin: MarshmallowPlugin) -> Json:
    summary, description = operation.says
    told: Json = {"operationId": operation.name, "summary": summary, "tags": [operation.tag]}
    if description:
        told["description"] = _one_line(description)
    parameters = [*_parameters(operation, plugin)]
    if parameters:
        told["parameters"] = parameters
    if operation.body is not None:
        told["requestBody"] = _body(operation.body)
    if operation.form is not None:
        told["requestBody"] = _form(operation.form)
    told["responses"] = {
        **{str(status): _answer(status, returns) for status, returns in operation.answers.items()},
        **{
            status: {"$ref": f"#/components/responses/{name}"} for status, name in _named(operation)
        },
    }
    told["security"] = _security(operation)
    return told


def _one_line(text: str) -> str:
    return "\n\n".join(" ".join(part.split()) for part in text.split("\n\n"))


def _security(operation: Operation) -> list[Json]:
    token: list[Json] = [{"token": [operation.scope] if operation.scope else []}]
    return {"none": [], "optional": [{}, *token], "required": token}[operation.auth]


def _parameters(operation: Operation, plugin: MarshmallowPlugin) -> Iterable[Json | str]:
    for name in re.findall(r"<(?:\w+:)?(\w+)>", operation.path):
        yield {"name": name, "in": "path", "required": True, **_PATHS[name]}
    query = operation.query or operation.asks
    if query is not None:
        for name, field in query.load_fields.items():
            schema = plugin.converter.field2property(field)  # type: ignore[union-attr]
            told = {"name": field.data_key or name, "in": "query"}
            if "description" in schema:
                told["description"] = schema.pop("description")
            listed = {"style": "form", "explode": False} if schema.get("type") == "array" else {}
            needed = {"required": True} if field.required else {}
            yield told | needed | listed | {"schema": schema}
    for name in operation.headers:
        yield name


def _body(body: Schema | str) -> Json:
    if body == "Record":
        return {"required": True, "content": {RECORD: {"schema": {"type": "string"}}}}
    optional = isinstance(body, Schema) and not any(f.required for f in body.fields.values())
    schema = body if isinstance(body, Schema) else {"$ref": f"{_SCHEMAS}{body}"}
    content = {"schema": schema, "example": example_of(body)}
    return {"required": not optional, "content": {"application/json": content}}


def _form(form: Schema) -> Json:
    content = {"schema": form, "example": example_of(form)}
    return {"required": True, "content": {FORM: content}}


def _answer(status: int, returns: Returns) -> Json:
    always = [name for name in _ALWAYS if (status, name) != (304, "RateLimit-Policy")]
    names = (*always, *returns.headers)
    told: Json = {"description": returns.says, "headers": _headers(names)}
    if returns.schema is not None:
        content: Json = {"schema": returns.schema}
        shown = example_of(returns.schema)
        if shown is not None:
            content["example"] = shown
        told["content"] = {returns.media: content}
    elif returns.media != JSON:
        shape = "object" if returns.media == "application/yaml" else "string"
        told["content"] = {returns.media: {"schema": {"type": shape}}}
    for media in returns.also:
        told.setdefault("content", {})[media] = {"schema": {"type": "string"}}
    if returns.links:
        told["links"] = {
            name: {"operationId": name, "parameters": dict(parameters)}
            | ({"requestBody": returns.bodies[name]} if name in returns.bodies else {})
            for name, parameters in returns.links.items()
        }
    return told


def _named(operation: Operation) -> Iterable[tuple[str, str]]:
    """Answer the statuses of problems, each with the name of its description."""
    by_status: dict[int, list[str]] = {}
    for code in sorted(operation.codes):
        by_status.setdefault(KINDS[code].status, []).append(code)
    return [(str(status), ".".join(by_status[status])) for status in sorted(by_status)]


def _problem(status: str, codes: list[str]) -> Json:
    own = {"401": ("WWW-Authenticate",), "429": ("Retry-After",), "503": ("Retry-After",)}.get(
        status, ()
    )
    examples = {code: {"$ref": f"#/components/examples/{code}"} for code in codes}
    return {
        "description": ", ".join(f"`{code}`" for code in codes),
        "headers": _headers((*_ALWAYS, "Content-Language", *own)),
        "content": {PROBLEM: {"schema": answers.Problem, "examples": examples}},
    }


def _headers(names: Iterable[str]) -> Json:
    return {name: {"$ref": f"#/components/headers/{name}"} for name in names}
