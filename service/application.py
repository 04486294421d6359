"""The WSGI application: Flask's routes, requests and answers, without its contexts.

Nothing here looks for the request anywhere but where it was handed to, so what Flask does around
a view - contexts, sessions, signals, hooks - would be paid for and never used.
"""

from collections.abc import Callable, Iterable, Mapping
from functools import cache, partial
from typing import TYPE_CHECKING, Any, Final

from flask import Flask, Request, Response
from flask.ctx import RequestContext
from werkzeug.routing import Map, Rule

from service import http
from service.enforce import failed, run
from service.http import Written
from service.limits import Limits, who_asks
from service.operation import Operation
from service.parts import Parts

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIEnvironment

_IN_CONTEXT: Final = "oauth"
"""The routes whose library looks for the request where Flask keeps it."""


class Application(Flask):
    """Answers what operations declare, and whatever leads to none of them."""

    def __init__(self, parts: Parts, operations: Iterable[Operation]) -> None:
        super().__init__("abraxas", static_folder=None)
        self.config["MAX_CONTENT_LENGTH"] = http.MOST_BYTES + 1
        self.config["PROVIDE_AUTOMATIC_OPTIONS"] = False
        self._parts = parts
        self._views: dict[str, Callable[..., Response]] = {}
        routes = []
        for operation in operations:
            view = partial(self._in_context if operation.tag == _IN_CONTEXT else run, parts)
            self._views[operation.name] = partial(view, operation)
            routes.append((operation.method, operation.path, operation.name))
        for path in sorted({path for _, path, _ in routes}):
            self._views[f"preflight {path}"] = _preflight
            routes.append(("OPTIONS", path, f"preflight {path}"))
        self.url_map = _paths(tuple(routes))
        self._find = self.url_map.bind("").match

    def wsgi_app(self, environ: "WSGIEnvironment", start_response: "StartResponse") -> Any:
        """Answer a request."""
        plain = self.request_class(environ)
        plain.max_content_length = http.MOST_BYTES + 1
        try:
            rule, path = self._find(plain.path, plain.method, return_rule=True)
            plain.url_rule = rule
            response = self._views[rule.endpoint](plain, **path)
        except Exception as error:  # noqa: BLE001 - a path or method that is none
            response = failed(self._parts, plain, error)
        added = always(environ, response.status_code, self._parts.limits)
        if isinstance(response, Written):
            return response.send(plain.method, added, start_response)
        response.headers.extend(added)
        return response(environ, start_response)

    def _in_context(
        self, parts: Parts, operation: Operation, plain: Request, **path: Any
    ) -> Response:
        with RequestContext(self, plain.environ, request=plain):
            return run(parts, operation, plain, **path)


@cache
def _paths(routes: tuple[tuple[str, str, str], ...]) -> Map:
    """Compile methods, paths and names: once a process, since it takes longer than all the rest."""
    rules = [Rule(path, methods=[method], endpoint=name) for method, path, name in routes]
    return Map(rules, merge_slashes=False, redirect_defaults=False)


def always(environ: Mapping[str, Any], status: int, limits: Limits) -> Iterable[tuple[str, str]]:
    """Answer the headers that every answer has."""
    left = environ.get(http.LIMIT)
    if left is None:
        # Nothing was counted: a preflight, a wrong token, a path that is none.
        left = limits.told("reads", who_asks(None, environ.get("REMOTE_ADDR")))
    added = (*http.EVERYWHERE, *(left or ()))
    if status != 304:
        return added
    kept = http.UNCHANGED_ELSEWHERE if "HTTP_ORIGIN" in environ else http.UNCHANGED
    return [each for each in added if each[0] in kept]


def _preflight(plain: Request, **path: Any) -> Response:  # noqa: ARG001
    """Let pages of any origin ask; they bring a bearer token, never a cookie."""
    return http.written(plain, None, 204, http.PREFLIGHT)
