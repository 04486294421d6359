"""A request as the routes see it, and how its answer is written: headers, JSON, problems."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from http import HTTPStatus
from random import getrandbits
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, cast
from urllib.parse import urlencode, urlsplit

import msgspec
from flask import Request, Response
from marshmallow import Schema, ValidationError
from werkzeug.datastructures import Headers, LanguageAccept
from werkzeug.http import parse_accept_header

from domain.game import Language
from domain.texts import LANGUAGES
from events import tracing
from events.schema import pointers
from service.identity.callers import Caller
from service.parts import Parts
from service.problems import FieldError, Problem, bad_field

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse

MOST_BYTES: Final = 64 * 1024
MOST_NESTED: Final = 16

_SEEN: Final = (
    "ETag, Link, Location, RateLimit, RateLimit-Policy, Retry-After, Idempotent-Replayed, "
    "Preference-Applied, X-Request-Id, Content-Disposition"
)
_SENT: Final = (
    "Authorization, Content-Type, Content-Encoding, Accept-Language, Idempotency-Key, If-Match, "
    "If-None-Match, Prefer, Last-Event-ID, traceparent"
)
EVERYWHERE: Final = [
    ("Vary", "Authorization, Accept, Accept-Language"),
    ("X-Content-Type-Options", "nosniff"),
    ("Access-Control-Allow-Origin", "*"),
    ("Access-Control-Expose-Headers", _SEEN),
]
"""Headers of every answer; they are added outside of Flask, which would check them each time."""

LIMIT: Final = "abraxas.limit"
"""Where the environment of a request holds the headers that tell what its caller has left."""

UNCHANGED: Final = ("Vary", "RateLimit")
UNCHANGED_ELSEWHERE: Final = (*UNCHANGED, "Access-Control-Allow-Origin")
"""Which of these a 304 has, and which if a page of some origin asks: phones poll and pay for it."""

PREFLIGHT: Final = (
    ("Access-Control-Allow-Methods", "GET, POST, PATCH, DELETE"),
    ("Access-Control-Allow-Headers", _SENT),
    ("Access-Control-Max-Age", "86400"),
)

PRIVATE: Final = "private, no-cache"
NEVER: Final = "no-store"

_TRACE: Final = re.compile(r"[0-9a-f]{2}-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}")
_HOST: Final = re.compile(r"([A-Za-z0-9._-]{1,255}|\[[0-9A-Fa-f:.]{2,45}\])(:[0-9]{1,5})?")
_KEY: Final = re.compile(r"[!-~]{1,255}")
_TAG: Final = re.compile(r'(?:W/)?"([!#-~]*)"')


@dataclass(frozen=True, slots=True)
class Call:
    """A request whose operation's demands are met."""

    parts: Parts
    request: Request
    caller: Caller | None
    token: str
    body: Any
    query: Mapping[str, Any]

    @property
    def player(self) -> str:
        """Answer the caller of an operation that needs a token."""
        return cast("Caller", self.caller).player

    @property
    def language(self) -> Language:
        """Answer the language that the caller asked for."""
        return asked_language(self.request)

    @property
    def root(self) -> str:
        """Answer the address under which the caller found the server, without a slash."""
        root = self.parts.url or _root(self.request.scheme, self.request.headers.get("Host", ""))
        if root is None:
            raise Problem("bad-request")
        return root

    @property
    def trace(self) -> str | None:
        """Answer the trace to keep beside what it causes: the span open here, or the caller's."""
        return tracing.traceparent(traceparent(self.request))

    @property
    def key(self) -> str | None:
        """Answer the Idempotency-Key."""
        key = self.request.headers.get("Idempotency-Key")
        if key is not None and not _KEY.fullmatch(key):
            raise bad_field("Idempotency-Key", "malformed")
        return key or None

    @property
    def seen_version(self) -> int | None:
        """Answer the version of If-Match; 0, which no table has, if the tag is not one of ours."""
        header = self.request.headers.get("If-Match")
        if header is None or header.strip() == "*":
            return None
        numbers = [each.partition(".")[0] for each in _tags(header) or [header]]
        return max(int(n) if re.fullmatch(r"[0-9]{1,15}", n) else 0 for n in numbers)

    @property
    def wants_view(self) -> bool:
        """Answer whether the caller prefers to get the view with the outcome of a command."""
        wishes = self.request.headers.get("Prefer")
        if wishes is None:
            return False
        return "return=representation" in re.split("[,;]", wishes.replace(" ", "").lower())

    def has(self, tag: str) -> bool:
        """Answer whether If-None-Match says that the caller has this very thing."""
        header = self.request.headers.get("If-None-Match")
        return header is not None and (header.strip() == "*" or tag in _tags(header))

    def reply(
        self,
        body: Mapping[str, Any] | bytes | Iterator[bytes],
        status: int = 200,
        *headers: tuple[str, str],
        cache: str = PRIVATE,
        media: str = "application/json",
    ) -> Response:
        """Write an answer; chunks leave one by one."""
        return written(self.request, body, status, headers, cache=cache, media=media)

    def reply_empty(self, status: int, *headers: tuple[str, str], cache: str = PRIVATE) -> Response:
        """Write an answer without a body."""
        return written(self.request, None, status, headers, cache=cache)

    def next_page(
        self, cursor: str | int | None, name: str = "cursor"
    ) -> tuple[tuple[str, str], ...]:
        """Answer the Link header to the next page, if there is one."""
        if cursor is None:
            return ()
        query = urlencode({**self.request.args.to_dict(), name: cursor})
        return (("Link", f'<{self.root}{self.request.path}?{query}>; rel="next"'),)


