"""Finds every game: each sub-package that exports GAME, with no list to edit."""

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from types import MappingProxyType

import domain
from domain.game import AnyGame


@cache
def games() -> Mapping[str, AnyGame]:
    """Answer the games by name, in alphabetical order."""
    packages = sorted(found.name for found in iter_modules(domain.__path__) if found.ispkg)
    modules = (import_module(f"domain.{name}") for name in packages)
    found = (module.GAME for module in modules if hasattr(module, "GAME"))
    return MappingProxyType({game.name: game for game in found})
