"""A request for a stream: the same demands as the API's, met before anything is streamed."""

from collections.abc import Mapping, MutableMapping
from dataclasses import dataclass, replace
from io import BytesIO
from typing import Any, TypeAlias

from flask import Request

from domain.game import Language
from service.enforce import asked as enforced
from service.every_route import every_operation
from service.http import asked_language
from service.identity import tickets
from service.identity.tokens import Caller, digest_of
from service.parts import Parts
from service.problems import Problem
from service.streams import Form, form_of, last_seen

Scope: TypeAlias = MutableMapping[str, Any]


@dataclass(frozen=True, slots=True)
class Asked:
    """Who wants to hear what; ``digest`` is that of the token which vouches for it.

    ``last`` is where a client that reconnects was, as it was told; its query may be older.
    """

    caller: Caller | None
    digest: str | None
    query: Mapping[str, Any]
    language: Language
    form: Form
    last: str | None

    @property
    def after(self) -> str | None:
        """Answer where to go on as it was written, if it was."""
        written = self.query.get("after") if self.last is None else self.last
        return None if written is None else str(written)


def request_of(scope: Scope) -> Request:
    """Make the request that the API's code reads of what the server says of one."""
    environ: dict[str, Any] = {
        "REQUEST_METHOD": scope["method"],
        "SCRIPT_NAME": "",
        "PATH_INFO": scope["path"].encode().decode("latin-1"),
        "QUERY_STRING": scope["query_string"].decode("latin-1"),
        "REMOTE_ADDR": (scope.get("client") or ("",))[0],
        "SERVER_NAME": "",
        "SERVER_PORT": "",
        "SERVER_PROTOCOL": "HTTP/1.1",
        "wsgi.url_scheme": scope["scheme"],
        "wsgi.input": BytesIO(),
    }
    for name, value in scope["headers"]:
        key = f"HTTP_{name.decode('latin-1').upper().replace('-', '_')}"
        text = value.decode("latin-1")
        environ[key] = f"{environ[key]},{text}" if key in environ else text
    return Request(environ)


def asked_of(parts: Parts, operation: str, request: Request) -> Asked:
    """Answer who asks for what, or raise the problem with it; asks the store."""
    found = next(each for each in every_operation() if each.name == operation)
    declared = replace(found, bucket="streams")
    call = enforced(parts, declared, request)
    caller, digest = call.caller, digest_of(call.token) if call.token else None
    if digest is not None and tickets.revoked(parts.client, [digest]):
        # Believed in a little longer, it would hold a stream open.
        raise Problem("bad-token")
    ticket = call.query.get("ticket")
    if ticket is not None:
        admitted = tickets.use(parts.client, ticket)
        if admitted is None:
            raise Problem("bad-token")
        caller, digest = admitted.caller, admitted.digest
        if declared.scope and declared.scope not in caller.scopes:
            raise Problem("missing-scope", scope=declared.scope)
    return Asked(
        caller, digest, call.query, asked_language(request), form_of(request),
        last_seen(request, mine=operation == "list_my_events"),
    )  # fmt: skip
