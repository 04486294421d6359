"""Wiring: makes the WSGI application; no connection is opened before the first request."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from flask import Flask, Response, request

from events.connection import connect
from events.store import EventStore
from events.transact import Door
from service import http
from service.enforce import catch_all, enforced
from service.every_route import every_operation
from service.health import Health
from service.identity import Identity
from service.limits import QUOTAS, Limits, who_asks
from service.metrics import Meters
from service.openapi import openapi, openapi_yaml
from service.parts import Parts
from service.settings import Settings
from workers.queues import connect_rq
from workers.wake import Waker

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment


def create_app(settings: Settings, *, client: Any = None, rq_client: Any = None) -> Flask:
    """Make the application; tests bring clients of their own.

    Raise ValueError if the settings name no store.
    """
    return wire(make_parts(settings, client=client, rq_client=rq_client))


def make_parts(settings: Settings, *, client: Any = None, rq_client: Any = None) -> Parts:
    """Make what the routes work with."""
    if client is None:
        if settings.redis_url is None:
            raise ValueError("the settings name no store: REDIS_URL")
        client = connect(settings.redis_url)
    if rq_client is None:
        rq_client = connect_rq(settings.rq_url or settings.redis_url or "")
    health = Health(client, rq_client, settings.durability)
    return Parts(
        client=client,
        door=Door(EventStore(client)),
        identity=Identity(client),
        limits=Limits(client, QUOTAS if settings.limits else None),
        waker=Waker(rq_client),
        health=health,
        meters=Meters(health.status_if_there),
        url=settings.url,
        live_url=settings.live_url,
        live_port=settings.stream_port,
        local_webhooks=settings.local_webhooks,
        document=openapi,
        document_yaml=openapi_yaml,
    )


def wire(parts: Parts) -> Flask:
    """Make the application around its parts."""
    app = Flask("abraxas", static_folder=None)
    app.config["MAX_CONTENT_LENGTH"] = http.MOST_BYTES + 1
    app.config["PROVIDE_AUTOMATIC_OPTIONS"] = False
    app.url_map.merge_slashes = False
    app.url_map.redirect_defaults = False
    for operation in every_operation():
        app.add_url_rule(
            operation.path,
            operation.name,
            enforced(parts, operation),
            methods=[operation.method],
        )
    for path in sorted({operation.path for operation in every_operation()}):
        app.add_url_rule(path, f"preflight {path}", _preflight, methods=["OPTIONS"])
    catch_all(app, parts)
    app.wsgi_app = _with_headers(app.wsgi_app, parts.limits)  # type: ignore[assignment, method-assign]
    return app


def _with_headers(inner: "WSGIApplication", limits: Limits) -> "WSGIApplication":
    """Add the headers that every answer has."""

    def answer(environ: "WSGIEnvironment", start: "StartResponse") -> Iterable[bytes]:
        def started(status: str, headers: list[tuple[str, str]], *failure: Any) -> Any:
            left = environ.get(http.LIMIT)
            if left is None:
                # Nothing was counted: a preflight, a wrong token, a path that is none.
                left = limits.told("reads", who_asks(None, environ.get("REMOTE_ADDR")))
            added = [*http.EVERYWHERE, *(left or ())]
            if status.startswith("304"):
                kept = http.UNCHANGED_ELSEWHERE if "HTTP_ORIGIN" in environ else http.UNCHANGED
                added = [each for each in added if each[0] in kept]
            return start(status, [*headers, *added], *failure)

        return inner(environ, started)

    return answer


def _preflight(**path: Any) -> Response:  # noqa: ARG001
    """Let pages of any origin ask; they bring a bearer token, never a cookie."""
    return http.written(request, None, 204, http.PREFLIGHT)