class Written(Response):
    """An answer of ready bytes with headers of our own making, which nobody need look through."""

    def __init__(self, data: bytes, status: int, headers: list[tuple[str, str]]) -> None:
        # Flask's own would check every header, and count the bytes once more when they are sent.
        self._status, self._status_code = _status_line(status), status
        self._on_close = []
        self.response = [data]
        self.headers = Headers()
        self.headers._list = headers  # noqa: SLF001

    def send(
        self, method: str, added: Iterable[tuple[str, str]], start: "StartResponse"
    ) -> Iterable[bytes]:
        """Send it over WSGI with some headers more."""
        ready = cast("list[bytes]", self.response)
        headers = [*self.headers, *added]
        if self._status_code not in (204, 304):
            headers.append(("Content-Length", str(len(ready[0]))))
        start(self._status, headers)
        return () if method == "HEAD" else ready


@cache
def _status_line(status: int) -> str:
    return f"{status} {HTTPStatus(status).phrase.upper()}"


def written(
    request: Request,
    body: Mapping[str, Any] | bytes | Iterator[bytes] | None,
    status: int,
    headers: Iterable[tuple[str, str]] = (),
    *,
    cache: str = NEVER,
    media: str = "application/json",
) -> Response:
    """Write an answer."""
    own = [("X-Request-Id", request_id(request)), ("Cache-Control", cache), *headers]
    if body is None:
        return Written(b"", status, own)
    own.append(("Content-Type", media))
    if isinstance(body, Mapping):
        body = msgspec.json.encode(body)
    if isinstance(body, bytes):
        return Written(body, status, own)
    return Response(body, status, own)


def problem(request: Request, stopped: Problem, *headers: tuple[str, str]) -> Response:
    """Write a problem as an answer."""
    language = asked_language(request)
    extra = [("Content-Language", language), *headers]
    if stopped.status == 401:
        extra.append(("WWW-Authenticate", 'Bearer realm="abraxas", error="invalid_token"'))
    if stopped.status in (429, 503):
        extra.append(("Retry-After", str(stopped.named.get("seconds", 1))))
    body = stopped.body(language)
    return written(request, body, stopped.status, extra, media="application/problem+json")


def asked_language(request: Request) -> Language:
    """Answer the language of Accept-Language; English for those who ask for neither."""
    return _language(request.headers.get("Accept-Language", ""))


@lru_cache(maxsize=512)
def _language(header: str) -> Language:
    # In order of preference; fr-CA is served by fr.
    for tag, quality in parse_accept_header(header, LanguageAccept):
        spoken = tag.partition("-")[0].lower()
        if spoken in LANGUAGES and quality > 0:
            return cast("Language", spoken)
    return "en"


@lru_cache(maxsize=512)
def _root(scheme: str, host: str) -> str | None:
    root = f"{scheme}://{host}"
    try:
        urlsplit(root).port  # noqa: B018 - raises if it is none
    except ValueError:
        return None
    return root if _HOST.fullmatch(host) else None


