"""A cache that keeps the signature of what it caches."""

from collections.abc import Callable
from functools import cache
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")


def remembered(function: Callable[P, T]) -> Callable[P, T]:
    """Work each answer out once; ``functools.cache`` refuses classes as arguments under mypy."""
    return cache(function)  # type: ignore[return-value]
