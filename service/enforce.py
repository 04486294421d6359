"""Carries out what operations declare: token, scope, query, body; then the route; and failures."""

import logging
from time import perf_counter
from typing import Any

from flask import Request, Response
from redis.exceptions import RedisError
from werkzeug.exceptions import HTTPException

from domain.game import BadField, Refused
from events.servers.connection import OutcomeUnknown, StoreUnavailable, WrongConfiguration
from events.tracing import span
from events.transact import KeyReused, StaleVersion, UnknownTable, UnknownVersion
from service import http
from service.histories.incoming import read_record
from service.http import Call
from service.identity.callers import Caller
from service.limits import Bucket, SlowDown, who_asks
from service.operation import Operation
from service.parts import Parts
from service.problems import Problem, from_bad_field, from_refused
from service.request_log import CODE, VERSION, tell
from workers.logs import where

LOG = logging.getLogger("abraxas.service")

_STATUS_CODES = {
    404: "unknown-path",
    405: "method-not-allowed",
    413: "too-large",
    415: "wrong-media-type",
}


def run(parts: Parts, operation: Operation, plain: Request, **path: Any) -> Response:
    """Run an operation once what it declares is met, and answer its problem if that is not so."""
    started = perf_counter()
    with span(operation.name, http.traceparent(plain)):
        try:
            response = operation.run(asked(parts, operation, plain), **path)
        except Exception as error:  # noqa: BLE001 - the last place where it can be told
            response = failed(parts, plain, error)
    seconds = perf_counter() - started
    parts.meters.answered(operation.name, response.status_code, seconds)
    tell(operation, plain, path, response.status_code, seconds)
    return response


def asked(parts: Parts, operation: Operation, plain: Request) -> Call:
    """Answer a request as a call, or raise the problem with what its operation demands."""
    token, caller = _caller(parts, operation, plain)
    _count(parts, operation.bucket, caller, plain)
    if caller and operation.scope and operation.scope not in caller.scopes:
        raise Problem("missing-scope", scope=operation.scope)
    query = http.read_query(plain, operation.query) if operation.query else {}
    return Call(parts, plain, caller, token, _body(operation, plain), query)


def _caller(parts: Parts, operation: Operation, plain: Request) -> tuple[str, Caller | None]:
    token = http.bearer(plain)
    if operation.auth == "none" or (token is None and operation.auth == "optional"):
        return "", None
    caller = parts.identity.caller(token) if token else None
    if caller is None:
        raise Problem("bad-token")
    return token or "", caller


def _count(parts: Parts, bucket: Bucket | None, caller: Caller | None, plain: Request) -> None:
    """Take a request from its caller's bucket; signing up is counted by address."""
    known = caller.player if caller and bucket != "sign-ups" else None
    who = who_asks(known, plain.remote_addr)
    if bucket is None:
        plain.environ[http.LIMIT] = parts.limits.told("reads", who)
        return
    try:
        plain.environ[http.LIMIT] = parts.limits.take(bucket, who)
    except SlowDown as slow:
        plain.environ[http.LIMIT] = parts.limits.told(bucket, who)
        raise Problem("slow-down", seconds=slow.seconds) from slow


def _body(operation: Operation, plain: Request) -> Any:
    if operation.body is None:
        return None
    if operation.body == "Record":
        return read_record(plain)
    body = http.read_object(plain)
    return body if operation.body == "Command" else http.loaded(operation.body, body)


def failed(parts: Parts, request: Request, error: Exception) -> Response:
    """Answer a failure as a problem; what nobody foresaw is logged without what it was about."""
    stopped = problem_of(error)
    if stopped.code == "outcome-unknown" and request.method in ("GET", "HEAD"):
        stopped = Problem("store-unavailable")
    if stopped.code == "internal":
        LOG.error(
            "%s %s failed with %s (request %s)",
            request.method, request.url_rule, where(error), http.request_id(request),
        )  # fmt: skip
    request.environ |= {CODE: stopped.code, VERSION: stopped.version}
    parts.meters.refused(stopped.code)
    headers = error.get_headers() if isinstance(error, HTTPException) else ()
    return http.problem(request, stopped, *(each for each in headers if each[0] == "Allow"))


def problem_of(error: Exception) -> Problem:
    """Answer the problem that a failure is."""
    match error:
        case Problem():
            return error
        case BadField():
            return from_bad_field(error)
        case Refused():
            return from_refused(error, None)
        case UnknownTable():
            return Problem("unknown-table")
        case UnknownVersion(version=version):
            return Problem("unknown-version", version=version)
        case StaleVersion(version=version):
            return Problem("stale-version", version=version)
        case KeyReused():
            return Problem("key-reused")
        case OutcomeUnknown():
            return Problem("outcome-unknown")
        case StoreUnavailable() | RedisError():
            return Problem("store-unavailable")
        case WrongConfiguration():
            return Problem("store-misconfigured")
        case HTTPException():
            return _from_werkzeug(error)
        case _:
            return Problem("internal")


def _from_werkzeug(error: HTTPException) -> Problem:
    code = _STATUS_CODES.get(error.code or 500)
    if code is None:
        code = "bad-request" if (error.code or 500) < 500 else "internal"
    return Problem(code, most=http.MOST_BYTES)