def request_id(request: Request) -> str:
    """Answer the trace id of the caller, or a fresh one; always the same for one request."""
    known: str | None = request.environ.get("abraxas.request")
    if known is None:
        known = _trace_id(request) or f"{getrandbits(128):032x}"
        request.environ["abraxas.request"] = known
    return known


def traceparent(request: Request) -> str | None:
    """Answer the caller's traceparent, if it is one."""
    return request.headers.get("traceparent") if _trace_id(request) else None


def _trace_id(request: Request) -> str | None:
    header = request.headers.get("traceparent")
    found = _TRACE.fullmatch(header) if header else None
    return found[1] if found else None


def bearer(request: Request) -> str | None:
    """Answer the token of a request; an empty one if something else is offered, None if nothing."""
    header = request.headers.get("Authorization")
    if header is None:
        return None
    scheme, _, token = header.partition(" ")
    return token.strip() if scheme.lower() == "bearer" else ""


def _number(text: str) -> float:
    """Take 2.0 as the integer that it is to JSON Schema; every other fraction is a float."""
    value = float(text)
    return int(value) if value.is_integer() and abs(value) < 2**53 else value


_JSON: Final = msgspec.json.Decoder(float_hook=_number)


def read_object(request: Request) -> dict[str, Any]:
    """Read a body as a JSON object; no body at all is an empty one."""
    data = _body_of(request)
    if len(data) > MOST_BYTES:
        # A body of unknown length is read up to the limit and cut there.
        raise Problem("too-large", most=MOST_BYTES)
    media = request.environ.get("CONTENT_TYPE", "")
    if media != "application/json":
        if not data and not request.mimetype:
            return {}
        if request.mimetype != "application/json":
            raise Problem("wrong-media-type")
    if request.headers.get("Content-Encoding", "identity").lower() != "identity":
        raise Problem("wrong-media-type")
    try:
        body = _JSON.decode(data)
    except (msgspec.MsgspecError, RecursionError) as bad:
        raise Problem("malformed-json") from bad
    if not isinstance(body, dict):
        raise bad_field("", "wrong-type")
    if _too_deep(body):
        raise Problem("malformed-json")
    return body


def _body_of(request: Request) -> bytes:
    length = request.environ.get("CONTENT_LENGTH", "")
    if length.isdecimal() and int(length) <= MOST_BYTES:
        # Servers end the stream there: nothing has to be counted.
        data: bytes = request.environ["wsgi.input"].read(int(length))
        return data
    return request.get_data(cache=False)


def _too_deep(body: Any) -> bool:
    level = [body]
    for _ in range(MOST_NESTED):
        nested = (each.values() if isinstance(each, dict) else each for each in level)
        level = [v for values in nested for v in values if isinstance(v, (dict, list))]
        if not level:
            return False
    return True


def read_query(request: Request, schema: Schema) -> Mapping[str, Any]:
    """Read the query by a schema; a parameter comes once."""
    if not request.query_string:
        return _unasked(schema)
    given = request.args
    twice = [name for name, values in given.lists() if len(values) > 1]
    if twice:
        raise Problem("bad-field", errors=[FieldError(f"?{name}", "repeated") for name in twice])
    query: Mapping[str, Any] = loaded(schema, given.to_dict(), start="?")
    return query


@cache
def _unasked(schema: Schema) -> Mapping[str, Any]:
    """Answer what a schema makes of no query at all, which is what most requests bring."""
    return MappingProxyType(loaded(schema, {}))


def loaded(schema: Schema, data: Mapping[str, Any], *, start: str = "/") -> Any:
    """Load by a schema; what it refuses is the problem bad-field."""
    try:
        return schema.load(data)
    except ValidationError as bad:
        raise Problem("bad-field", errors=field_errors(bad, start)) from bad


def field_errors(bad: ValidationError, start: str = "/") -> list[FieldError]:
    """Answer what a schema refused; ``start`` is what a pointer begins with."""
    found = pointers(bad.messages)
    return [FieldError.of(f"{start}{at[1:]}" if at else "", code) for at, code in found]


def _tags(header: str) -> list[str]:
    return _TAG.findall(header)
