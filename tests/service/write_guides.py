"""Draws docs/ for the server: ``python -m tests.service.write_guides`` after a change there."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from posixpath import normpath

from markdown_it import MarkdownIt
from markdown_it.token import Token

ROOT = Path(__file__).resolve().parents[2]
DRAWN = ROOT / "service" / "web" / "guides"
ELSEWHERE = {"docs/errors.md": "/docs/errors", "openapi.yaml": "/openapi.yaml"}
"""Files that the server shows in its own way."""


def sources() -> dict[str, Path]:
    """Answer the files of docs/ that are shown, by the names of their pages."""
    docs = ROOT / "docs"
    found = {p.relative_to(docs).with_suffix("").as_posix(): p for p in docs.rglob("*.md")}
    return {n: p for n, p in found.items() if n != "errors" and not n.startswith("adr/")}


def drawn(source: Path) -> str:
    """Draw one file as HTML; HTML in it is shown as text."""
    markdown = MarkdownIt("commonmark", {"html": False}).enable("table")
    tokens = markdown.parse(source.read_text(encoding="utf-8"))
    for inline in tokens:
        inline.children = list(linked(inline.children or [], source.parent.relative_to(ROOT)))
    page: str = markdown.renderer.render(tokens, markdown.options, {})
    # Long lines are scrolled, by keyboard too.
    return page.replace("<pre>", '<pre tabindex="0">')


def linked(tokens: Sequence[Token], folder: Path) -> Iterator[Token]:
    """Let links lead to pages of the server; what it does not show becomes plain text."""
    kept: list[bool] = []
    for token in tokens:
        if token.type == "link_open":
            place = address(str(token.attrGet("href")), folder)
            kept.append(place is not None)
            if place is not None:
                token.attrSet("href", place)
        shown = kept.pop() if token.type == "link_close" else token.type != "link_open" or kept[-1]
        if shown:
            yield token


def address(written: str, folder: Path) -> str | None:
    """Answer where a link of a file in a folder leads on the server."""
    if "://" in written or written.startswith("#"):
        return written
    path, mark, part = written.partition("#")
    path = normpath(f"{folder.as_posix()}/{path}")
    if path in ELSEWHERE:
        return ELSEWHERE[path] + mark + part
    name = path.removeprefix("docs/").removesuffix(".md")
    return f"/docs/{name}{mark}{part}" if name in sources() else None


def write() -> None:
    """Write every page anew."""
    for name, source in sources().items():
        page = DRAWN / f"{name}.html"
        page.parent.mkdir(parents=True, exist_ok=True)
        page.write_text(drawn(source), encoding="utf-8")


if __name__ == "__main__":
    write()
