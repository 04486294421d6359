"""The pages of ``docs/`` as the server shows them: drawn beforehand, put into a frame here."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from types import MappingProxyType
from typing import Final

from markupsafe import Markup

TUTORIALS: Final = "tutorials/"
"""What the names of pages begin with that show one thing from beginning to end."""


@dataclass(frozen=True, slots=True)
class Guide:
    """A page of the documentation: its name below ``/docs/``, its title, and its text as HTML."""

    name: str
    title: str
    text: Markup


@cache
def guides() -> Mapping[str, Guide]:
    """Answer every page by its name: tutorials first, in the order in which one reads them."""
    folder = files("service") / "web" / "guides"
    found = [
        *(_guide(each, TUTORIALS) for each in (folder / "tutorials").iterdir()),
        *(_guide(each, "") for each in folder.iterdir() if each.is_file()),
    ]
    return MappingProxyType({each.name: each for each in sorted(found, key=_order)})


def _order(guide: Guide) -> tuple[bool, bool, str]:
    # Whoever is new begins with the first game.
    return not guide.name.startswith(TUTORIALS), "first" not in guide.name, guide.name


def _guide(found: Traversable, folder: str) -> Guide:
    drawn = found.read_text("utf-8")
    title = Markup(drawn.partition("<h1>")[2].partition("</h1>")[0])  # noqa: S704 - our own page
    name = folder + found.name.removesuffix(".html")
    return Guide(name, title.striptags(), Markup(drawn))  # noqa: S704
