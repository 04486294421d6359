"""Operations and documentation: is it alive, is it ready, how is it doing, how is it used."""

from flask import Response

from service import answers
from service.http import NEVER, Call
from service.operation import Returns, Routes
from service.pages import documentation as pages
from service.pages.guides import TUTORIALS
from service.problems import Problem

ROUTES = Routes("operations", "How the server is doing, and its documentation.")
HTML = "text/html; charset=utf-8"
DAILY = "public, max-age=3600"
_PROMETHEUS = "text/plain; version=1.0.0; charset=utf-8"


@ROUTES("GET", "/livez", bucket=None, answers={200: Returns("The process answers.", answers.Alive)})
def get_livez(call: Call) -> Response:
    """Say that the process answers."""
    return call.reply({"status": "ok"}, cache=NEVER)


@ROUTES(
    "GET", "/readyz", bucket=None,
    answers={200: Returns("It can; what lags is in `degraded`.", answers.Readiness)},
    problems=("store-unavailable", "store-misconfigured"),
)  # fmt: skip
def get_readyz(call: Call) -> Response:
    """Say whether the server can do its work."""
    call.parts.health.check()
    degraded = call.parts.health.status().degraded
    status = "degraded" if degraded else "ok"
    return call.reply({"status": status, "degraded": list(degraded)}, cache=NEVER)


@ROUTES(
    "GET", "/metrics", bucket=None,
    answers={200: Returns("Counters and times for Prometheus.", None, media="text/plain")},
)  # fmt: skip
def get_metrics(call: Call) -> Response:
    """Answer what is measured, in Prometheus' text format."""
    return call.reply(call.parts.meters.exposition(), cache=NEVER, media=_PROMETHEUS)


@ROUTES(
    "GET", "/openapi.yaml",
    answers={200: Returns("OpenAPI 3.1.", None, media="application/yaml")},
)  # fmt: skip
def get_openapi(call: Call) -> Response:
    """Answer the description of this API."""
    return call.reply(call.parts.document_yaml().encode(), media="application/yaml", cache=DAILY)


@ROUTES(
    "GET", "/", answers={307: Returns("The documentation is there.", None, ("Location",))},
    problems=("bad-request",),
)  # fmt: skip
def get_root(call: Call) -> Response:
    """Show whoever opens the server's address in a browser where to begin."""
    return call.reply_empty(307, ("Location", f"{call.root}/docs"), cache=NEVER)


@ROUTES("GET", "/docs", answers={200: Returns("A page.", None, media="text/html")})
def get_docs(call: Call) -> Response:
    """Show the description of this API as a page."""
    return call.reply(
        pages.docs_page(call.parts.document), 200, *pages.SAFE, media=HTML, cache=DAILY
    )


@ROUTES("GET", "/docs/errors", answers={200: Returns("A page.", None, media="text/html")})
def get_errors(call: Call) -> Response:
    """Show every problem and what helps; `type` of a problem points here."""
    return call.reply(pages.errors_page(), 200, *pages.SAFE, media=HTML, cache=DAILY)


@ROUTES("GET", "/docs/docs.css", answers={200: Returns("A style sheet.", None, media="text/css")})
def get_style(call: Call) -> Response:
    """Answer the style sheet of the documentation."""
    return call.reply(pages.style(), media="text/css; charset=utf-8", cache=DAILY)


@ROUTES(
    "GET", "/docs/<guide>", answers={200: Returns("A page.", None, media="text/html")},
    problems=("unknown-path",),
)  # fmt: skip
def get_guide(call: Call, guide: str) -> Response:
    """Show a page of the documentation, such as `live` or `webhooks`."""
    return _guide(call, guide)


@ROUTES(
    "GET", "/docs/tutorials/<tutorial>", answers={200: Returns("A page.", None, media="text/html")},
    problems=("unknown-path",),
)  # fmt: skip
def get_tutorial(call: Call, tutorial: str) -> Response:
    """Show a tutorial, such as `first-game`: one thing from beginning to end."""
    return _guide(call, TUTORIALS + tutorial)


def _guide(call: Call, name: str) -> Response:
    page = pages.guide_page(name)
    if page is None:
        raise Problem("unknown-path")
    return call.reply(page, 200, *pages.SAFE, media=HTML, cache=DAILY)
