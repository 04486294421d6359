"""The documentation as pages: openapi.yaml, the catalogue of problems and the guides, no script."""

import re
import sys
from collections.abc import Callable
from functools import cache
from importlib.resources import files
from typing import Any, Final

import msgspec
from jinja2 import Environment, PackageLoader, select_autoescape
from markupsafe import Markup, escape

from domain.catalogue import games
from service.pages.guides import guides
from service.problems import FIELD_CODES, KINDS, refusals

_POLICY: Final = (
    "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'"
)
SAFE: Final = (
    ("Content-Security-Policy", _POLICY),
    ("Referrer-Policy", "no-referrer"),
)

METHODS: Final = ("get", "post", "patch", "delete")


@cache
def docs_page(description: Callable[[], dict[str, Any]]) -> bytes:
    """Draw the description of the API."""
    document = description()
    operations = [
        operation | {"method": method.upper(), "path": path}
        for path, methods in document["paths"].items()
        for method, operation in methods.items()
        if method in METHODS
    ]
    return _draw("docs.html", document=document, operations=operations, guides=guides().values())


@cache
def errors_page() -> bytes:
    """Draw the catalogue of problems."""
    return _draw("errors.html", kinds=KINDS, fields=FIELD_CODES, refusals=refusals(), games=games())


@cache
def guide_page(name: str) -> bytes | None:
    """Draw a page of ``docs/`` by its name, ``tutorials/bot``; None if there is none."""
    known = guides()
    if name not in known:
        return None
    return _draw("guide.html", guide=known[name], guides=known.values())


@cache
def style() -> bytes:
    """Answer the style sheet of the pages."""
    return (files("service") / "web" / "docs.css").read_bytes()


def errors_text() -> str:
    """Write docs/errors.md: ``python -m service.pages.documentation > docs/errors.md``."""
    return _draw("errors.md", kinds=KINDS, fields=FIELD_CODES).decode()


def _draw(template: str, **told: Any) -> bytes:
    environment = Environment(
        loader=PackageLoader("service", "web"),
        autoescape=select_autoescape(("html",)),
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters["json"] = _json
    environment.filters["prose"] = _prose
    return environment.get_template(template).render(**told).encode()


def _prose(text: str) -> Markup:
    """Show what stands between backticks as code."""
    return Markup(re.sub(r"`([^`]+)`", r"<code>\1</code>", str(escape(text))))  # noqa: S704


def _json(value: Any) -> str:
    return msgspec.json.format(msgspec.json.encode(value), indent=2).decode()


if __name__ == "__main__":
    sys.stdout.write(errors_text())
