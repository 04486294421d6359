"""Headers that mean something here, as openapi.yaml describes them."""

from typing import Any, Final


def _text(description: str, **schema: Any) -> dict[str, Any]:
    return {"description": description, "schema": {"type": "string", **schema}}


_KEY: Final = _text(
    "Chosen by the client, a fresh one for each wish. A repeat with the same key and body counts "
    "once and gets the same answer.",
    pattern="^[!-~]{1,255}$",
)

PARAMETERS: Final[dict[str, dict[str, Any]]] = {
    "Idempotency-Key": _KEY,
    "Needed-Idempotency-Key": {**_KEY, "name": "Idempotency-Key", "required": True},
    "Accept-Encoding": _text("Of zstd and gzip, what the client unpacks.", examples=["zstd, gzip"]),
    "Content-Encoding": _text("How the body is packed.", enum=["identity", "gzip", "zstd"]),
    "If-Match": _text("Tags of views; only the version in them counts.", examples=['"12.0.1"']),
    "If-None-Match": _text("Tags of what the client has.", examples=['"12.0.1"']),
    "Last-Event-ID": _text(
        "The last notice that a stream brought: it goes on after that.", pattern="^[0-9]{1,10}$"
    ),
    "Prefer": _text("`return=representation` adds the view.", examples=["return=representation"]),
    "traceparent": _text(
        "W3C trace context: kept beside what it causes, echoed as X-Request-Id.",
        examples=["00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"],
    ),
}
"""What requests may carry, by the name of its description."""

HEADERS: Final[dict[str, dict[str, Any]]] = {
    "X-Request-Id": _text("The trace id of `traceparent`, or a fresh one."),
    "ETag": _text('`"<version>.<seat, s or a>.<generation>"` of a view; else opaque.'),
    "Content-Disposition": _text("A name for the file.", examples=['attachment; filename="x"']),
    "Location": _text("Where the new thing is.", format="uri"),
    "Link": _text('The next page: `<...>; rel="next"`.'),
    "Idempotent-Replayed": _text("`true` if the command was known.", enum=["true"]),
    "Preference-Applied": _text("Which preference was met.", enum=["return=representation"]),
    "Content-Language": _text("The language of names and texts.", enum=["en", "fr"]),
    "WWW-Authenticate": _text("How to authenticate."),
    "RateLimit-Policy": _text(
        "What one caller may, unless limits are switched off: so many requests (q) in so many "
        "seconds (w).",
        examples=['"reads";q=1200;w=60'],
    ),
    "RateLimit": _text(
        "How many requests are left now (r), and in how many seconds there will be one again, or "
        "all of them (t). Whoever waits when r is 0 is never refused.",
        examples=['"reads";r=1199;t=1'],
    ),
    "Retry-After": {
        "description": "Seconds to wait before a repeat.",
        "schema": {"type": "integer", "minimum": 0},
    },
}
"""What answers may carry."""
